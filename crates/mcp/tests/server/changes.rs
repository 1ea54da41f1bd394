//! Who is told of changes, and how often.

use deskwire_mcp::{Config, Profile};
use serde_json::{Value, json};

use crate::desk::{Desk, greeting, greeting_with, options};
use crate::log::Log;
use crate::mcp::{Session, listen};

fn ui() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}})
}

#[tokio::test(start_paused = true)]
async fn a_change_is_told_once_to_everyone_who_sees_it() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let (plain, able) =
        (Session::new(&desk.router, json!({})).await, Session::new(&desk.router, ui()).await);
    let mut plain_streams = [plain.stream(None).await, listen(&desk.router, &json!({})).await];
    let mut able_streams = [able.stream(None).await, listen(&desk.router, &ui()).await];

    let greet = app.greets("greet").await;
    for stream in plain_streams.iter_mut().chain(&mut able_streams) {
        stream.list_changed().await;
        stream.is_quiet().await;
    }
    // Only those who can show it see it come, and go.
    let view = json!({"_meta": {"ui": {"resourceUri": "ui://clients/chart"}}});
    let chart = app.hangs(greeting_with("chart", view)).await;
    for stream in &mut able_streams {
        stream.list_changed().await;
    }
    chart.withdraw().await;
    for stream in &mut able_streams {
        stream.list_changed().await;
        stream.is_quiet().await;
    }
    for stream in &mut plain_streams {
        stream.is_quiet().await;
    }
    greet.withdraw().await;
    for stream in plain_streams.iter_mut().chain(&mut able_streams) {
        stream.list_changed().await;
        stream.is_quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_burst_is_one_change() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let session = Session::new(&desk.router, json!({})).await;
    let (mut stream, mut listener) =
        (session.stream(None).await, listen(&desk.router, &json!({})).await);
    let mut offered = Vec::new();
    for at in 0..20 {
        offered.push(app.greets(&format!("greet_{at}")).await);
    }
    for stream in [&mut stream, &mut listener] {
        stream.list_changed().await;
        stream.is_quiet().await;
    }
    assert_eq!(session.tools().await.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn registering_the_same_again_changes_nothing() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let mut greet = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut streams = [session.stream(None).await, listen(&desk.router, &json!({})).await];
    for _ in 0..10 {
        let registered = greet.registration.method_key();
        greet.withdraw().await;
        greet = app.greets("greet").await;
        assert_ne!(greet.registration.method_key(), registered);
    }
    // A method that is no tool is no change of the tools either.
    let mut plain = greeting("plain");
    plain.flags.metadata.clear();
    let _plain = app.hangs(plain).await;
    for stream in &mut streams {
        stream.is_quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_without_a_stream_is_told_when_it_opens_one() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut offered = Vec::new();
    for at in 0..5 {
        offered.push(app.greets(&format!("greet_{at}")).await);
        let count = offered.len();
        desk.surface_when(|surface| surface.view(Profile::NONE).len() == count).await;
        // Long enough for each to be announced by itself.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    let mut stream = session.stream(None).await;
    stream.list_changed().await;
    stream.is_quiet().await;

    // It did not list, so a new stream tells it again; then it did.
    drop(stream);
    let mut stream = session.stream(None).await;
    stream.list_changed().await;
    assert_eq!(session.tools().await.len(), 5);
    let last = stream.last_event.clone();
    drop(stream);
    for last in [None, last.as_deref(), Some("0")] {
        session.stream(last).await.is_quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn of_several_streams_of_a_session_the_newest_is_told() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut older = session.stream(None).await;
    let mut newer = session.stream(None).await;
    let greet = app.greets("greet").await;
    newer.list_changed().await;
    newer.is_quiet().await;
    older.is_quiet().await;
    // What the newer one told may have been lost with it.
    drop(newer);
    older.list_changed().await;
    assert_eq!(session.tools().await, ["greet"]);
    greet.withdraw().await;
    older.list_changed().await;
    older.is_quiet().await;
}

#[tokio::test]
async fn listeners_are_bounded() {
    let config =
        deskwire_mcp::Config { max_listeners: 1, ..deskwire_mcp::Config::new("desk", "1") };
    let desk = Desk::with(config, options()).await;
    let first = listen(&desk.router, &json!({})).await;
    let mut second = listen(&desk.router, &json!({})).await;
    let refusal = second.message().await.unwrap();
    assert!(refusal["error"]["message"].as_str().unwrap().contains("too many"), "{refusal}");
    // The place is free again once the first has left.
    drop(first);
    crate::desk::within(async {
        loop {
            let mut next = listen(&desk.router, &json!({})).await;
            let soon = std::time::Duration::from_millis(50);
            if tokio::time::timeout(soon, next.message()).await.is_err() {
                return;
            }
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn more_tools_than_the_limit_are_left_out_in_order() {
    let config =
        deskwire_mcp::Config { tool_limit: Some(3), ..deskwire_mcp::Config::new("desk", "1") };
    let desk = Desk::with(config, options()).await;
    let app = desk.app("clients").await;
    let mut offered = Vec::new();
    for name in ["e", "b", "d", "a", "c"] {
        offered.push(app.greets(name).await);
    }
    desk.shows(&["a", "b", "c"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(session.tools().await, ["a", "b", "c"]);
    let mut stream = session.stream(None).await;
    // What is left out does not show, so its going is no change.
    offered.remove(0).withdraw().await;
    desk.surface_when(|surface| surface.entries().len() == 4).await;
    stream.is_quiet().await;
    let error = session.ask("tools/call", json!({"name": "d"})).await["error"].clone();
    assert_eq!(error["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn the_log_tells_of_tools_that_are_left_out_and_of_a_server_whose_name_is_too_long() {
    let log = Log::start();
    let config = Config { tool_limit: Some(1), ..Config::new("s".repeat(27), "1.0.0") };
    let desk = Desk::with(config, options()).await;
    let name = log.lines("server.name is 1 characters too long");
    assert_eq!(name.len(), 1, "before there is any tool: {name:?}");
    let app = desk.app("clients").await;
    let (_a, _b, _c) = (app.greets("a").await, app.greets("b").await, app.greets("c").await);
    desk.surface_when(|surface| surface.entries().len() == 3).await;
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    let told = log.lines("there are too many tools");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("shown=1") && told[0].contains("left_out=2"), "{told:?}");
}

#[tokio::test]
async fn the_log_tells_of_a_server_whose_name_clients_may_refuse() {
    for (name, told) in [("my-desk_1", 0), ("My Desk", 1)] {
        let log = Log::start();
        let _desk = Desk::with(Config::new(name, "1.0.0"), options()).await;
        assert_eq!(log.lines("server.name has other characters").len(), told, "{name}");
    }
}
