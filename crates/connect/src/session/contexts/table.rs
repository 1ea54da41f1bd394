//! What is known of each context.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use deskwire_wire::{AvailableDomain, ContextId, Delta, Document, Domain, PeerId};

use super::replica::{Replica, Write};
use crate::contexts::ContextChange;
use crate::mailbox::Outlet;
use crate::session::{Reply, answer};
use crate::{ContextError, RequestError};

/// One reader of one context, for as long as it wants.
pub(crate) type ContextSubscriptionKey = u64;

/// From this version of the domain on, gateways take changes by path.
const COMMANDS_SINCE: u32 = 2;

/// Contexts known to us.
#[derive(Debug, Default)]
pub(in crate::session) struct Contexts {
    pub(super) all: BTreeMap<String, Entry>,
    pub(super) names: HashMap<ContextId, String>,
    /// Members without subscribers, by their last use.
    pub(super) idle: BTreeMap<u64, String>,
    uses: u64,
    pub(super) next_subscription: ContextSubscriptionKey,
    pub(super) commands: bool,
}

#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) id: Option<ContextId>,
    pub(super) state: State,
    pub(super) subscribers: BTreeMap<ContextSubscriptionKey, Subscriber>,
    pub(super) waiting: VecDeque<Op>,
    pub(super) idle_since: Option<u64>,
    /// What subscribers saw last on the link before this one.
    pub(super) before: Option<Arc<Document>>,
}

#[derive(Debug, Default)]
pub(super) enum State {
    /// No member.
    #[default]
    Apart,
    /// About to be one.
    Opening,
    /// A member with a copy.
    Member { replica: Replica, fetching: bool },
}

#[derive(Debug)]
pub(super) struct Subscriber {
    pub(super) outlet: Outlet<ContextChange, ContextError>,
    /// Until the first data is there.
    pub(super) reply: Option<Reply<(), ContextError>>,
}

#[derive(Debug)]
pub(super) enum Op {
    Get(Reply<Option<Arc<Document>>, ContextError>),
    Write(Write, Reply<(), ContextError>),
}

/// A change on its way.
#[derive(Debug)]
pub(in crate::session) struct PendingUpdate {
    pub(super) name: String,
    pub(super) reply: Reply<(), ContextError>,
}

impl PendingUpdate {
    pub(in crate::session) fn connection_lost(self) {
        let error = RequestError::ConnectionLost;
        answer(self.reply, Err(ContextError::Request { name: self.name, error }));
    }
}

impl Op {
    pub(super) fn fail(self, error: ContextError) {
        match self {
            Self::Get(reply) => answer(reply, Err(error)),
            Self::Write(_, reply) => answer(reply, Err(error)),
        }
    }
}

impl Entry {
    pub(super) fn notify(
        &self,
        data: &Arc<Document>,
        delta: &Arc<Delta>,
        updater: Option<&PeerId>,
        bytes: usize,
    ) {
        for subscriber in self.subscribers.values().filter(|subscriber| subscriber.reply.is_none())
        {
            let change = ContextChange {
                data: Arc::clone(data),
                delta: Arc::clone(delta),
                updater: updater.cloned(),
                missed: 0,
            };
            subscriber.outlet.push(change, bytes);
        }
    }

    /// The whole data is there: for those who wait for it, and, if it
    /// `differs` from what they saw, for all others.
    pub(super) fn notify_whole(&mut self, data: &Arc<Document>, differs: bool) {
        if self.subscribers.is_empty() {
            return;
        }
        let delta = Arc::new(Delta::Reset(Document::clone(data)));
        let bytes = data.len();
        if differs {
            self.notify(data, &delta, None, bytes);
        }
        for subscriber in self.subscribers.values_mut() {
            if let Some(reply) = subscriber.reply.take() {
                let (data, delta) = (Arc::clone(data), Arc::clone(&delta));
                let change = ContextChange { data, delta, updater: None, missed: 0 };
                subscriber.outlet.push(change, bytes);
                answer(reply, Ok(()));
            }
        }
    }

    /// Ends everything that waits for this context or follows it.
    pub(super) fn fail(&mut self, error: &ContextError) {
        for op in self.waiting.drain(..) {
            op.fail(error.clone());
        }
        for subscriber in std::mem::take(&mut self.subscribers).into_values() {
            if let Some(reply) = subscriber.reply {
                answer(reply, Err(error.clone()));
            }
            subscriber.outlet.end(error.clone());
        }
    }
}

impl Contexts {
    pub(in crate::session) fn offered(&mut self, domains: &[AvailableDomain]) {
        let version = domains.iter().find(|domain| domain.uri == Domain::Context.as_str());
        self.commands = version.is_some_and(|domain| domain.version >= COMMANDS_SINCE);
    }

    pub(in crate::session) fn link_down(&mut self) {
        self.names.clear();
        self.idle.clear();
        for (name, entry) in &mut self.all {
            entry.id = None;
            entry.idle_since = None;
            for op in entry.waiting.drain(..) {
                let error = RequestError::ConnectionLost;
                op.fail(ContextError::Request { name: name.clone(), error });
            }
            if let State::Member { replica, .. } = std::mem::take(&mut entry.state) {
                entry.before = Some(Arc::clone(replica.confirmed()));
            }
        }
        self.all.retain(|_, entry| !entry.subscribers.is_empty());
    }

    pub(in crate::session) fn end(&mut self, error: &RequestError) {
        for (name, mut entry) in std::mem::take(&mut self.all) {
            entry.fail(&ContextError::Request { name, error: error.clone() });
        }
    }

    /// No member of this context any more.
    pub(super) fn part(&mut self, name: &str) -> Option<&mut Entry> {
        let entry = self.all.get_mut(name)?;
        entry.state = State::Apart;
        if let Some(since) = entry.idle_since.take() {
            self.idle.remove(&since);
        }
        Some(entry)
    }

    /// A context was used. Without subscribers it stays a member for a while.
    /// Returns the context that has to go for it.
    pub(super) fn touch(&mut self, name: &str, limit: usize) -> Option<String> {
        let entry = self.all.get_mut(name)?;
        if let Some(since) = entry.idle_since.take() {
            self.idle.remove(&since);
        }
        if entry.subscribers.is_empty() && matches!(entry.state, State::Member { .. }) {
            self.uses += 1;
            entry.idle_since = Some(self.uses);
            self.idle.insert(self.uses, name.to_owned());
        }
        if self.idle.len() <= limit {
            return None;
        }
        self.idle.pop_first().map(|(_, name)| name)
    }
}
