//! Topics.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::desk::Desk;

fn desk(names: &[&str]) -> Desk {
    let mut desk = Desk::new();
    for name in names {
        desk.open(name);
        desk.hello(name, json!({"application": name}));
        desk.says(name, json!({"type": "join", "destination": "bus", "request_id": "j"}));
    }
    desk.hush();
    desk
}

fn bus(kind: &str, topic: &str, more: Value) -> Value {
    let mut frame = json!({"domain": "bus", "type": kind, "topic": topic, "request_id": kind});
    frame.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    frame
}

#[test]
fn events_reach_whom_topic_key_and_target_name() {
    let mut desk = desk(&["a", "b"]);
    desk.says("a", bus("subscribe", "fx.*", json!({})));
    desk.says("b", bus("subscribe", "fx.>", json!({"routing_key": "k"})));
    desk.says("a", bus("publish", "fx.eur", json!({"data": 1})));
    desk.says("a", bus("publish", "fx.eur.spot", json!({"data": 2, "routing_key": "k"})));
    desk.says("a", bus("publish", "fx.eur", json!({"data": 3, "routing_key": "other"})));
    desk.says(
        "a",
        bus("publish", "fx.eur", json!({"data": 4, "target_identity": {"application": "b"}})),
    );
    desk.says("a", bus("publish", "nobody", json!({"data": 5})));
    desk.says("b", json!({"domain": "bus", "type": "unsubscribe", "subscription_id": "r-n-2", "request_id": "u"}));
    desk.says("b", json!({"domain": "bus", "type": "unsubscribe", "subscription_id": "r-n-1", "request_id": "u"}));
    desk.says("a", bus("publish", "fx.eur.spot", json!({"data": 6})));
    assert_snapshot!(desk.protocol());
}

#[test]
fn one_must_join_and_a_leave_ends_subscriptions() {
    let mut desk = desk(&["a", "b"]);
    desk.says("a", bus("subscribe", "t", json!({})));
    desk.says("a", json!({"type": "leave", "destination": "bus", "request_id": "l"}));
    desk.says("b", bus("publish", "t", json!({"data": 1})));
    desk.says("a", bus("subscribe", "t", json!({})));
    desk.says("a", bus("publish", "t", json!({"data": 1})));
    assert_snapshot!(desk.protocol());
}
