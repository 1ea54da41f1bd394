//! Frames as text, both ways.

#![allow(clippy::unwrap_used)]

use deskwire_wire::{ClientFrame, ClientMessage, Id, ServerFrame, ServerMessage};
use serde_json::{Value, json};

/// Drops `null` members, which the protocol treats as absent.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

#[test]
fn client_frames_round_trip() {
    for frame in [
        json!({"type": "hello", "domain": "global", "request_id": "h", "identity": {"application": "a"},
               "authentication": {"method": "secret", "login": "u", "secret": "s"}}),
        json!({"type": "ping"}),
        json!({"type": "join", "domain": "global", "destination": "agm", "request_id": "j", "peer_id": "p-1"}),
        json!({"type": "register", "domain": "agm", "request_id": "r", "peer_id": "p-1",
               "methods": [{"id": 7, "name": "m", "extra": {"deep": [1.50]}}]}),
        json!({"type": "call", "domain": "agm", "request_id": "c", "peer_id": "p-1", "server_id": "p-2",
               "method_id": "0", "arguments_kv": {"a": 1}}),
        json!({"type": "yield", "domain": "agm", "request_id": "y", "peer_id": "p-1",
               "invocation_id": "r-1", "result": {"ok": true}}),
        json!({"type": "publish", "domain": "agm", "stream_id": "0", "data": {"px": 1}}),
        json!({"type": "publish", "domain": "bus", "topic": "t", "data": {"n": 1}, "routing_key": "k",
               "target_identity": {"application": "b"}}),
        json!({"type": "create-context", "domain": "global", "name": "c", "data": {"x": 1}, "lifetime": "retained"}),
        json!({"type": "update-context", "domain": "context", "context_id": "c-1", "delta": {"reset": {}}}),
    ] {
        let decoded = ClientFrame::decode(&frame.to_string()).unwrap();
        let encoded: Value = serde_json::from_str(&decoded.encode()).unwrap();
        assert_eq!(encoded, frame);
    }
}

#[test]
fn server_frames_round_trip() {
    for frame in [
        json!({"domain": "global", "type": "welcome", "request_id": "h", "peer_id": "p-1",
               "available_domains": [{"uri": "agm", "description": "", "version": 1}],
               "resolved_identity": {"user": "u"}, "options": {"access_token": "t"}}),
        json!({"domain": "agm", "type": "methods-added", "peer_id": "p-1", "source_type": "local",
               "server_id": "p-2", "methods": [{"id": 1, "name": "m"}]}),
        json!({"domain": "agm", "type": "invoke", "invocation_id": "r-1", "caller_id": "p-2", "peer_id": "p-1",
               "method_id": 1, "arguments_kv": {"n": 123_456_789_012_345_678_u64}}),
        json!({"domain": "agm", "type": "event", "peer_id": "p-1", "subscription_id": "r-2", "oob": true,
               "data": {"px": 1}}),
        json!({"domain": "bus", "type": "event", "peer_id": "p-1", "subscription_id": "r-3",
               "publisher-identity": {"application": "a"}, "data": 1}),
        json!({"domain": "agm", "type": "error", "request_id": -1, "peer_id": "p-1",
               "reason_uri": "agm.errors.failure", "reason": "why", "context": {}}),
    ] {
        let decoded = ServerFrame::decode(&frame.to_string()).unwrap();
        let encoded: Value = serde_json::from_str(&decoded.encode()).unwrap();
        assert_eq!(without_nulls(encoded), frame);
    }
}

#[test]
fn a_frame_that_cannot_be_read_still_names_its_request() {
    for (text, reason, request_id) in [
        ("not json", "frame is not JSON", None),
        ("[1]", "frame is not a JSON object", None),
        (r#"{"domain":"agm","request_id":"r"}"#, "`frame` needs the field `type`", Some("r")),
        (r#"{"domain":"moon","type":"x","request_id":"r"}"#, "unknown domain `moon`", Some("r")),
        (
            r#"{"domain":"agm","type":"nonsense","request_id":"r"}"#,
            "no frame of type `nonsense`",
            Some("r"),
        ),
        (
            r#"{"domain":"agm","type":"call","request_id":"r"}"#,
            "`call` needs the field `server_id`",
            Some("r"),
        ),
        (
            r#"{"domain":"agm","type":"call","server_id":5,"request_id":"r"}"#,
            "invalid type: integer `5`",
            Some("r"),
        ),
        (
            r#"{"domain":"agm","type":"register","methods":[{"name":"x"}],"request_id":"r"}"#,
            "missing field `id`",
            Some("r"),
        ),
        (
            r#"{"domain":"agm","type":"register","methods":5,"request_id":"r"}"#,
            "`methods`: invalid type",
            Some("r"),
        ),
        (r#"{"type":"hello","type":"hello"}"#, "duplicate field `type`", None),
    ] {
        let error = ClientFrame::decode(text).unwrap_err();
        assert!(error.to_string().contains(reason), "{text}: {error}");
        let named = error.head().and_then(|head| head.request_id.clone());
        assert_eq!(named, request_id.map(Id::from), "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let bomb = format!(r#"{{"type":"ping","data":{}{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    assert!(ClientFrame::decode(&bomb).unwrap_err().to_string().contains("nests deeper"));
}

#[test]
fn credentials_do_not_show_in_debug_output() {
    let text = r#"{"type":"hello","identity":{},"authentication":{"method":"secret","login":"u","secret":"s3cret","token":"t0ken"}}"#;
    let shown = format!("{:?}", ClientFrame::decode(text).unwrap());
    assert!(!shown.contains("s3cret") && !shown.contains("t0ken"), "{shown}");
}

#[test]
fn a_message_type_in_two_domains_is_two_messages() {
    let topic = r#"{"domain":"bus","type":"subscribe","topic":"a.*"}"#;
    assert!(matches!(
        ClientFrame::decode(topic).unwrap().message,
        ClientMessage::SubscribeTopic { .. }
    ));
    let event =
        r#"{"domain":"bus","type":"event","subscription_id":"r","publisher-identity":{},"data":1}"#;
    assert!(matches!(
        ServerFrame::decode(event).unwrap().message,
        ServerMessage::TopicEvent { .. }
    ));
}
