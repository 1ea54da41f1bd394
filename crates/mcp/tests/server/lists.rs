//! Lists of tools: always of this moment, and the same on every way to a client.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::Payload;
use deskwire_connect::{
    Call, CallFailure, Client, ConnectError, Connector, Limits, Link, Options, in_process,
};
use deskwire_gateway::Gateway;
use deskwire_mcp::{Config, McpServer};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::desk::{Desk, gateway, greeting, options, within};
use crate::mcp::{Session, ask, body, modern, send};
use crate::pipes::{Pipes, with_meta};

/// What a client that declares nothing is listed, on each way there is.
async fn lists(desk: &Desk, session: &Session) -> [Value; 4] {
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    [
        session.ask("tools/list", json!({})).await["result"].clone(),
        ask(&desk.router, "tools/list", json!({}), &json!({})).await["result"].clone(),
        pipes.ask(1, "tools/list", json!({})).await,
        pipes.ask(2, "tools/list", with_meta(json!({}))).await,
    ]
}

#[tokio::test]
async fn a_list_is_of_this_moment_on_every_way() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let session = Session::new(&desk.router, json!({})).await;
    for list in lists(&desk, &session).await {
        assert_eq!(list["tools"], json!([]));
    }
    for text in ["Says \"hello\".", "Says “good bye”.", "Says \"hello\"."] {
        let mut method = greeting("greet");
        method.description = Some(text.into());
        let greet = app.hangs(method).await;
        desk.shows(&["greet"]).await;
        // More than once, for it is written only once.
        for _ in 0..2 {
            for list in lists(&desk, &session).await {
                let [tool] = &list["tools"].as_array().unwrap()[..] else { panic!("{list}") };
                assert_eq!(tool["description"], text);
                assert_eq!(tool["inputSchema"]["required"], json!(["name"]));
            }
        }
        greet.withdraw().await;
        desk.shows(&[]).await;
    }
}

#[tokio::test]
async fn an_answer_with_a_list_has_its_length() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let _greet = app.greets("greet").await;
    desk.shows(&["greet"]).await;
    let response = send(&desk.router, modern(1, "tools/list", json!({}), &json!({}))).await;
    assert_eq!(response.status(), StatusCode::OK);
    let length = response.headers()["content-length"].to_str().unwrap().to_owned();
    assert_eq!(body(response).await.len().to_string(), length);
}

/// A gateway that lets nobody in before it is told to.
struct Late {
    gateway: Gateway,
    open: Arc<Notify>,
}

impl Connector for Late {
    async fn connect(&self, _: &Limits) -> Result<Link, ConnectError> {
        self.open.notified().await;
        let (frames, incoming) = self.gateway.connect();
        Ok(Link { frames, incoming })
    }

    fn describe(&self) -> String {
        "a late gateway".into()
    }
}

#[tokio::test]
async fn a_list_is_whole_on_a_stream_that_is_resumed() {
    let open = Arc::new(Notify::new());
    let late = Late { gateway: gateway(), open: Arc::clone(&open) };
    let config = Config { join_wait: Duration::from_secs(3600), ..Config::new("desk", "1") };
    let gateway = late.gateway.clone();
    let other = Client::start(in_process(move || gateway.connect()), Options::new("clients"));
    within(other.ready()).await.unwrap();
    let hang = |_: Call| pending::<Result<Payload, CallFailure>>();
    within(other.register(greeting("greet"), hang)).await.unwrap().keep();

    let server = McpServer::new(Client::start(late, Options::new("mcp")), config);
    let router = server.http(options());
    let session = Session::new(&router, json!({})).await;
    // It waits for the bus.
    let (id, mut stream) = session.begin("tools/list", json!({})).await;
    let last = stream.primed().await;
    drop(stream);
    let mut stream = session.stream(Some(&last)).await;
    open.notify_one();
    let answer = stream.message().await.unwrap();
    assert_eq!(answer["id"], id);
    assert_eq!(answer["result"]["tools"][0]["name"], "greet", "{answer}");
}
