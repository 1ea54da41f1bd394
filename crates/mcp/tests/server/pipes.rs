//! One client on a pair of pipes, as on standard input and output.

use std::time::Duration;

use deskwire_connect::{Client, ConnectError, Connector, Limits, Link, Options};
use deskwire_mcp::{Config, McpServer, ServeError};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::desk::{Desk, within};
use crate::mcp::names;

/// The client's end of the pipes.
struct Pipes {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), ServeError>>,
}

impl Pipes {
    fn new(server: &McpServer) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let server = server.clone();
        let served = tokio::spawn(async move { server.serve(read, write).await });
        let (read, writer) = tokio::io::split(ours);
        Self { lines: BufReader::new(read).lines(), writer, served }
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// The next line, which must be a JSON-RPC message.
    async fn message(&mut self) -> Value {
        let line = within(self.lines.next_line()).await.unwrap().expect("a line");
        let message: Value = serde_json::from_str(&line).expect("a line is a message");
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    async fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer = self.message().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    async fn initialize(&mut self) {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        let result = self.ask(0, "initialize", params).await;
        assert_eq!(result["protocolVersion"], "2025-11-25");
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }

    /// The client goes; how serving it ended.
    async fn close(self) -> Result<(), ServeError> {
        drop((self.lines, self.writer));
        within(self.served).await.unwrap()
    }
}

fn with_meta(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

#[tokio::test]
async fn a_session_lists_calls_and_is_told() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    assert_eq!(names(&pipes.ask(1, "tools/list", json!({})).await), Vec::<String>::new());
    let _greet = app.greets("greet").await;
    assert_eq!(pipes.message().await["method"], "notifications/tools/list_changed");
    assert_eq!(names(&pipes.ask(2, "tools/list", json!({})).await), ["greet"]);
    for id in 3..23 {
        let params = json!({"name": "greet", "arguments": {"name": "Ada"}});
        let result = pipes.ask(id, "tools/call", params).await;
        assert_eq!(result["structuredContent"], json!({"greeting": "Hello, Ada"}));
    }
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn single_requests_are_served_too() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let mut pipes = Pipes::new(&desk.server);
    let result = pipes.ask(1, "server/discover", with_meta(json!({}))).await;
    assert!(result["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    let result = pipes.ask(2, "tools/list", with_meta(json!({}))).await;
    assert_eq!(result["ttlMs"], 0);
    let filter = with_meta(json!({"notifications": {"toolsListChanged": true}}));
    pipes
        .send(
            json!({"jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen", "params": filter}),
        )
        .await;
    assert_eq!(pipes.message().await["method"], "notifications/subscriptions/acknowledged");
    let _greet = app.greets("greet").await;
    assert_eq!(pipes.message().await["method"], "notifications/tools/list_changed");
    assert_eq!(names(&pipes.ask(4, "tools/list", with_meta(json!({}))).await), ["greet"]);
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn a_client_that_says_nothing_is_no_error() {
    let desk = Desk::new().await;
    Pipes::new(&desk.server).close().await.unwrap();
}

#[tokio::test]
async fn lines_that_are_no_message_do_not_end_the_session() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    pipes.writer.write_all(b"{\"jsonrpc\":\n\nready!\n").await.unwrap();
    assert_eq!(names(&pipes.ask(1, "tools/list", json!({})).await), Vec::<String>::new());
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn shutdown_ends_the_session() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    within(desk.server.shutdown()).await;
    within(pipes.served).await.unwrap().unwrap();
}

/// A gateway that is not there.
struct Nowhere;

impl Connector for Nowhere {
    async fn connect(&self, _: &Limits) -> Result<Link, ConnectError> {
        std::future::pending().await
    }

    fn describe(&self) -> String {
        "nowhere".into()
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_bus_the_first_list_waits_a_moment() {
    let bus = Client::start(Nowhere, Options::new("mcp"));
    let server = McpServer::new(bus, Config::new("desk", "1"));
    let mut pipes = Pipes::new(&server);
    pipes.initialize().await;
    let start = Instant::now();
    assert_eq!(names(&pipes.ask(1, "tools/list", json!({})).await), Vec::<String>::new());
    let waited = start.elapsed();
    assert!(
        waited >= Duration::from_millis(1500) && waited < Duration::from_millis(1600),
        "{waited:?}"
    );
    let start = Instant::now();
    pipes.ask(2, "tools/list", json!({})).await;
    assert!(start.elapsed() < Duration::from_millis(100), "only the first waits");
}
