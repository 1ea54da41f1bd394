//! Streamable HTTP: the endpoint, and the answers to what is not MCP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use deskwire_wire::shown_name;
use futures_util::StreamExt;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, Method, StatusCode};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio_util::bytes::BytesMut;

use super::handler::Handler;
use super::held::Held;
use super::lists::Gap;
use super::message::{self, Refusal};
use super::sessions::{SESSION_HEADER, SessionLimits, Sessions};
use super::{McpServer, client};

/// Longest text of an error that is passed on.
const MAX_ERROR: usize = 16 * 1024;

/// How the endpoint behaves.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Who looks at Host and Origin.
    pub doors: Doors,
    /// Longest request in bytes.
    pub max_request: usize,
    /// How often a comment is sent on a stream on which nothing else is.
    pub keep_alive: Duration,
    /// Sessions of the revisions before 2026-07-28.
    pub sessions: SessionLimits,
}

/// Who looks at Host and Origin. Without such a look any web page reaches the
/// tools of whoever opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doors {
    /// The endpoint, which answers 403 to any other.
    Here {
        /// Values of `Host` that are served, with or without a port.
        hosts: Vec<String>,
        /// Values of `Origin` that are served, such as `http://localhost:*`.
        /// Requests without `Origin` are served.
        origins: Vec<String>,
    },
    /// A layer around the endpoint, which has done so.
    Outside,
}

impl Default for HttpOptions {
    /// The loopback host, no browsers, 4 MiB, 15 s.
    fn default() -> Self {
        let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
        Self {
            doors: Doors::Here { hosts, origins: Vec::new() },
            max_request: 4 * 1024 * 1024,
            keep_alive: Duration::from_secs(15),
            sessions: SessionLimits::default(),
        }
    }
}

/// What the door has to know.
#[derive(Clone)]
struct Door {
    server: McpServer,
    sessions: Arc<Sessions>,
    max_request: usize,
}

pub(super) fn router(server: &McpServer, options: HttpOptions) -> Router {
    let sessions = Sessions::new(server.clone(), options.sessions);
    let config =
        StreamableHttpServerConfig::default().with_cancellation_token(server.closing_token());
    let mut config = match options.doors {
        Doors::Here { hosts, origins } => config
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation(),
        Doors::Outside => config.disable_allowed_hosts().disable_allowed_origins(),
    };
    config.sse_keep_alive = Some(options.keep_alive);
    config.json_response = true;
    config.max_request_body_bytes = options.max_request;
    let handler = Handler::for_http(server.clone(), Arc::clone(&sessions));
    let service = StreamableHttpService::new(
        move || Ok(handler.of_another_client()),
        Arc::clone(&sessions),
        config,
    );
    let door = Door { server: server.clone(), sessions, max_request: options.max_request };
    Router::new().route_service("/", service).layer(from_fn_with_state(door, enter))
}

/// Lets requests in, and gives every refusal a JSON-RPC body.
async fn enter(State(door): State<Door>, request: Request, next: Next) -> Response {
    if door.server.is_draining() {
        let refused = server_error("the server is shutting down", None);
        return refusal(StatusCode::SERVICE_UNAVAILABLE, &refused);
    }
    let working = door.server.working();
    let response = answer(&door, request, next).await;
    // Small answers are whole; those on streams are on their way until the end.
    if !is_stream(response.headers()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let body = Held::new(body.into_data_stream(), working);
    Response::from_parts(parts, Body::from_stream(body))
}

async fn answer(door: &Door, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        let session = session_of(request.headers());
        let ends = session.as_ref().filter(|_| request.method() == Method::DELETE);
        let is_lost = ends.is_some_and(|session| !door.sessions.knows(session));
        let response = next.run(request).await;
        // To the library the end of a session that nobody has is one.
        if is_lost && response.status().is_success() {
            return session_not_found(None);
        }
        return door.explained(response, session, None).await;
    }
    let (parts, body) = request.into_parts();
    if let Some(coding) = encoding(&parts.headers) {
        let message = format!("the request is encoded as {coding}; send it as it is");
        return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, &server_error(message, None));
    }
    let body = match read(body, door.max_request).await {
        Ok(body) => body,
        Err((status, message)) => return refusal(status, &server_error(message, None)),
    };
    if let Some(refused) = message::odd_cursor(&body) {
        return refusal(StatusCode::BAD_REQUEST, &refused);
    }
    let session = session_of(&parts.headers);
    let is_json = is_json(&parts.headers);
    let mut request = Request::from_parts(parts, Body::from(body.clone()));
    let gap = Gap::default();
    request.extensions_mut().insert(gap.place());
    let served = client::serving(body.clone(), next.run(request)).await;
    let response = gap.response(served).await;
    // The library answers 415 to what it cannot read, whatever its type.
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json {
        let refused = message::why_unreadable(&body);
        let refused =
            refused.unwrap_or_else(|| Refusal::invalid("a notification cannot be read", None));
        return refusal(StatusCode::BAD_REQUEST, &refused);
    }
    door.explained(response, session, Some(&body)).await
}

/// The whole body of a request.
async fn read(body: Body, limit: usize) -> Result<Bytes, (StatusCode, String)> {
    let mut pieces = body.into_data_stream();
    let mut whole = BytesMut::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| {
            // Those before us bound how long a piece may take.
            (StatusCode::BAD_REQUEST, format!("the request broke off: {error}"))
        })?;
        if piece.len() > limit.saturating_sub(whole.len()) {
            let message = format!("the request is longer than {limit} bytes");
            return Err((StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

/// How a body is encoded, where it is.
fn encoding(headers: &HeaderMap) -> Option<String> {
    let codings = headers.get_all(CONTENT_ENCODING).iter();
    let codings = codings.map(|coding| String::from_utf8_lossy(coding.as_bytes()));
    let mut encoded = codings.filter(|coding| !coding.trim().eq_ignore_ascii_case("identity"));
    encoded.next().map(|coding| shown_name(&coding))
}

impl Door {
    /// The response, with a JSON-RPC body if it is a refusal without one.
    async fn explained(
        &self,
        response: Response,
        session: Option<String>,
        request: Option<&Bytes>,
    ) -> Response {
        let status = response.status();
        if !(status.is_client_error() || status.is_server_error()) || is_json(response.headers()) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let text = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
        let message = String::from_utf8_lossy(&text).into_owned();
        let mut refused = server_error(message, request.and_then(id_of));
        // A session can end between the look at it and its use.
        let is_lost = session.is_some_and(|session| !self.sessions.knows(&session));
        if status == StatusCode::NOT_FOUND || (status.is_server_error() && is_lost) {
            parts.status = StatusCode::NOT_FOUND;
            refused.code = SESSION_NOT_FOUND;
            refused.message = NO_SESSION.into();
        }
        parts.headers.remove(CONTENT_LENGTH);
        let (refused, body) = refusal(parts.status, &refused).into_parts();
        parts.headers.extend(refused.headers);
        Response::from_parts(parts, body)
    }
}

const SERVER_ERROR: i64 = -32000;
const SESSION_NOT_FOUND: i64 = -32001;
const NO_SESSION: &str = "Session not found; initialize again";

fn server_error(message: impl Into<String>, id: Option<Value>) -> Refusal {
    Refusal { code: SERVER_ERROR, message: message.into(), id }
}

fn session_not_found(id: Option<Value>) -> Response {
    let refused = Refusal { code: SESSION_NOT_FOUND, message: NO_SESSION.into(), id };
    refusal(StatusCode::NOT_FOUND, &refused)
}

fn refusal(status: StatusCode, refusal: &Refusal) -> Response {
    let mut response = Response::new(Body::from(refusal.to_json().to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    response
}

/// The id of a request, so that its refusal can name it.
fn id_of(body: &Bytes) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Probe {
        id: Option<Value>,
    }
    let probe: Probe = serde_json::from_slice(body).ok()?;
    probe.id.filter(|id| id.is_string() || id.is_number())
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    headers.get(SESSION_HEADER)?.to_str().ok().map(str::to_owned)
}

fn is_json(headers: &HeaderMap) -> bool {
    content_type(headers).eq_ignore_ascii_case("application/json")
}

/// Whether a body is a stream of events.
pub(super) fn is_stream(headers: &HeaderMap) -> bool {
    content_type(headers) == "text/event-stream"
}

/// The media type of a body, without parameters.
fn content_type(headers: &HeaderMap) -> &str {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim()
}
