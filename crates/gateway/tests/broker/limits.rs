//! Every bound, and the error that names it.

use deskwire_gateway::Limits;
use serde_json::{Value, json};

use crate::desk::Desk;

const EXCEEDED: &str = "global.errors.limits_exceeded";

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

/// A desk with a peer `a` in every domain.
fn desk(change: impl FnOnce(&mut Limits)) -> Desk {
    let mut desk = Desk::with_limits(limits(change));
    desk.enter("a");
    desk.says("a", json!({"type": "join", "destination": "bus", "request_id": "j"}));
    desk.hush();
    desk
}

/// The last answer refuses with a text that says this.
fn exceeded(desk: &mut Desk, name: &str, text: &str) {
    let (uri, reason) = desk.error(name);
    assert_eq!(uri, EXCEEDED);
    assert!(reason.contains(text), "{reason}");
}

#[test]
fn peers() {
    let mut desk = desk(|limits| limits.peers = 2);
    desk.open("b");
    desk.hello("b", json!({}));
    desk.open("c");
    desk.hello("c", json!({}));
    exceeded(&mut desk, "c", "2 peers");
    desk.close("b");
    desk.hello("c", json!({}));
    assert_eq!(desk.told_types("c"), ["welcome"]);
}

#[test]
fn hellos_that_wait() {
    let mut desk = desk(|limits| limits.waiting_hellos_per_link = 2);
    desk.open("old");
    desk.hello("old", json!({"instance": "i"}));
    desk.open("new");
    for _ in 0..3 {
        desk.hello("new", json!({"instance": "i"}));
    }
    exceeded(&mut desk, "new", "2 hellos of this link wait");
}

#[test]
fn identity() {
    let mut desk = desk(|_| {});
    desk.hello("a", json!({"x": "y".repeat(20_000)}));
    exceeded(&mut desk, "a", "16384 are allowed");
    desk.hello("a", json!({"x": vec![0; 20_000]}));
    exceeded(&mut desk, "a", "16384 are allowed");
}

#[test]
fn names() {
    let long = "n".repeat(2_000);
    let mut desk = desk(|_| {});
    for frame in [
        json!({"domain": "agm", "type": "unregister", "methods": [], "request_id": long}),
        json!({"domain": "agm", "type": "register", "methods": [{"id": long, "name": "m"}]}),
        json!({"type": "create-context", "name": long}),
        json!({"domain": "bus", "type": "subscribe", "topic": long}),
        json!({"domain": "bus", "type": "subscribe", "topic": "t", "routing_key": long}),
        json!({"domain": "bus", "type": "publish", "topic": long}),
    ] {
        desk.says("a", frame);
        exceeded(&mut desk, "a", "1024 are allowed");
    }
    desk.register("a", json!([{"id": 1, "name": "s"}]));
    desk.agm("a", json!({"type": "subscribe", "server_id": "p-n-1", "method_id": 1}));
    desk.agm("a", json!({"type": "accepted", "subscription_id": "r-n-1", "stream_id": long}));
    exceeded(&mut desk, "a", "1024 are allowed");
}

#[test]
fn methods() {
    let mut desk = desk(|limits| limits.methods_per_peer = 2);
    desk.register("a", json!([{"id": 1, "name": "m"}, {"id": 2, "name": "m"}]));
    desk.told("a");
    desk.register("a", json!([{"id": 3, "name": "m"}]));
    exceeded(&mut desk, "a", "2 methods");
    // Replacing adds none.
    desk.register("a", json!([{"id": 2, "name": "again"}]));
    assert_eq!(desk.told_types("a"), ["methods-added", "success"]);
    assert_eq!(desk.census().methods, 2);
}

#[test]
fn waiting_calls_give_up_the_oldest() {
    let mut desk = desk(|limits| limits.calls_per_peer = 3);
    desk.register("a", json!([{"id": 1, "name": "m"}]));
    for n in 0..5 {
        desk.told("a");
        let request = format!("call {n}");
        desk.agm(
            "a",
            json!({"type": "call", "server_id": "p-n-1", "method_id": 1, "request_id": request}),
        );
    }
    let told = desk.told("a");
    assert_eq!(told[0]["request_id"], "call 1");
    assert_eq!(told[0]["reason_uri"], EXCEEDED);
    assert_eq!(told[1]["type"], "invoke");
    assert_eq!(desk.census().calls, 3);
}

#[test]
fn contexts() {
    let mut desk = desk(|limits| {
        limits.contexts = 2;
        limits.context_bytes = 1_000;
        limits.context_bytes_total = 5_000;
    });
    let create = |name: &str, text: usize| json!({"type": "create-context", "name": name, "data": {"k": "x".repeat(text)}, "request_id": "c"});
    let update = |text: usize| {
        json!({"type": "update-context", "context_id": "c-n-1", "request_id": "u",
               "delta": {"commands": [{"type": "set", "path": "k", "value": "x".repeat(text)}]}})
    };
    desk.says("a", create("too long", 2_000));
    exceeded(&mut desk, "a", "1000 are allowed");
    desk.says("a", create("one", 900));
    desk.told("a");
    desk.says("a", update(993));
    exceeded(&mut desk, "a", "1000 are allowed");
    // Up to the bound it goes, though the change alone is as long.
    desk.says("a", update(992));
    assert_eq!(desk.told_types("a"), ["success"]);
    desk.says("a", create("two", 900));
    desk.told("a");
    desk.says("a", create("three", 1));
    exceeded(&mut desk, "a", "2 contexts");
    assert!(desk.census().context_bytes <= 5_000);
}

#[test]
fn retained_contexts_of_one_instance() {
    let mut desk = Desk::with_limits(limits(|limits| limits.retained_contexts_per_instance = 2));
    let identity = json!({"application": "a", "instance": "i"});
    let create = |name: &str, lifetime: &str| json!({"type": "create-context", "name": name, "lifetime": lifetime, "request_id": "c"});
    for round in ["first", "again"] {
        desk.open("a");
        desk.hello("a", identity.clone());
        for name in ["one", "two"] {
            desk.says("a", create(name, "retained"));
        }
        desk.told("a");
        desk.says("a", create("three", "retained"));
        exceeded(&mut desk, "a", "has created 2 contexts");
        // Others live no longer than somebody needs them, and what is there is entered.
        desk.says("a", create(&format!("owned {round}"), "ownership"));
        desk.says("a", create("one", "retained"));
        assert_eq!(desk.told("a").last().unwrap()["type"], "subscribed-context");
        // A new session of the same instance has no quota of its own.
        desk.close("a");
    }
    desk.open("b");
    desk.hello("b", json!({"application": "a", "instance": "j"}));
    desk.says("b", create("three", "retained"));
    assert_eq!(desk.told("b").last().unwrap()["type"], "context-created");
    // What is destroyed makes room, whoever destroys it.
    desk.says("b", json!({"type": "destroy-context", "context_id": "c-n-1", "request_id": "d"}));
    desk.open("a");
    desk.hello("a", identity);
    desk.says("a", create("four", "retained"));
    assert_eq!(desk.told("a").last().unwrap()["type"], "context-created");
}

#[test]
fn bytes_of_all_contexts() {
    let mut desk = desk(|limits| limits.context_bytes_total = 10_000);
    for n in 0..20 {
        desk.says("a", json!({"type": "create-context", "name": n.to_string(), "data": {"k": 1}}));
    }
    exceeded(&mut desk, "a", "all contexts would exceed 10000 bytes");
    assert!(desk.census().context_bytes <= 10_000);
}

/// Whatever a peer makes the gateway remember counts, and has an end.
#[test]
fn everything_that_is_remembered() {
    type Frame = fn(usize) -> Value;
    let frames: [(&str, Frame); 6] = [
        (
            "methods",
            |n| json!({"domain": "agm", "type": "register", "methods": [{"id": n + 10, "name": "m"}]}),
        ),
        (
            "one method",
            |n| json!({"domain": "agm", "type": "register", "methods": [{"id": 1, "name": "m", "x": "y".repeat(n * 100)}]}),
        ),
        (
            "subscriptions",
            |_| json!({"domain": "agm", "type": "subscribe", "server_id": "p-n-1", "method_id": 1}),
        ),
        (
            "calls",
            |_| json!({"domain": "agm", "type": "call", "server_id": "p-n-1", "method_id": 1}),
        ),
        ("topics", |n| json!({"domain": "bus", "type": "subscribe", "topic": format!("a.{n}.b")})),
        ("memberships", |n| json!({"type": "create-context", "name": n.to_string()})),
    ];
    for (what, frame) in frames {
        let mut desk = desk(|limits| limits.state_bytes_per_peer = 100_000);
        desk.register("a", json!([{"id": 1, "name": "m"}]));
        let before = desk.census().state_bytes;
        let refused = (0..2_000).find_map(|n| {
            desk.told("a");
            desk.says("a", frame(n));
            let told = desk.told("a");
            told.into_iter().find(|frame| frame["type"] == "error").map(|frame| (n, frame))
        });
        let (n, error) = refused.unwrap_or_else(|| panic!("{what} grow without end"));
        assert!(n > 10, "{what}: refused after {n}");
        assert_eq!(error["reason_uri"], EXCEEDED, "{what}");
        assert!(error["reason"].as_str().unwrap().contains("100000 bytes"), "{error}");
        assert!(desk.census().state_bytes <= before + 100_000, "{what}");
        desk.close("a");
        assert_eq!(desk.census().state_bytes, 0, "{what}");
    }
}

#[test]
fn everything_that_all_make_it_remember() {
    let mut desk = desk(|limits| limits.state_bytes_total = 10_000);
    for n in 0..20 {
        desk.open(&n.to_string());
        desk.hello(&n.to_string(), json!({}));
    }
    exceeded(&mut desk, "19", "all peers make the gateway remember would exceed 10000");
    assert!(desk.census().state_bytes <= 10_000);
}

/// A newcomer that does not read keeps old definitions alive; they count until
/// it has read them.
#[test]
fn definitions_that_a_snapshot_still_holds_count() {
    use deskwire_gateway::broker::{Effect, Event};
    use deskwire_wire::ClientFrame;

    let mut desk = desk(|_| {});
    desk.register("a", json!([{"id": 1, "name": "m", "x": "y".repeat(10_000)}]));
    desk.open("slow");
    desk.hello("slow", json!({}));
    let before = desk.census().state_bytes;
    let join = json!({"type": "join", "destination": "agm", "peer_id": desk.peer("slow")});
    let link = desk.link("slow");
    let frame = ClientFrame::decode(&join.to_string()).unwrap();
    desk.broker.handle(Event::Frame { link, frame });
    let held: Vec<Effect> = std::iter::from_fn(|| desk.broker.next_effect()).collect();

    desk.agm("a", json!({"type": "unregister", "methods": [1]}));
    assert!(desk.census().state_bytes + 100 >= before, "still to be announced");
    drop(held);
    assert!(desk.census().state_bytes + 10_000 <= before);
}

/// A broadcast waits once, however many it waits for.
#[test]
fn a_large_event_for_many_is_counted_once() {
    use deskwire_gateway::broker::{Effect, Event};
    use deskwire_wire::ClientFrame;

    let mut desk = desk(|_| {});
    desk.register("a", json!([{"id": 1, "name": "Stream"}]));
    for n in 0..50 {
        let name = n.to_string();
        desk.enter(&name);
        desk.agm(&name, json!({"type": "subscribe", "server_id": "p-n-1", "method_id": 1}));
        desk.agm("a", json!({"type": "accepted", "subscription_id": format!("r-n-{}", n + 1), "stream_id": 0}));
    }
    let data = "x".repeat(1_000_000);
    let publish = json!({"domain": "agm", "type": "publish", "stream_id": 0, "peer_id": "p-n-1", "data": data});
    let frame = ClientFrame::decode(&publish.to_string()).unwrap();
    desk.broker.handle(Event::Frame { link: desk.link("a"), frame });
    let mut events: Vec<Effect> = std::iter::from_fn(|| desk.broker.next_effect()).collect();
    assert_eq!(events.len(), 50);
    for event in &events {
        let Effect::Deliver { outbound, .. } = event else { panic!("{event:?}") };
        // Each link has all of it to take, and little of its own to keep.
        assert!(outbound.weight() > 1_000_000 && outbound.footprint() < 1_000);
    }
    let counted = 1_000_000..1_010_000;
    assert!(counted.contains(&desk.census().waiting_bytes));
    events.truncate(1);
    assert!(counted.contains(&desk.census().waiting_bytes), "until the last one has it");
    events.clear();
    assert_eq!(desk.census().waiting_bytes, 0);
}
