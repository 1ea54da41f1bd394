//! The desktop of which the model's view is written down: the demo, static tools
//! of the operator, and an application that fails in every way there is.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::{Flags, Method, Payload};
use deskwire_connect::{Call, CallFailure, Client, Options, in_process};
use deskwire_gateway::{Gateway, Tokens};
use deskwire_mcp::{McpServer, Surface};
use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::{Notify, mpsc};

use crate::config::Config;
use crate::demo::{self, Demo};
use crate::stack;

/// The last tool of the application that fails.
const LAST: &str = "zz_never_answers";
/// Whatever should happen happens within this.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) struct Desk {
    pub(super) client: Asking,
    /// Told when the application that fails is called and does not answer.
    pub(super) called: Arc<Notify>,
    fails: Client,
    server: McpServer,
    _demo: Demo,
}

impl Desk {
    pub(super) async fn new() -> Self {
        let config = configuration();
        // The real one is whoever runs the test.
        let settings =
            deskwire_gateway::Config { user: "ada".into(), ..stack::gateway_config(&config) };
        let gateway = Gateway::new(settings, Tokens::ephemeral().unwrap());
        let mcp = stack::mcp_config(&config).unwrap();
        let (server, _) = stack::start_mcp(&gateway, mcp).await.unwrap();
        let demo = demo::start(&gateway).await.unwrap();
        let called = Arc::new(Notify::new());
        let fails = failing(&gateway, &called).await;
        within(server.surface_when(|surface| has(surface, LAST))).await;
        Self { client: Asking::new(&server), fails, called, server, _demo: demo }
    }

    /// The application that fails leaves. Returns when its tools have left, too.
    pub(super) async fn lose(&self) {
        within(self.fails.close()).await;
        within(self.server.surface_when(|surface| !has(surface, LAST))).await;
    }
}

fn has(surface: &Surface, name: &str) -> bool {
    surface.entries().iter().any(|entry| **entry.tool.definition().name() == *name)
}

/// A client of a server whose gateway hangs up on everybody.
pub(super) async fn without_bus() -> Asking {
    let refuse = || {
        // The other ends are gone at once.
        let (frames, _) = mpsc::channel(1);
        let (_, incoming) = mpsc::channel(1);
        (frames, incoming)
    };
    let bus = Client::start(in_process(refuse), Options::new(stack::APPLICATION));
    let config = deskwire_mcp::Config {
        bus_address: Some("ws://127.0.0.1:4111/gw".into()),
        join_wait: Duration::ZERO,
        ..stack::mcp_config(&configuration()).unwrap()
    };
    let server = McpServer::new(bus, config);
    let decided = server.surface_when(|surface| {
        surface.missing_bus().is_some_and(|bus| bus.reason.contains("lost"))
    });
    within(decided).await;
    Asking::new(&server)
}

/// The operator's: a tool of each availability, and one that shows a view.
fn configuration() -> Config {
    let tool = |availability: &str, name: &str, description: &str, method: &str| {
        json!({
            "availability": availability,
            "name": name,
            "config": {
                "title": format!("Title of {name}"),
                "description": description,
                "inputSchema": {
                    "type": "object",
                    "properties": {"text": {"type": "string", "description": "What to write."}},
                    "required": ["text"],
                },
                "outputSchema": {"type": "string"},
                "annotations": {"readOnlyHint": false, "openWorldHint": true},
                "_meta": {"example.com/origin": "configuration"},
            },
            "interop": {"methodName": method, "responseTimeoutMs": 100},
        })
    };
    let mut view = tool("constant", "show_note", "Shows a note to the person.", "Notes.Show");
    view["config"]["_meta"] = json!({"ui": {"resourceUri": "ui://notes/show"}});
    let mut archive = tool("constant", "archive_note", "Puts a note away.", "Notes.Archive");
    archive["interop"]["allowedApplications"] = json!(["archive"]);
    serde_json::from_value(json!({"server": {"tools": {"static": {"methods": [
        archive,
        tool("variable", "write_note", "Writes a note. Nobody answers in time.", "Zz.zz_never_answers"),
        tool("variable", "unseen_note", "Is seen by nobody.", "Notes.Unseen"),
        view,
    ]}}}}))
    .unwrap()
}

/// Joins with an identity that is the same in every run.
async fn failing(gateway: &Gateway, called: &Arc<Notify>) -> Client {
    let link = gateway.clone();
    let identity = Map::from_iter([("instance".to_owned(), json!("fails-1"))]);
    let options = Options { identity, ..Options::new("fails") };
    let app = Client::start(in_process(move || link.connect()), options);
    within(app.ready()).await.unwrap();
    let refuses = |_: Call| async { Err::<Payload, _>(CallFailure::new("the market is closed")) };
    let wrong = |_: Call| async { Ok::<_, CallFailure>(Payload::from(json!({"total": "many"}))) };
    let panics = |call: Call| async move {
        assert!(call.arguments.value().is_null(), "it always panics");
        Ok::<_, CallFailure>(Payload::from(json!({})))
    };
    let told = Arc::clone(called);
    let never = move |_: Call| {
        told.notify_one();
        std::future::pending::<Result<Payload, CallFailure>>()
    };
    within(app.register(method("zz_refuses"), refuses)).await.unwrap().keep();
    within(app.register(method("zz_answers_wrong"), wrong)).await.unwrap().keep();
    within(app.register(method("zz_panics"), panics)).await.unwrap().keep();
    within(app.register(method(LAST), never)).await.unwrap().keep();
    app
}

fn method(tool: &str) -> Method {
    let flag = json!({
        "name": tool,
        "inputSchema": json!({"type": "object"}).to_string(),
        "outputSchema":
            json!({"type": "object", "properties": {"total": {"type": "integer"}}}).to_string(),
    });
    Method {
        name: format!("Zz.{tool}"),
        description: Some("Fails, for the errors below.".into()),
        flags: Flags {
            metadata: Map::from_iter([("ioIntelMCPTool".to_owned(), flag)]),
            streaming: false,
        },
        ..Method::default()
    }
}

/// An MCP client on a pair of pipes, which declares something else with each
/// request.
pub(super) struct Asking {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    id: u64,
}

impl Asking {
    fn new(server: &McpServer) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let server = server.clone();
        tokio::spawn(async move { server.serve(read, write).await });
        let (read, writer) = tokio::io::split(ours);
        Self { lines: BufReader::new(read).lines(), writer, id: 0 }
    }

    pub(super) async fn begin(&mut self, method: &str, mut params: Value, capabilities: &Value) {
        self.id += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "model-view", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        let request = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        within(self.writer.write_all(format!("{request}\n").as_bytes())).await.unwrap();
    }

    /// The answer to the request that was begun last.
    pub(super) async fn answer(&mut self) -> Value {
        let line = within(self.lines.next_line()).await.unwrap().expect("an answer");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], self.id);
        answer
    }

    pub(super) async fn ask(&mut self, method: &str, params: Value, capabilities: &Value) -> Value {
        self.begin(method, params, capabilities).await;
        self.answer().await
    }

    /// What the model reads of a call.
    pub(super) async fn call(&mut self, tool: &str, arguments: Value) -> String {
        let params = json!({"name": tool, "arguments": arguments});
        read(&self.ask("tools/call", params, &json!({})).await)
    }
}

/// What the model reads of an answer that is an error.
pub(super) fn read(answer: &Value) -> String {
    if let Some(error) = answer.get("error") {
        return format!("error {}: {}", error["code"], error["message"].as_str().unwrap());
    }
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

pub(super) async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(LIMIT, future).await.expect("this never happened")
}
