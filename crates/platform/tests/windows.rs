//! Windows on the bus: the snapshot, what happens to them, and commands.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

mod running;

use std::time::{Duration, Instant};

use deskwire_connect::{StreamEvent, Subscription};
use deskwire_platform::instances::{
    InstanceId, Secret, Start, StartOptions, StartedBy, WindowTicket,
};
use deskwire_wire::Payload;
use running::{Desk, PATIENCE, ask, subscribe};
use serde_json::{Value, json};
use tokio::time::timeout;

fn pages() -> Value {
    json!([{ "name": "page", "type": "window", "title": "A page", "details": { "url": "http://localhost:2/" } }])
}

fn start(desk: &Desk, window: &str) -> Start {
    Start {
        application: desk.platform.catalog().application("page").cloned().unwrap(),
        context: Payload::from(json!({ "in": window })),
        options: StartOptions::default(),
        by: StartedBy::default(),
    }
}

fn open(desk: &Desk, window: &str) -> WindowTicket {
    desk.platform.instances().open_window(start(desk, window), window, None).unwrap()
}

#[tokio::test]
async fn a_page_that_lives_on_is_what_it_was_if_its_token_says_so() {
    let desk = Desk::start(pages()).await;
    let (one, two) = (open(&desk, "w1"), open(&desk, "w2"));
    let resume = |id: &InstanceId, token: &str| {
        let former = Some((id.clone(), Secret::new(token)));
        desk.platform.instances().open_window(start(&desk, "w1"), "w1", former).unwrap()
    };
    let token = one.gateway_token.reveal();

    let other = resume(&one.instance, token);
    assert_ne!(other.instance, one.instance, "its id is in use");
    assert_eq!(desk.platform.instances().ticket(one.instance.as_str()), Some(one.clone()));

    desk.platform.instances().window_closed(one.instance.as_str());
    for wrong in ["", "e30.e30.e30", two.gateway_token.reveal()] {
        let other = resume(&one.instance, wrong);
        assert_ne!(other.instance, one.instance, "{wrong}");
        assert_ne!(other.gateway_token.reveal(), wrong);
    }
    let again = resume(&one.instance, token);
    assert_eq!(again, one);
}

async fn next(events: &mut Subscription) -> Value {
    let event = timeout(PATIENCE, events.next()).await.expect("an event in time");
    match event {
        Some(StreamEvent { data, .. }) => data.value().clone(),
        None => panic!("the stream has ended"),
    }
}

#[tokio::test]
async fn windows_are_told_from_first_to_last() {
    let desk = Desk::start(pages()).await;
    let one = open(&desk, "w1");
    let client = desk.peer("client").await;
    let mut events = subscribe(&client, "T42.Wnd.OnEvent", json!({ "withConfig": true })).await;
    assert_eq!(next(&mut events).await["type"], "Configuration");
    let snapshot = next(&mut events).await;
    let window = &snapshot["windows"][0];
    assert_eq!(
        (&window["id"], &window["title"], &window["context"], &window["url"]),
        (&json!("w1"), &json!("A page"), &json!({ "in": "w1" }), &json!("http://localhost:2/"))
    );

    open(&desk, "w2");
    let created = next(&mut events).await;
    assert_eq!((&created["type"], &created["windowId"]), (&json!("Created"), &json!("w2")));
    assert_eq!(next(&mut events).await["type"], "CompositionChanged");

    let execute = |command: &str, more: Value| {
        let mut arguments = json!({ "windowId": "w1", "command": command, "token": command });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(&client, "T42.Wnd.Execute", arguments)
    };
    let echo = |token: &str| json!({ "type": "CommandExecuted", "windowId": "w1", "token": token, "data": {} });
    execute("setTitle", json!({ "options": "Mine" })).await.unwrap();
    let titled = json!({ "type": "TitleChanged", "windowId": "w1", "data": "Mine" });
    assert_eq!(next(&mut events).await, titled);
    assert_eq!(next(&mut events).await, echo("setTitle"));

    let update = json!({ "context": { "more": 1, "in": null } });
    execute("updateContext", update).await.unwrap();
    let changed = json!({ "type": "ContextChanged", "windowId": "w1", "data": { "more": 1 } });
    assert_eq!(next(&mut events).await, changed);
    assert_eq!(next(&mut events).await, echo("updateContext"));

    let context = execute("getContext", json!({})).await.unwrap();
    assert_eq!(context, json!({ "context": { "more": 1 } }));
    assert_eq!(next(&mut events).await, echo("getContext"));
    let refused = execute("printToPDF", json!({})).await.unwrap();
    assert!(
        refused["errorMsg"].as_str().unwrap().contains("`printToPDF` is not done"),
        "{refused}"
    );
    assert_eq!(next(&mut events).await, echo("printToPDF"));

    execute("close", json!({})).await.unwrap();
    let closed = json!({ "type": "Closed", "windowId": "w1", "data": {} });
    assert_eq!(next(&mut events).await, closed);
    assert_eq!(next(&mut events).await, echo("close"));
    assert_eq!(desk.platform.instances().ticket(one.instance.as_str()), None);
    let info = ask(&client, "T42.Wnd.GetInfo", json!({ "ids": ["w1", "w2"] })).await.unwrap();
    assert_eq!(info, json!({ "windows": [{ "id": "w2", "title": "A page" }] }));

    for (arguments, reason) in [
        (json!({ "name": "x", "url": "file:///etc/passwd" }), "only http and https"),
        (json!({ "name": "x", "url": "nowhere" }), "is no address"),
        (json!({ "name": "page", "url": "http://localhost/" }), "name of an application"),
        (json!({ "name": "x", "url": "http://localhost/" }), "no desk is open"),
    ] {
        let error = ask(&client, "T42.Wnd.Create", arguments).await.unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    let group = json!({ "groupId": "g", "command": "closeGroup", "token": "t" });
    let group = ask(&client, "T42.Group.Execute", group).await.unwrap();
    assert!(group["errorMsg"].as_str().unwrap().contains("closeGroup"), "{group}");
    assert_eq!(next(&mut events).await["token"], "t");
    desk.platform.stop().await;
}

/// A thousand instances are served to a client at once. The bound is generous: the
/// machine that tests run on may have more to do.
#[tokio::test]
async fn a_thousand_instances_in_one_snapshot() {
    let desk = Desk::start(pages()).await;
    for number in 0..1_000 {
        open(&desk, &format!("w{number}"));
    }
    let client = desk.peer("client").await;
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let begun = Instant::now();
        let mut events = subscribe(&client, "T42.Wnd.OnEvent", json!({})).await;
        let snapshot = next(&mut events).await;
        best = best.min(begun.elapsed());
        assert_eq!(snapshot["windows"].as_array().unwrap().len(), 1_000);
    }
    let mut all = Duration::MAX;
    for _ in 0..3 {
        let begun = Instant::now();
        let mut events = subscribe(&client, "T42.ACS.OnEvent", json!({})).await;
        let snapshot = next(&mut events).await;
        all = all.min(begun.elapsed());
        assert_eq!(snapshot["OnApplicationStarted"].as_array().unwrap().len(), 1_000);
    }
    println!("1 000 windows in {best:?}, 1 000 instances in {all:?}");
    assert!(best < Duration::from_secs(2) && all < Duration::from_secs(2), "{best:?}, {all:?}");
    desk.platform.stop().await;
}
