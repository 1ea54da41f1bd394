//! Streams of ours: subscribers that ask, are accepted on a branch, get data,
//! and go.
//!
//! A branch is our own notion: each one with members has a stream id on the
//! wire, and data for a branch is one frame however many members it has.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use deskwire_wire::{CallId, ClientMessage, Domain, Id, Payload, PeerId, uri};
use tokio_util::sync::CancellationToken;

use super::Session;
use super::line::shortened;
use super::registrations::{RegistrationKey, Role};
use super::runs::Job;
use crate::RequestError;
use crate::streams::Interest;

/// One subscriber of one of our streams.
pub(crate) type InterestKey = u64;

/// Who gets data.
#[derive(Debug, Clone)]
pub(crate) enum Route {
    /// Every subscriber of the stream.
    All,
    /// Those on one branch.
    Branch(String),
}

/// Subscribers of all our streams on this link, in the order they asked.
#[derive(Debug, Default)]
pub(super) struct Interests {
    all: BTreeMap<InterestKey, Entry>,
    ids: HashMap<CallId, InterestKey>,
    next: InterestKey,
    next_stream: u64,
}

#[derive(Debug)]
struct Entry {
    stream: RegistrationKey,
    subscription: CallId,
    /// Set once it is accepted.
    branch: Option<String>,
    interest: Interest,
}

/// The branches of one stream that have members.
#[derive(Debug, Default)]
pub(super) struct Stream {
    branches: BTreeMap<String, Branch>,
}

#[derive(Debug)]
struct Branch {
    id: Id,
    members: usize,
}

impl Route {
    fn reaches(&self, branch: &str) -> bool {
        match self {
            Self::All => true,
            Self::Branch(name) => name == branch,
        }
    }
}

impl Stream {
    pub(super) fn link_down(&mut self) {
        self.branches.clear();
    }

    fn leave(&mut self, name: &str) {
        if let Some(branch) = self.branches.get_mut(name) {
            branch.members -= 1;
            if branch.members == 0 {
                self.branches.remove(name);
            }
        }
    }
}

impl Interests {
    pub(super) fn link_down(&mut self) {
        self.ids.clear();
        for entry in std::mem::take(&mut self.all).into_values() {
            entry.interest.gone.cancel();
        }
    }

    /// The stream is withdrawn; the gateway tells the subscribers.
    pub(super) fn stream_ended(&mut self, stream: RegistrationKey) {
        let theirs = self.all.extract_if(.., |_, entry| entry.stream == stream);
        for (_, entry) in theirs {
            self.ids.remove(&entry.subscription);
            entry.interest.gone.cancel();
        }
    }

    fn remove(&mut self, key: InterestKey) -> Option<Entry> {
        let entry = self.all.remove(&key)?;
        self.ids.remove(&entry.subscription);
        entry.interest.gone.cancel();
        Some(entry)
    }
}

impl Session {
    pub(super) fn interest_added(
        &mut self,
        subscription: CallId,
        caller: PeerId,
        method: &Id,
        arguments: Option<Payload>,
    ) {
        if self.interests.ids.contains_key(&subscription) {
            tracing::debug!(?subscription, "the subscriber was announced twice, ignored");
            return;
        }
        let Some((stream, registration)) = self.own.by_id(method) else {
            let reason = format!("no stream with id {method} here");
            self.line.fail(&subscription, uri::SUBSCRIPTION_REFUSED, reason);
            return;
        };
        let Role::Stream(handler) = &registration.role else {
            let reason = format!("`{}` is no stream; invoke it", registration.name);
            self.line.fail(&subscription, uri::SUBSCRIPTION_REFUSED, reason);
            return;
        };
        if self.interests.all.len() >= self.line.limits.subscribers {
            let reason = format!("`{}` has no room for more subscribers", registration.name);
            self.line.fail(&subscription, uri::SUBSCRIPTION_REFUSED, reason);
            return;
        }
        let interest = Interest {
            stream: Arc::clone(&registration.name),
            arguments: arguments.unwrap_or_else(Payload::empty_object),
            caller_identity: self.peers.server(&caller).map(|server| server.identity.clone()),
            caller,
            gone: CancellationToken::new(),
        };
        let key = self.interests.next;
        let handler = Arc::clone(handler);
        let job = Job::Decide { handler, key, interest: interest.clone() };
        if let Err(reason) = self.runs.start(job, &mut self.line) {
            self.line.fail(&subscription, uri::SUBSCRIPTION_REFUSED, reason);
            return;
        }
        self.interests.next += 1;
        self.interests.ids.insert(subscription.clone(), key);
        let entry = Entry { stream, subscription, branch: None, interest };
        self.interests.all.insert(key, entry);
    }

    pub(super) fn interest_removed(&mut self, subscription: &CallId) {
        let Some(&key) = self.interests.ids.get(subscription) else {
            tracing::debug!(?subscription, "an unknown subscriber left, ignored");
            return;
        };
        self.forget_interest(key);
    }

    /// Accepts a subscriber on a branch. False when it has gone, or was decided before.
    pub(crate) fn accept(&mut self, key: InterestKey, branch: &str) -> bool {
        let Some(entry) = self.interests.all.get_mut(&key) else { return false };
        let Some(registration) = self.own.get_mut(entry.stream) else { return false };
        if entry.branch.is_some() {
            return false;
        }
        entry.branch = Some(branch.to_owned());
        let next = &mut self.interests.next_stream;
        let branch = registration.stream.branches.entry(branch.to_owned()).or_insert_with(|| {
            *next += 1;
            Branch { id: Id::from((*next - 1).to_string()), members: 0 }
        });
        branch.members += 1;
        let message = ClientMessage::Accepted {
            subscription_id: entry.subscription.clone(),
            stream_id: branch.id.clone(),
        };
        self.line.say(Domain::Agm, message);
        true
    }

    /// Refuses a subscriber that is not accepted yet.
    pub(crate) fn reject(&mut self, key: InterestKey, reason: String) {
        if self.interests.all.get(&key).is_some_and(|entry| entry.branch.is_none())
            && let Some(entry) = self.interests.remove(key)
        {
            self.line.fail(&entry.subscription, uri::SUBSCRIPTION_REFUSED, reason);
        }
    }

    /// Ends an accepted subscriber from our side.
    pub(crate) fn drop_subscriber(&mut self, key: InterestKey, reason: String) {
        if let Some(entry) = self.forget_interest(key) {
            let message = ClientMessage::DropSubscription {
                subscription_id: entry.subscription,
                reason_uri: None,
                reason: Some(shortened(reason)),
            };
            self.line.say(Domain::Agm, message);
        }
    }

    /// Sends data to many. Nobody there to get it is no error.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub(crate) fn push(
        &mut self,
        stream: RegistrationKey,
        route: &Route,
        data: &Payload,
    ) -> Result<(), RequestError> {
        self.connected()?;
        self.line.fits(data)?;
        let Some(registration) = self.own.get(stream) else { return Ok(()) };
        let branches = registration.stream.branches.iter();
        for (_, branch) in branches.filter(|(name, _)| route.reaches(name)) {
            let message = ClientMessage::Publish {
                stream_id: branch.id.clone(),
                sequence: None,
                snapshot: None,
                data: data.clone(),
            };
            self.line.say(Domain::Agm, message);
        }
        Ok(())
    }

    /// Sends data to one. That it has left is no error.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub(crate) fn push_one(&mut self, key: InterestKey, data: Payload) -> Result<(), RequestError> {
        self.connected()?;
        self.line.fits(&data)?;
        let entry = self.interests.all.get(&key).filter(|entry| entry.branch.is_some());
        if let Some(entry) = entry {
            let message = ClientMessage::Post {
                subscription_id: entry.subscription.clone(),
                sequence: None,
                snapshot: None,
                data,
            };
            self.line.say(Domain::Agm, message);
        }
        Ok(())
    }

    /// The accepted subscribers of a stream with their branches, in the order they asked.
    pub(crate) fn subscribers(
        &self,
        stream: RegistrationKey,
    ) -> Vec<(InterestKey, Interest, String)> {
        let theirs = self.interests.all.iter().filter(|(_, entry)| entry.stream == stream);
        theirs
            .filter_map(|(key, entry)| Some((*key, entry.interest.clone(), entry.branch.clone()?)))
            .collect()
    }

    fn forget_interest(&mut self, key: InterestKey) -> Option<Entry> {
        let entry = self.interests.remove(key)?;
        if let Some(registration) = self.own.get_mut(entry.stream)
            && let Some(branch) = &entry.branch
        {
            registration.stream.leave(branch);
        }
        Some(entry)
    }
}
