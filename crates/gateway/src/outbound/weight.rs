//! About how long things are as text, without making the text.

use deskwire_wire::{Id, Identity, Payload, ServerFrame, ServerMessage};
use serde_json::{Map, Value};

/// What a frame weighs without its variable parts; no frame's head is longer
/// than this by much.
pub(super) const HEAD: usize = 192;

pub(super) fn frame_weight(frame: &ServerFrame) -> usize {
    let request = match &frame.request_id {
        Some(Id::Text(text)) => text.len(),
        Some(Id::Int(_)) | None => 0,
    };
    request + message_weight(&frame.message)
}

/// Including the head of its frame.
pub(super) fn message_weight(message: &ServerMessage) -> usize {
    let optional = |payload: &Option<Payload>| payload.as_ref().map_or(0, Payload::len);
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let id = |id: &Id| match id {
        Id::Int(_) => 0,
        Id::Text(text) => text.len(),
    };
    let body = match message {
        ServerMessage::Welcome { resolved_identity, options, .. } => {
            let token = options.as_ref().and_then(|options| options.access_token.as_ref());
            400 + identity_weight(resolved_identity) + token.map_or(0, String::len)
        }
        ServerMessage::Success
        | ServerMessage::Subscribed { .. }
        | ServerMessage::ContextCreated { .. } => 0,
        ServerMessage::Error { reason_uri, reason, context } => {
            reason_uri.len() + reason.len() + optional(context)
        }
        ServerMessage::Token { token } => token.len(),
        ServerMessage::PeerAdded { identity, meta, .. } => {
            identity_weight(identity) + optional(meta)
        }
        ServerMessage::PeerRemoved { reason_uri, reason, .. }
        | ServerMessage::RemoveInterest { reason_uri, reason, .. }
        | ServerMessage::SubscriptionCancelled { reason_uri, reason, .. }
        | ServerMessage::ContextDestroyed { reason_uri, reason, .. } => {
            text(reason_uri) + text(reason)
        }
        ServerMessage::MethodsAdded { methods, .. } => {
            methods.iter().map(|method| method.definition().len() + 1).sum()
        }
        ServerMessage::MethodsRemoved { methods, .. } => {
            methods.iter().map(|method| id(method) + 24).sum()
        }
        ServerMessage::Invoke { method_id, arguments, arguments_kv, context, .. } => {
            id(method_id) + optional(arguments) + optional(arguments_kv) + optional(context)
        }
        ServerMessage::AddInterest {
            method_id, arguments, arguments_kv, flags, context, ..
        } => {
            let payloads = [arguments, arguments_kv, flags, context];
            id(method_id) + payloads.into_iter().map(optional).sum::<usize>()
        }
        ServerMessage::Result { result } => optional(result),
        ServerMessage::Event { sequence, snapshot, data, .. } => {
            optional(sequence) + optional(snapshot) + data.len()
        }
        ServerMessage::ContextAdded { name, .. } => name.len(),
        ServerMessage::SubscribedContext { data, .. } => data.len(),
        ServerMessage::ContextUpdated { delta, .. } => delta.len(),
        ServerMessage::TopicEvent { publisher_identity, data, .. } => {
            identity_weight(publisher_identity) + data.len()
        }
    };
    HEAD + body
}

/// About how many bytes an identity is as text.
pub(crate) fn identity_weight(identity: &Identity) -> usize {
    fn value_weight(value: &Value) -> usize {
        match value {
            Value::Null | Value::Bool(_) => 5,
            Value::Number(_) => 20,
            Value::String(text) => text.len() + 2,
            Value::Array(items) => {
                2 + items.iter().map(|item| value_weight(item) + 1).sum::<usize>()
            }
            Value::Object(fields) => 2 + fields_weight(fields),
        }
    }
    fn fields_weight(fields: &Map<String, Value>) -> usize {
        fields.iter().map(|(key, value)| key.len() + 4 + value_weight(value)).sum()
    }
    2 + fields_weight(identity.fields())
}
