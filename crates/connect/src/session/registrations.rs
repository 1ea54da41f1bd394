//! Methods of ours: what we offer, and what it is called on this link.
//!
//! A registration outlives the link. Each link gets it under a new id, so that
//! an answer meant for an earlier life finds nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use deskwire_wire::{ClientMessage, Domain, Id, Method, MethodDef, MethodDefError};

use super::line::Outcome;
use super::pending::Pending;
use super::publishing::Stream;
use super::{Effect, Phase, Reply, Session, answer};
use crate::RequestError;
use crate::directory::MethodKey;
use crate::handler::Handler;
use crate::streams::StreamHandler;

/// One registration, for as long as the client lives.
pub(crate) type RegistrationKey = u64;

/// Methods are announced again in frames of at most this many, and about this
/// many bytes.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 512 << 10;

/// What answers for a method.
#[derive(Clone)]
pub(crate) enum Role {
    Method(Arc<dyn Handler>),
    Stream(Arc<dyn StreamHandler>),
}

/// Methods of ours.
#[derive(Debug, Default)]
pub(super) struct Registrations {
    all: BTreeMap<RegistrationKey, Registration>,
    ids: HashMap<Id, RegistrationKey>,
    next_key: RegistrationKey,
    next_id: u64,
}

#[derive(Debug)]
pub(super) struct Registration {
    pub(super) name: Arc<str>,
    pub(super) role: Role,
    pub(super) stream: Stream,
    method: Method,
    /// The id on this link, once it was sent.
    id: Option<Id>,
    reply: Option<Reply<(), RequestError>>,
}

impl Registrations {
    pub(super) fn by_id(&self, id: &Id) -> Option<(RegistrationKey, &Registration)> {
        let key = *self.ids.get(id)?;
        Some((key, self.all.get(&key)?))
    }

    pub(super) fn get_mut(&mut self, key: RegistrationKey) -> Option<&mut Registration> {
        self.all.get_mut(&key)
    }

    pub(super) fn get(&self, key: RegistrationKey) -> Option<&Registration> {
        self.all.get(&key)
    }

    pub(super) fn link_down(&mut self) {
        self.ids.clear();
        for registration in self.all.values_mut() {
            registration.id = None;
            registration.stream.link_down();
        }
    }

    /// Takes everything out, to be dropped where dropping may run other code.
    pub(super) fn take_all(&mut self) -> Vec<Role> {
        self.ids.clear();
        std::mem::take(&mut self.all).into_values().map(|registration| registration.role).collect()
    }

    fn new_id(&mut self) -> Id {
        let id = Id::from(self.next_id.to_string());
        self.next_id += 1;
        id
    }
}

impl Session {
    /// Offers a method from now on, on this link and every later one. `reply`
    /// is filled when the gateway has taken it for the first time.
    ///
    /// # Errors
    /// When the definition cannot be used.
    pub(crate) fn register(
        &mut self,
        method: Method,
        role: Role,
        reply: Reply<(), RequestError>,
    ) -> Result<RegistrationKey, MethodDefError> {
        MethodDef::new(Id::from(0), &method)?;
        let key = self.own.next_key;
        self.own.next_key += 1;
        let registration = Registration {
            name: method.name.as_str().into(),
            role,
            stream: Stream::default(),
            method,
            id: None,
            reply: Some(reply),
        };
        if self.phase == Phase::Ended {
            answer_opt(registration.reply, Err(RequestError::Closed));
            return Ok(key);
        }
        self.own.all.insert(key, registration);
        if self.phase == Phase::Ready {
            self.announce(&[key]);
        }
        Ok(key)
    }

    /// Withdraws a method.
    pub(crate) fn unregister(
        &mut self,
        key: RegistrationKey,
        reply: Option<Reply<(), RequestError>>,
    ) {
        let Some(registration) = self.own.all.remove(&key) else {
            return answer_opt(reply, Ok(()));
        };
        self.interests.stream_ended(key);
        if let Some(id) = registration.id {
            self.own.ids.remove(&id);
            let message = ClientMessage::Unregister { methods: vec![id] };
            self.line.ask(Domain::Agm, message, Pending::Unregister(reply));
        } else {
            answer_opt(reply, Ok(()));
        }
        self.line.effects.push(Effect::Discard(registration.role));
    }

    /// What a method of ours is called by on this link.
    pub(crate) fn method_key(&self, key: RegistrationKey) -> Option<MethodKey> {
        let method = self.own.all.get(&key)?.id.clone()?;
        Some(MethodKey { server: self.line.me.clone()?, method })
    }

    /// Announces everything on a new link.
    pub(super) fn announce_all(&mut self) {
        let keys: Vec<RegistrationKey> = self.own.all.keys().copied().collect();
        self.announce(&keys);
    }

    pub(super) fn registered(&mut self, keys: &[RegistrationKey], outcome: Outcome) {
        let Outcome::Success = outcome else {
            let refusal = outcome.into_refusal();
            if let [key] = keys {
                self.registration_refused(*key, refusal.into());
            } else {
                // One of them is at fault; each for itself tells which.
                for key in keys {
                    self.announce(std::slice::from_ref(key));
                }
            }
            return;
        };
        for key in keys {
            if let Some(registration) = self.own.all.get_mut(key) {
                answer_opt(registration.reply.take(), Ok(()));
            }
        }
    }

    fn registration_refused(&mut self, key: RegistrationKey, error: RequestError) {
        let Some(registration) = self.own.all.get_mut(&key) else { return };
        if let Some(id) = registration.id.take() {
            self.own.ids.remove(&id);
        }
        match registration.reply.take() {
            Some(reply) => answer(reply, Err(error)),
            // Nobody waits after a reconnect; the next link tries again.
            None => tracing::warn!(method = %registration.name, %error, "no longer registered"),
        }
    }

    fn announce(&mut self, keys: &[RegistrationKey]) {
        let mut methods = Vec::new();
        let mut named = Vec::new();
        let mut bytes = 0;
        for key in keys {
            let fresh = self.own.new_id();
            let Some(registration) = self.own.all.get_mut(key) else { continue };
            // A second try on the same link keeps the id: the first may have been taken.
            let id = registration.id.clone().unwrap_or(fresh);
            let def = match MethodDef::new(id.clone(), &registration.method) {
                Ok(def) => def,
                Err(error) => {
                    tracing::error!(method = %registration.name, %error, "cannot be announced");
                    continue;
                }
            };
            if let Err(error) = self.line.fits(def.definition()) {
                answer_opt(registration.reply.take(), Err(error));
                continue;
            }
            bytes += def.definition().len();
            registration.id = Some(id.clone());
            self.own.ids.insert(id, *key);
            methods.push(def);
            named.push(*key);
            if methods.len() >= BATCH || bytes >= BATCH_BYTES {
                self.send_batch(std::mem::take(&mut methods), std::mem::take(&mut named));
                bytes = 0;
            }
        }
        self.send_batch(methods, named);
    }

    fn send_batch(&mut self, methods: Vec<MethodDef>, keys: Vec<RegistrationKey>) {
        if !methods.is_empty() {
            let message = ClientMessage::Register { methods };
            self.line.ask(Domain::Agm, message, Pending::Register(keys));
        }
    }
}

fn answer_opt(reply: Option<Reply<(), RequestError>>, result: Result<(), RequestError>) {
    if let Some(reply) = reply {
        answer(reply, result);
    }
}

impl std::fmt::Debug for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Method(_) => "Method",
            Self::Stream(_) => "Stream",
        })
    }
}
