//! What goes over HTTP, in both eras, and what is refused.

use axum::body::Body;
use deskwire_mcp::{Config, Doors, HttpOptions};
use futures_util::stream;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::desk::{Desk, options};
use crate::mcp::{Session, ask, body, modern, names, refused, request, send};

#[tokio::test]
async fn each_session_revision_is_answered_with_itself() {
    let desk = Desk::new().await;
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2030-01-01", "2025-11-25"),
    ] {
        let (session, result) = Session::with_version(&desk.router, json!({}), asked).await;
        assert_eq!(result["protocolVersion"], answered);
        assert_eq!(result["serverInfo"], json!({"name": "desk", "version": "1.0.0"}));
        assert_eq!(result["capabilities"], json!({"tools": {"listChanged": true}}));
        assert!(result["instructions"].as_str().unwrap().contains("list tools again"));
        assert!(session.is_alive().await);
    }
}

#[tokio::test]
async fn the_revision_without_sessions_is_discovered() {
    let mut config = Config::new("desk", "1.0.0");
    config.title = Some("The desk".into());
    let desk = Desk::with(config, options()).await;
    let result =
        ask(&desk.router, "server/discover", json!({}), &json!({})).await["result"].clone();
    assert_eq!(
        result["supportedVersions"],
        json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    );
    assert_eq!(result["capabilities"], json!({"tools": {"listChanged": true}}));
    assert!(result.to_string().contains(r#""title":"The desk""#), "{result}");
}

#[tokio::test]
async fn a_list_is_the_same_in_both_eras() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let _greet = app.greets("io_greeting_tool").await;
    desk.shows(&["io_greeting_tool"]).await;

    let session = Session::new(&desk.router, json!({})).await;
    let old = session.ask("tools/list", json!({})).await["result"].clone();
    assert_eq!(
        old,
        json!({"tools": [{
            "name": "io_greeting_tool",
            "description": "A tool of an application.",
            "inputSchema": {
                "type": "object",
                "properties": {"name": {"type": "string", "description": "Person's name"}},
                "required": ["name"],
            },
            "outputSchema": {
                "type": "object",
                "properties": {"greeting": {"type": "string"}},
                "required": ["greeting"],
            },
            "_meta": {"deskwire/application": "clients"},
        }]})
    );
    let new = ask(&desk.router, "tools/list", json!({}), &json!({})).await["result"].clone();
    assert_eq!(new["tools"], old["tools"]);
    assert_eq!((&new["ttlMs"], &new["cacheScope"]), (&json!(0), &json!("private")));

    let arguments = json!({"name": "io_greeting_tool", "arguments": {"name": "Ada"}});
    let old = session.call("io_greeting_tool", json!({"name": "Ada"})).await;
    let new = ask(&desk.router, "tools/call", arguments, &json!({})).await["result"].clone();
    for result in [old, new] {
        assert_eq!(result["structuredContent"], json!({"greeting": "Hello, Ada"}));
    }
}

#[tokio::test]
async fn what_a_client_sees_is_what_it_declares() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let _greet = app.greets("greet").await;
    let view = json!({"_meta": {"ui": {"resourceUri": "ui://clients/chart"}}});
    let chart = app.hangs(crate::desk::greeting_with("chart", view)).await;
    desk.surface_when(|surface| surface.entries().len() == 2).await;

    let ui = json!({"extensions": {"io.modelcontextprotocol/ui":
                    {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let (plain, able) =
        (Session::new(&desk.router, json!({})).await, Session::new(&desk.router, ui.clone()).await);
    assert_eq!(plain.tools().await, ["greet"]);
    assert_eq!(able.tools().await, ["chart", "greet"]);
    let list = async |capabilities: &Value| {
        names(&ask(&desk.router, "tools/list", json!({}), capabilities).await["result"])
    };
    assert_eq!(list(&json!({})).await, ["greet"]);
    assert_eq!(list(&ui).await, ["chart", "greet"]);

    // What is hidden cannot be called.
    let hidden = plain.ask("tools/call", json!({"name": "chart"})).await;
    assert_eq!(hidden["error"], json!({"code": -32602, "message": "Unknown tool: chart"}));
    let hidden = ask(&desk.router, "tools/call", json!({"name": "chart"}), &json!({})).await;
    assert_eq!(hidden["error"]["code"], -32602);
    assert_eq!(chart.calls(), 0);
}

#[tokio::test]
async fn bodies_that_are_no_message_are_refused_in_json() {
    let desk = Desk::new().await;
    let post = async |body: &str| {
        let response = send(&desk.router, request(Method::POST, &[], body.to_owned())).await;
        let body = refused(response, StatusCode::BAD_REQUEST).await;
        (body["error"]["code"].as_i64().unwrap(), body["id"].clone())
    };
    assert_eq!(post("").await, (-32700, json!(null)));
    assert_eq!(post(r#"{"jsonrpc":"2.0","#).await, (-32700, json!(null)));
    assert_eq!(post("[]").await, (-32600, json!(null)));
    assert_eq!(post("7").await, (-32600, json!(null)));
    assert_eq!(post(r#"{"id":3,"method":"ping"}"#).await, (-32600, json!(3)));
}

#[tokio::test]
async fn requests_that_are_no_mcp_are_refused_in_json() {
    let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    let origins = vec!["http://localhost:4111".into()];
    let options =
        HttpOptions { doors: Doors::Here { hosts, origins }, max_request: 1000, ..options() };
    let desk = Desk::with(Config::new("desk", "1.0.0"), options).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let long = " ".repeat(1001);
    let broken = Body::from_stream(stream::iter([
        Ok("{"),
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
    ]));
    for (request, status) in [
        (request(Method::POST, &[], ping), StatusCode::BAD_REQUEST),
        (request(Method::GET, &[], Body::empty()), StatusCode::BAD_REQUEST),
        (request(Method::POST, &[("mcp-session-id", "nope")], ping), StatusCode::NOT_FOUND),
        (request(Method::GET, &[("mcp-session-id", "nope")], Body::empty()), StatusCode::NOT_FOUND),
        (request(Method::POST, &[("host", "evil.example")], ping), StatusCode::FORBIDDEN),
        (request(Method::POST, &[("origin", "http://evil.example")], ping), StatusCode::FORBIDDEN),
        (request(Method::POST, &[("origin", "null")], ping), StatusCode::FORBIDDEN),
        (request(Method::POST, &[("accept", "text/html")], ping), StatusCode::NOT_ACCEPTABLE),
        (
            request(Method::POST, &[("content-type", "text/plain")], ping),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            request(Method::POST, &[("content-encoding", "gzip")], ping),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (request(Method::POST, &[("content-encoding", "identity")], ping), StatusCode::BAD_REQUEST),
        (request(Method::POST, &[], broken), StatusCode::BAD_REQUEST),
        (request(Method::PUT, &[], ping), StatusCode::METHOD_NOT_ALLOWED),
        (request(Method::POST, &[], long), StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let what = format!("{request:?}");
        let response = send(&desk.router, request).await;
        assert_eq!(response.status(), status, "{what}");
        let body = refused(response, status).await;
        assert!(!body["error"]["message"].as_str().unwrap().is_empty(), "{what}: {body}");
    }
    for host in ["localhost", "localhost:9", "127.0.0.1:4111", "[::1]:4111"] {
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}});
        let headers = [("host", host), ("origin", "http://localhost:4111")];
        let response =
            send(&desk.router, request(Method::POST, &headers, initialize.to_string())).await;
        assert_eq!(response.status(), StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn requests_the_server_cannot_do_name_what_is_wrong() {
    let desk = Desk::new().await;
    let session = Session::new(&desk.router, json!({})).await;
    for (method, params, code) in [
        ("tools/call", json!({"name": "never"}), -32602),
        ("tools/call", json!({"nmae": "never"}), -32602),
        ("tools/call", json!({"name": "never", "arguments": []}), -32602),
        ("tools/list", json!({"cursor": "x"}), -32602),
        ("resources/list", json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("no/such", json!({}), -32601),
    ] {
        let error = session.ask(method, params.clone()).await["error"].clone();
        assert_eq!(error["code"], code, "{method} {params}: {error}");
        let words = error["message"].as_str().unwrap();
        let named = code != -32601 || words.contains(&format!("`{method}`"));
        assert!(named && words.contains(' '), "{method} {params}: {words}");
        let response = send(&desk.router, modern(1, method, params.clone(), &json!({}))).await;
        let error = serde_json::from_str::<Value>(&body(response).await).unwrap()["error"].clone();
        assert_eq!(error["code"], code, "2026-07-28 {method} {params}: {error}");
        let words = error["message"].as_str().unwrap();
        let named = code != -32601 || words.contains(&format!("`{method}`"));
        assert!(named && words.contains(' '), "2026-07-28 {method} {params}: {words}");
    }
}

#[tokio::test]
async fn a_cursor_that_is_no_text_is_refused() {
    let desk = Desk::new().await;
    let session = Session::new(&desk.router, json!({})).await;
    for cursor in [json!(5), json!({}), json!(true)] {
        let list = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/list", "params": {"cursor": cursor}});
        let body = refused(session.post(&list).await, StatusCode::BAD_REQUEST).await;
        assert_eq!((&body["id"], &body["error"]["code"]), (&json!(4), &json!(-32602)), "{body}");
    }
    let error = session.ask("tools/list", json!({"cursor": null})).await;
    assert!(error["result"]["tools"].is_array(), "{error}");
}

#[tokio::test]
async fn the_endpoint_can_stand_below_a_path() {
    let desk = Desk::new().await;
    let nested = axum::Router::new().nest("/mcp", desk.router.clone());
    let mut request = modern(1, "tools/list", json!({}), &json!({}));
    *request.uri_mut() = "/mcp".parse().unwrap();
    let response = send(&nested, request).await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut elsewhere = modern(1, "tools/list", json!({}), &json!({}));
    *elsewhere.uri_mut() = "/mcp/other".parse().unwrap();
    assert_eq!(send(&nested, elsewhere).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_session_ends_when_its_client_says_so() {
    let desk = Desk::new().await;
    let session = Session::new(&desk.router, json!({})).await;
    let headers = [("mcp-session-id", session.id.as_str())];
    let response = send(&desk.router, request(Method::DELETE, &headers, Body::empty())).await;
    assert!(response.status().is_success());
    assert!(!session.is_alive().await);
    let ping = json!({"jsonrpc": "2.0", "id": 4, "method": "ping"});
    let body = refused(session.post(&ping).await, StatusCode::NOT_FOUND).await;
    assert_eq!(
        body,
        json!({"jsonrpc": "2.0", "id": 4, "error": {
        "code": -32001, "message": "Session not found; initialize again"}})
    );
}

#[tokio::test]
async fn the_end_of_a_session_that_nobody_has_is_refused() {
    let desk = Desk::new().await;
    let end = async |id: &str| {
        let headers = [("mcp-session-id", id)];
        send(&desk.router, request(Method::DELETE, &headers, Body::empty())).await
    };
    let session = Session::new(&desk.router, json!({})).await;
    assert_eq!(end(&session.id).await.status(), StatusCode::ACCEPTED);
    for id in [&session.id, "nope"] {
        let refusal = refused(end(id).await, StatusCode::NOT_FOUND).await;
        assert_eq!(refusal["error"]["code"], -32001, "{refusal}");
    }
}
