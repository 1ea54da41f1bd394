//! What pages of allowed origins may send and read.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderName, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Guard;

/// How long a browser may remember the answer to a preflight.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Allows exactly the origins that the guard lets in.
pub(super) fn layer(guard: Arc<Guard>) -> CorsLayer {
    let header = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| {
            origin.to_str().is_ok_and(|origin| guard.admission_of(origin).is_some())
        }))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            header("last-event-id"),
            header("mcp-method"),
            header("mcp-name"),
            header("mcp-protocol-version"),
            header("mcp-session-id"),
        ])
        .expose_headers([header("mcp-protocol-version"), header("mcp-session-id")])
        .max_age(REMEMBERED)
}
