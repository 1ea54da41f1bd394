//! Frames a gateway sends.

use serde::{Deserialize, Serialize};

use crate::flat::Taken;
use crate::{CallId, ContextId, DecodeError, Domain, Id, Identity, MethodDef, Payload, PeerId};

/// One frame from a gateway to a peer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ServerFrame {
    /// The domain; `null` where a frame came from a peer the sender does not own.
    pub domain: Option<Domain>,
    /// Repeats the id of the request this answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Id>,
    /// The receiving peer.
    pub peer_id: Option<PeerId>,
    /// Type and its fields.
    #[serde(flatten)]
    pub message: ServerMessage,
}

/// What a gateway can say. The variant is the frame's `type`, in kebab case.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[serde(rename_all_fields = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the protocol, by the same names")]
pub enum ServerMessage {
    /// The session is open.
    Welcome {
        available_domains: Vec<AvailableDomain>,
        resolved_identity: Identity,
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<WelcomeOptions>,
    },
    /// The request was done and has no other answer.
    Success,
    /// The request was not done, or an invocation failed.
    Error {
        reason_uri: String,
        reason: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<Payload>,
    },
    /// Answers `create-token`.
    Token { token: String },
    /// Somebody is in this domain.
    PeerAdded {
        new_peer_id: PeerId,
        identity: Identity,
        #[serde(skip_serializing_if = "Option::is_none")]
        meta: Option<Payload>,
    },
    /// Somebody left this domain.
    PeerRemoved {
        removed_id: PeerId,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason_uri: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A server has these methods, too. Always `"source_type":"local"`.
    MethodsAdded { source_type: SourceType, server_id: PeerId, methods: Vec<MethodDef> },
    /// A server has these methods no more.
    MethodsRemoved { server_id: PeerId, methods: Vec<Id> },
    /// Somebody calls a method of the receiver.
    Invoke {
        invocation_id: CallId,
        caller_id: PeerId,
        method_id: Id,
        arguments: Option<Payload>,
        arguments_kv: Option<Payload>,
        context: Option<Payload>,
    },
    /// A call has its result.
    Result { result: Option<Payload> },
    /// Somebody subscribes to a stream of the receiver.
    AddInterest {
        subscription_id: CallId,
        caller_id: PeerId,
        method_id: Id,
        arguments: Option<Payload>,
        arguments_kv: Option<Payload>,
        flags: Option<Payload>,
        context: Option<Payload>,
    },
    /// A subscriber of the receiver is gone.
    RemoveInterest {
        subscription_id: CallId,
        method_id: Id,
        caller_id: PeerId,
        reason_uri: Option<String>,
        reason: Option<String>,
    },
    /// A subscription, to a stream or a topic, is open.
    Subscribed { subscription_id: CallId },
    /// Data of a stream.
    #[serde(rename = "event")]
    Event {
        subscription_id: CallId,
        oob: bool,
        sequence: Option<Payload>,
        snapshot: Option<Payload>,
        data: Payload,
    },
    /// A publisher ended a subscription.
    SubscriptionCancelled {
        subscription_id: CallId,
        reason_uri: Option<String>,
        reason: Option<String>,
    },
    /// A context exists.
    ContextAdded { creator_id: Option<PeerId>, context_id: ContextId, name: String },
    /// The context asked for was made.
    ContextCreated { context_id: ContextId },
    /// The receiver is a member now; `data` is the whole context.
    SubscribedContext { context_id: ContextId, data: Payload },
    /// A context changed; `delta` is what the updater sent.
    ContextUpdated { context_id: ContextId, updater_id: Option<PeerId>, delta: Payload },
    /// A context is no more.
    ContextDestroyed { context_id: ContextId, reason_uri: Option<String>, reason: Option<String> },
    /// Data of a topic.
    #[serde(rename = "event")]
    TopicEvent {
        subscription_id: CallId,
        #[serde(rename = "publisher-identity")]
        publisher_identity: Identity,
        data: Payload,
    },
}

/// Where methods come from; this protocol has one value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceType {
    /// A peer of this gateway.
    #[default]
    Local,
}

/// A domain that the gateway offers. Clients switch features on `version`:
/// `context` from 2 on takes `commands` deltas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailableDomain {
    /// The domain's name.
    pub uri: String,
    /// For people; empty.
    #[serde(default)]
    pub description: String,
    /// Version of the domain's protocol.
    #[serde(default)]
    pub version: u32,
}

/// Extras of a welcome.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WelcomeOptions {
    /// Logs the same user in again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_token: Option<String>,
}

impl std::fmt::Debug for WelcomeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WelcomeOptions").finish_non_exhaustive()
    }
}

impl ServerFrame {
    /// Reads the text of one frame. Unknown fields are ignored.
    ///
    /// # Errors
    /// When the text is no frame of this direction; the error names the field.
    pub fn decode(text: &str) -> Result<Self, DecodeError> {
        let mut taken = Taken::from_text(text)?;
        let domain = taken.domain;
        let message = ServerMessage::take(&mut taken)?;
        let (request_id, peer_id) = taken.into_ids();
        Ok(Self { domain, request_id, peer_id, message })
    }

    /// The text of the frame.
    #[must_use]
    pub fn encode(&self) -> String {
        // Serialising these types into memory has no way to fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl ServerMessage {
    fn take(t: &mut Taken<'_>) -> Result<Self, DecodeError> {
        use Domain::Bus;
        let (domain, kind) = t.kind();
        Ok(match (domain, &*kind) {
            (_, "welcome") => {
                let domains = t.available_domains().optional();
                let options = t.options().optional();
                Self::Welcome {
                    available_domains: match domains {
                        None => Vec::new(),
                        Some(list) => list.read("list of domains").map_err(|e| t.shape(e))?,
                    },
                    resolved_identity: t.resolved_identity().or_default(),
                    options: match options {
                        None => None,
                        Some(options) => Some(options.read("object").map_err(|e| t.shape(e))?),
                    },
                }
            }
            (_, "success") => Self::Success,
            (_, "error") => Self::Error {
                reason_uri: t.reason_uri().or_default(),
                reason: t.reason().or_default(),
                context: t.context().optional(),
            },
            (_, "token") => Self::Token { token: t.token().required(t)? },
            (_, "peer-added") => Self::PeerAdded {
                new_peer_id: t.new_peer_id().required(t)?,
                identity: t.identity().or_default(),
                meta: t.meta().optional(),
            },
            (_, "peer-removed") => Self::PeerRemoved {
                removed_id: t.removed_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },
            (_, "methods-added") => Self::MethodsAdded {
                source_type: SourceType::Local,
                server_id: t.server_id().required(t)?,
                methods: t.method_defs()?,
            },
            (_, "methods-removed") => Self::MethodsRemoved {
                server_id: t.server_id().required(t)?,
                methods: t.method_ids()?,
            },
            (_, "invoke") => Self::Invoke {
                invocation_id: t.invocation_id().required(t)?,
                caller_id: t.caller_id().required(t)?,
                method_id: t.method_id().required(t)?,
                arguments: t.arguments().optional(),
                arguments_kv: t.arguments_kv().optional(),
                context: t.context().optional(),
            },
            (_, "result") => Self::Result { result: t.result().optional() },
            (_, "add-interest") => Self::AddInterest {
                subscription_id: t.subscription_id().required(t)?,
                caller_id: t.caller_id().required(t)?,
                method_id: t.method_id().required(t)?,
                arguments: t.arguments().optional(),
                arguments_kv: t.arguments_kv().optional(),
                flags: t.flags().optional(),
                context: t.context().optional(),
            },
            (_, "remove-interest") => Self::RemoveInterest {
                subscription_id: t.subscription_id().required(t)?,
                method_id: t.method_id().required(t)?,
                caller_id: t.caller_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },
            (_, "subscribed") => {
                Self::Subscribed { subscription_id: t.subscription_id().required(t)? }
            }
            (Bus, "event") => Self::TopicEvent {
                subscription_id: t.subscription_id().required(t)?,
                publisher_identity: t.publisher_identity().or_default(),
                data: t.data().optional().unwrap_or_else(Payload::null),
            },
            (_, "event") => Self::Event {
                subscription_id: t.subscription_id().required(t)?,
                oob: t.oob().or_default(),
                sequence: t.sequence().optional(),
                snapshot: t.snapshot().optional(),
                data: t.data().optional().unwrap_or_else(Payload::null),
            },
            (_, "subscription-cancelled") => Self::SubscriptionCancelled {
                subscription_id: t.subscription_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },
            (_, "context-added") => Self::ContextAdded {
                creator_id: t.creator_id().optional(),
                context_id: t.context_id().required(t)?,
                name: t.name().required(t)?,
            },
            (_, "context-created") => {
                Self::ContextCreated { context_id: t.context_id().required(t)? }
            }
            (_, "subscribed-context") => Self::SubscribedContext {
                context_id: t.context_id().required(t)?,
                data: t.data().optional().unwrap_or_else(Payload::empty_object),
            },
            (_, "context-updated") => Self::ContextUpdated {
                context_id: t.context_id().required(t)?,
                updater_id: t.updater_id().optional(),
                delta: t.delta().required(t)?,
            },
            (_, "context-destroyed") => Self::ContextDestroyed {
                context_id: t.context_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },
            _ => return Err(t.unknown_type()),
        })
    }
}
