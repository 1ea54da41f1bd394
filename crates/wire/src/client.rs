//! Frames a peer sends.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::flat::Taken;
use crate::{CallId, ContextId, DecodeError, Domain, Id, Identity, MethodDef, Payload, PeerId};

/// One frame from a peer to its gateway.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClientFrame {
    /// The domain as it stands in the frame; absent means `global`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<Domain>,
    /// Client-chosen id that replies repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Id>,
    /// The peer the frame speaks for; absent on hello and ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_id: Option<PeerId>,
    /// Type and its fields.
    #[serde(flatten)]
    pub message: ClientMessage,
}

/// What a peer can say. The variant is the frame's `type`, in kebab case.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[serde(rename_all_fields = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the protocol, by the same names")]
pub enum ClientMessage {
    // --- global ---
    /// Opens a session.
    Hello {
        identity: Identity,
        #[serde(skip_serializing_if = "Option::is_none")]
        authentication: Option<Authentication>,
    },
    /// Keeps the session alive; has no answer.
    Ping,
    /// Enters a domain.
    Join { destination: String },
    /// Leaves a domain.
    Leave { destination: String },
    /// Asks for a token another process can log in with.
    CreateToken,

    // --- agm ---
    /// Announces methods.
    Register { methods: Vec<MethodDef> },
    /// Withdraws methods.
    Unregister { methods: Vec<Id> },
    /// Calls a method of one server.
    Call {
        server_id: PeerId,
        method_id: Id,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments_kv: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<Payload>,
    },
    /// Answers an invocation.
    Yield {
        invocation_id: CallId,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Payload>,
    },
    /// Fails an invocation or refuses a subscriber; `request_id` names which.
    Error {
        reason_uri: String,
        reason: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<Payload>,
    },
    /// Subscribes to a stream of one server.
    #[serde(rename = "subscribe")]
    Subscribe {
        server_id: PeerId,
        method_id: Id,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments_kv: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        flags: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<Payload>,
    },
    /// Accepts a subscriber on a branch.
    Accepted { subscription_id: CallId, stream_id: Id },
    /// Sends data to every subscriber of a branch.
    #[serde(rename = "publish")]
    Publish {
        stream_id: Id,
        #[serde(skip_serializing_if = "Option::is_none")]
        sequence: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        snapshot: Option<Payload>,
        data: Payload,
    },
    /// Sends data to one subscriber.
    Post {
        subscription_id: CallId,
        #[serde(skip_serializing_if = "Option::is_none")]
        sequence: Option<Payload>,
        #[serde(skip_serializing_if = "Option::is_none")]
        snapshot: Option<Payload>,
        data: Payload,
    },
    /// Ends a subscription from the subscriber's side.
    #[serde(rename = "unsubscribe")]
    Unsubscribe {
        subscription_id: CallId,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason_uri: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Ends a subscription from the publisher's side.
    DropSubscription {
        subscription_id: CallId,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason_uri: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },

    // --- global or context ---
    /// Creates a context, or becomes a member of the one with this name.
    CreateContext {
        name: String,
        data: Payload,
        /// Kept as text: the gateway names what it does not know.
        #[serde(skip_serializing_if = "Option::is_none")]
        lifetime: Option<String>,
    },
    /// Becomes a member of a context.
    SubscribeContext { context_id: ContextId },
    /// Stops being a member of a context.
    UnsubscribeContext { context_id: ContextId },
    /// Changes a context.
    UpdateContext { context_id: ContextId, delta: Payload },
    /// Ends a context.
    DestroyContext { context_id: ContextId },

    // --- bus ---
    /// Subscribes to topics; `*` is one segment, `>` the rest.
    #[serde(rename = "subscribe")]
    SubscribeTopic {
        topic: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        routing_key: Option<String>,
    },
    /// Sends data to the subscribers of a topic.
    #[serde(rename = "publish")]
    PublishTopic {
        topic: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        routing_key: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        target_identity: Option<Identity>,
        data: Payload,
    },
    /// Ends a topic subscription.
    #[serde(rename = "unsubscribe")]
    UnsubscribeTopic { subscription_id: CallId },

    // --- metrics ---
    /// `define` or `publish` of the metrics domain, swallowed unread.
    #[serde(rename = "publish")]
    Metrics,
}

/// How long a context lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Until it is destroyed; the default, and what the JavaScript clients use.
    Retained,
    /// As long as its creator, who alone may destroy it.
    Ownership,
    /// Until its last member leaves.
    RefCounted,
}

impl Lifetime {
    /// Reads a lifetime as it stands on the wire; absent is [`Lifetime::Retained`].
    #[must_use]
    pub fn parse(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None | Some("retained") => Self::Retained,
            Some("ownership") => Self::Ownership,
            Some("ref-counted") => Self::RefCounted,
            Some(_) => return None,
        })
    }
}

/// Credentials of a hello. `Debug` shows the method alone.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authentication {
    /// `secret`, `access-token` or `gateway-token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Names an authenticator other than the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// User name, of method `secret`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// Password, of method `secret`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Token, of the other two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authentication").field("method", &self.method).finish_non_exhaustive()
    }
}

impl ClientFrame {
    /// Reads the text of one frame. Unknown fields are ignored.
    ///
    /// # Errors
    /// When the text is no frame of this direction; the error names the field.
    pub fn decode(text: &str) -> Result<Self, DecodeError> {
        let mut taken = Taken::from_text(text)?;
        let domain = taken.domain;
        let message = ClientMessage::take(&mut taken)?;
        let (request_id, peer_id) = taken.into_ids();
        Ok(Self { domain, request_id, peer_id, message })
    }

    /// The text of the frame.
    #[must_use]
    pub fn encode(&self) -> String {
        // Serialising these types into memory has no way to fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The domain, `global` where the frame names none.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain.unwrap_or(Domain::Global)
    }
}

impl ClientMessage {
    fn take(t: &mut Taken<'_>) -> Result<Self, DecodeError> {
        use Domain::{Agm, Bus, Context, Global, Metrics};
        let (domain, kind) = t.kind();
        Ok(match (domain, &*kind) {
            (_, "ping") => Self::Ping,
            (Global, "hello") => Self::Hello {
                identity: t.identity().or_default(),
                authentication: match t.authentication().optional() {
                    None => None,
                    Some(payload) => Some(
                        payload
                            .read("authentication object")
                            .map_err(|error| t.shape(format!("`authentication`: {error}")))?,
                    ),
                },
            },
            (Global, "join") => Self::Join { destination: t.destination().required(t)? },
            (Global, "leave") => Self::Leave { destination: t.destination().required(t)? },
            (Global, "create-token") => Self::CreateToken,

            (Agm, "register") => Self::Register { methods: t.method_defs()? },
            (Agm, "unregister") => Self::Unregister { methods: t.method_ids()? },
            (Agm, "call") => Self::Call {
                server_id: t.server_id().required(t)?,
                method_id: t.method_id().required(t)?,
                arguments: t.arguments().optional(),
                arguments_kv: t.arguments_kv().optional(),
                context: t.context().optional(),
            },
            (Agm, "yield") => Self::Yield {
                invocation_id: t.invocation_id().required(t)?,
                result: t.result().optional(),
            },
            (Agm, "error") => Self::Error {
                reason_uri: t.reason_uri().or_default(),
                reason: t.reason().or_default(),
                context: t.context().optional(),
            },
            (Agm, "subscribe") => Self::Subscribe {
                server_id: t.server_id().required(t)?,
                method_id: t.method_id().required(t)?,
                arguments: t.arguments().optional(),
                arguments_kv: t.arguments_kv().optional(),
                flags: t.flags().optional(),
                context: t.context().optional(),
            },
            // Taken last, so that an error still names it.
            (Agm, "accepted") => Self::Accepted {
                stream_id: t.stream_id().required(t)?,
                subscription_id: t.subscription_id().required(t)?,
            },
            (Agm, "publish") => Self::Publish {
                stream_id: t.stream_id().required(t)?,
                sequence: t.sequence().optional(),
                snapshot: t.snapshot().optional(),
                data: t.data().optional().unwrap_or_else(Payload::null),
            },
            (Agm, "post") => Self::Post {
                subscription_id: t.subscription_id().required(t)?,
                sequence: t.sequence().optional(),
                snapshot: t.snapshot().optional(),
                data: t.data().optional().unwrap_or_else(Payload::null),
            },
            (Agm, "unsubscribe") => Self::Unsubscribe {
                subscription_id: t.subscription_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },
            (Agm, "drop-subscription") => Self::DropSubscription {
                subscription_id: t.subscription_id().required(t)?,
                reason_uri: t.reason_uri().optional(),
                reason: t.reason().optional(),
            },

            (Global | Context, "create-context") => Self::CreateContext {
                name: t.name().required(t)?,
                data: t.data().optional().unwrap_or_else(Payload::empty_object),
                lifetime: t.lifetime().optional(),
            },
            (Global | Context, "subscribe-context") => {
                Self::SubscribeContext { context_id: t.context_id().required(t)? }
            }
            (Global | Context, "unsubscribe-context") => {
                Self::UnsubscribeContext { context_id: t.context_id().required(t)? }
            }
            (Global | Context, "update-context") => Self::UpdateContext {
                context_id: t.context_id().required(t)?,
                delta: t.delta().required(t)?,
            },
            (Global | Context, "destroy-context") => {
                Self::DestroyContext { context_id: t.context_id().required(t)? }
            }

            (Bus, "subscribe") => Self::SubscribeTopic {
                topic: t.topic().required(t)?,
                routing_key: t.routing_key().optional(),
            },
            (Bus, "publish") => Self::PublishTopic {
                topic: t.topic().required(t)?,
                routing_key: t.routing_key().optional(),
                target_identity: t.target_identity().optional(),
                data: t.data().optional().unwrap_or_else(Payload::null),
            },
            (Bus, "unsubscribe") => {
                Self::UnsubscribeTopic { subscription_id: t.subscription_id().required(t)? }
            }

            (Metrics, "define" | "publish") => Self::Metrics,
            _ => return Err(t.unknown_type()),
        })
    }
}
