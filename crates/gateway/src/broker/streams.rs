//! Streams: subscriptions, branches, and data on its way to subscribers.
//!
//! A subscription waits until its publisher accepts it on a branch or refuses
//! it. Branches are the publisher's own: the gateway knows them as sets of
//! subscriptions.

use std::collections::{BTreeSet, HashMap};

use deskwire_wire::{CallId, Domain, Id, Payload, PeerId, ServerMessage, uri};

use super::calls::{Payloads, id_len};
use super::event::Request;
use super::number::CallNo;
use super::reply::{Refusal, deliver, named};
use super::session::Farewell;
use super::{Broker, PeerNo};
use crate::account::Held;
use crate::outbound::Shared;

/// A subscription of one peer to a stream of another.
#[derive(Debug)]
pub(super) struct Subscription {
    id: CallId,
    subscriber: PeerNo,
    publisher: PeerNo,
    pub(super) method: Id,
    request_id: Option<Id>,
    state: State,
    _held: Held,
}

#[derive(Debug)]
enum State {
    /// The publisher has not said anything yet.
    Pending,
    /// The publisher accepted it on a branch.
    Open { branch: Id, _held: Held },
}

/// What a subscription takes besides the ids a client chose.
const SUBSCRIPTION_BYTES: usize = size_of::<Subscription>() + 128;

/// Who ends a subscription, and why.
#[derive(Debug, Clone, Default)]
pub(super) struct Reason {
    pub(super) uri: Option<String>,
    pub(super) text: Option<String>,
}

impl From<Farewell> for Reason {
    fn from(Farewell { uri, reason }: Farewell) -> Self {
        Self { uri: uri.map(str::to_owned), text: reason.map(str::to_owned) }
    }
}

impl Broker {
    pub(super) fn subscribe(
        &mut self,
        no: PeerNo,
        request: &Request,
        server: &PeerId,
        method: Id,
        payloads: Payloads,
        flags: Option<Payload>,
    ) -> Result<(), Refusal> {
        let publisher = self.server_of(no, server, &method, uri::SUBSCRIPTION_FAILURE)?;
        payloads.check(uri::SUBSCRIPTION_FAILURE)?;
        let Some(subscriber) = self.peers.get_mut(&no) else { return Ok(()) };
        let bytes = SUBSCRIPTION_BYTES + id_len(request.id.as_ref()) + 2 * id_len(Some(&method));
        let held = subscriber.account.hold(bytes)?;
        let (number, id) = CallNo::next(&mut self.call_names);
        let caller_id = subscriber.id.clone();
        subscriber.subscriptions.insert(number);
        if let Some(publisher) = self.peers.get_mut(&publisher) {
            publisher.interests.entry(method.clone()).or_default().insert(number);
        }
        self.subscriptions.insert(
            number,
            Subscription {
                id: id.clone(),
                subscriber: no,
                publisher,
                method: method.clone(),
                request_id: request.id.clone(),
                state: State::Pending,
                _held: held,
            },
        );
        let Payloads { arguments, arguments_kv, context } = payloads;
        let interest = ServerMessage::AddInterest {
            subscription_id: id,
            caller_id,
            method_id: method,
            arguments,
            arguments_kv,
            flags,
            context,
        };
        self.tell(publisher, Domain::Agm, None, interest);
        Ok(())
    }

    /// The publisher takes a subscriber on a branch.
    pub(super) fn accepted(
        &mut self,
        no: PeerNo,
        subscription: &CallId,
        branch: Id,
    ) -> Result<(), Refusal> {
        self.short(&branch, "the id of a branch")?;
        let number = self.call_names.call(subscription.as_str());
        let found = number.and_then(|number| Some((number, self.subscriptions.get_mut(&number)?)));
        let Some((number, found)) = found.filter(|(_, found)| found.publisher == no) else {
            return Err(unknown(subscription));
        };
        let State::Pending = found.state else { return Ok(()) };
        let Some(publisher) = self.peers.get_mut(&no) else { return Ok(()) };
        let held = publisher.account.hold(2 * id_len(Some(&branch)) + 64)?;
        publisher.branches.entry(branch.clone()).or_default().insert(number);
        found.state = State::Open { branch, _held: held };
        let subscribed = ServerMessage::Subscribed { subscription_id: found.id.clone() };
        let (subscriber, request_id) = (found.subscriber, found.request_id.clone());
        self.tell(subscriber, Domain::Agm, request_id, subscribed);
        Ok(())
    }

    /// Data for everybody on a branch.
    pub(super) fn publish(
        &mut self,
        no: PeerNo,
        branch: &Id,
        sequence: Option<Payload>,
        snapshot: Option<Payload>,
        data: Payload,
    ) {
        let Some(publisher) = self.peers.get(&no) else { return };
        let Some(numbers) = publisher.branches.get(branch) else { return };
        let content = self.content(ServerMessage::Event {
            subscription_id: CallId::from(""),
            oob: false,
            sequence,
            snapshot,
            data,
        });
        for subscription in numbers.iter().filter_map(|number| self.subscriptions.get(number)) {
            if let Some(subscriber) = self.peers.get(&subscription.subscriber) {
                let (to, id) = (subscriber.id.clone(), subscription.id.clone());
                let event = Shared::event(to, Domain::Agm, id, content.clone());
                deliver(&mut self.effects, subscriber.link, event);
            }
        }
    }

    /// Data for one subscriber. It may have left just now: then nobody is told.
    pub(super) fn post(
        &mut self,
        no: PeerNo,
        subscription: &CallId,
        sequence: Option<Payload>,
        snapshot: Option<Payload>,
        data: Payload,
    ) {
        let number = self.call_names.call(subscription.as_str());
        let Some(found) = number.and_then(|number| self.subscriptions.get(&number)) else { return };
        if found.publisher == no && matches!(found.state, State::Open { .. }) {
            let subscription_id = found.id.clone();
            let event =
                ServerMessage::Event { subscription_id, oob: true, sequence, snapshot, data };
            self.tell(found.subscriber, Domain::Agm, None, event);
        }
    }

    /// A subscriber ends its subscription.
    pub(super) fn unsubscribe(
        &mut self,
        no: PeerNo,
        request: &Request,
        subscription: &CallId,
        reason: Reason,
    ) -> Result<(), Refusal> {
        let number = self.call_names.call(subscription.as_str());
        let own = |number: &CallNo| {
            self.subscriptions.get(number).is_some_and(|found| found.subscriber == no)
        };
        let Some(number) = number.filter(own) else {
            return Err(Refusal::new(
                uri::INVALID_SUBSCRIPTION,
                format!(
                    "Unable to find subscription with id {} of this subscriber",
                    named(subscription)
                ),
            ));
        };
        self.remove_interest(number, reason);
        self.done(request);
        Ok(())
    }

    /// A publisher ends a subscription. Not having accepted it, it must refuse it instead.
    pub(super) fn drop_subscription(
        &mut self,
        no: PeerNo,
        request: &Request,
        subscription: &CallId,
        reason: Reason,
    ) {
        let number = self.call_names.call(subscription.as_str());
        let open = |number: &CallNo| {
            self.subscriptions.get(number).is_some_and(|found| {
                found.publisher == no && matches!(found.state, State::Open { .. })
            })
        };
        match number.filter(open) {
            Some(number) => self.cancel(number, &reason),
            None => {
                let id = request.id.clone().unwrap_or_else(|| subscription.into());
                let request = Request { id: Some(id), ..request.clone() };
                let reason = "Trying to drop a subscription that wasnt established. \
                              Did you mean to return an error instead?";
                self.refuse(&request, Refusal::new(uri::INVALID_SUBSCRIPTION, reason));
            }
        }
    }

    /// A publisher refuses a subscriber: the answer to the request it made.
    pub(super) fn refused_subscription(&mut self, no: PeerNo, number: CallNo, refusal: Refusal) {
        let pending = self
            .subscriptions
            .get(&number)
            .is_some_and(|found| found.publisher == no && matches!(found.state, State::Pending));
        if pending && let Some(refused) = self.take_subscription(number) {
            self.fail(refused.subscriber, refused.request_id, refusal);
        }
    }

    /// Ends all subscriptions that a peer has.
    pub(super) fn end_subscriptions(&mut self, no: PeerNo, farewell: Farewell) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        for number in std::mem::take(&mut peer.subscriptions) {
            self.remove_interest(number, farewell.into());
        }
    }

    /// Ends all subscriptions to a peer.
    pub(super) fn end_interests(&mut self, no: PeerNo) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        let interests = std::mem::take(&mut peer.interests);
        let reason = Reason::from(Farewell::REMOVED);
        // In order of their making.
        for number in interests.into_values().flatten().collect::<BTreeSet<_>>() {
            self.cancel(number, &reason);
        }
    }

    /// Ends all subscriptions to a method.
    pub(super) fn end_interests_in(&mut self, no: PeerNo, method: &Id) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        let reason = Reason {
            uri: Some(uri::METHOD_REMOVED.to_owned()),
            text: Some("Method has been removed".to_owned()),
        };
        for number in peer.interests.remove(method).unwrap_or_default() {
            self.cancel(number, &reason);
        }
    }

    /// Takes a subscription away and tells its publisher.
    fn remove_interest(&mut self, number: CallNo, reason: Reason) {
        let Some(ended) = self.take_subscription(number) else { return };
        let Some(subscriber) = self.peers.get(&ended.subscriber) else { return };
        if !self.peers.get(&ended.publisher).is_some_and(|publisher| publisher.agm) {
            return;
        }
        let message = ServerMessage::RemoveInterest {
            subscription_id: ended.id,
            method_id: ended.method,
            caller_id: subscriber.id.clone(),
            reason_uri: reason.uri,
            reason: reason.text,
        };
        self.tell(ended.publisher, Domain::Agm, None, message);
    }

    /// Takes a subscription away and tells its subscriber.
    fn cancel(&mut self, number: CallNo, reason: &Reason) {
        let Some(ended) = self.take_subscription(number) else { return };
        match ended.state {
            State::Open { .. } => {
                let message = ServerMessage::SubscriptionCancelled {
                    subscription_id: ended.id,
                    reason_uri: reason.uri.clone(),
                    reason: reason.text.clone(),
                };
                self.tell(ended.subscriber, Domain::Agm, None, message);
            }
            State::Pending => {
                let reason = reason.text.clone().unwrap_or_default();
                let refusal = Refusal::new(
                    uri::SUBSCRIPTION_FAILURE,
                    format!("{reason}: {}", self.method_of(ended.publisher, &ended.method)),
                );
                self.fail(ended.subscriber, ended.request_id, refusal);
            }
        }
    }

    fn take_subscription(&mut self, number: CallNo) -> Option<Subscription> {
        let taken = self.subscriptions.remove(&number)?;
        if let Some(subscriber) = self.peers.get_mut(&taken.subscriber) {
            subscriber.subscriptions.remove(&number);
        }
        if let Some(publisher) = self.peers.get_mut(&taken.publisher) {
            remove(&mut publisher.interests, &taken.method, number);
            if let State::Open { branch, .. } = &taken.state {
                remove(&mut publisher.branches, branch, number);
            }
        }
        Some(taken)
    }
}

/// Removes a number from the set at a key, and the set with its last number.
fn remove(sets: &mut HashMap<Id, BTreeSet<CallNo>>, key: &Id, number: CallNo) {
    if let Some(set) = sets.get_mut(key) {
        set.remove(&number);
        if set.is_empty() {
            sets.remove(key);
        }
    }
}

fn unknown(subscription: &CallId) -> Refusal {
    Refusal::new(
        uri::INVALID_SUBSCRIPTION,
        format!("Unable to find subscription with id {} of this publisher", named(subscription)),
    )
}
