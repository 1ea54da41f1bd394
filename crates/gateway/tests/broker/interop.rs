//! Methods and calls.

use insta::assert_snapshot;
use serde_json::json;

use crate::desk::Desk;

#[test]
fn newcomers_and_residents_learn_of_each_other_in_order() {
    let mut desk = Desk::new();
    desk.open("early");
    desk.hello("early", json!({"application": "early"}));
    // Before the join: only it itself hears of it.
    desk.register("early", json!([{"id": 1, "name": "Before"}]));
    desk.says("early", json!({"type": "join", "destination": "agm", "request_id": "j1"}));
    desk.register(
        "early",
        json!([{"id": "1", "name": "After", "flags": {"streaming": true}, "own": [1]}]),
    );
    desk.open("late");
    desk.hello("late", json!({"application": "late"}));
    desk.register("late", json!([{"id": 0, "name": "Late"}]));
    desk.says("late", json!({"type": "join", "destination": "agm", "request_id": "j2"}));
    // Twice is once.
    desk.says("late", json!({"type": "join", "destination": "agm", "request_id": "j3"}));
    assert_snapshot!(desk.protocol());
}

#[test]
fn methods_come_and_go() {
    let mut desk = Desk::joined(&["a", "b"]);
    desk.register("a", json!([{"id": 1, "name": "One"}, {"id": 2, "name": "Two"}]));
    // The same id again replaces.
    desk.register("a", json!([{"id": 1, "name": "One again"}]));
    desk.agm("a", json!({"type": "unregister", "methods": [2, 1], "request_id": "u"}));
    desk.agm("a", json!({"type": "unregister", "methods": [1], "request_id": "u"}));
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().methods, 0);
}

#[test]
fn a_bad_definition_refuses_its_whole_frame() {
    let mut desk = Desk::joined(&["a"]);
    for bad in [json!({"id": 2}), json!({"id": 2, "name": "x", "flags": 5})] {
        desk.register("a", json!([{"id": 1, "name": "Good"}, bad]));
        assert_eq!(desk.error("a").0, "agm.errors.registration.failure");
    }
    assert_eq!(desk.census().methods, 0);
}

#[test]
fn a_call_finds_its_way_there_and_back() {
    let mut desk = Desk::joined(&["server", "client"]);
    desk.register("server", json!([{"id": "0", "name": "Add"}]));
    desk.hush();
    let call = |id: &str| {
        json!({"type": "call", "server_id": "p-n-1", "method_id": "0", "request_id": id,
               "arguments_kv": {"at": "#T42_DATE#1"}, "context": {"t": 1}})
    };
    desk.agm("client", call("c1"));
    desk.agm("client", call("c2"));
    desk.agm("server", call("self"));
    desk.agm("server", json!({"type": "yield", "invocation_id": "r-n-2", "result": {"n": 1.50}}));
    desk.agm(
        "server",
        json!({"type": "error", "request_id": "r-n-1", "reason_uri": "x.y", "reason": "no",
               "context": {"why": 1}}),
    );
    desk.agm("server", json!({"type": "yield", "invocation_id": "r-n-3"}));
    // Answers nobody waits for, and answers of somebody else.
    desk.agm("server", json!({"type": "yield", "invocation_id": "r-n-2", "result": {}}));
    desk.agm("server", json!({"type": "yield", "invocation_id": "nonsense", "result": {}}));
    desk.agm("client", call("c3"));
    desk.agm("client", json!({"type": "yield", "invocation_id": "r-n-4", "result": {}}));
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().calls, 1);
}

#[test]
fn an_answer_that_cannot_be_read_fails_what_waits_for_it_at_once() {
    for answer in [
        json!({"type": "yield", "invocation_id": "r-n-1", "result": {}, "reason": 5}),
        json!({"type": "error", "request_id": "r-n-1", "reason_uri": 5, "reason": "no"}),
        json!({"type": "error", "request_id": "r-n-1", "reason": {"text": "no"}}),
        json!({"type": "accepted", "subscription_id": "r-n-1"}),
        json!({"type": "accepted", "subscription_id": "r-n-1", "stream_id": []}),
        json!({"type": "accepted", "subscription_id": "r-n-1", "stream_id": "b".repeat(2_000)}),
    ] {
        let subscribes = answer["type"] == "accepted";
        let mut desk = Desk::joined(&["server", "client", "other"]);
        desk.register(
            "server",
            json!([{"id": 1, "name": "Add", "flags": {"streaming": subscribes}}]),
        );
        desk.told("client");
        let kind = if subscribes { "subscribe" } else { "call" };
        desk.agm(
            "client",
            json!({"type": kind, "server_id": "p-n-1", "method_id": 1, "request_id": "c"}),
        );
        // Nobody else can fail it.
        desk.agm("other", answer.clone());
        assert_eq!(desk.told("client"), Vec::<serde_json::Value>::new(), "{answer}");
        desk.agm("server", answer.clone());
        let (uri, reason) = desk.error("client");
        let expected = if subscribes {
            "agm.errors.subscription.failure"
        } else {
            "agm.errors.invocation.failure"
        };
        assert_eq!(uri, expected, "{answer}");
        assert!(reason.starts_with("The answer of Add of server cannot be used: "), "{reason}");
        desk.error("server");
        assert_eq!((desk.census().calls, desk.census().subscriptions), (0, 0), "{answer}");
    }
}

#[test]
fn a_result_with_a_long_request_id_of_its_own_arrives() {
    let mut desk = Desk::joined(&["server", "client"]);
    desk.register("server", json!([{"id": 1, "name": "Add"}]));
    desk.agm(
        "client",
        json!({"type": "call", "server_id": "p-n-1", "method_id": 1, "request_id": "c"}),
    );
    let id = "x".repeat(2_000);
    desk.agm("server", json!({"type": "yield", "invocation_id": "r-n-1", "request_id": id}));
    assert_eq!(desk.told("client").last().unwrap()["type"], "result");
}

#[test]
fn names_of_others_are_cleaned_where_the_gateway_speaks_of_them() {
    let mut desk = Desk::joined(&["client"]);
    desk.open("sly");
    let forged = "sly\n2026-01-01 ERROR forged \u{1b}[2J\u{202e}";
    desk.hello("sly", json!({"application": format!("{forged}{}", "x".repeat(500))}));
    desk.says("sly", json!({"type": "join", "destination": "agm"}));
    desk.register("sly", json!([{"id": 1, "name": format!("Add\u{200b}{forged}")}]));
    desk.agm(
        "client",
        json!({"type": "call", "server_id": "p-n-2", "method_id": 1, "request_id": "c"}),
    );
    desk.close("sly");
    let told = desk.told("client");
    let reason = told.iter().find_map(|frame| frame["reason"].as_str()).unwrap();
    let shown = "Addsly 2026-01-01 ERROR forged [2J of sly 2026-01-01 ERROR forged [2Jxxx";
    assert!(reason.contains(shown), "{reason:?}");
    assert!(reason.chars().count() < 300, "{reason:?}");
}

#[test]
fn calls_that_go_nowhere() {
    let mut desk = Desk::joined(&["server", "client"]);
    desk.register("server", json!([{"id": 1, "name": "Add"}]));
    desk.open("outside");
    desk.hello("outside", json!({"application": "outside"}));
    desk.register("outside", json!([{"id": 1, "name": "Hidden"}]));
    desk.hush();
    for (name, server, method, extra) in [
        ("client", "p-n-1", json!("1"), json!(null)),
        ("client", "nobody", json!(1), json!(null)),
        // Not in the domain, so not to be seen.
        ("client", "p-n-3", json!(1), json!(null)),
        ("outside", "p-n-1", json!(1), json!(null)),
        ("client", "p-n-1", json!(1), json!([1])),
    ] {
        desk.agm(
            name,
            json!({"type": "call", "server_id": server, "method_id": method, "request_id": "c",
                   "arguments": extra, "arguments_kv": {"a": 1}}),
        );
    }
    assert_snapshot!(desk.protocol());
    assert_eq!(desk.census().calls, 0);
}

#[test]
fn long_announcements_come_in_pieces() {
    let mut desk = Desk::joined(&["a", "b"]);
    let text = "x".repeat(5_000);
    let methods: Vec<_> =
        (0..7).map(|id| json!({"id": id, "name": "m", "description": text})).collect();
    desk.register("a", json!(methods));
    let sizes = |desk: &mut Desk, name: &str| -> Vec<usize> {
        let told = desk.told(name);
        let added = told.iter().filter(|frame| frame["type"] == "methods-added");
        added.map(|frame| frame["methods"].as_array().unwrap().len()).collect()
    };
    assert_eq!(sizes(&mut desk, "b"), [3, 3, 1]);
    assert_eq!(sizes(&mut desk, "a"), [3, 3, 1]);
    desk.enter("late");
    assert_eq!(sizes(&mut desk, "late"), [3, 3, 1]);
}
