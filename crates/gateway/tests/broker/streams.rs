//! Streams.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::desk::Desk;

fn desk() -> Desk {
    let mut desk = Desk::joined(&["pub", "one", "two"]);
    desk.register("pub", json!([{"id": 1, "name": "Prices", "flags": {"streaming": true}}]));
    desk.hush();
    desk
}

fn subscribe() -> Value {
    json!({"type": "subscribe", "server_id": "p-n-1", "method_id": 1, "request_id": "sub",
           "arguments_kv": {"sym": "X"}, "flags": {"f": 1}})
}

fn accept(subscription: &str, branch: Value) -> Value {
    json!({"type": "accepted", "subscription_id": subscription, "stream_id": branch})
}

#[test]
fn data_flows_by_branch_and_to_single_subscribers() {
    let mut desk = desk();
    desk.agm("one", subscribe());
    desk.agm("two", subscribe());
    desk.agm("one", subscribe());
    // Nothing flows before it is accepted.
    desk.agm("pub", json!({"type": "post", "subscription_id": "r-n-1", "data": {"early": 1}}));
    desk.agm("pub", accept("r-n-1", json!("0")));
    desk.agm("pub", accept("r-n-2", json!("0")));
    desk.agm("pub", accept("r-n-3", json!("1")));
    desk.agm(
        "pub",
        json!({"type": "post", "subscription_id": "r-n-2", "data": {"snapshot": true}}),
    );
    desk.agm("pub", json!({"type": "publish", "stream_id": "0", "data": {"px": 1.50}, "sequence": 7, "snapshot": false}));
    desk.agm("pub", json!({"type": "publish", "stream_id": "1", "data": {"px": 2}}));
    desk.agm("pub", json!({"type": "publish", "stream_id": "none", "data": {"px": 3}}));
    // Only the publisher speaks for its stream.
    desk.agm("two", json!({"type": "publish", "stream_id": "0", "data": {"forged": 1}}));
    desk.agm("two", json!({"type": "post", "subscription_id": "r-n-1", "data": {"forged": 1}}));
    assert_snapshot!(desk.protocol());
}

#[test]
fn either_side_ends_a_subscription() {
    let mut desk = desk();
    for _ in 0..2 {
        desk.agm("one", subscribe());
    }
    desk.agm("pub", accept("r-n-1", json!("0")));
    desk.agm("pub", accept("r-n-2", json!("0")));
    desk.agm("one", json!({"type": "unsubscribe", "subscription_id": "r-n-1", "reason_uri": "", "reason": "enough", "request_id": "u"}));
    desk.agm(
        "pub",
        json!({"type": "drop-subscription", "subscription_id": "r-n-2", "reason": "closing"}),
    );
    desk.agm("pub", json!({"type": "publish", "stream_id": "0", "data": {}}));
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().subscriptions, 0);
}

#[test]
fn a_publisher_refuses_with_the_answer_to_the_request() {
    let mut desk = desk();
    desk.agm("one", subscribe());
    let refusal = json!({"type": "error", "request_id": "r-n-1", "reason": "no way",
                         "reason_uri": "com.tick42.agm.errors.subscription.failure"});
    // Not anybody may.
    desk.agm("two", refusal.clone());
    desk.agm("pub", refusal.clone());
    desk.agm("pub", refusal);
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().subscriptions, 0);
}

#[test]
fn requests_about_subscriptions_that_are_none() {
    let mut desk = desk();
    desk.agm("one", subscribe());
    for (name, frame) in [
        ("one", json!({"type": "unsubscribe", "subscription_id": "zz", "request_id": "u"})),
        ("two", json!({"type": "unsubscribe", "subscription_id": "r-n-1", "request_id": "u"})),
        ("pub", json!({"type": "drop-subscription", "subscription_id": "r-n-1"})),
        ("pub", json!({"type": "drop-subscription", "subscription_id": "zz", "request_id": "d"})),
        ("two", accept("r-n-1", json!(0))),
        (
            "one",
            json!({"type": "subscribe", "server_id": "p-n-1", "method_id": 9, "request_id": "s"}),
        ),
    ] {
        desk.agm(name, frame);
    }
    assert_snapshot!(desk.protocol());
}

#[test]
fn withdrawing_a_stream_ends_its_subscriptions_first() {
    let mut desk = desk();
    desk.agm("one", subscribe());
    desk.agm("two", subscribe());
    desk.agm("pub", accept("r-n-1", json!("0")));
    desk.hush();
    desk.agm("pub", json!({"type": "unregister", "methods": [1], "request_id": "u"}));
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().subscriptions, 0);
}
