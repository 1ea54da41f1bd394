//! What a page that shows workspaces gets for the pages of its windows, and what it is told of
//! those that do not show.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

mod running;

use std::net::SocketAddr;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, COOKIE, HeaderMap, HeaderValue, LOCATION, REFERER,
    SET_COOKIE, X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use deskwire_connect::{Client, Credentials, Options, websocket};
use running::{Desk, PATIENCE, ask};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

/// The gateway's address, as far as pages are told.
const GATEWAY: &str = "ws://127.0.0.1:4111/gw";

async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn desk(applications: Value) -> Desk {
    let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
    Desk::configured(applications, |config| config.gateway_url = GATEWAY.into()).await
}

fn page(name: &str, url: &str) -> Value {
    json!({ "name": name, "type": "window", "details": { "url": url } })
}

/// A page that holds a frame.
async fn screen(desk: &Desk) -> Client {
    let screen = desk.peer("screen").await;
    ask(&screen, "Deskwire.Frame.Attach", json!({})).await.unwrap();
    screen
}

/// A workspace with this application in a window; the workspace and the window.
async fn open(client: &Client, application: &str) -> (Value, Value) {
    let window = json!({ "type": "window", "appName": application, "context": { "id": 7 } });
    let arguments = json!({
        "operation": "createWorkspace",
        "operationArguments": { "children": [window] },
    });
    let created = ask(client, "T42.Workspaces.Control", arguments).await.unwrap();
    let workspace = created["id"].clone();
    fn window_of(item: &Value) -> Option<Value> {
        let found = item.get("config").and_then(|config| config.get("windowId"));
        found
            .filter(|id| !id.is_null())
            .cloned()
            .or_else(|| item.get("children")?.as_array()?.iter().find_map(window_of))
    }
    let window = window_of(&created).unwrap_or_else(|| panic!("a window in {created}"));
    (workspace, window)
}

async fn probe(screen: &Client, application: &str) -> Value {
    let (_, window) = open(screen, application).await;
    ask(screen, "Deskwire.Frame.Probe", json!({ "windowId": window })).await.unwrap()
}

#[tokio::test]
async fn the_ticket_of_a_window() {
    let desk = desk(json!([page("clients", "http://localhost:1/clients/")])).await;
    let screen = screen(&desk).await;
    let (workspace, window) = open(&screen, "clients").await;
    let arguments = json!({ "windowId": window });
    let ticket = ask(&screen, "Deskwire.Frame.Window", arguments.clone()).await.unwrap();
    let mut keys: Vec<_> = ticket.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "application",
            "gatewayToken",
            "gatewayUrl",
            "instanceId",
            "startingContext",
            "url",
            "workspaceId"
        ]
    );
    assert_eq!(ticket["workspaceId"], workspace);
    assert_eq!(ticket["application"], "clients");
    assert_eq!(ticket["url"], "http://localhost:1/clients/");
    assert_eq!(ticket["gatewayUrl"], GATEWAY);
    assert_eq!(ticket["startingContext"], json!({ "id": 7 }));

    let other = desk.peer("other").await;
    for method in ["Deskwire.Frame.Window", "Deskwire.Frame.Probe"] {
        let refused = ask(&other, method, arguments.clone()).await.unwrap_err();
        assert!(refused.contains("not-yours: "), "{method}: {refused}");
    }
    desk.platform.stop().await;
}

#[tokio::test]
async fn pages_that_may_not_be_shown_say_why() {
    for (url, reason) in [
        ("javascript:alert(1)", "only http and https"),
        ("data:text/html,<script>alert(1)</script>", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http://127.0.0.1:4111/", "this server itself"),
        ("http://localhost:4111/clients/", "this server itself"),
        ("http://[::1]:4111/", "this server itself"),
    ] {
        let desk = desk(json!([page("odd", url)])).await;
        let screen = screen(&desk).await;
        let (_, window) = open(&screen, "odd").await;
        let refused = ask(&screen, "Deskwire.Frame.Window", json!({ "windowId": window })).await;
        let refused = refused.unwrap_err();
        assert!(refused.contains("not-running: "), "{url}: {refused}");
        assert!(refused.contains("failed") && refused.contains(reason), "{url}: {refused}");
        assert!(desk.platform.instances().snapshot().is_empty(), "{url}");
        desk.platform.stop().await;
    }
}

/// Over a real socket, as pages use it.
#[tokio::test]
async fn a_token_is_good_for_its_instance_while_that_runs() {
    let desk = desk(json!([
        page("clients", "http://localhost:1/"),
        page("orders", "http://localhost:1/")
    ]))
    .await;
    let gateway = serve(deskwire_gateway::router(desk.gateway().clone())).await;
    let screen = screen(&desk).await;
    let (_, window) = open(&screen, "clients").await;
    let arguments = json!({ "windowId": window });
    let ticket = ask(&screen, "Deskwire.Frame.Window", arguments).await.unwrap();
    let text = |key: &str| ticket[key].as_str().unwrap().to_owned();

    // Whoever else it says it is, it is that instance.
    let join = || {
        let mut options = Options::new("orders");
        options.identity.insert("instance".into(), "somebody-else".into());
        options.credentials = Credentials::GatewayToken(text("gatewayToken"));
        Client::start(websocket(&format!("ws://{gateway}/gw")).unwrap(), options)
    };
    let joined = join();
    timeout(PATIENCE, joined.ready()).await.expect("in time").unwrap();
    let seen = running::until("the page on the bus", || {
        let directory = screen.directory();
        let found = directory.servers().find(|one| one.instance() == text("instanceId"));
        found.map(|one| one.application().to_owned())
    });
    assert_eq!(seen.await, "clients");
    let claimed = screen.directory().servers().any(|one| one.instance() == "somebody-else");
    assert!(!claimed, "the token fixes the instance");

    ask(&screen, "Deskwire.Frame.Report", json!({ "windowId": window, "state": "closed" }))
        .await
        .unwrap();
    running::until("the page to leave", || {
        let directory = screen.directory();
        let there = directory.servers().any(|one| one.instance() == text("instanceId"));
        (!there).then_some(())
    })
    .await;
    let refused = timeout(PATIENCE, join().ready()).await.expect("in time").unwrap_err();
    assert!(refused.to_string().contains("not running"), "{refused}");
    joined.close().await;
    desk.platform.stop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_page_is_told() {
    let framed =
        |name, value| move || async move { ([(name, HeaderValue::from_static(value))], "x") };
    let strict = get(framed(X_FRAME_OPTIONS, "DENY"));
    let picky = get(framed(CONTENT_SECURITY_POLICY, "frame-ancestors https://portal.example"));
    let welcome = get(framed(CONTENT_SECURITY_POLICY, "frame-ancestors http://127.0.0.1:4111"));
    let elsewhere = || async { (StatusCode::FOUND, [(LOCATION, "file:///etc/passwd")]) };
    let router = Router::new()
        .route("/strict", strict)
        .route("/picky", picky)
        .route("/welcome", welcome)
        .route("/plain", get(|| async { "x" }))
        .route("/moved", get(|| async { Redirect::to("/strict") }))
        .route("/round", get(|| async { Redirect::to("/round") }))
        .route("/elsewhere", get(elsewhere))
        .route("/broken", get(|| async { StatusCode::INTERNAL_SERVER_ERROR }));
    let server = serve(router).await;
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let at = |path: &str| format!("http://{server}{path}");
    let cases = [
        ("plain", at("/plain"), None),
        ("welcome", at("/welcome"), None),
        // As a browser has it, whatever the system makes of the name.
        ("named", format!("http://any.localhost:{}/plain", server.port()), None),
        ("strict", at("/strict"), Some(("framing", "`X-Frame-Options: DENY`"))),
        ("picky", at("/picky"), Some(("framing", "frame-ancestors https://portal.example"))),
        ("moved", at("/moved"), Some(("framing", "`X-Frame-Options: DENY`"))),
        ("round", at("/round"), Some(("status", "more than 5 times"))),
        ("elsewhere", at("/elsewhere"), Some(("status", "neither http nor https"))),
        ("lost", at("/none"), Some(("status", "404 Not Found"))),
        ("broken", at("/broken"), Some(("status", "500 Internal Server Error"))),
        ("closed", format!("http://{closed}/"), Some(("unreachable", "refused"))),
        (
            "unknown",
            "http://no-such-host.invalid/".into(),
            Some(("unreachable", "no-such-host.invalid")),
        ),
        ("no-tls", format!("https://{server}/"), Some(("unreachable", "cannot be reached"))),
    ];
    let definitions = cases.iter().map(|(name, url, _)| page(name, url)).collect();
    let desk = desk(definitions).await;
    let screen = screen(&desk).await;
    for (name, _, expected) in cases {
        let found = probe(&screen, name).await;
        let Some((code, reason)) = expected else {
            assert_eq!(found, json!({ "ok": true }), "{name}");
            continue;
        };
        assert_eq!(
            (&found["ok"], &found["code"]),
            (&json!(false), &json!(code)),
            "{name}: {found}"
        );
        assert!(found["reason"].as_str().unwrap().contains(reason), "{name}: {found}");
        let fix = found["fix"].as_str().unwrap();
        let names = fix.contains(&format!("`{name}` in ")) && fix.contains("apps.json:");
        let policy = fix.contains("frame-ancestors http://127.0.0.1:4111");
        assert!(if code == "framing" { policy } else { names }, "{name}: {fix}");
    }

    // The desk may be somewhere else than the gateway says.
    let (_, window) = open(&screen, "picky").await;
    let asked = json!({ "windowId": window, "origin": "https://portal.example" });
    let found = ask(&screen, "Deskwire.Frame.Probe", asked).await.unwrap();
    assert_eq!(found, json!({ "ok": true }));
    desk.platform.stop().await;
}

#[tokio::test]
async fn a_page_is_asked_for_without_secrets() {
    let secrets = [AUTHORIZATION, COOKIE, REFERER];
    let clean = move |headers: HeaderMap| async move {
        let told = secrets.iter().any(|name| headers.contains_key(name));
        if told { StatusCode::IM_A_TEAPOT.into_response() } else { "x".into_response() }
    };
    let first = || async { ([(SET_COOKIE, "id=1")], Redirect::to("/clean")) };
    let server = serve(Router::new().route("/first", get(first)).route("/clean", get(clean))).await;
    let url = format!("http://ada:s3cret@{server}/first");
    let desk = desk(json!([page("clean", &url)])).await;
    let screen = screen(&desk).await;
    assert_eq!(probe(&screen, "clean").await, json!({ "ok": true }));
    desk.platform.stop().await;
}

#[tokio::test]
async fn few_pages_are_asked_for_at_a_time() {
    // It takes connections, and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let desk = desk(json!([page("silent", &url), page("nowhere", "http://127.0.0.1:1/")])).await;
    let screen = screen(&desk).await;
    let (_, window) = open(&screen, "silent").await;
    let probe_it = || ask(&screen, "Deskwire.Frame.Probe", json!({ "windowId": window }));
    let all = futures_util::future::join_all((0..5).map(|_| probe_it())).await;
    let refused: Vec<_> = all.iter().filter_map(|one| one.as_ref().err()).collect();
    assert_eq!(refused.len(), 1, "{all:?}");
    assert!(refused[0].contains("too-many: "), "{refused:?}");
    for found in all.iter().flatten() {
        assert_eq!(found["code"], "slow", "{found}");
    }
    // They have made room again.
    assert_eq!(probe(&screen, "nowhere").await["code"], "unreachable");
    desk.platform.stop().await;
}
