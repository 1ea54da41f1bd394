//! The session: everything a peer knows and decides, without I/O and without a
//! clock.
//!
//! In go frames of the gateway, commands of the application, and the news that
//! a link came or went. Out come frames, in the order they must be sent, and
//! [`Effect`]s. Answers fill the [`Reply`] their command brought along, and
//! events go into bounded mailboxes; neither ever waits. So a whole
//! conversation, reconnects included, is a table in a test.
//!
//! One file per topic: [`hello`] (the life of the session), [`peers`] (who is
//! there), [`calls`], [`registrations`] and [`runs`] (being called),
//! [`subscriptions`] and [`publishing`] (streams from both ends), [`contexts`],
//! [`bus`].

mod bus;
mod calls;
mod contexts;
mod hello;
mod line;
mod peers;
mod pending;
mod publishing;
mod registrations;
mod runs;
mod subscriptions;
#[cfg(test)]
mod tests;

use deskwire_wire::{ClientFrame, Identity, PeerId, ServerFrame, ServerMessage};
use tokio::sync::oneshot;

pub(crate) use bus::TopicKey;
pub(crate) use calls::{Placed, names};
pub(crate) use contexts::{ContextSubscriptionKey, Write};
pub(crate) use hello::Phase;
pub(crate) use publishing::{InterestKey, Route};
pub(crate) use registrations::{RegistrationKey, Role};
pub(crate) use runs::{Job, Run};
pub(crate) use subscriptions::{SubscriptionKey, Wish};

use crate::directory::{Directory, InteropEvent};
use crate::{Credentials, Limits, Options};

/// Where the answer to a command goes.
pub(crate) type Reply<T, E> = oneshot::Sender<Result<T, E>>;

/// Something the session cannot do itself.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Run the application's code, and tell [`Session::finish`] how it went.
    Run(Run),
    /// Tell those who listen to the directory.
    Interop(InteropEvent),
    /// Drop this where dropping may run the application's code.
    Discard(Role),
}

/// A peer's side of the protocol.
#[derive(Debug)]
pub(crate) struct Session {
    identity: Identity,
    credentials: Credentials,
    resolved: Identity,
    phase: Phase,
    line: line::Line,
    peers: peers::Peers,
    own: registrations::Registrations,
    runs: runs::Runs,
    subscriptions: subscriptions::Subscriptions,
    interests: publishing::Interests,
    contexts: contexts::Contexts,
    bus: bus::Bus,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            identity: options.to_identity(),
            credentials: options.credentials.clone(),
            resolved: Identity::default(),
            phase: Phase::Down,
            line: line::Line::new(options.limits.clone()),
            peers: peers::Peers::default(),
            own: registrations::Registrations::default(),
            runs: runs::Runs::default(),
            subscriptions: subscriptions::Subscriptions::default(),
            interests: publishing::Interests::default(),
            contexts: contexts::Contexts::default(),
            bus: bus::Bus::default(),
        }
    }

    pub(crate) fn phase(&self) -> &Phase {
        &self.phase
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.line.limits
    }

    /// Our name on this link, and who the gateway says we are.
    pub(crate) fn me(&self) -> Option<(&PeerId, &Identity)> {
        Some((self.line.me.as_ref()?, &self.resolved))
    }

    /// Moves whenever [`Session::directory`] would differ.
    pub(crate) fn directory_generation(&self) -> u64 {
        self.peers.generation()
    }

    pub(crate) fn directory(&self) -> Directory {
        self.peers.snapshot()
    }

    /// Frames that wait to be sent.
    pub(crate) fn outgoing(&self) -> usize {
        self.line.outbox.len()
    }

    /// The next frame to be sent.
    pub(crate) fn next_frame(&mut self) -> Option<ClientFrame> {
        self.line.outbox.pop_front()
    }

    /// What there is to do.
    pub(crate) fn effects(&mut self) -> std::vec::Drain<'_, Effect> {
        self.line.effects.drain(..)
    }

    /// A frame came. Whatever does not fit what we know is logged and dropped:
    /// a gateway is no more trusted than a peer.
    pub(crate) fn handle(&mut self, frame: ServerFrame) {
        use ServerMessage as M;
        use line::{Outcome, Refusal, Welcome};
        let ServerFrame { request_id, peer_id, message, .. } = frame;
        let request = request_id.as_ref();
        match message {
            M::Welcome { available_domains: domains, resolved_identity: identity, .. } => {
                self.answered(
                    request,
                    Outcome::Welcome(Welcome { peer: peer_id, identity, domains }),
                );
            }
            M::Success => self.answered(request, Outcome::Success),
            M::Error { reason_uri, reason, context } => {
                let refusal = Refusal { reason_uri, reason, context };
                self.answered(request, Outcome::Failed(refusal));
            }
            M::Token { token } => self.answered(request, Outcome::Token(token)),
            M::Result { result } => {
                let result = result.unwrap_or_else(deskwire_wire::Payload::empty_object);
                self.answered(request, Outcome::Result(result));
            }
            M::Subscribed { subscription_id } => {
                self.answered(request, Outcome::Subscribed(subscription_id))
            }
            M::ContextCreated { context_id } => {
                self.answered(request, Outcome::ContextCreated(context_id))
            }
            M::SubscribedContext { context_id, data } => {
                self.answered(request, Outcome::ContextData(context_id, data));
            }
            _ if self.line.me.is_none() => {
                tracing::debug!(?message, "frame before welcome, dropped");
            }
            M::PeerAdded { new_peer_id, identity, meta } => {
                self.peer_added(new_peer_id, identity, meta.as_ref());
            }
            M::PeerRemoved { removed_id, .. } => self.peer_removed(&removed_id),
            M::MethodsAdded { server_id, methods, .. } => self.methods_added(&server_id, methods),
            M::MethodsRemoved { server_id, methods } => {
                self.peers.remove_methods(&server_id, &methods, &mut self.line);
            }
            M::Invoke { invocation_id, caller_id, method_id, arguments, arguments_kv, .. } => {
                self.invoked(invocation_id, caller_id, &method_id, arguments, arguments_kv);
            }
            M::AddInterest { subscription_id, caller_id, method_id, arguments_kv, .. } => {
                self.interest_added(subscription_id, caller_id, &method_id, arguments_kv);
            }
            M::RemoveInterest { subscription_id, .. } => self.interest_removed(&subscription_id),
            M::Event { subscription_id, oob, data, .. } => {
                self.stream_event(&subscription_id, oob, data);
            }
            M::SubscriptionCancelled { subscription_id, reason, .. } => {
                self.leg_cancelled(&subscription_id, reason);
            }
            M::ContextAdded { context_id, name, .. } => self.context_added(context_id, name),
            M::ContextUpdated { context_id, updater_id, delta } => {
                self.context_updated(&context_id, updater_id, &delta);
            }
            M::ContextDestroyed { context_id, .. } => self.context_destroyed(&context_id),
            M::TopicEvent { subscription_id, publisher_identity, data } => {
                self.topic_event(&subscription_id, publisher_identity, data);
            }
        }
    }
}

/// Fills a reply. Whoever asked may have stopped waiting.
fn answer<T, E>(reply: Reply<T, E>, result: Result<T, E>) {
    // A closed reply means that nobody wants the answer.
    let _unwanted = reply.send(result);
}
