//! What every topic of the session needs to speak: who we are, what is asked
//! and not answered yet, what goes out.

use std::collections::{HashMap, VecDeque};

use deskwire_wire::{
    CallId, ClientFrame, ClientMessage, ContextId, Domain, Id, Identity, MAX_DEPTH, Payload,
    PeerId, uri,
};

use super::Effect;
use super::pending::Pending;
use crate::{Limits, RequestError};

/// How deep a payload may nest: less than a frame by what a frame puts around it.
const PAYLOAD_DEPTH: usize = MAX_DEPTH - 4;

/// Reasons are for people to read.
const REASON_BYTES: usize = 16 << 10;

/// The session's voice.
#[derive(Debug)]
pub(super) struct Line {
    /// Our name on this link, once the gateway gave us one.
    pub(super) me: Option<PeerId>,
    pub(super) limits: Limits,
    pub(super) outbox: VecDeque<ClientFrame>,
    pub(super) effects: Vec<Effect>,
    pending: HashMap<Id, Pending>,
    requests: u64,
}

/// An answer of the gateway to one request.
#[derive(Debug)]
pub(super) enum Outcome {
    Welcome(Welcome),
    Success,
    Failed(Refusal),
    Result(Payload),
    Token(String),
    Subscribed(CallId),
    ContextCreated(ContextId),
    ContextData(ContextId, Payload),
}

/// What a gateway tells a newcomer.
#[derive(Debug)]
pub(super) struct Welcome {
    pub(super) peer: Option<PeerId>,
    pub(super) identity: Identity,
    pub(super) domains: Vec<deskwire_wire::AvailableDomain>,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    pub(super) reason_uri: String,
    pub(super) reason: String,
    pub(super) context: Option<Payload>,
}

impl Line {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            me: None,
            limits,
            outbox: VecDeque::new(),
            effects: Vec::new(),
            pending: HashMap::new(),
            requests: 0,
        }
    }

    /// Sends a frame whose answer, if any, is of no interest.
    pub(super) fn say(&mut self, domain: Domain, message: ClientMessage) {
        let request = self.next_request();
        self.send(domain, request, message);
    }

    /// Sends a request.
    pub(super) fn ask(&mut self, domain: Domain, message: ClientMessage, pending: Pending) -> Id {
        let request = self.next_request();
        self.pending.insert(request.clone(), pending);
        self.send(domain, request.clone(), message);
        request
    }

    /// Sends a frame under an id that is not ours: of an invocation or a subscriber.
    pub(super) fn send(&mut self, domain: Domain, request: Id, message: ClientMessage) {
        self.outbox.push_back(ClientFrame {
            domain: Some(domain),
            request_id: Some(request),
            peer_id: self.me.clone(),
            message,
        });
    }

    /// Fails an invocation or refuses a subscriber.
    pub(super) fn fail(&mut self, id: &CallId, reason_uri: &str, reason: String) {
        self.fail_with(id, reason_uri, reason, None);
    }

    /// As [`Line::fail`], with something for programs if it can be sent.
    pub(super) fn fail_with(
        &mut self,
        id: &CallId,
        reason_uri: &str,
        reason: String,
        context: Option<Payload>,
    ) {
        let context = context.filter(|context| self.fits(context).is_ok());
        let message = ClientMessage::Error {
            reason_uri: reason_uri.to_owned(),
            reason: shortened(reason),
            context: Some(context.unwrap_or_else(Payload::empty_object)),
        };
        self.send(Domain::Agm, Id::from(id), message);
    }

    /// The request with this id, which is answered now.
    pub(super) fn settle(&mut self, request: &Id) -> Option<Pending> {
        self.pending.remove(request)
    }

    /// Takes out the requests that `picked` picks.
    pub(super) fn settle_where(
        &mut self,
        picked: impl Fn(&Pending) -> bool,
    ) -> impl Iterator<Item = Pending> {
        self.pending.extract_if(move |_, pending| picked(pending)).map(|(_, pending)| pending)
    }

    /// Whether one more request may wait for an answer.
    ///
    /// # Errors
    /// [`RequestError::TooManyPending`] when it may not.
    pub(super) fn room(&self) -> Result<(), RequestError> {
        let limit = self.limits.pending_requests;
        if self.pending.len() < limit {
            return Ok(());
        }
        Err(RequestError::TooManyPending { limit })
    }

    /// Whether a payload may be sent. A gateway would end the whole link over
    /// one that may not.
    ///
    /// # Errors
    /// [`RequestError::TooLarge`] or [`RequestError::TooDeep`].
    pub(super) fn fits(&self, payload: &Payload) -> Result<(), RequestError> {
        self.fit(payload.len())?;
        if payload.is_deeper_than(PAYLOAD_DEPTH) {
            return Err(RequestError::TooDeep { limit: PAYLOAD_DEPTH });
        }
        Ok(())
    }

    /// Whether so many bytes may be sent.
    ///
    /// # Errors
    /// [`RequestError::TooLarge`] when they may not.
    pub(super) fn fit(&self, bytes: usize) -> Result<(), RequestError> {
        let limit = self.limits.outgoing_payload_bytes;
        if bytes <= limit {
            return Ok(());
        }
        Err(RequestError::TooLarge { bytes, limit })
    }

    /// Request ids go on over reconnects, so that no answer finds another's request.
    fn next_request(&mut self) -> Id {
        let id = Id::from(self.requests.to_string());
        self.requests += 1;
        id
    }
}

/// A reason as it fits into a frame.
pub(super) fn shortened(mut reason: String) -> String {
    if reason.len() > REASON_BYTES {
        reason.truncate(reason.floor_char_boundary(REASON_BYTES));
        reason.push('…');
    }
    reason
}

impl Outcome {
    /// The refusal, or what stands for an answer that does not fit its request.
    pub(super) fn into_refusal(self) -> Refusal {
        let what = match self {
            Self::Failed(refusal) => return refusal,
            Self::Welcome(_) => "welcome",
            Self::Success => "success",
            Self::Result(_) => "result",
            Self::Token(_) => "token",
            Self::Subscribed(_) => "subscribed",
            Self::ContextCreated(_) => "context-created",
            Self::ContextData(..) => "subscribed-context",
        };
        Refusal {
            reason_uri: uri::failure(Domain::Global).to_owned(),
            reason: format!("the gateway gave an answer of another kind: `{what}`"),
            context: None,
        }
    }
}

impl From<Refusal> for RequestError {
    fn from(Refusal { reason_uri, reason, .. }: Refusal) -> Self {
        Self::Refused { reason_uri, reason }
    }
}
