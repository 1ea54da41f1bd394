//! Searching what a platform on the bus has defined, with words and with models of
//! clients.

use std::time::Duration;

use deskwire_connect::wire::Method;
use deskwire_mcp::{Config, Definitions, Matching, SearchSettings, SystemTools};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk::{Desk, options};
use crate::mcp::{Session, ask, body, modern, send};
use crate::platform::Platform;

const APPLICATIONS: &str = "io_connect_search_applications";
const WORKSPACES: &str = "io_connect_search_workspaces";

fn system(matching: Matching) -> SystemTools {
    let search = SearchSettings { matching, ..SearchSettings::default() };
    SystemTools {
        search_applications: search.clone(),
        search_workspaces: search,
        ..SystemTools::default()
    }
}

async fn desk(system: SystemTools) -> Desk {
    let config = Config { system: Some(system), ..Config::new("desk", "1.0.0") };
    Desk::with(config, options()).await
}

fn apps() -> Value {
    json!([
        { "name": "chart", "type": "window", "caption": "Draws the price history of an instrument",
          "details": { "url": "http://localhost:1/" } },
        { "name": "plain", "type": "window", "details": { "url": "http://localhost:1/" } },
    ])
}

#[tokio::test]
async fn the_platform_on_the_bus_says_what_there_is_and_why_the_rest_is_left_out() {
    let desk = desk(system(Matching::Lexical)).await;
    let session = Session::new(&desk.router, json!({})).await;
    let call = || session.call(APPLICATIONS, json!({ "userIntent": "the price history of Roche" }));
    let nobody = call().await;
    assert_eq!(nobody["structuredContent"]["canSatisfyUserIntent"], false);
    let summary = nobody["structuredContent"]["summary"].as_str().unwrap();
    assert!(summary.contains("no platform on the bus"), "{summary}");

    let _platform = Platform::new(&desk, apps(), |_, _| Box::pin(async {})).await;
    desk.surface_when(|surface| surface.withheld().iter().any(|it| it.name == "plain")).await;
    let found = call().await["structuredContent"].clone();
    assert_eq!(found["canSatisfyUserIntent"], true, "{found}");
    assert_eq!(found["willSatisfyUserIntentBy"]["apps"][0]["name"], "chart");
}

#[tokio::test]
async fn workspaces_come_and_go_with_whoever_has_them() {
    let desk = desk(system(Matching::Lexical)).await;
    desk.shows(&[APPLICATIONS]).await;
    let app = desk.app("workspaces").await;
    let method = Method { name: "T42.Workspaces.Control".into(), ..Method::default() };
    let answer = |_| async { Ok(json!({}).into()) };
    let registration = app.client.register(method, answer).await.unwrap();
    desk.shows(&[APPLICATIONS, WORKSPACES]).await;
    registration.unregister().await.unwrap();
    desk.shows(&[APPLICATIONS]).await;
}

/// What a client of 2026-07-28 gets for a call, with its answer to what was asked before.
async fn call(desk: &Desk, intent: &str, more: Value) -> Value {
    let mut params = json!({ "name": APPLICATIONS, "arguments": { "userIntent": intent } });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    ask(&desk.router, "tools/call", params, &json!({ "sampling": {} })).await
}

#[tokio::test]
async fn an_answer_counts_once_and_for_its_own_call() {
    let label = deskwire_catalog::SourceLabel::new("apps");
    let catalog = deskwire_catalog::Catalog::merge([deskwire_catalog::read_value(&label, apps())]);
    let (_definitions, feed) = watch::channel(Definitions { revision: 1, catalog: Some(catalog) });
    let desk = desk(SystemTools { definitions: Some(feed), ..system(Matching::Sampling) }).await;
    desk.surface_when(|surface| surface.named(APPLICATIONS).is_some()).await;

    let asked = call(&desk, "prices", json!({})).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let request = &asked["inputRequests"]["question"];
    assert_eq!(request["method"], "sampling/createMessage");
    assert_eq!(request["params"]["_meta"]["toolName"], APPLICATIONS);
    assert!(request["params"]["_meta"]["structuredOutput"].is_object());
    let state = asked["requestState"].clone();

    let text = |text: &str| json!({ "question": { "role": "assistant", "model": "m", "content": { "type": "text", "text": text } } });
    let right = text(
        r#"{"canSatisfyUserIntent":true,"summary":"It fits.","willSatisfyUserIntentBy":{"apps":["chart"]}}"#,
    );
    let with = |answers: &Value, state: &Value| json!({ "inputResponses": answers, "requestState": state });

    let refused = call(&desk, "other", with(&right, &state)).await;
    assert_eq!(refused["error"]["code"], -32602, "another call: {refused}");
    let altered = json!(state.as_str().unwrap().replacen(['A', 'B', 'e', 'I', 'y'], "x", 1));
    assert_eq!(call(&desk, "prices", with(&right, &altered)).await["error"]["code"], -32602);

    let first = call(&desk, "prices", with(&right, &state)).await;
    assert_eq!(first["result"]["structuredContent"]["summary"], "It fits.", "{first}");
    let again = call(&desk, "prices", with(&right, &state)).await;
    assert_eq!(again["result"], first["result"], "a network that tries again");
    let otherwise = text(r#"{"canSatisfyUserIntent":false,"summary":"No."}"#);
    assert_eq!(call(&desk, "prices", with(&otherwise, &state)).await["error"]["code"], -32602);
}

#[tokio::test]
async fn a_client_whose_model_cannot_be_asked_is_never_asked() {
    let desk = desk(system(Matching::Sampling)).await;
    let session = Session::new(&desk.router, json!({})).await;
    assert!(session.tools().await.is_empty());
    let params = json!({ "name": APPLICATIONS, "arguments": { "userIntent": "prices" } });
    let answer = session.ask("tools/call", params.clone()).await;
    assert_eq!(answer["error"]["code"], -32602);
    let request = modern(1, "tools/call", params, &json!({}));
    let response = send(&desk.router, request).await;
    assert_eq!(response.status(), StatusCode::OK);
    let answer: Value = serde_json::from_str(&body(response).await).unwrap();
    assert_eq!(answer["error"]["code"], -32602);
}

/// A client with a session that sees what it is asked and does not answer.
#[tokio::test(start_paused = true)]
async fn a_client_that_never_answers_gets_a_result_after_all() {
    let desk = desk(system(Matching::Sampling)).await;
    let _platform = Platform::new(&desk, apps(), |_, _| Box::pin(async {})).await;
    desk.surface_when(|surface| surface.withheld().iter().any(|it| it.name == "plain")).await;
    let session = Session::new(&desk.router, json!({ "sampling": {} })).await;
    let mut own = session.stream(None).await;
    let begun = tokio::time::Instant::now();
    let params = json!({ "name": APPLICATIONS, "arguments": { "userIntent": "prices" } });
    let (id, mut stream) = session.begin("tools/call", params).await;
    let asked = stream.message().await.unwrap();
    assert_eq!(asked["method"], "sampling/createMessage");
    let given_up = own.message().await.unwrap();
    assert_eq!(given_up["method"], "notifications/cancelled");
    assert_eq!(given_up["params"]["requestId"], asked["id"]);
    let answer = stream.answer().await;
    assert_eq!(answer["id"], id);
    let summary = answer["result"]["structuredContent"]["summary"].as_str().unwrap();
    assert!(summary.contains("within 120 s"), "{summary}");
    assert!(begun.elapsed() >= Duration::from_secs(120));
}
