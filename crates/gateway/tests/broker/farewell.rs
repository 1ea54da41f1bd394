//! What becomes of everything when a peer goes, and when it comes back.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::desk::Desk;

/// `leaver` serves and uses, is called and calls; all of it is open.
fn entangled() -> Desk {
    let mut desk = Desk::joined(&["leaver", "other", "bystander"]);
    for name in ["leaver", "other"] {
        desk.register(name, json!([{"id": 1, "name": "Call"}, {"id": 2, "name": "Stream", "flags": {"streaming": true}}]));
    }
    for (from, to) in [("other", "p-n-1"), ("leaver", "p-n-2"), ("leaver", "p-n-1")] {
        desk.agm(
            from,
            json!({"type": "call", "server_id": to, "method_id": 1, "request_id": "call"}),
        );
        for request in ["open", "pending"] {
            desk.agm(from, json!({"type": "subscribe", "server_id": to, "method_id": 2, "request_id": request}));
        }
    }
    desk.agm("leaver", json!({"type": "accepted", "subscription_id": "r-n-2", "stream_id": 0}));
    desk.agm("other", json!({"type": "accepted", "subscription_id": "r-n-5", "stream_id": 0}));
    desk.agm("leaver", json!({"type": "accepted", "subscription_id": "r-n-8", "stream_id": 0}));
    desk.hush();
    desk
}

fn nothing_is_left(desk: &Desk) {
    let census = desk.census();
    assert_eq!((census.calls, census.subscriptions), (0, 0));
}

#[test]
fn a_lost_socket() {
    let mut desk = entangled();
    desk.close("leaver");
    assert_snapshot!(desk.protocol());
    nothing_is_left(&desk);
}

#[test]
fn a_leave() {
    let mut desk = entangled();
    desk.says("leaver", json!({"type": "leave", "destination": "agm", "request_id": "bye"}));
    assert_snapshot!(desk.protocol());
    nothing_is_left(&desk);

    // It comes back with nothing.
    desk.says("leaver", json!({"type": "join", "destination": "agm", "request_id": "back"}));
    assert_eq!(desk.told_types("bystander").last().unwrap(), "peer-added");
    assert!(!desk.told_types("leaver").is_empty());
}

#[test]
fn one_socket_of_several_peers() {
    let mut desk = Desk::joined(&["a", "watcher"]);
    desk.hello("a", json!({"application": "second"}));
    desk.says("a", json!({"type": "join", "destination": "agm", "request_id": "j"}));
    desk.hush();
    desk.close("a");
    let gone: Vec<_> = desk.told("watcher").iter().map(|f| f["removed_id"].clone()).collect();
    assert_eq!(gone, ["p-n-1", "p-n-3"]);
    assert_eq!(desk.census().peers, 1);
}

#[test]
fn everything_goes_with_the_last_peer() {
    let mut desk = entangled();
    desk.says("bystander", json!({"type": "join", "destination": "bus", "request_id": "j"}));
    desk.says(
        "bystander",
        json!({"domain": "bus", "type": "subscribe", "topic": "a.*", "request_id": "s"}),
    );
    desk.says("bystander", json!({"type": "create-context", "name": "C", "lifetime": "ownership", "data": {}, "request_id": "c"}));
    for name in ["bystander", "other", "leaver"] {
        desk.close(name);
    }
    let census = desk.census();
    assert_eq!((census.peers, census.methods, census.contexts), (0, 0, 0));
    assert_eq!((census.state_bytes, census.context_bytes), (0, 0));
}

/// A result meant for an earlier life of a peer never reaches a later one.
#[test]
fn registrations_and_results_die_with_the_connection() {
    let mut desk = Desk::joined(&["caller", "app"]);
    let methods = json!([{"id": 1, "name": "Do"}]);
    desk.register("app", methods.clone());
    let call = |server: String| json!({"type": "call", "server_id": server, "method_id": 1, "request_id": "c"});
    desk.agm("caller", call(desk.peer("app")));
    let invocation = desk.told("app").pop().unwrap()["invocation_id"].clone();
    desk.told("caller");
    desk.close("app");
    let (uri, reason) = {
        let told = desk.told("caller");
        let error = told.iter().find(|frame| frame["type"] == "error").unwrap();
        (error["reason_uri"].clone(), error["reason"].as_str().unwrap().to_owned())
    };
    assert_eq!(uri, "agm.errors.invocation.failure");
    assert!(reason.contains("Do of app"), "{reason}");

    // The application comes back, and registers again.
    desk.enter("app");
    desk.register("app", methods);
    desk.told("caller");
    desk.agm("app", json!({"type": "yield", "invocation_id": invocation, "result": {"late": 1}}));
    assert_eq!(desk.told("caller"), Vec::<Value>::new());
    assert_eq!(desk.census().methods, 1);
    desk.told("app");
    desk.agm("caller", call(desk.peer("app")));
    assert_eq!(desk.told_types("app"), ["invoke"]);
    desk.agm("caller", call("p-n-2".into()));
    assert_eq!(desk.error("caller").0, "agm.errors.failure");
}
