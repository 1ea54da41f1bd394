//! One file as an answer: kept, compressed or unchanged, as the request allows.

use axum::Json;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use deskwire_web_assets::Web;
use serde_json::json;

use super::set;

/// How long a browser may use what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// As long as the server says that it is the same.
    Asked,
    /// For ever: the name changes with the content.
    Always,
}

/// The file of this name; `None` when there is none.
pub(super) async fn answer(
    web: &Web,
    name: &str,
    keep: Keep,
    request: &HeaderMap,
) -> Option<Response> {
    let asset = match web.get(name).await {
        Ok(asset) => asset?,
        Err(error) => {
            tracing::error!(%error, "a file of the web is not served");
            return Some(StatusCode::INTERNAL_SERVER_ERROR.into_response());
        }
    };
    let mut response = match asset.gzip {
        _ if is_known(request, &asset.etag) => StatusCode::NOT_MODIFIED.into_response(),
        Some(gzip) if takes_gzip(request) => {
            ([(CONTENT_ENCODING, "gzip")], Body::from(gzip)).into_response()
        }
        _ => Body::from(asset.plain).into_response(),
    };
    set(&mut response, CONTENT_TYPE, asset.content_type);
    set(&mut response, X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut response, VARY, "accept-encoding");
    set(&mut response, ETAG, &asset.etag);
    let keep = match keep {
        Keep::Asked => "no-cache",
        Keep::Always => "public, max-age=31536000, immutable",
    };
    set(&mut response, CACHE_CONTROL, keep);
    Some(response)
}

/// There is no such file, and perhaps none at all.
pub(super) fn not_found(web: &Web) -> Response {
    let message = web.advice().unwrap_or_else(|| "there is no such page or file".into());
    let body = json!({ "error": { "code": "not_found", "message": message } });
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}

fn is_known(request: &HeaderMap, etag: &str) -> bool {
    let opaque = etag.trim_start_matches("W/");
    items(request, &IF_NONE_MATCH)
        .any(|known| known == "*" || known.trim_start_matches("W/") == opaque)
}

fn takes_gzip(request: &HeaderMap) -> bool {
    items(request, &ACCEPT_ENCODING).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused =
            weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// The items of a header that is a list.
fn items<'a>(
    request: &'a HeaderMap,
    name: &axum::http::HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = request.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}
