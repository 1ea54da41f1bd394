//! Requests that wait for an answer, and where each answer goes.

use deskwire_wire::{CallId, ContextId, Document, Id, PeerId};

use super::bus::TopicKey;
use super::calls::PendingCall;
use super::contexts::PendingUpdate;
use super::line::Outcome;
use super::registrations::RegistrationKey;
use super::subscriptions::SubscriptionKey;
use super::{Reply, Session, answer};
use crate::RequestError;

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) enum Pending {
    Hello,
    Join,
    Token(Reply<String, RequestError>),
    Register(Vec<RegistrationKey>),
    Unregister(Option<Reply<(), RequestError>>),
    Call(PendingCall),
    Subscribe {
        subscription: SubscriptionKey,
        publisher: PeerId,
    },
    /// `sent` is the data of a context to be created; else it is asked for by id.
    OpenContext {
        name: String,
        sent: Option<Document>,
    },
    UpdateContext(PendingUpdate),
    DestroyContext {
        reply: Reply<(), RequestError>,
    },
    LeaveContext {
        context: ContextId,
    },
    JoinBus,
    SubscribeTopic(TopicKey),
    /// Nobody waits; a refusal is logged.
    Unsubscribe(CallId),
}

impl Session {
    /// An answer came.
    pub(super) fn answered(&mut self, request: Option<&Id>, outcome: Outcome) {
        let Some((request, pending)) = request.and_then(|id| Some((id, self.line.settle(id)?)))
        else {
            tracing::debug!(?request, ?outcome, "answer to no request of ours, dropped");
            return;
        };
        match pending {
            Pending::Hello => self.greeted(outcome),
            Pending::Join => self.joined(outcome),
            Pending::Token(reply) => answer(reply, token(outcome)),
            Pending::Register(keys) => self.registered(&keys, outcome),
            Pending::Unregister(reply) => {
                if let Some(reply) = reply {
                    answer(reply, success(outcome));
                }
            }
            Pending::Call(call) => call.answered(outcome),
            Pending::Subscribe { subscription, publisher } => {
                self.leg_decided(subscription, &publisher, outcome);
            }
            Pending::OpenContext { name, sent } => self.context_opened(&name, sent, outcome),
            Pending::UpdateContext(update) => self.context_update_done(request, update, outcome),
            Pending::DestroyContext { reply } => answer(reply, success(outcome)),
            Pending::LeaveContext { context } => log_refusal(&context, outcome),
            Pending::JoinBus => self.bus_joined(outcome),
            Pending::SubscribeTopic(topic) => self.topic_decided(topic, outcome),
            Pending::Unsubscribe(subscription) => log_refusal(&subscription, outcome),
        }
    }

    /// The link is gone: what waits for an answer will not get one. What
    /// survives a reconnect has its own record and is asked again.
    pub(super) fn abandon_all(&mut self) {
        let pending: Vec<Pending> = self.line.settle_where(|_| true).collect();
        for pending in pending {
            match pending {
                Pending::Call(call) => call.connection_lost(),
                Pending::Token(reply) => answer(reply, Err(RequestError::ConnectionLost)),
                // The method is gone with the link.
                Pending::Unregister(Some(reply)) => answer(reply, Ok(())),
                Pending::UpdateContext(update) => update.connection_lost(),
                Pending::DestroyContext { reply } => {
                    answer(reply, Err(RequestError::ConnectionLost));
                }
                Pending::Hello
                | Pending::Join
                | Pending::Register(_)
                | Pending::Unregister(None)
                | Pending::Subscribe { .. }
                | Pending::OpenContext { .. }
                | Pending::LeaveContext { .. }
                | Pending::JoinBus
                | Pending::SubscribeTopic(_)
                | Pending::Unsubscribe(_) => {}
            }
        }
    }
}

/// The answer to a request that has no other result.
pub(super) fn success(outcome: Outcome) -> Result<(), RequestError> {
    match outcome {
        Outcome::Success => Ok(()),
        other => Err(other.into_refusal().into()),
    }
}

fn token(outcome: Outcome) -> Result<String, RequestError> {
    match outcome {
        Outcome::Token(token) => Ok(token),
        other => Err(other.into_refusal().into()),
    }
}

fn log_refusal(what: &dyn std::fmt::Debug, outcome: Outcome) {
    if let Err(error) = success(outcome) {
        tracing::debug!(?what, %error, "the gateway knew nothing of it");
    }
}
