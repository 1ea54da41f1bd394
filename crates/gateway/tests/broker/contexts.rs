//! Shared contexts.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::desk::Desk;

fn desk() -> Desk {
    let mut desk = Desk::new();
    for name in ["a", "b"] {
        desk.open(name);
        desk.hello(name, json!({"application": name}));
    }
    desk.hush();
    desk
}

fn create(name: &str, lifetime: &str, data: Value) -> Value {
    json!({"type": "create-context", "name": name, "data": data, "lifetime": lifetime, "request_id": "create"})
}

fn update(id: &str, delta: Value) -> Value {
    json!({"type": "update-context", "context_id": id, "delta": delta, "request_id": "update"})
}

fn on(id: &str, what: &str) -> Value {
    json!({"type": what, "context_id": id, "request_id": what})
}

#[test]
fn members_hear_of_every_change() {
    let mut desk = desk();
    desk.says("a", create("Red", "retained", json!({"x": 1, "o": {"p": 1}})));
    // Not a member yet, but it may change.
    desk.says("b", update("c-n-1", json!({"updated": {"o": {"q": 2}}})));
    desk.says("b", on("c-n-1", "subscribe-context"));
    desk.says(
        "a",
        update("c-n-1", json!({"commands": [{"type": "set", "path": "o.p", "value": 5}]})),
    );
    desk.says("b", on("c-n-1", "unsubscribe-context"));
    desk.says("a", update("c-n-1", json!({"added": {"y": 2}, "removed": ["x"]})));
    // To create what exists is to become a member.
    desk.says("b", create("Red", "retained", json!({"ignored": 1})));
    desk.says("b", update("c-n-1", json!({"reset": {"fresh": 1.50}})));
    desk.says("a", on("c-n-1", "subscribe-context"));
    desk.says("b", on("c-n-1", "destroy-context"));
    assert_snapshot!(desk.protocol());
    assert_eq!((desk.census().contexts, desk.census().context_bytes), (0, 0));
}

#[test]
fn a_newcomer_is_told_of_all_contexts() {
    let mut desk = desk();
    desk.says("a", create("One", "retained", json!({})));
    desk.says("a", create("Two", "ownership", json!({})));
    desk.hush();
    desk.open("late");
    desk.hello("late", json!({"application": "late"}));
    assert_snapshot!(desk.protocol());
}

#[test]
fn lifetimes_end_as_they_say() {
    let mut desk = desk();
    desk.says("a", create("Stays", "retained", json!({})));
    desk.says("a", create("Mine", "ownership", json!({})));
    desk.says("a", create("Ours", "ref-counted", json!({})));
    desk.says("b", on("c-n-3", "subscribe-context"));
    desk.says("b", create("Shortlived", "ref-counted", json!({})));
    desk.hush();
    desk.says("b", on("c-n-2", "destroy-context"));
    desk.says("b", on("c-n-4", "unsubscribe-context"));
    desk.close("a");
    desk.says("b", on("c-n-3", "unsubscribe-context"));
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().contexts, 1);
}

#[test]
fn two_dialects_one_store() {
    let mut desk = desk();
    desk.says("b", json!({"type": "join", "destination": "context", "request_id": "j"}));
    desk.says("a", create("Red", "retained", json!({"v": 1})));
    let mut subscribe = on("c-n-1", "subscribe-context");
    subscribe["domain"] = json!("context");
    desk.says("b", subscribe);
    desk.says("a", update("c-n-1", json!({"added": {"w": 1}})));
    let mut change = update("c-n-1", json!({"added": {"z": 1}}));
    change["domain"] = json!("context");
    desk.says("b", change);
    desk.open("c");
    desk.hello("c", json!({"application": "c"}));
    desk.close("c");
    desk.says("b", json!({"type": "leave", "destination": "context", "request_id": "l"}));
    desk.says("a", update("c-n-1", json!({"added": {"unheard": 1}})));
    desk.says("b", json!({"type": "join", "destination": "context", "request_id": "j2"}));
    assert_snapshot!(desk.protocol());
}

#[test]
fn requests_that_are_refused() {
    let mut desk = desk();
    desk.says("a", create("Red", "retained", json!({"v": 1})));
    desk.hush();
    for frame in [
        create("Z", "weird", json!({})),
        create("Z", "retained", json!([1])),
        on("nope", "subscribe-context"),
        on("c-n-9", "destroy-context"),
        update("nope", json!({})),
        update(
            "c-n-1",
            json!({"commands": [{"type": "set", "path": "a.__proto__.b", "value": 1}]}),
        ),
        update(
            "c-n-1",
            json!({"commands": [{"type": "set", "path": "gone", "value": 1}, {"type": "set", "path": "", "value": 5}]}),
        ),
    ] {
        desk.says("a", frame);
    }
    // Nothing of it happened.
    desk.says("a", on("c-n-1", "subscribe-context"));
    assert_snapshot!(desk.protocol());
}
