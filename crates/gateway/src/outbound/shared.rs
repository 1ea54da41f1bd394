//! Frames that many peers get alike.
//!
//! They differ in the receiver and, for events, in the subscription. The rest
//! is made, counted and written out as text once for all of them.

use std::sync::{Arc, OnceLock};

use deskwire_wire::{CallId, Domain, Identity, Payload, PeerId, ServerFrame, ServerMessage};
use serde::Serialize;

use super::weight::{HEAD, message_weight};
use crate::account::{Account, Held};

/// A frame to one of many peers.
#[derive(Debug, Clone)]
pub struct Shared {
    to: PeerId,
    domain: Domain,
    /// For events, which subscription of the receiver this is for.
    subscription: Option<CallId>,
    content: Arc<Content>,
}

/// What all of them are told.
#[derive(Debug)]
pub(crate) struct Content {
    message: ServerMessage,
    weight: usize,
    /// The text of a frame behind what differs.
    tail: OnceLock<String>,
    _held: Held,
}

impl Content {
    /// Counts on `waiting` until the last receiver has it.
    pub(crate) fn new(message: ServerMessage, waiting: &Arc<Account>) -> Arc<Self> {
        let weight = message_weight(&message);
        let held = waiting.hold_anyway(weight);
        Arc::new(Self { message, weight, tail: OnceLock::new(), _held: held })
    }

    fn tail(&self) -> &str {
        self.tail.get_or_init(|| {
            #[derive(Serialize)]
            struct Event<'a> {
                r#type: &'static str,
                oob: bool,
                sequence: &'a Option<Payload>,
                snapshot: &'a Option<Payload>,
                data: &'a Payload,
            }
            #[derive(Serialize)]
            struct TopicEvent<'a> {
                r#type: &'static str,
                #[serde(rename = "publisher-identity")]
                publisher_identity: &'a Identity,
                data: &'a Payload,
            }
            let r#type = "event";
            let text = match &self.message {
                ServerMessage::Event { oob, sequence, snapshot, data, .. } => {
                    serde_json::to_string(&Event { r#type, oob: *oob, sequence, snapshot, data })
                }
                ServerMessage::TopicEvent { publisher_identity, data, .. } => {
                    serde_json::to_string(&TopicEvent { r#type, publisher_identity, data })
                }
                message => serde_json::to_string(message),
            };
            // Serialising these types into memory has no way to fail.
            let mut text = text.unwrap_or_default();
            text.drain(..text.len().min(1));
            text
        })
    }
}

impl Shared {
    pub(crate) fn new(to: PeerId, domain: Domain, content: Arc<Content>) -> Self {
        Self { to, domain, subscription: None, content }
    }

    /// An event for one of the receiver's subscriptions.
    pub(crate) fn event(
        to: PeerId,
        domain: Domain,
        subscription: CallId,
        content: Arc<Content>,
    ) -> Self {
        Self { to, domain, subscription: Some(subscription), content }
    }

    /// The frame.
    #[must_use]
    pub fn to_frame(&self) -> ServerFrame {
        let mut message = self.content.message.clone();
        if let (
            Some(own),
            ServerMessage::Event { subscription_id, .. }
            | ServerMessage::TopicEvent { subscription_id, .. },
        ) = (&self.subscription, &mut message)
        {
            subscription_id.clone_from(own);
        }
        let peer_id = Some(self.to.clone());
        ServerFrame { domain: Some(self.domain), request_id: None, peer_id, message }
    }

    /// The text of the frame.
    #[must_use]
    pub fn encode(&self) -> String {
        #[derive(Serialize)]
        struct Head<'a> {
            domain: Domain,
            peer_id: &'a PeerId,
            #[serde(skip_serializing_if = "Option::is_none")]
            subscription_id: Option<&'a CallId>,
        }
        let tail = self.content.tail();
        let subscription_id = self.subscription.as_ref();
        let head = Head { domain: self.domain, peer_id: &self.to, subscription_id };
        let mut text = Vec::with_capacity(HEAD + tail.len());
        // Serialising these types into memory has no way to fail.
        let _ = serde_json::to_writer(&mut text, &head);
        text.pop();
        text.push(b',');
        text.extend_from_slice(tail.as_bytes());
        String::from_utf8(text).unwrap_or_default()
    }

    pub(super) fn weight(&self) -> usize {
        self.content.weight
    }
}

#[cfg(test)]
mod tests {
    use deskwire_wire::ContextId;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_is_the_frame() {
        let waiting = Account::new(0);
        let placeholder = CallId::from("");
        for (message, subscription) in [
            (
                ServerMessage::Event {
                    subscription_id: placeholder.clone(),
                    oob: false,
                    sequence: Some(json!(1).into()),
                    snapshot: None,
                    data: json!({"px": 1}).into(),
                },
                Some(CallId::from("r-1")),
            ),
            (
                ServerMessage::TopicEvent {
                    subscription_id: placeholder,
                    publisher_identity: Identity::default(),
                    data: json!([1]).into(),
                },
                Some(CallId::from("r-2")),
            ),
            (
                ServerMessage::ContextDestroyed {
                    context_id: ContextId::from("c-1"),
                    reason_uri: Some("a\"b".into()),
                    reason: None,
                },
                None,
            ),
        ] {
            let domain = match &message {
                ServerMessage::TopicEvent { .. } => Domain::Bus,
                _ => Domain::Agm,
            };
            let content = Content::new(message, &waiting);
            let shared = Shared { to: "p-1".into(), domain, subscription, content };
            assert!(waiting.used() >= shared.encode().len(), "counted");
            assert_eq!(ServerFrame::decode(&shared.encode()).unwrap(), shared.to_frame());
        }
        assert_eq!(waiting.used(), 0);
    }
}
