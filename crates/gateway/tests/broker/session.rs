//! Hello: who one is, and who may be it.

use deskwire_gateway::broker::LinkInfo;
use deskwire_gateway::{Admission, Limits};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::desk::Desk;

#[test]
fn the_gateway_resolves_the_identity() {
    let mut desk = Desk::new();
    desk.open("a");
    // `user` is not for the client to say, `?` is the peer's id.
    desk.hello_with(
        "a",
        json!({"application": "app", "user": "root", "login": "root", "window": "?"}),
        json!({"method": "secret", "login": "alice", "secret": "s"}),
    );
    desk.hello("a", json!({"application": "second", "instance": "mine", "machine": "elsewhere"}));
    desk.open_as("b", LinkInfo::in_process());
    desk.hello("b", json!({}));
    assert_snapshot!(desk.protocol());
}

#[test]
fn credentials_that_are_refused() {
    let mut desk = Desk::with_secret(Limits::default(), Some("right"));
    desk.open("a");
    desk.open_as("page", LinkInfo::socket(None, Admission::TokenRequired));
    let stale = desk.token("i1", "app");
    desk.revoke("i1");
    let access = {
        desk.hello_with(
            "a",
            json!({"application": "in"}),
            json!({"method": "secret", "login": "u", "secret": "right"}),
        );
        desk.told("a")[0]["options"]["access_token"].clone()
    };
    let instance = desk.token("i2", "app");
    desk.hush();
    for (link, authentication) in [
        ("a", json!(null)),
        ("a", json!({})),
        ("a", json!({"method": "secret", "login": "u"})),
        ("a", json!({"method": "secret", "login": "u", "secret": "wrong"})),
        ("a", json!({"method": "zzz"})),
        ("a", json!({"provider": "win", "method": "access-token", "token": "x"})),
        ("a", json!({"method": "gateway-token", "token": "junk"})),
        ("a", json!({"method": "gateway-token", "token": access})),
        ("a", json!({"method": "access-token", "token": "junk"})),
        ("a", json!({"method": "access-token", "token": instance})),
        ("a", json!({"method": "gateway-token", "token": stale})),
        ("page", json!(null)),
        ("page", json!({"method": "secret", "login": "u", "secret": "right"})),
        ("page", json!({"method": "access-token", "token": access})),
    ] {
        desk.hello_with(link, json!({"application": "x"}), authentication);
    }
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().peers, 1);
}

#[test]
fn a_token_fixes_who_its_bearer_is() {
    let mut desk = Desk::new();
    let token = desk.token("i1", "orders");
    desk.open_as("page", LinkInfo::socket(None, Admission::TokenRequired));
    desk.hello_with(
        "page",
        json!({"application": "bank", "applicationName": "bank", "instance": "other"}),
        json!({"method": "gateway-token", "token": token}),
    );
    let identity = desk.told("page")[0]["resolved_identity"].clone();
    assert_eq!(identity["application"], "orders");
    assert_eq!(identity["applicationName"], "orders");
    assert_eq!(identity["instance"], "i1");
    assert_eq!(identity["user"], "me");

    // What it hands to another process is bound to the application, too.
    desk.says("page", json!({"type": "create-token", "request_id": "t"}));
    let token = desk.told("page")[0]["token"].clone();
    desk.open_as("child", LinkInfo::socket(None, Admission::TokenRequired));
    desk.hello_with(
        "child",
        json!({"application": "bank", "instance": "c"}),
        json!({"method": "gateway-token", "token": token}),
    );
    let identity = desk.told("child")[0]["resolved_identity"].clone();
    assert_eq!((&identity["application"], &identity["instance"]), (&json!("orders"), &json!("c")));
}

#[test]
fn nobody_but_the_bearer_of_its_token_is_a_running_instance() {
    let mut desk = Desk::new();
    let token = desk.token("i1", "orders");
    let claim = json!({"application": "orders", "instance": "i1"});
    let secret = json!({"method": "secret", "login": "u", "secret": "s"});
    desk.open("thief");
    // Before the instance has come in, and after.
    desk.hello("thief", claim.clone());
    assert_refused(&mut desk, "thief");
    desk.open("app");
    let credentials = json!({"method": "gateway-token", "token": token});
    desk.hello_with("app", json!({}), credentials);
    assert_eq!(desk.told_types("app"), ["welcome"]);
    desk.hello("thief", claim.clone());
    assert_refused(&mut desk, "thief");
    desk.hello_with("thief", claim.clone(), secret);
    assert_refused(&mut desk, "thief");
    // A token that it hands to another process is not its own one either.
    desk.says("app", json!({"type": "create-token", "request_id": "t"}));
    let handed = desk.told("app")[0]["token"].clone();
    let credentials = json!({"method": "gateway-token", "token": handed});
    desk.hello_with("thief", claim.clone(), credentials);
    assert_refused(&mut desk, "thief");
    assert_eq!(desk.census().peers, 1);

    // Names that no token is bound to are anybody's, this one again once it has stopped.
    desk.hello("thief", json!({"application": "orders", "instance": "another"}));
    assert_eq!(desk.told_types("thief"), ["welcome"]);
    desk.close("app");
    desk.revoke("i1");
    desk.hello("thief", claim);
    assert_eq!(desk.told_types("thief"), ["welcome"]);
}

#[test]
fn names_that_are_kept_need_a_token_that_fixes_them() {
    let mut desk = Desk::new();
    desk.keep_names(&["orders"]);
    let (orders, token) = (json!({"application": "orders"}), desk.token("i1", "orders"));
    desk.open("a");
    for claim in [orders.clone(), json!({"application": "x", "applicationName": "orders"})] {
        desk.hello("a", claim);
        let (uri, reason) = desk.error("a");
        assert_eq!(uri, "global.errors.authentication.failure");
        assert!(reason.contains("`orders`") && reason.contains("start it"), "{reason}");
    }
    // A token of somebody who is bound to no name opens nothing.
    desk.hello("a", json!({"application": "free"}));
    assert_eq!(desk.told_types("a"), ["welcome"]);
    desk.says("a", json!({"type": "create-token", "request_id": "t"}));
    let handed = desk.told("a")[0]["token"].clone();
    let credentials = json!({"method": "gateway-token", "token": handed});
    desk.hello_with("a", orders.clone(), credentials);
    assert!(desk.error("a").1.contains("`orders`"));

    desk.open("b");
    let credentials = json!({"method": "gateway-token", "token": token});
    desk.hello_with("b", orders.clone(), credentials);
    assert_eq!(desk.told_types("b"), ["welcome"]);
    desk.open_as("within", LinkInfo::in_process());
    desk.hello("within", orders);
    assert_eq!(desk.told_types("within"), ["welcome"]);
    let unverified = desk.broker.unverified().map(|one| one.application().unwrap().to_owned());
    assert_eq!(unverified.collect::<Vec<_>>(), ["free"]);
}

fn assert_refused(desk: &mut Desk, link: &str) {
    let (uri, reason) = desk.error(link);
    assert_eq!(uri, "global.errors.authentication.failure");
    assert!(reason.contains("i1") && reason.contains("gateway-token"), "{reason}");
}

#[test]
fn the_access_token_of_a_welcome_logs_in_again() {
    let mut desk = Desk::with_secret(Limits::default(), Some("right"));
    desk.open("a");
    let credentials = json!({"method": "secret", "login": "alice", "secret": "right"});
    desk.hello_with("a", json!({"application": "x"}), credentials);
    let token = desk.told("a")[0]["options"]["access_token"].clone();
    desk.open("b");
    desk.hello_with(
        "b",
        json!({"application": "x"}),
        json!({"method": "access-token", "token": token}),
    );
    let welcome = desk.told("b").remove(0);
    assert_eq!(welcome["resolved_identity"]["login"], "alice");
    assert_eq!(welcome["options"]["access_token"], token);
}

fn same() -> Value {
    json!({"application": "app", "instance": "i"})
}

#[test]
fn a_living_holder_keeps_its_identity() {
    let mut desk = Desk::new();
    desk.open("old");
    desk.hello("old", same());
    desk.open("new");
    desk.open("third");
    desk.hush();
    desk.hello("new", same());
    desk.hello("third", same());
    desk.probed("old", true);
    // And again: nothing of the first time is left.
    desk.hello("new", same());
    desk.probed("old", true);
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().peers, 1);
}

#[test]
fn a_silent_holder_makes_room() {
    let mut desk = Desk::new();
    desk.enter("watcher");
    desk.open("old");
    desk.hello("old", same());
    desk.says("old", json!({"type": "join", "destination": "agm", "request_id": "j"}));
    desk.open("new");
    desk.open("third");
    desk.hush();
    desk.hello("new", same());
    desk.hello("third", same());
    desk.probed("old", false);
    // The third waits for the second now, which lives: nobody is evicted in turn.
    desk.probed("new", true);
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().peers, 2);
}

#[test]
fn a_holder_that_leaves_while_it_is_probed_makes_room_at_once() {
    let mut desk = Desk::new();
    desk.open("old");
    desk.hello("old", same());
    desk.open("new");
    desk.hello("new", same());
    assert!(desk.told("new").is_empty());
    desk.close("old");
    assert_eq!(desk.told_types("new"), ["welcome"]);
}

#[test]
fn who_stops_waiting_is_forgotten() {
    let mut desk = Desk::new();
    desk.open("old");
    desk.hello("old", same());
    desk.open("new");
    desk.hello("new", same());
    desk.close("new");
    desk.probed("old", false);
    assert_eq!(desk.census().peers, 1);
}

#[test]
fn the_same_link_and_this_process_always_live() {
    let mut desk = Desk::new();
    desk.open_as("inside", LinkInfo::in_process());
    desk.hello("inside", json!({"application": "app", "instance": "i", "machine": "127.0.0.1"}));
    desk.open("a");
    desk.hello("a", json!({"application": "app", "instance": "other"}));
    desk.hush();
    desk.hello("a", same());
    assert_eq!(desk.error("a").0, "global.errors.already_seen");
    desk.hello("a", json!({"application": "app", "instance": "other"}));
    assert_eq!(desk.error("a").0, "global.errors.already_seen");
    assert!(!desk.log.contains("probed"));
}

#[test]
fn one_instance_is_one_peer_whatever_else_it_says() {
    let mut desk = Desk::new();
    let token = desk.token("i1", "app");
    let authentication = json!({"method": "gateway-token", "token": token});
    desk.open("old");
    desk.hello_with("old", json!({"process": 1}), authentication.clone());
    desk.open("new");
    desk.hush();
    desk.hello_with("new", json!({"process": 2}), authentication.clone());
    assert_eq!(desk.protocol().matches("old ! is probed").count(), 1);
    desk.probed("old", false);
    assert_eq!(desk.told_types("new"), ["welcome"]);
}

#[test]
fn a_stopped_instance_goes_and_stays_out() {
    let mut desk = Desk::new();
    let token = desk.token("i1", "app");
    let authentication = json!({"method": "gateway-token", "token": token});
    desk.enter("watcher");
    desk.open("app");
    desk.hello_with("app", json!({}), authentication.clone());
    desk.says("app", json!({"type": "join", "destination": "agm", "request_id": "j"}));
    desk.open("again");
    desk.hello_with("again", json!({}), authentication.clone());
    desk.hush();
    desk.revoke("i1");
    desk.hello_with("again", json!({}), authentication);
    assert_snapshot!(desk.protocol());
}

#[test]
fn what_cannot_be_read_is_answered() {
    let mut desk = Desk::joined(&["a", "b"]);
    let (mine, other) = (desk.peer("a"), desk.peer("b"));
    for frame in [
        json!([1]),
        json!({"request_id": "no-type"}),
        json!({"type": "hello", "identity": 5, "request_id": "shape"}),
        json!({"domain": "moon", "type": "x", "request_id": "domain", "peer_id": mine}),
        json!({"domain": "agm", "type": "nonsense", "request_id": "type", "peer_id": mine}),
        json!({"domain": "agm", "type": "nonsense", "peer_id": mine}),
        json!({"domain": "agm", "type": "call", "request_id": "missing", "peer_id": mine}),
        json!({"domain": "agm", "type": "register", "methods": [], "request_id": "no-peer"}),
        json!({"domain": "agm", "type": "register", "methods": [], "request_id": "other", "peer_id": other}),
        json!({"domain": "agm", "type": "register", "methods": [], "request_id": "stale", "peer_id": "p-n-99"}),
        json!({"type": "join", "destination": "moon", "request_id": "join", "peer_id": mine}),
        json!({"type": "leave", "destination": "moon", "request_id": "leave", "peer_id": mine}),
        // Neither is answered.
        json!({"type": "ping"}),
        json!({"domain": "metrics", "type": "define", "peer_id": "p-n-99", "request_id": "m"}),
    ] {
        desk.says_text("a", &frame.to_string());
    }
    assert_snapshot!(desk.protocol());
}
