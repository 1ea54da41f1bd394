//! A client of MCP over HTTP, down to the bytes.

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use futures_util::StreamExt;
use http::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::desk::within;

/// A request as a careful client sends it.
pub(crate) fn request(
    method: Method,
    headers: &[(&str, &str)],
    body: impl Into<Body>,
) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri("/")
        .header("host", "localhost:4111")
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json");
    for (name, value) in headers {
        let fields = request.headers_mut().unwrap();
        fields.insert(http::HeaderName::try_from(*name).unwrap(), value.parse().unwrap());
    }
    request.body(body.into()).unwrap()
}

pub(crate) async fn send(router: &Router, request: Request<Body>) -> Response<Body> {
    within(router.clone().oneshot(request)).await.unwrap()
}

pub(crate) async fn body(response: Response<Body>) -> String {
    let bytes = within(to_bytes(response.into_body(), usize::MAX)).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The JSON body of a response that must have this status.
pub(crate) async fn refused(response: Response<Body>, status: StatusCode) -> Value {
    assert_eq!(response.status(), status);
    assert_eq!(response.headers()["content-type"], "application/json");
    serde_json::from_str(&body(response).await).unwrap()
}

/// A session of a revision before 2026-07-28.
pub(crate) struct Session {
    router: Router,
    pub(crate) id: String,
    next: std::sync::atomic::AtomicI64,
}

impl Session {
    pub(crate) async fn new(router: &Router, capabilities: Value) -> Self {
        Self::with_version(router, capabilities, "2025-11-25").await.0
    }

    /// The session, and the result of initialize.
    pub(crate) async fn with_version(
        router: &Router,
        capabilities: Value,
        version: &str,
    ) -> (Self, Value) {
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}}});
        let response = send(router, request(Method::POST, &[], initialize.to_string())).await;
        assert_eq!(response.status(), StatusCode::OK);
        let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let result = Stream::of(response).answer().await["result"].clone();
        let session = Self { router: router.clone(), id, next: 1.into() };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.post(&initialized).await.status(), StatusCode::ACCEPTED);
        (session, result)
    }

    pub(crate) async fn post(&self, message: &Value) -> Response<Body> {
        let headers = [("mcp-session-id", self.id.as_str())];
        send(&self.router, request(Method::POST, &headers, message.to_string())).await
    }

    /// Sends a request; its id, and the stream its answer comes on.
    pub(crate) async fn begin(&self, method: &str, params: Value) -> (i64, Stream) {
        let id = self.next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let response = self.post(&message).await;
        assert_eq!(response.status(), StatusCode::OK);
        (id, Stream::of(response))
    }

    /// The whole answer to a request.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let (id, mut stream) = self.begin(method, params).await;
        let answer = stream.answer().await;
        assert_eq!(answer["id"], id);
        answer
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await["result"]
            .clone()
    }

    /// Names of the tools the session sees.
    pub(crate) async fn tools(&self) -> Vec<String> {
        names(&self.ask("tools/list", json!({})).await["result"])
    }

    pub(crate) async fn cancel(&self, id: i64) {
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                               "params": {"requestId": id}});
        assert_eq!(self.post(&cancelled).await.status(), StatusCode::ACCEPTED);
    }

    /// The session's own stream.
    pub(crate) async fn stream(&self, last_event: Option<&str>) -> Stream {
        let mut headers = vec![("mcp-session-id", self.id.as_str())];
        headers.extend(last_event.map(|id| ("last-event-id", id)));
        let response = send(&self.router, request(Method::GET, &headers, Body::empty())).await;
        assert_eq!(response.status(), StatusCode::OK);
        Stream::of(response)
    }

    pub(crate) async fn is_alive(&self) -> bool {
        let ping = json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"});
        match self.post(&ping).await.status() {
            StatusCode::OK => true,
            StatusCode::NOT_FOUND => false,
            other => panic!("{other}"),
        }
    }
}

pub(crate) fn names(list: &Value) -> Vec<String> {
    let tools = list["tools"].as_array().expect("a list of tools");
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// A request of 2026-07-28.
pub(crate) fn modern(
    id: i64,
    method: &str,
    mut params: Value,
    capabilities: &Value,
) -> Request<Body> {
    let name = params["name"].as_str().map(str::to_owned);
    for (key, value) in [
        ("io.modelcontextprotocol/protocolVersion", json!("2026-07-28")),
        ("io.modelcontextprotocol/clientInfo", json!({"name": "test", "version": "1"})),
        ("io.modelcontextprotocol/clientCapabilities", capabilities.clone()),
    ] {
        params["_meta"][key] = value;
    }
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    request(Method::POST, &headers, message.to_string())
}

/// The whole answer to a request of 2026-07-28.
pub(crate) async fn ask(
    router: &Router,
    method: &str,
    params: Value,
    capabilities: &Value,
) -> Value {
    let response = send(router, modern(7, method, params, capabilities)).await;
    assert_eq!(response.headers()["content-type"], "application/json", "{method}");
    let answer: Value = serde_json::from_str(&body(response).await).unwrap();
    assert_eq!(answer["id"], 7);
    answer
}

/// An open subscription of 2026-07-28, acknowledged.
pub(crate) async fn listen(router: &Router, capabilities: &Value) -> Stream {
    let params = json!({"notifications": {"toolsListChanged": true}});
    let response = send(router, modern(9, "subscriptions/listen", params, capabilities)).await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut stream = Stream::of(response);
    let acknowledged = stream.message().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"]["toolsListChanged"], true);
    stream
}

/// Server-sent events, or one JSON body.
pub(crate) struct Stream {
    chunks: BodyDataStream,
    rest: String,
    /// Comments that came.
    comments: usize,
    /// The id of the latest event that had one.
    pub(crate) last_event: Option<String>,
}

impl Stream {
    pub(crate) fn of(response: Response<Body>) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let chunks = response.into_body().into_data_stream();
        Self { chunks, rest: String::new(), comments: 0, last_event: None }
    }

    /// Waits for that many comments, and for no message.
    pub(crate) async fn comments(&mut self, count: usize) {
        while self.comments < count {
            if let Some(message) = self.step().await.expect("the stream is open") {
                panic!("{message}");
            }
        }
    }

    /// The next message; `None` at the end of the stream.
    pub(crate) async fn message(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = self.step().await? {
                return Some(message);
            }
        }
    }

    /// Takes the event by which the stream of a request can be resumed; its id.
    pub(crate) async fn primed(&mut self) -> String {
        assert_eq!(self.step().await, Some(None), "it comes first");
        self.last_event.clone().expect("an id")
    }

    /// Reads on by an event; `None` at the end of the stream.
    async fn step(&mut self) -> Option<Option<Value>> {
        loop {
            if let Some((event, rest)) = self.rest.split_once("\n\n") {
                let event = event.to_owned();
                self.rest = rest.to_owned();
                let mut data = String::new();
                for line in event.lines() {
                    match line.split_once(':') {
                        Some(("", _)) => self.comments += 1,
                        Some(("data", text)) => data.push_str(text.trim_start()),
                        Some(("id", id)) => self.last_event = Some(id.trim().to_owned()),
                        _ => {}
                    }
                }
                let message = (!data.is_empty()).then(|| serde_json::from_str(&data));
                return Some(message.transpose().expect("an event holds JSON"));
            }
            let chunk = within(self.chunks.next()).await?.unwrap();
            self.rest.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The last message of the stream of a request, which is its answer.
    pub(crate) async fn answer(&mut self) -> Value {
        let answer = self.message().await.expect("an answer");
        assert!(answer.get("id").is_some(), "{answer}");
        assert_eq!(self.message().await, None, "nothing follows the answer");
        answer
    }

    /// Takes a list change, and nothing else.
    pub(crate) async fn list_changed(&mut self) {
        let message = self.message().await.expect("a message");
        assert_eq!(message["method"], "notifications/tools/list_changed", "{message}");
    }

    /// Lets the clock run for a minute, in which no message may come.
    pub(crate) async fn is_quiet(&mut self) {
        let minute = std::time::Duration::from_secs(60);
        if let Ok(message) = tokio::time::timeout(minute, self.message()).await {
            panic!("{message:?}");
        }
    }
}
