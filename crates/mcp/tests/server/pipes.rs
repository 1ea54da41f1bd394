//! One client on a pair of pipes, as on standard input and output.

use std::time::Duration;

use deskwire_connect::{
    Client, ConnectError, Connector, Limits, Link, Options, Status, in_process,
};
use deskwire_mcp::{Config, McpServer, ServeError};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::desk::{Desk, gateway, greeting, within};
use crate::mcp::names;

/// The client's end of the pipes.
pub(crate) struct Pipes {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), ServeError>>,
}

impl Pipes {
    pub(crate) fn new(server: &McpServer) -> Self {
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

    pub(crate) async fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer = self.message().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    pub(crate) async fn initialize(&mut self) {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        let result = self.ask(0, "initialize", params).await;
        assert_eq!(result["protocolVersion"], "2025-11-25");
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }

    /// The client asks nothing more; all that it is still told.
    async fn end(mut self) -> Vec<Value> {
        self.writer.shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Some(line) = within(self.lines.next_line()).await.unwrap() {
            rest.push(serde_json::from_str(&line).expect("a line is a message"));
        }
        within(self.served).await.unwrap().unwrap();
        rest
    }

    /// The client goes; how serving it ended.
    async fn close(self) -> Result<(), ServeError> {
        drop((self.lines, self.writer));
        within(self.served).await.unwrap()
    }
}

pub(crate) fn with_meta(mut params: Value) -> Value {
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
async fn lines_that_are_no_message_are_answered_and_do_not_end_the_session() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    for (line, code, id) in [
        ("{\"jsonrpc\":", -32700, json!(null)),
        ("ready!", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        ("7", -32600, json!(null)),
        (r#"{"id":3,"method":"ping"}"#, -32600, json!(3)),
    ] {
        pipes.writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        let answer = pipes.message().await;
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert_eq!(answer.get("id"), Some(&id), "{line}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().len() > 20, "{line}: {answer}");
        // Over HTTP it is the same.
        let request = crate::mcp::request(http::Method::POST, &[], line.to_owned());
        let response = crate::mcp::send(&desk.router, request).await;
        assert_eq!(crate::mcp::refused(response, http::StatusCode::BAD_REQUEST).await, answer);
    }
    assert_eq!(names(&pipes.ask(1, "tools/list", json!({})).await), Vec::<String>::new());
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_and_skipped() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    let long = format!("\"{}\"\n", "x".repeat(16 * 1024 * 1024));
    pipes.writer.write_all(long.as_bytes()).await.unwrap();
    let answer = pipes.message().await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("longer than"), "{answer}");
    assert_eq!(names(&pipes.ask(1, "tools/list", json!({})).await), Vec::<String>::new());
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn of_two_requests_with_one_id_the_second_is_refused() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let (slow, begun, go_on) = app.waits("slow").await;
    desk.shows(&["slow"]).await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                      "params": {"name": "slow", "arguments": {"name": "Ada"}}});
    pipes.send(call.clone()).await;
    within(begun.notified()).await;
    pipes.send(call.clone()).await;
    let refused = pipes.message().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32600)));
    go_on.notify_one();
    let answer = pipes.message().await;
    assert_eq!(answer["result"]["structuredContent"]["greeting"], "at last");
    assert_eq!(slow.calls(), 1);
    // Once it is answered, the id is free.
    assert_eq!(pipes.ask(7, "ping", json!({})).await, json!({}));

    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                           "params": {"requestId": 8}});
    let mut eighth = call;
    eighth["id"] = json!(8);
    pipes.send(eighth).await;
    within(begun.notified()).await;
    pipes.send(cancelled).await;
    assert_eq!(pipes.ask(9, "ping", json!({})).await, json!({}));
    pipes.close().await.unwrap();
}

#[tokio::test]
async fn a_last_line_without_an_end_is_answered() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    let last = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}).to_string();
    pipes.writer.write_all(last.as_bytes()).await.unwrap();
    pipes.writer.shutdown().await.unwrap();
    assert_eq!(pipes.message().await["id"], 9);
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
    let result = pipes.ask(3, "tools/call", json!({"name": "greet"})).await;
    assert!(start.elapsed() < Duration::from_millis(100), "only the first waits");
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("this server is still joining its bus"), "{text}");
}

#[tokio::test]
async fn the_bus_is_joined_by_the_first_request_that_needs_it() {
    let list = ("tools/list", json!({}));
    let call = ("tools/call", json!({"name": "greet", "arguments": {"name": "Ada"}}));
    let listen = ("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    for (method, params) in [list, call, listen] {
        let desk = Desk::new().await;
        let app = desk.app("clients").await;
        let _greet = app.greets("greet").await;
        desk.shows(&["greet"]).await;
        let link = desk.gateway.clone();
        let bus = Client::idle(in_process(move || link.connect()), Options::new("lazy"));
        let mut pipes = Pipes::new(&McpServer::new(bus.clone(), Config::new("desk", "1")));
        pipes.ask(1, "server/discover", with_meta(json!({}))).await;
        assert_eq!(*bus.status().borrow(), Status::Idle, "nothing needs the bus");
        let request = json!({"jsonrpc": "2.0", "id": 2, "method": method,
                             "params": with_meta(params)});
        pipes.send(request).await;
        let said = pipes.message().await;
        match method {
            "tools/list" => assert_eq!(names(&said["result"]), ["greet"]),
            "tools/call" => assert_eq!(said["result"]["isError"], false, "{said}"),
            _ => {
                assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
                let change = pipes.message().await;
                assert_eq!(change["method"], "notifications/tools/list_changed", "{change}");
            }
        }
        within(bus.ready()).await.unwrap();
        pipes.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_session_alone_does_not_join_the_bus() {
    let gateway = gateway();
    let bus = Client::idle(in_process(move || gateway.connect()), Options::new("lazy"));
    let mut pipes = Pipes::new(&McpServer::new(bus.clone(), Config::new("desk", "1")));
    pipes.initialize().await;
    pipes.ask(1, "ping", json!({})).await;
    assert_eq!(*bus.status().borrow(), Status::Idle);
    pipes.ask(2, "tools/list", json!({})).await;
    assert!(matches!(*bus.status().borrow(), Status::Ready { .. }));
    pipes.close().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_was_asked_before_the_end_is_answered() {
    let desk = Desk::new().await;
    let app = desk.app("clients").await;
    let _greet = app.greets("greet").await;
    let _slow = app.hangs(greeting("slow")).await;
    desk.shows(&["greet", "slow"]).await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    let start = Instant::now();
    let call = |id, name| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
               "params": {"name": name, "arguments": {"name": "Ada"}}})
    };
    for message in [call(1, "greet"), call(2, "slow"), call(3, "greet")] {
        pipes.send(message).await;
    }
    // The last line lacks its end.
    let list = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/list"});
    pipes.writer.write_all(list.to_string().as_bytes()).await.unwrap();
    let mut answers = pipes.end().await;
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    answers.sort_by_key(|answer| answer["id"].as_i64());
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(answers[0]["result"]["structuredContent"], json!({"greeting": "Hello, Ada"}));
    let given_up = answers[1]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(given_up.contains("`slow` was cancelled"), "{given_up}");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_at_the_last_moment_does_not_hold_up_the_end() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    let start = Instant::now();
    let filter = with_meta(json!({"notifications": {"toolsListChanged": true}}));
    let listen =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": filter});
    pipes.send(listen).await;
    let said = pipes.end().await;
    assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    assert_eq!(said[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(said[1]["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_answers_does_not_hold_up_the_end() {
    let desk = Desk::new().await;
    let mut pipes = Pipes::new(&desk.server);
    pipes.initialize().await;
    // More than the pipe holds, and nobody reads.
    for number in 0..100 {
        let id = format!("{number}{}", "x".repeat(1000));
        let line = format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
        pipes.writer.write_all(line.as_bytes()).await.unwrap();
    }
    let start = Instant::now();
    pipes.writer.shutdown().await.unwrap();
    within(pipes.served).await.unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}
