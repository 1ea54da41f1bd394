//! Calls: what reaches the application, and what comes back.

use std::time::Duration;

use deskwire_connect::CallFailure;
use deskwire_mcp::{
    CallContext, Config, Definition, McpServer, Needs, Offer, Origin, Source, Tool,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::desk::{Desk, greeting, greeting_with, method, options, within};
use crate::mcp::{Session, Stream, ask, listen, modern, send};

fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

/// The text of an error for the model, which is all there is of it.
fn error(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    text(result)
}

#[tokio::test]
async fn a_result_is_structured_and_says_the_same_in_text() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let greet = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    for at in 0..20 {
        let result = session.call("greet", json!({"name": format!("Ada {at}")})).await;
        assert_eq!(result["isError"], false);
        let expected = json!({"greeting": format!("Hello, Ada {at}")});
        assert_eq!(result["structuredContent"], expected);
        assert_eq!(serde_json::from_str::<Value>(text(&result)).unwrap(), expected);
    }
    assert_eq!(greet.calls(), 20);
}

#[tokio::test]
async fn arguments_that_do_not_fit_never_reach_the_application() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let greet = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    for (arguments, expected) in [
        (json!({}), "the arguments of `greet` do not fit its input schema: `/name` is missing"),
        (
            json!({"name": 7}),
            "the arguments of `greet` do not fit its input schema: `/name` must be a string, not a number",
        ),
    ] {
        assert_eq!(error(&session.call("greet", arguments).await), expected);
    }
    let missing = session.ask("tools/call", json!({"name": "greet"})).await["result"].clone();
    assert!(error(&missing).contains("`/name` is missing"));
    assert_eq!(greet.calls(), 0);
}

#[tokio::test]
async fn results_are_what_the_schema_promises_or_errors() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let anything = json!({"type": "object"});
    let methods = [
        (method("void", anything.clone(), anything.clone(), json!({})), json!(null)),
        (greeting("void_greeting"), json!(null)),
        (method("words", anything.clone(), json!({"type": "string"}), json!({})), json!("Hello")),
        (method("vague", anything.clone(), json!({}), json!({})), json!("Hello")),
        (method("list", anything, json!({"type": "array"}), json!({})), json!([1, 2])),
    ];
    let mut offered = Vec::new();
    for (method, result) in methods {
        offered.push(app.offers(method, move |_| std::future::ready(Ok(result.clone()))).await);
    }
    desk.shows(&["list", "vague", "void", "void_greeting", "words"]).await;
    let session = Session::new(&desk.router, json!({})).await;

    let void = session.call("void", json!({})).await;
    assert_eq!((&void["isError"], &void["structuredContent"]), (&json!(false), &json!({})));
    let greeting = session.call("void_greeting", json!({"name": "Ada"})).await;
    assert!(error(&greeting).contains("`/greeting` is missing"), "{greeting}");
    let words = session.call("words", json!({})).await;
    assert_eq!(words["structuredContent"], json!({"value": "Hello"}));
    assert_eq!(text(&words), r#"{"value":"Hello"}"#);
    let list = session.call("list", json!({})).await;
    assert_eq!(list["structuredContent"], json!({"value": [1, 2]}));
    let vague = session.call("vague", json!({})).await;
    assert_eq!((text(&vague), vague.get("structuredContent")), ("Hello", None));
}

#[tokio::test]
async fn a_refusal_is_told_in_the_words_of_the_application() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let _refuses = app
        .offers(greeting("greet"), |_| std::future::ready(Err(CallFailure::new("no such person"))))
        .await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let result = session.call("greet", json!({"name": "Ada"})).await;
    assert!(error(&result).contains("no such person"), "{result}");
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_the_tool_goes_before_that_of_the_server() {
    let config = Config { response_timeout: Duration::from_secs(5), ..Config::new("desk", "1") };
    let desk = Desk::with(config, options()).await;
    let app = desk.app("clients").await;
    let _slow = app.hangs(greeting("slow")).await;
    let _own = app.hangs(greeting_with("own_limit", json!({"responseTimeoutMs": 200}))).await;
    desk.shows(&["own_limit", "slow"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    for (tool, limit) in [("own_limit", 200), ("slow", 5000)] {
        let start = Instant::now();
        let result = session.call(tool, json!({"name": "Ada"})).await;
        let taken = start.elapsed().as_millis();
        assert!((limit..limit + 50).contains(&taken), "{tool} took {taken} ms");
        assert!(error(&result).contains(&format!("responseTimeoutMs = {limit}")), "{result}");
    }
}

#[tokio::test]
async fn of_two_requests_with_one_id_the_second_is_refused() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let (slow, begun, go_on) = app.waits("slow").await;
    desk.shows(&["slow"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                      "params": {"name": "slow", "arguments": {"name": "Ada"}}});
    let mut first = Stream::of(session.post(&call).await);
    within(begun.notified()).await;
    let refused = Stream::of(session.post(&call).await).answer().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32600)));
    let reason = refused["error"]["message"].as_str().unwrap();
    assert!(reason.contains("the id 7 is still being answered"), "{reason}");
    // The same number as text is another id.
    let other = json!({"jsonrpc": "2.0", "id": "7", "method": "ping"});
    assert_eq!(Stream::of(session.post(&other).await).answer().await["result"], json!({}));
    go_on.notify_one();
    assert_eq!(first.answer().await["result"]["structuredContent"]["greeting"], "at last");
    assert_eq!(slow.calls(), 1);

    // A client that hangs up does not free the id of what is still running.
    drop(Stream::of(session.post(&call).await));
    within(begun.notified()).await;
    let refused = Stream::of(session.post(&call).await).answer().await;
    assert_eq!(refused["error"]["code"], -32600);
    assert_eq!(slow.calls(), 2);
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let started = std::sync::Arc::new(Notify::new());
    let (begun, go_on) = (started.clone(), std::sync::Arc::new(Notify::new()));
    let late = go_on.clone();
    let slow = app
        .offers(greeting("slow"), move |_| {
            let (begun, late) = (begun.clone(), late.clone());
            async move {
                begun.notify_one();
                late.notified().await;
                Ok(json!({"greeting": "too late"}))
            }
        })
        .await;
    let _greet = app.greets("greet").await;
    desk.shows(&["greet", "slow"]).await;

    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
    let (id, mut stream) = session.begin("tools/call", params.clone()).await;
    within(started.notified()).await;
    session.cancel(id).await;
    assert_eq!(stream.message().await, None);
    go_on.notify_one();
    let result = session.call("greet", json!({"name": "Ada"})).await;
    assert_eq!(result["structuredContent"], json!({"greeting": "Hello, Ada"}));

    // In 2026-07-28 the client hangs up.
    let request = modern(3, "tools/call", params, &json!({}));
    tokio::select! {
        response = send(&desk.router, request) => panic!("{response:?}"),
        () = started.notified() => {}
    }
    go_on.notify_one();
    let params = json!({"name": "greet", "arguments": {"name": "Ada"}});
    let answer = ask(&desk.router, "tools/call", params, &json!({})).await;
    assert_eq!(answer["result"]["isError"], false);
    assert_eq!(slow.calls(), 2);
}

#[tokio::test]
async fn a_call_ends_at_once_when_its_application_leaves() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let started = std::sync::Arc::new(Notify::new());
    let begun = started.clone();
    let _slow = app
        .offers(greeting("slow"), move |_| {
            begun.notify_one();
            std::future::pending()
        })
        .await;
    desk.shows(&["slow"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "slow", "arguments": {"name": "Ada"}});
    let (_, mut stream) = session.begin("tools/call", params).await;
    within(started.notified()).await;
    app.client.close().await;
    let result = within(stream.answer()).await["result"].clone();
    assert!(error(&result).contains("clients"), "{result}");
    assert!(error(&result).contains("has left the bus"), "{result}");
}

#[tokio::test]
async fn a_tool_that_is_gone_says_so_and_nothing_is_called() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let greet = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(session.tools().await, ["greet"]);
    greet.withdraw().await;
    desk.shows(&[]).await;
    let expected = "tool `greet` is not available any more; list tools again";
    assert_eq!(error(&session.call("greet", json!({"name": "Ada"})).await), expected);
    let params = json!({"name": "greet", "arguments": {"name": "Ada"}});
    let answer = ask(&desk.router, "tools/call", params, &json!({})).await;
    assert_eq!(error(&answer["result"]), expected);

    let again = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    assert_eq!(session.call("greet", json!({"name": "Ada"})).await["isError"], false);
    assert_eq!(again.calls(), 1);
}

#[tokio::test]
async fn the_first_of_several_servers_is_called_until_it_leaves() {
    let desk = Desk::new().await;
    let (one, two) = (desk.app("clients").await, desk.app("clients").await);
    let first = one.greets("greet").await;
    desk.shows(&["greet"]).await;
    let second = two.greets("greet").await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut changes = listen(&desk.router, &json!({})).await;
    session.call("greet", json!({"name": "Ada"})).await;
    assert_eq!((first.calls(), second.calls()), (1, 0));
    first.withdraw().await;
    // Which one is called does not show in the tool, so nobody is told.
    let result = within(async {
        loop {
            let result = session.call("greet", json!({"name": "Ada"})).await;
            if result["isError"] == false {
                return result;
            }
        }
    })
    .await;
    assert_eq!(result["structuredContent"], json!({"greeting": "Hello, Ada"}));
    assert_eq!(second.calls(), 1);
    tokio::time::pause();
    changes.is_quiet().await;
}

/// A source of one tool that panics when it is called.
struct Brittle;

impl Source for Brittle {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn offer(&mut self, _: &deskwire_connect::Directory) -> Offer {
        let published =
            rmcp::model::Tool::new("brittle", "Breaks.", rmcp::model::JsonObject::new());
        let tool = Panics(Definition::new(published, Needs::NOTHING));
        Offer { tools: vec![std::sync::Arc::new(tool)], ..Offer::default() }
    }
}

struct Panics(Definition);

impl Tool for Panics {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call(&self, _: CallContext) -> BoxFuture<'_, CallToolResult> {
        async { panic!("as it must") }.boxed()
    }
}

#[tokio::test]
async fn a_tool_that_panics_costs_one_call() {
    let desk = Desk::new().await;
    let app = desk.app("second").await;
    let server =
        McpServer::with_sources(app.client, Config::new("desk", "1"), vec![Box::new(Brittle)]);
    let router = server.http(options());
    let session = Session::new(&router, json!({})).await;
    for _ in 0..2 {
        let result = session.call("brittle", json!({})).await;
        assert_eq!(error(&result), "`brittle` failed inside this server; its log says more");
    }
    assert_eq!(session.tools().await, ["brittle"]);
}
