//! Shared contexts: which exist, which we are a member of, who reads and writes.
//!
//! Whoever reads or writes makes us a member first, so that there is a copy to
//! read from and to compare with. What comes while that is under way waits in
//! order; so a second change made at once neither overtakes the first nor is
//! lost to the creation of the context.

mod membership;
mod news;
mod replica;
mod table;

use std::sync::Arc;

use deskwire_wire::{ClientMessage, Delta, Document, Domain};

pub(crate) use replica::Write;
pub(crate) use table::ContextSubscriptionKey;
pub(super) use table::{Contexts, PendingUpdate};
use table::{Entry, Op, State, Subscriber};

use super::pending::Pending;
use super::{Phase, Reply, Session, answer};
use crate::contexts::ContextChange;
use crate::mailbox::Outlet;
use crate::{ContextError, RequestError};

impl Session {
    /// The names of all contexts, sorted.
    pub(crate) fn context_names(&self) -> Vec<String> {
        let known = self.contexts.all.iter().filter(|(_, entry)| entry.id.is_some());
        known.map(|(name, _)| name.clone()).collect()
    }

    /// Reads a context; `None` where there is none.
    pub(crate) fn context_get(
        &mut self,
        name: &str,
        reply: Reply<Option<Arc<Document>>, ContextError>,
    ) {
        let exists = self
            .contexts
            .all
            .get(name)
            .is_some_and(|entry| entry.id.is_some() || matches!(entry.state, State::Opening));
        match self.connected() {
            Err(error) => {
                answer(reply, Err(ContextError::Request { name: name.to_owned(), error }))
            }
            Ok(()) if !exists => answer(reply, Ok(None)),
            Ok(()) => self.perform(name, Op::Get(reply)),
        }
    }

    /// Changes a context, which is created if there is none.
    pub(crate) fn context_write(
        &mut self,
        name: &str,
        write: Write,
        reply: Reply<(), ContextError>,
    ) {
        let name_owned = || name.to_owned();
        let possible = self
            .connected()
            .and_then(|()| self.line.room())
            .and_then(|()| self.line.fit(write.bytes()));
        let refusal = match possible {
            Err(error) => Some(ContextError::Request { name: name_owned(), error }),
            Ok(()) if matches!(write, Write::Paths(_)) && !self.contexts.commands => {
                Some(ContextError::PathsNotOffered { name: name_owned() })
            }
            Ok(()) => None,
        };
        match refusal {
            Some(error) => answer(reply, Err(error)),
            None => self.perform(name, Op::Write(write, reply)),
        }
    }

    /// Follows a context, over reconnects, which is created if there is none.
    /// The first change is all of its data.
    pub(crate) fn context_subscribe(
        &mut self,
        name: &str,
        outlet: Outlet<ContextChange, ContextError>,
        reply: Reply<(), ContextError>,
    ) -> ContextSubscriptionKey {
        let key = self.contexts.next_subscription;
        self.contexts.next_subscription += 1;
        if self.phase == Phase::Ended {
            let error = RequestError::Closed;
            answer(reply, Err(ContextError::Request { name: name.to_owned(), error }));
            return key;
        }
        let entry = self.contexts.all.entry(name.to_owned()).or_default();
        entry.subscribers.insert(key, Subscriber { outlet, reply: Some(reply) });
        match &entry.state {
            State::Apart if self.phase == Phase::Ready => self.open_context(name),
            State::Apart | State::Opening => {}
            State::Member { replica, .. } => {
                let data = Arc::clone(replica.confirmed());
                entry.notify_whole(&data, false);
                self.touch_context(name);
            }
        }
        key
    }

    /// A reader is gone. The last one takes our membership with it.
    pub(crate) fn context_unsubscribe(&mut self, name: &str, key: ContextSubscriptionKey) {
        let Some(entry) = self.contexts.all.get_mut(name) else { return };
        let was_one = entry.subscribers.remove(&key).is_some();
        if was_one && entry.subscribers.is_empty() {
            if matches!(entry.state, State::Member { .. }) {
                self.leave_context(name);
            } else if entry.id.is_none() && matches!(entry.state, State::Apart) {
                self.contexts.all.remove(name);
            }
        }
    }

    /// Ends a context for everybody.
    ///
    /// # Errors
    /// When the request cannot be sent.
    pub(crate) fn context_destroy(
        &mut self,
        name: &str,
        reply: Reply<(), RequestError>,
    ) -> Result<(), ContextError> {
        let request = |error| ContextError::Request { name: name.to_owned(), error };
        self.connected().map_err(request)?;
        self.line.room().map_err(request)?;
        let id = self.contexts.all.get(name).and_then(|entry| entry.id.clone());
        let context_id = id.ok_or_else(|| ContextError::NoSuchContext { name: name.to_owned() })?;
        let message = ClientMessage::DestroyContext { context_id };
        self.line.ask(Domain::Global, message, Pending::DestroyContext { reply });
        Ok(())
    }

    fn perform(&mut self, name: &str, op: Op) {
        let commands = self.contexts.commands;
        let entry = self.contexts.all.entry(name.to_owned()).or_default();
        let replica = match &mut entry.state {
            State::Member { replica, .. } => replica,
            State::Opening if entry.waiting.len() >= self.line.limits.pending_requests => {
                let limit = self.line.limits.pending_requests;
                let error = RequestError::TooManyPending { limit };
                return op.fail(ContextError::Request { name: name.to_owned(), error });
            }
            State::Opening => return entry.waiting.push_back(op),
            State::Apart => {
                entry.waiting.push_back(op);
                return self.open_context(name);
            }
        };
        match op {
            Op::Get(reply) => answer(reply, Ok(Some(Arc::clone(replica.confirmed())))),
            Op::Write(write, reply) => {
                let delta = replica.delta(write, commands);
                self.send_delta(name, delta, reply);
            }
        }
        self.touch_context(name);
    }

    fn send_delta(&mut self, name: &str, delta: Delta, reply: Reply<(), ContextError>) {
        if delta.is_empty() {
            return answer(reply, Ok(()));
        }
        if let Err(error) = delta.check() {
            return answer(reply, Err(ContextError::Change { name: name.to_owned(), error }));
        }
        let payload = delta.to_payload();
        if let Err(error) = self.line.fits(&payload) {
            return answer(reply, Err(ContextError::Request { name: name.to_owned(), error }));
        }
        let Some(Entry { id: Some(id), state: State::Member { replica, .. }, .. }) =
            self.contexts.all.get_mut(name)
        else {
            return;
        };
        let message = ClientMessage::UpdateContext { context_id: id.clone(), delta: payload };
        let pending = Pending::UpdateContext(PendingUpdate { name: name.to_owned(), reply });
        let request = self.line.ask(Domain::Global, message, pending);
        replica.sent(request, Arc::new(delta));
    }
}
