//! Streams of others: standing subscriptions and their legs, one leg to each
//! publisher.
//!
//! A subscription outlives the link. Its legs do not: after a reconnect every
//! publisher has another name, so the target is resolved again, and publishers
//! that are not back yet are subscribed when they are.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use deskwire_wire::{CallId, ClientMessage, Domain, Payload, PeerId};

use super::calls::names;
use super::line::Outcome;
use super::pending::Pending;
use super::{Reply, Session, answer};
use crate::directory::{RegisteredMethod, Server, name_key};
use crate::mailbox::Outlet;
use crate::streams::StreamEvent;
use crate::target::Target;
use crate::{RequestError, SubscribeError};

/// One subscription, for as long as its reader wants it.
pub(crate) type SubscriptionKey = u64;

/// What the session needs to make a subscription, again and again.
#[derive(Debug)]
pub(crate) struct Wish {
    pub(crate) name: String,
    pub(crate) target: Target,
    pub(crate) arguments: Payload,
    pub(crate) outlet: Outlet<StreamEvent, SubscribeError>,
    /// Filled once every publisher has decided for the first time.
    pub(crate) reply: Reply<(), SubscribeError>,
}

/// Standing subscriptions.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    all: BTreeMap<SubscriptionKey, Standing>,
    open: HashMap<CallId, (SubscriptionKey, PeerId)>,
    next: SubscriptionKey,
}

#[derive(Debug)]
struct Standing {
    name: String,
    target: Target,
    arguments: Payload,
    outlet: Outlet<StreamEvent, SubscribeError>,
    reply: Option<Reply<(), SubscribeError>>,
    legs: BTreeMap<PeerId, Leg>,
    /// The link was lost since the target was resolved first.
    restoring: bool,
}

/// The part of a subscription that goes to one publisher.
#[derive(Debug)]
struct Leg {
    server: Arc<Server>,
    /// Set once the publisher has accepted.
    id: Option<CallId>,
}

impl Standing {
    /// Whether a publisher that appears is one to subscribe to.
    fn wants(&self, server: &Server) -> bool {
        let free = match self.target {
            Target::Best => self.legs.is_empty(),
            _ => !self.legs.contains_key(&server.peer_id),
        };
        self.restoring && free && self.target.admits(server)
    }
}

impl Subscriptions {
    pub(super) fn link_down(&mut self) {
        self.open.clear();
        for standing in self.all.values_mut() {
            standing.legs.clear();
            standing.restoring = true;
        }
    }

    pub(super) fn end(&mut self, error: &RequestError) {
        for standing in std::mem::take(&mut self.all).into_values() {
            standing.end(&error.clone().into());
        }
    }
}

impl Standing {
    fn end(self, error: &SubscribeError) {
        if let Some(reply) = self.reply {
            answer(reply, Err(error.clone()));
        }
        self.outlet.end(error.clone());
    }
}

impl Session {
    /// Subscribes to a stream.
    ///
    /// # Errors
    /// When no publisher is there, or the request cannot be sent.
    pub(crate) fn subscribe(&mut self, wish: Wish) -> Result<SubscriptionKey, SubscribeError> {
        self.connected()?;
        self.line.room()?;
        self.line.fits(&wish.arguments)?;
        let publishers = self.peers.select(&wish.name, &wish.target, Some(true));
        let Wish { name, target, arguments, outlet, reply } = wish;
        if publishers.is_empty() {
            return Err(SubscribeError::NoSuchStream { name });
        }
        let key = self.subscriptions.next;
        self.subscriptions.next += 1;
        let standing = Standing {
            name,
            target,
            arguments,
            outlet,
            reply: Some(reply),
            legs: BTreeMap::new(),
            restoring: false,
        };
        self.subscriptions.all.insert(key, standing);
        for (server, method) in publishers {
            self.add_leg(key, &server, &method);
        }
        Ok(key)
    }

    /// The reader is gone.
    pub(crate) fn unsubscribe(&mut self, key: SubscriptionKey) {
        let Some(standing) = self.subscriptions.all.remove(&key) else { return };
        // A leg without an id is closed when its publisher decides.
        for id in standing.legs.into_values().filter_map(|leg| leg.id) {
            self.subscriptions.open.remove(&id);
            self.close_leg(id);
        }
    }

    /// Time is up for publishers that have not decided. True when others have
    /// accepted, so that the subscription stands.
    pub(crate) fn settle_subscription(&mut self, key: SubscriptionKey) -> bool {
        let Some(standing) = self.subscriptions.all.get_mut(&key) else { return false };
        standing.reply = None;
        standing.legs.retain(|_, leg| leg.id.is_some());
        !standing.legs.is_empty()
    }

    pub(super) fn restore_all_subscriptions(&mut self) {
        let restoring = self.subscriptions.all.iter().filter(|(_, standing)| standing.restoring);
        let restoring: Vec<_> = restoring
            .map(|(key, standing)| {
                (*key, self.peers.select(&standing.name, &standing.target, Some(true)))
            })
            .collect();
        for (key, publishers) in restoring {
            for (server, method) in publishers {
                self.add_leg(key, &server, &method);
            }
        }
    }

    /// Methods appeared; subscriptions may have waited for them.
    pub(super) fn restore_subscriptions(&mut self, added: &[Arc<RegisteredMethod>]) {
        if !self.subscriptions.all.values().any(|standing| standing.restoring)
            || self.connected().is_err()
        {
            return;
        }
        for method in added.iter().filter(|method| method.method.flags.streaming) {
            let Some(server) = self.peers.server(&method.key.server).cloned() else { continue };
            let name = name_key(&method.method.name);
            let hungry = self.subscriptions.all.iter().filter(|(_, standing)| {
                name_key(&standing.name) == name && standing.wants(&server)
            });
            let hungry: Vec<SubscriptionKey> = hungry.map(|(key, _)| *key).collect();
            for key in hungry {
                self.add_leg(key, &server, method);
            }
        }
    }

    pub(super) fn leg_decided(
        &mut self,
        key: SubscriptionKey,
        publisher: &PeerId,
        outcome: Outcome,
    ) {
        let standing = self.subscriptions.all.get_mut(&key);
        let leg = standing.and_then(|standing| standing.legs.get_mut(publisher));
        match (leg, outcome) {
            (Some(leg), Outcome::Subscribed(id)) => {
                leg.id = Some(id.clone());
                self.subscriptions.open.insert(id, (key, publisher.clone()));
                self.leg_settled(key);
            }
            (Some(leg), other) => {
                let (application, instance) = names(&leg.server);
                let reason = other.into_refusal().reason;
                let error = SubscribeError::Refused { application, instance, reason };
                self.leg_ended(key, publisher, error);
            }
            // Nobody waits for it any more, and its events would come for ever.
            (None, Outcome::Subscribed(id)) => self.close_leg(id),
            (None, _) => {}
        }
    }

    pub(super) fn leg_cancelled(&mut self, id: &CallId, reason: Option<String>) {
        let Some((key, publisher)) = self.subscriptions.open.remove(id) else {
            tracing::debug!(?id, "no subscription of ours was cancelled, ignored");
            return;
        };
        let standing = self.subscriptions.all.get(&key);
        let Some(leg) = standing.and_then(|standing| standing.legs.get(&publisher)) else { return };
        let (application, instance) = names(&leg.server);
        let reason = reason.filter(|reason| !reason.is_empty());
        let reason = reason.unwrap_or_else(|| "no reason given".to_owned());
        self.leg_ended(key, &publisher, SubscribeError::Ended { application, instance, reason });
    }

    pub(super) fn end_legs_of(&mut self, server: &Server) {
        let (application, instance) = names(server);
        let error = SubscribeError::PublisherGone { application, instance };
        let all = self.subscriptions.all.iter();
        let theirs = all.filter(|(_, standing)| standing.legs.contains_key(&server.peer_id));
        let theirs: Vec<SubscriptionKey> = theirs.map(|(key, _)| *key).collect();
        for key in theirs {
            self.leg_ended(key, &server.peer_id, error.clone());
        }
    }

    pub(super) fn stream_event(&mut self, id: &CallId, out_of_band: bool, data: Payload) {
        let open = self.subscriptions.open.get(id);
        let Some(standing) = open.and_then(|(key, _)| self.subscriptions.all.get(key)) else {
            tracing::debug!(?id, "event of no subscription of ours, dropped");
            return;
        };
        let leg = open.and_then(|(_, publisher)| standing.legs.get(publisher));
        let Some(leg) = leg else { return };
        let bytes = data.len();
        let server = Arc::clone(&leg.server);
        standing.outlet.push(StreamEvent { server, data, out_of_band, missed: 0 }, bytes);
    }

    fn add_leg(&mut self, key: SubscriptionKey, server: &Arc<Server>, method: &RegisteredMethod) {
        let Some(standing) = self.subscriptions.all.get_mut(&key) else { return };
        let leg = Leg { server: Arc::clone(server), id: None };
        standing.legs.insert(server.peer_id.clone(), leg);
        let message = ClientMessage::Subscribe {
            server_id: server.peer_id.clone(),
            method_id: method.key.method.clone(),
            arguments: None,
            arguments_kv: Some(standing.arguments.clone()),
            flags: None,
            context: None,
        };
        let publisher = server.peer_id.clone();
        let pending = Pending::Subscribe { subscription: key, publisher };
        self.line.ask(Domain::Agm, message, pending);
    }

    fn close_leg(&mut self, id: CallId) {
        let message = ClientMessage::Unsubscribe {
            subscription_id: id.clone(),
            reason_uri: Some(String::new()),
            reason: Some("ClientInitiated".to_owned()),
        };
        self.line.ask(Domain::Agm, message, Pending::Unsubscribe(id));
    }

    /// A leg is no more. The last one takes the subscription with it.
    fn leg_ended(&mut self, key: SubscriptionKey, publisher: &PeerId, error: SubscribeError) {
        let Some(standing) = self.subscriptions.all.get_mut(&key) else { return };
        if let Some(id) = standing.legs.remove(publisher).and_then(|leg| leg.id) {
            self.subscriptions.open.remove(&id);
        }
        if !standing.legs.is_empty() {
            self.leg_settled(key);
        } else if let Some(standing) = self.subscriptions.all.remove(&key) {
            standing.end(&error);
        }
    }

    /// Tells the reader, once every publisher has decided and one has accepted.
    fn leg_settled(&mut self, key: SubscriptionKey) {
        let Some(standing) = self.subscriptions.all.get_mut(&key) else { return };
        if standing.legs.values().all(|leg| leg.id.is_some())
            && let Some(reply) = standing.reply.take()
        {
            answer(reply, Ok(()));
        }
    }
}
