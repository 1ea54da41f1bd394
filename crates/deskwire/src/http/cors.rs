//! What pages of allowed origins may send and read.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_HEADERS, ORIGIN, VARY,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::Guard;

/// How long a browser may remember the answer to a preflight.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Headers that a page may send.
const HEADERS: [&str; 7] = [
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];
/// How headers begin in which a call repeats its arguments; tools name the rest.
const ARGUMENT: &str = "mcp-param-";

/// Allows exactly the origins that the guard lets in. What headers a preflight may
/// ask for, [`narrowed`] says before.
pub(super) fn layer(guard: Arc<Guard>) -> CorsLayer {
    let header = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| {
            origin.to_str().is_ok_and(|origin| guard.admission_of(origin).is_some())
        }))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header("mcp-protocol-version"), header("mcp-session-id")])
        .max_age(REMEMBERED)
}

/// A preflight that asks for nothing but what pages may send.
pub(super) async fn narrowed(mut request: Request) -> Request {
    let asked = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS);
    let Some(asked) = asked.and_then(|asked| asked.to_str().ok()) else { return request };
    let names = asked.split(',').map(|name| name.trim().to_ascii_lowercase());
    let may_be_sent = |name: &String| HEADERS.contains(&&**name) || name.starts_with(ARGUMENT);
    let granted: Vec<_> = names.filter(may_be_sent).collect();
    match HeaderValue::try_from(granted.join(",")) {
        Ok(granted) => request.headers_mut().insert(ACCESS_CONTROL_REQUEST_HEADERS, granted),
        Err(_) => request.headers_mut().remove(ACCESS_CONTROL_REQUEST_HEADERS),
    };
    request
}

/// A refusal that a page of this origin, which is let in, can read.
pub(super) fn readable(mut refusal: Response, origin: Option<&HeaderValue>) -> Response {
    if let Some(origin) = origin {
        refusal.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        refusal.headers_mut().insert(VARY, HeaderValue::from_name(ORIGIN));
    }
    refusal
}
