//! Frames on their way out.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use deskwire_wire::{Domain, Id, Payload, ServerFrame, ServerMessage, shown_name, uri};

use super::event::{Effect, Request};
use super::{Broker, LinkId, PeerNo};
use crate::account::Full;
use crate::outbound::{Content, Outbound};

/// Why a request is not done.
#[derive(Debug)]
pub(super) struct Refusal {
    uri: Cow<'static, str>,
    reason: String,
    context: Option<Payload>,
    without_domain: bool,
}

impl Refusal {
    pub(super) fn new(uri: impl Into<Cow<'static, str>>, reason: impl Into<String>) -> Self {
        Self { uri: uri.into(), reason: reason.into(), context: None, without_domain: false }
    }

    /// The reason for people.
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }

    /// A bound was reached; `what` says of what.
    pub(super) fn limit(what: impl Into<String>) -> Self {
        Self::new(uri::LIMITS_EXCEEDED, what)
    }

    /// With what an application said about its failure.
    pub(super) fn with_context(self, context: Option<Payload>) -> Self {
        Self { context, ..self }
    }

    /// The request came from a peer the sender does not own: no domain is named.
    pub(super) fn without_domain(self) -> Self {
        Self { without_domain: true, ..self }
    }
}

impl From<Full> for Refusal {
    fn from(Full { bound, of_all }: Full) -> Self {
        let whose = if of_all { "all peers make" } else { "this peer makes" };
        Self::limit(format!("what {whose} the gateway remember would exceed {bound} bytes"))
    }
}

impl Request {
    /// The same request, answered in another domain.
    pub(super) fn in_domain(&self, domain: Domain) -> Self {
        Self { domain, ..self.clone() }
    }
}

impl Broker {
    /// Answers a request.
    pub(super) fn reply(&mut self, request: &Request, message: ServerMessage) {
        deliver(
            &mut self.effects,
            request.link,
            ServerFrame {
                domain: Some(request.domain),
                request_id: request.id.clone(),
                peer_id: request.peer.clone(),
                message,
            },
        );
    }

    /// Answers a request that was done.
    pub(super) fn done(&mut self, request: &Request) {
        self.reply(request, ServerMessage::Success);
    }

    /// Answers a request that was not done.
    pub(super) fn refuse(&mut self, request: &Request, refusal: Refusal) {
        let Refusal { uri, reason, context, without_domain } = refusal;
        let frame = ServerFrame {
            domain: Some(request.domain).filter(|_| !without_domain),
            request_id: Some(request.id.clone().unwrap_or(Id::MISSING)),
            peer_id: request.peer.clone(),
            message: ServerMessage::Error { reason_uri: uri.into_owned(), reason, context },
        };
        deliver(&mut self.effects, request.link, frame);
    }

    /// Tells a peer something it did not ask for, or not just now.
    pub(super) fn tell(
        &mut self,
        to: PeerNo,
        domain: Domain,
        request_id: Option<Id>,
        message: ServerMessage,
    ) {
        if let Some(peer) = self.peers.get(&to) {
            let peer_id = Some(peer.id.clone());
            let frame = ServerFrame { domain: Some(domain), request_id, peer_id, message };
            deliver(&mut self.effects, peer.link, frame);
        }
    }

    /// Tells a peer that a request of its past failed.
    pub(super) fn fail(&mut self, to: PeerNo, request_id: Option<Id>, refusal: Refusal) {
        let Refusal { uri, reason, context, .. } = refusal;
        let message = ServerMessage::Error { reason_uri: uri.into_owned(), reason, context };
        self.tell(to, Domain::Agm, Some(request_id.unwrap_or(Id::MISSING)), message);
    }

    /// Tells every member of `agm` but one, in this order.
    pub(super) fn tell_agm(&mut self, except: PeerNo, messages: Vec<ServerMessage>) {
        let contents: Vec<_> = messages.into_iter().map(|message| self.content(message)).collect();
        for (_, member) in self.roster.iter().filter(|(no, member)| *no != except && member.agm) {
            for content in &contents {
                deliver(&mut self.effects, member.link, member.told(Domain::Agm, content));
            }
        }
    }

    /// Content to be shared by many frames.
    pub(super) fn content(&self, message: ServerMessage) -> Arc<Content> {
        Content::new(message, &self.waiting)
    }
}

/// An id or a name that a client chose, as it may stand in a reason.
pub(super) fn named(name: &(impl fmt::Display + ?Sized)) -> String {
    shown_name(&name.to_string())
}

pub(super) fn deliver(effects: &mut VecDeque<Effect>, link: LinkId, outbound: impl Into<Outbound>) {
    effects.push_back(Effect::Deliver { link, outbound: outbound.into() });
}
