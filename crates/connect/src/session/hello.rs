//! From a bare link to a peer on the bus, and back.

use deskwire_wire::{ClientFrame, ClientMessage, Domain, uri};

use super::line::{Outcome, Refusal, Welcome};
use super::pending::Pending;
use super::{Effect, Reply, Session};
use crate::directory::Server;
use crate::{ConnectError, Credentials, RequestError};

/// Where the session stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// There is no link.
    Down,
    /// Hello is sent.
    Greeting,
    /// The join of the interop domain is sent; others are being announced.
    Joining,
    /// A peer on the bus.
    Ready,
    /// The gateway refused; this link is of no use.
    Refused(ConnectError),
    /// Closed for good.
    Ended,
}

impl Session {
    /// A link is there.
    pub(crate) fn link_up(&mut self) {
        if self.phase == Phase::Ended {
            return;
        }
        self.line.outbox.clear();
        self.line.me = None;
        let message = ClientMessage::Hello {
            identity: self.identity.clone(),
            authentication: self.credentials.to_authentication(),
        };
        self.line.ask(Domain::Global, message, Pending::Hello);
        self.phase = Phase::Greeting;
    }

    /// The link is gone. What was asked on it fails; what lasts is kept for the next.
    pub(crate) fn link_down(&mut self) {
        if self.phase != Phase::Ended {
            self.phase = Phase::Down;
        }
        self.line.outbox.clear();
        self.abandon_all();
        self.peers.clear(&mut self.line);
        self.own.link_down();
        self.interests.link_down();
        self.runs.link_down(&mut self.line);
        self.subscriptions.link_down();
        self.contexts.link_down();
        self.bus.link_down();
        self.line.me = None;
    }

    /// Closed for good: everything ends. Needs the link to be down.
    pub(crate) fn end(&mut self, error: &RequestError) {
        self.phase = Phase::Ended;
        for role in self.own.take_all() {
            self.line.effects.push(Effect::Discard(role));
        }
        self.subscriptions.end(error);
        self.contexts.end(error);
        self.bus.end(error);
    }

    /// Time to show the gateway that we live.
    pub(crate) fn ping(&mut self) {
        if self.phase == Phase::Ready {
            self.line.outbox.push_back(ClientFrame {
                domain: None,
                request_id: None,
                peer_id: None,
                message: ClientMessage::Ping,
            });
        }
    }

    /// Says goodbye, so that others learn that we left by intent.
    pub(crate) fn leave(&mut self) {
        if self.phase == Phase::Ready {
            if self.bus.is_joined() {
                self.leave_domain(Domain::Bus);
            }
            self.leave_domain(Domain::Agm);
        }
    }

    /// Asks for a token another process can log in with.
    ///
    /// # Errors
    /// When the request cannot be sent.
    pub(crate) fn create_token(
        &mut self,
        reply: Reply<String, RequestError>,
    ) -> Result<(), RequestError> {
        self.connected()?;
        self.line.room()?;
        self.line.ask(Domain::Global, ClientMessage::CreateToken, Pending::Token(reply));
        Ok(())
    }

    pub(super) fn greeted(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Welcome(Welcome { peer: Some(peer), identity, domains }) => {
                self.line.me = Some(peer);
                self.contexts.offered(&domains);
                self.bus.offered(&domains);
                // Some gateways do not say.
                let unsaid = identity.fields().is_empty();
                self.resolved = if unsaid { self.identity.clone() } else { identity };
                let message = ClientMessage::Join { destination: Domain::Agm.as_str().to_owned() };
                self.line.ask(Domain::Global, message, Pending::Join);
                self.phase = Phase::Joining;
            }
            other => self.refused(other.into_refusal()),
        }
    }

    pub(super) fn joined(&mut self, outcome: Outcome) {
        let (Outcome::Success, Some(me)) = (&outcome, self.line.me.clone()) else {
            self.refused(outcome.into_refusal());
            return;
        };
        // Last in the directory: everybody who was there has been announced.
        let server = Server::new(me, self.resolved.clone(), true, true);
        self.peers.add(server, &mut self.line);
        self.phase = Phase::Ready;
        self.announce_all();
        self.restore_contexts();
        self.restore_all_subscriptions();
        self.restore_bus();
    }

    fn refused(&mut self, refusal: Refusal) {
        let Refusal { reason_uri, reason, .. } = refusal;
        let has_token =
            matches!(self.credentials, Credentials::AccessToken(_) | Credentials::GatewayToken(_));
        self.phase = Phase::Refused(match reason_uri.as_str() {
            uri::ALREADY_SEEN => ConnectError::AlreadySeen { reason },
            uri::AUTHENTICATION_FAILURE => ConnectError::Credentials { reason },
            // What gateways answer to a token they cannot even read.
            plain if has_token && plain == uri::failure(Domain::Global) => {
                ConnectError::Credentials { reason }
            }
            _ => ConnectError::Refused { reason_uri, reason },
        });
    }

    fn leave_domain(&mut self, domain: Domain) {
        let message = ClientMessage::Leave { destination: domain.as_str().to_owned() };
        self.line.say(Domain::Global, message);
    }
}
