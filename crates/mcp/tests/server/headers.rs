//! Arguments that an application wants repeated in headers.

use deskwire_mcp::Profile;
use http::StatusCode;
use serde_json::{Value, json};

use crate::desk::{Desk, method};
use crate::mcp::{Session, ask, body, modern, refused, send};

fn input(annotation: Value) -> Value {
    json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": annotation}},
    })
}

#[tokio::test]
async fn a_header_that_no_client_can_send_costs_only_the_header() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let tool = method("find", input(json!("bad name")), json!({"type": "object"}), json!({}));
    let _find = app.offers(tool, |_| std::future::ready(Ok(json!({})))).await;
    desk.shows(&["find"]).await;
    let params = json!({"name": "find", "arguments": {"region": "north"}});
    let answer = ask(&desk.router, "tools/call", params, &json!({})).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let remarks = desk.server.surface().diagnostics(Profile::NONE);
    let reason = remarks[0].reason.as_deref().unwrap_or_default();
    assert!(reason.contains("`x-mcp-header` at `/region`: it is no name of a header"), "{reason}");
}

#[tokio::test]
async fn a_hidden_tool_asks_for_no_headers() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let view = json!({"_meta": {"ui": {"resourceUri": "ui://clients/chart"}}});
    let tool = method("chart", input(json!("Region")), json!({"type": "object"}), view);
    let _chart = app.offers(tool, |_| std::future::ready(Ok(json!({})))).await;
    desk.surface_when(|surface| surface.named("chart").is_some()).await;
    let call = |capabilities: &Value| {
        modern(
            7,
            "tools/call",
            json!({"name": "chart", "arguments": {"region": "n"}}),
            capabilities,
        )
    };
    let hidden = body(send(&desk.router, call(&json!({}))).await).await;
    assert!(hidden.contains("-32602") && hidden.contains("Unknown tool"), "{hidden}");
    let shows = json!({"extensions": {"io.modelcontextprotocol/ui":
                       {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let refusal = refused(send(&desk.router, call(&shows)).await, StatusCode::BAD_REQUEST).await;
    assert_eq!(refusal["error"]["code"], -32020, "{refusal}");
}

#[tokio::test]
async fn a_tool_that_is_now_for_clients_with_views_is_gone_for_others() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let plain = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(session.tools().await, ["greet"]);
    plain.withdraw().await;
    let view = json!({"_meta": {"ui": {"resourceUri": "ui://clients/greet"}}});
    let _with_view = app.hangs(crate::desk::greeting_with("greet", view)).await;
    desk.surface_when(|surface| surface.view(Profile::UI).len() == 1).await;
    desk.shows(&[]).await;
    let result = session.call("greet", json!({"name": "Ada"})).await;
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("is not available any more"), "{text}");
}
