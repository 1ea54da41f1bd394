//! Invocations we make.

use std::sync::Arc;

use deskwire_wire::{ClientMessage, Domain, Id, Payload, shown_name, uri};

use super::line::{Outcome, Refusal};
use super::pending::Pending;
use super::{Phase, Reply, Session, answer};
use crate::directory::{MethodKey, RegisteredMethod, Server};
use crate::target::Target;
use crate::{InvokeError, RequestError};

/// A call without a result yet.
#[derive(Debug)]
pub(super) struct PendingCall {
    server: Arc<Server>,
    reply: Reply<Payload, InvokeError>,
}

/// A call on its way.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) request: Id,
    pub(crate) server: Arc<Server>,
}

/// The words with which gateways say that a callee has left; the reason URI is
/// the same for every failure before the callee.
const LEFT: [&str; 2] = ["Peer has left", "Unable to find peer"];

impl Session {
    /// Calls a method. The answer, or why there is none, fills `reply`.
    ///
    /// # Errors
    /// When the call cannot be sent; `reply` is dropped then.
    pub(crate) fn call(
        &mut self,
        key: &MethodKey,
        arguments: Payload,
        reply: Reply<Payload, InvokeError>,
    ) -> Result<Placed, InvokeError> {
        self.connected()?;
        let server = self.peers.server(&key.server).ok_or_else(|| InvokeError::ServerGone {
            application: "an application".to_owned(),
            instance: key.server.to_string(),
        })?;
        if server.method(&key.method).is_none() {
            let name = format!("{} of {}", key.method, server.application());
            return Err(InvokeError::NoSuchMethod { name });
        }
        self.line.room()?;
        self.line.fits(&arguments)?;
        let server = Arc::clone(server);
        let message = ClientMessage::Call {
            server_id: key.server.clone(),
            method_id: key.method.clone(),
            arguments: None,
            arguments_kv: Some(arguments),
            context: None,
        };
        let pending = Pending::Call(PendingCall { server: Arc::clone(&server), reply });
        let request = self.line.ask(Domain::Agm, message, pending);
        Ok(Placed { request, server })
    }

    /// Nobody waits for this call any more.
    pub(crate) fn abandon(&mut self, request: &Id) {
        self.line.settle(request);
    }

    /// The methods of this name that a target picks.
    pub(crate) fn select(
        &self,
        name: &str,
        target: &Target,
        streaming: Option<bool>,
    ) -> Vec<(Arc<Server>, Arc<RegisteredMethod>)> {
        self.peers.select(name, target, streaming)
    }

    /// Whether requests can be sent.
    ///
    /// # Errors
    /// When they cannot.
    pub(crate) fn connected(&self) -> Result<(), RequestError> {
        match self.phase {
            Phase::Ready => Ok(()),
            Phase::Ended => Err(RequestError::Closed),
            _ => Err(RequestError::NotConnected),
        }
    }

    pub(super) fn fail_calls_to(&mut self, server: &Server) {
        let to_it = |pending: &Pending| matches!(pending, Pending::Call(call) if call.server.peer_id == server.peer_id);
        for pending in self.line.settle_where(to_it) {
            if let Pending::Call(call) = pending {
                call.server_gone();
            }
        }
    }
}

impl PendingCall {
    pub(super) fn answered(self, outcome: Outcome) {
        match outcome {
            Outcome::Result(result) => answer(self.reply, Ok(result)),
            Outcome::Failed(refusal) if says_it_left(&refusal) => self.server_gone(),
            other => {
                let Refusal { reason_uri, reason, context } = other.into_refusal();
                answer(self.reply, Err(InvokeError::Failed { reason_uri, reason, context }));
            }
        }
    }

    pub(super) fn connection_lost(self) {
        let (application, instance) = names(&self.server);
        answer(self.reply, Err(InvokeError::ConnectionLost { application, instance }));
    }

    fn server_gone(self) {
        let (application, instance) = names(&self.server);
        answer(self.reply, Err(InvokeError::ServerGone { application, instance }));
    }
}

/// Application and instance, for messages.
pub(crate) fn names(server: &Server) -> (String, String) {
    (shown_name(server.application()), shown_name(server.instance()))
}

fn says_it_left(refusal: &Refusal) -> bool {
    let before_the_callee = [uri::INVOCATION_FAILURE, uri::failure(Domain::Agm)];
    before_the_callee.contains(&refusal.reason_uri.as_str())
        && LEFT.iter().any(|words| refusal.reason.starts_with(words))
}
