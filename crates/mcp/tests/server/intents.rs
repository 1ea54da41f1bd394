//! Intents of the configuration as tools.

use std::time::Duration;

use deskwire_connect::services::intents::IntentListener;
use deskwire_connect::wire::Payload;
use deskwire_connect::{Call, CallFailure, Client, InvokeOptions, Registration};
use deskwire_mcp::{Config, Profile, StaticTools};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::desk::{App, Desk, options, within};
use crate::mcp::Session;
use crate::platform::{Platform, handles};

/// The example of the handbook.
fn example() -> Value {
    json!({
        "availability": "variable",
        "name": "my-intent-tool",
        "config": {
            "description": "Handles custom intent",
            "inputSchema": {
                "type": "object",
                "properties": {"type": {"type": "string"}, "data": {"type": "object"}},
                "required": ["type"]
            },
            "outputSchema": {"type": "object", "properties": {"result": {"type": "string"}}}
        },
        "interop": {
            "intentName": "my_custom_intent",
            "resolutionStrategy": "mcp",
            "allowedApplications": ["handler-app"]
        }
    })
}

/// The example with these fields in its parts.
fn with(changes: Value) -> Value {
    let mut tool = example();
    for (part, fields) in changes.as_object().into_iter().flatten() {
        match fields.as_object() {
            Some(fields) => {
                for (field, value) in fields {
                    tool[part][field] = value.clone();
                }
            }
            None => tool[part] = fields.clone(),
        }
    }
    tool
}

async fn desk(intent: Value) -> Desk {
    let config = serde_json::from_value(json!({"intents": [intent]})).unwrap();
    let static_tools = StaticTools::new(&config).unwrap();
    Desk::with(Config { static_tools, ..Config::new("desk", "1.0.0") }, options()).await
}

/// Handles the intent as the handbook does.
async fn processes(client: &Client) -> Registration {
    handles(client, "my_custom_intent", |context| {
        json!({"result": format!("Processed {}", context["data"]["type"].as_str().unwrap())})
    })
    .await
}

async fn call(desk: &Desk, arguments: Value) -> Value {
    Session::new(&desk.router, json!({})).await.call("my-intent-tool", arguments).await
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// Waits until the tool is withheld for a reason like this.
async fn withheld_for(desk: &Desk, words: &str) -> String {
    let mut found = String::new();
    desk.surface_when(|surface| {
        let all = surface.diagnostics(Profile::NONE);
        let all = all.iter().filter(|it| it.name == "my-intent-tool" && !it.visible);
        let told: Vec<_> = all.map(|it| serde_json::to_value(it).unwrap().to_string()).collect();
        found = told.join("\n");
        found.contains(words)
    })
    .await;
    found
}

#[tokio::test(start_paused = true)]
async fn the_example_of_the_handbook() {
    let desk = desk(example()).await;
    let app = desk.app("handler-app").await;
    desk.shows(&[]).await;
    let registration = processes(&app.client).await;
    desk.shows(&["my-intent-tool"]).await;
    let result = call(&desk, json!({"type": "x"})).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["structuredContent"], json!({"result": "Processed x"}));
    assert_eq!(text(&result), r#"{"result":"Processed x"}"#);
    let wrong = call(&desk, json!({"data": {}})).await;
    assert!(wrong["isError"] == true && text(&wrong).contains("type"), "{wrong}");

    within(registration.unregister()).await.unwrap();
    desk.shows(&[]).await;
}

#[tokio::test(start_paused = true)]
async fn reasons_say_who_handles_it_instead_and_what_is_missing() {
    let desk = desk(example()).await;
    let reason = withheld_for(&desk, "no platform").await;
    assert!(reason.contains("start `handler-app`, or a platform"), "{reason}");

    let other = desk.app("other").await;
    let processing = processes(&other.client).await;
    let reason = withheld_for(&desk, "`other`").await;
    assert!(reason.contains("allowedApplications has only `handler-app`"), "{reason}");
    assert!(reason.contains("server.tools.static.intents[0].interop.allowedApplications"));

    within(processing.unregister()).await.unwrap();
    let _platform = Platform::new(&desk, json!([]), |_, _| async {}.boxed()).await;
    withheld_for(&desk, "neither running nor by definition").await;
}

#[tokio::test(start_paused = true)]
async fn a_constant_tool_without_a_handler_names_what_is_missing() {
    let desk = desk(with(json!({"availability": "constant"}))).await;
    desk.shows(&["my-intent-tool"]).await;
    let result = call(&desk, json!({"type": "x"})).await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("my_custom_intent"), "{result}");
    assert!(text(&result).contains("`handler-app`"), "{result}");
}

/// What the application of the example does when it is started.
fn program(client: Client, _: Value) -> BoxFuture<'static, ()> {
    async move {
        let instance = client.directory();
        let instance = instance.servers().find(|server| server.is_self).unwrap();
        let instance = instance.instance().to_owned();
        handles(&client, "my_custom_intent", move |_| json!({"result": instance})).await.keep();
    }
    .boxed()
}

fn defined() -> Value {
    json!([{"name": "handler-app", "intents": [{"name": "my_custom_intent", "contexts": ["order"]}]}])
}

#[tokio::test(start_paused = true)]
async fn a_definition_makes_the_tool_visible_and_is_preferred_to_what_runs() {
    let desk = desk(example()).await;
    let app = desk.app("handler-app").await;
    let _running = processes(&app.client).await;
    let platform = Platform::new(&desk, defined(), program).await;
    // Known by now, since the application that runs is one of those defined.
    let client = desk.app("looks").await.client;
    let mut declared = client.apps().follow_intents();
    within(declared.wait_for(|it| !it.applications().is_empty())).await.unwrap();
    let result = call(&desk, json!({"type": "x"})).await;
    assert_eq!(result["structuredContent"], json!({"result": "handler-app-1"}), "{result}");
    assert_eq!(platform.started(), ["handler-app"]);
}

#[tokio::test(start_paused = true)]
async fn an_intent_that_nothing_runs_for_is_visible_by_definition() {
    let desk = desk(example()).await;
    desk.shows(&[]).await;
    let platform = Platform::new(&desk, defined(), program).await;
    desk.shows(&["my-intent-tool"]).await;
    drop(platform);
    desk.shows(&[]).await;
    let _platform = Platform::new(&desk, defined(), program).await;
    desk.shows(&["my-intent-tool"]).await;
    let result = call(&desk, json!({"type": "x"})).await;
    assert_eq!(result["structuredContent"], json!({"result": "handler-app-1"}), "{result}");
}

#[tokio::test(start_paused = true)]
async fn an_application_that_stays_silent_is_an_error_after_the_time_allowed() {
    let desk = desk(example()).await;
    let _platform = Platform::new(&desk, defined(), |_, _| async {}.boxed()).await;
    desk.shows(&["my-intent-tool"]).await;
    let began = Instant::now();
    let result = call(&desk, json!({"type": "x"})).await;
    let took = began.elapsed();
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("IntentDeliveryFailed: `handler-app`"), "{result}");
    assert!(took >= Duration::from_secs(15) && took < Duration::from_millis(15_100), "{took:?}");
}

/// Chooses the handler of `b` as soon as it is started as the resolver.
fn resolver(client: Client, context: Value) -> BoxFuture<'static, ()> {
    async move {
        let handlers = context["intent"]["handlers"].as_array().unwrap();
        let chosen = handlers.iter().find(|it| it["applicationName"] == "b").unwrap();
        let answer = Payload::from(json!({"intent": "my_custom_intent", "handler": chosen}));
        let method = context["methodName"].as_str().unwrap();
        client.invoke(method, answer, InvokeOptions::default()).await.unwrap();
    }
    .boxed()
}

#[tokio::test(start_paused = true)]
async fn the_person_chooses_and_the_result_comes_all_the_same() {
    let strategy = json!({"resolutionStrategy": "io_connect", "allowedApplications": ["a", "b"]});
    let desk = desk(with(json!({"interop": strategy}))).await;
    let platform = Platform::new(&desk, json!([{"name": "intentsResolver"}]), resolver).await;
    let (a, b) = (desk.app("a").await, desk.app("b").await);
    let answers = |app: &App, result: &'static str| {
        let client = app.client.clone();
        async move { handles(&client, "my_custom_intent", move |_| json!({"result": result})).await }
    };
    let (_a, _b) = (answers(&a, "a").await, answers(&b, "ok").await);
    desk.shows(&["my-intent-tool"]).await;
    let result = call(&desk, json!({"type": "x"})).await;
    assert_eq!(result["structuredContent"], json!({"result": "ok"}), "{result}");
    assert_eq!(platform.started(), ["intentsResolver"]);
}

#[tokio::test(start_paused = true)]
async fn no_result_is_an_empty_one() {
    for (required, is_error) in [(json!([]), false), (json!(["greeting"]), true)] {
        let schema = json!({"type": "object", "properties": {"greeting": {"type": "string"}},
                            "required": required});
        let desk = desk(with(json!({"config": {"outputSchema": schema}}))).await;
        let app = desk.app("handler-app").await;
        let _registration = handles(&app.client, "my_custom_intent", |_| Value::Null).await;
        desk.shows(&["my-intent-tool"]).await;
        let result = call(&desk, json!({"type": "x"})).await;
        assert_eq!(result["isError"], is_error, "{result}");
        match is_error {
            false => assert_eq!(result["structuredContent"], json!({})),
            true => assert!(text(&result).contains("greeting"), "{result}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_dies_ends_the_call_at_once() {
    let desk = desk(example()).await;
    let app = desk.app("handler-app").await;
    let (begun, mut has_begun) = tokio::sync::mpsc::channel(1);
    let hangs = move |_: Call| {
        let begun = begun.clone();
        async move {
            begun.send(()).await.unwrap();
            std::future::pending::<Result<Payload, CallFailure>>().await
        }
    };
    let listener = IntentListener::new("my_custom_intent");
    within(app.client.intents().register(listener, hangs)).await.unwrap().keep();
    desk.shows(&["my-intent-tool"]).await;
    let began = Instant::now();
    let dies = async {
        within(has_begun.recv()).await.unwrap();
        app.client.close().await;
    };
    let (result, ()) = tokio::join!(call(&desk, json!({"type": "x"})), dies);
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("TargetInstanceUnavailable"), "{result}");
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let desk = desk(example()).await;
    let app = desk.app("handler-app").await;
    let (begun, mut has_begun) = tokio::sync::mpsc::channel(1);
    let hangs_once = move |call: Call| {
        let begun = begun.clone();
        async move {
            let kind = call.arguments.value()["data"]["type"].clone();
            if kind == "slow" {
                begun.send(()).await.unwrap();
                std::future::pending::<()>().await;
            }
            Ok::<_, CallFailure>(Payload::from(json!({"result": kind})))
        }
    };
    let listener = IntentListener::new("my_custom_intent");
    within(app.client.intents().register(listener, hangs_once)).await.unwrap().keep();
    desk.shows(&["my-intent-tool"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let params = json!({"name": "my-intent-tool", "arguments": {"type": "slow"}});
    let (id, mut stream) = session.begin("tools/call", params).await;
    within(has_begun.recv()).await.unwrap();
    session.cancel(id).await;
    assert_eq!(stream.message().await, None);
    let result = session.call("my-intent-tool", json!({"type": "x"})).await;
    assert_eq!(result["structuredContent"], json!({"result": "x"}), "{result}");
}

#[tokio::test(start_paused = true)]
async fn how_long_an_application_may_take_to_handle_it_can_be_set() {
    let config = serde_json::from_value(json!({"intents": [example()]})).unwrap();
    let config = Config {
        static_tools: StaticTools::new(&config).unwrap(),
        intent_timeout: Duration::from_secs(3),
        ..Config::new("desk", "1.0.0")
    };
    let desk = Desk::with(config, options()).await;
    let _platform = Platform::new(&desk, defined(), |_, _| async {}.boxed()).await;
    desk.shows(&["my-intent-tool"]).await;
    let began = Instant::now();
    let result = call(&desk, json!({"type": "x"})).await;
    let took = began.elapsed();
    assert!(text(&result).contains("IntentDeliveryFailed"), "{result}");
    assert!(took >= Duration::from_secs(3) && took < Duration::from_millis(3_100), "{took:?}");
}
