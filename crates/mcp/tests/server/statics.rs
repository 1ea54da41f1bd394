//! Tools of the configuration, served by whoever is on the bus.

use std::time::Duration;

use deskwire_connect::wire::Method;
use deskwire_mcp::{Config, StaticTools};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::desk::{App, Desk, Offered, greeting_with, options};
use crate::mcp::{Session, listen};

/// The example of the handbook.
fn hello(availability: &str) -> Value {
    json!({
        "availability": availability,
        "name": "my-tool-hello",
        "config": {
            "description": "Greets a person",
            "inputSchema": {
                "type": "object",
                "properties": {"name": {"type": "string", "description": "Person's name"}},
                "required": ["name"]
            },
            "outputSchema": {
                "type": "object",
                "properties": {"greeting": {"type": "string"}},
                "required": ["greeting"]
            }
        },
        "interop": {
            "methodName": "my_custom_method",
            "responseTimeoutMs": 5000,
            "allowedApplications": ["app1", "app2"]
        }
    })
}

async fn desk(methods: Value) -> Desk {
    let config = serde_json::from_value(json!({"methods": methods})).unwrap();
    let static_tools = StaticTools::new(&config).unwrap();
    Desk::with(Config { static_tools, ..Config::new("desk", "1.0.0") }, options()).await
}

fn custom() -> Method {
    Method { name: "my_custom_method".into(), ..Method::default() }
}

/// Registers the method, without flag and description, as the handbook does.
async fn serves(app: &App, who: &'static str) -> Offered {
    let greets = move |arguments: Value| async move {
        let name = arguments["name"].as_str().unwrap_or_default().to_owned();
        Ok(json!({"greeting": format!("Hello, {name}, from {who}")}))
    };
    app.offers(custom(), greets).await
}

async fn greeting_of(session: &Session) -> Value {
    let result = session.call("my-tool-hello", json!({"name": "Ada"})).await;
    assert_eq!(result["isError"], false, "{result}");
    result["structuredContent"]["greeting"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_constant_tool_stays_and_says_what_is_missing() {
    let desk = desk(json!([hello("constant")])).await;
    desk.shows(&["my-tool-hello"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    let mut stream = listen(&desk.router, &json!({})).await;
    let result = session.call("my-tool-hello", json!({"name": "Ada"})).await;
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`my_custom_method`") && text.contains("`app1` or `app2`"), "{text}");

    let app = desk.app("app1").await;
    let method = serves(&app, "app1").await;
    desk.surface_when(|surface| {
        surface.diagnostics(deskwire_mcp::Profile::NONE)[0].stage.is_none()
    })
    .await;
    assert_eq!(greeting_of(&session).await, "Hello, Ada, from app1");
    let wrong = session.call("my-tool-hello", json!({})).await;
    assert_eq!(wrong["isError"], true);
    assert_eq!(method.calls(), 1);
    method.withdraw().await;
    stream.is_quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_variable_tool_comes_and_goes_with_its_servers_and_each_is_told_once() {
    let desk = desk(json!([hello("variable")])).await;
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(session.tools().await, Vec::<String>::new());
    let mut streams = [session.stream(None).await, listen(&desk.router, &json!({})).await];

    // One that is not allowed is no server of it.
    let other = desk.app("other").await;
    let _other = serves(&other, "other").await;
    for stream in &mut streams {
        stream.is_quiet().await;
    }
    let (app1, app2) = (desk.app("app1").await, desk.app("app2").await);
    let second = serves(&app2, "app2").await;
    for stream in &mut streams {
        stream.list_changed().await;
    }
    assert_eq!(session.tools().await, ["my-tool-hello"]);
    let first = serves(&app1, "app1").await;
    for stream in &mut streams {
        stream.is_quiet().await;
    }
    // The first that registered, though the other joined before it.
    assert_eq!(greeting_of(&session).await, "Hello, Ada, from app2");
    second.withdraw().await;
    for stream in &mut streams {
        stream.is_quiet().await;
    }
    assert_eq!(greeting_of(&session).await, "Hello, Ada, from app1");
    first.withdraw().await;
    for stream in &mut streams {
        stream.list_changed().await;
        stream.is_quiet().await;
    }
    let gone = session.call("my-tool-hello", json!({"name": "Ada"})).await;
    let text = gone["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("is not available any more; list tools again"), "{text}");
}

#[tokio::test]
async fn static_tools_stand_before_dynamic_ones() {
    let mut zebra = hello("constant");
    zebra["name"] = json!("zebra");
    let desk = desk(json!([zebra, hello("constant")])).await;
    let app = desk.app("clients").await;
    let _ant = app.greets("ant").await;
    let _zebra = app.greets("zebra").await;
    desk.shows(&["my-tool-hello", "zebra", "ant"]).await;
}

#[tokio::test]
async fn a_static_tool_with_a_view_is_for_clients_that_show_it() {
    let mut view = hello("constant");
    view["config"]["_meta"] = json!({"ui": {"resourceUri": "ui://desk/hello"}});
    let desk = desk(json!([view])).await;
    desk.surface_when(|surface| surface.entries().len() == 1).await;
    desk.shows(&[]).await;
    let ui = json!({"extensions": {"io.modelcontextprotocol/ui":
                    {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let session = Session::new(&desk.router, ui).await;
    assert_eq!(session.tools().await, ["my-tool-hello"]);
}

#[tokio::test(start_paused = true)]
async fn each_tool_has_its_own_limit() {
    let desk = desk(json!([hello("variable")])).await;
    let (app1, clients) = (desk.app("app1").await, desk.app("clients").await);
    let _static = app1.hangs(custom()).await;
    let _dynamic = clients.hangs(greeting_with("quick", json!({"responseTimeoutMs": 200}))).await;
    desk.shows(&["my-tool-hello", "quick"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    for (tool, limit) in [("my-tool-hello", 5000), ("quick", 200)] {
        let began = Instant::now();
        let result = session.call(tool, json!({"name": "Ada"})).await;
        let took = began.elapsed();
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&format!("responseTimeoutMs = {limit}")), "{text}");
        let limit = Duration::from_millis(limit);
        assert!(took >= limit && took < limit + Duration::from_millis(50), "{took:?}");
    }
}
