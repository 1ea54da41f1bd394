//! The pages: the desk, and the script that application pages start with.
//!
//! | address | is | may be kept |
//! | --- | --- | --- |
//! | `/` | the desk; without a built web the start page | asked for anew each time |
//! | `/assets/*` | what it loads; names change with the content | for ever |
//! | `/deskwire.js` | the starter, for pages of any origin | asked for anew each time |

pub(super) mod demo;
mod file;
mod policy;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::extract::State;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_SECURITY_POLICY, HOST, HeaderName, REFERRER_POLICY,
};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use deskwire_mcp::McpServer;
use deskwire_web_assets::Web;

use super::page;
use file::Keep;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

#[derive(Clone)]
struct Pages {
    web: Web,
    mcp: McpServer,
}

/// The routes of our own origin.
pub(super) fn routes(web: Web, mcp: McpServer) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/assets/{*name}", get(asset))
        .route("/deskwire.js", get(starter))
        .with_state(Pages { web, mcp })
}

async fn index(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    let Some(mut page) = file::answer(&pages.web, "desk/index.html", Keep::Asked, &headers).await
    else {
        return page::start(&pages.mcp, pages.web.advice().as_deref());
    };
    // The guard has let this host in, so it is a plain one.
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    set(&mut page, CONTENT_SECURITY_POLICY, policy::desk(host));
    set(&mut page, REFERRER_POLICY, "no-referrer");
    set(&mut page, OPENER_POLICY, "same-origin");
    page
}

async fn asset(State(pages): State<Pages>, uri: Uri, headers: HeaderMap) -> Response {
    let name = format!("desk{}", uri.path());
    match file::answer(&pages.web, &name, Keep::Always, &headers).await {
        Some(mut asset) => {
            set(&mut asset, RESOURCE_POLICY, "same-origin");
            asset
        }
        None => file::not_found(&pages.web),
    }
}

async fn starter(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    starter_of(&pages.web, &headers).await
}

/// The starter, which pages of any origin may load and read.
async fn starter_of(web: &Web, headers: &HeaderMap) -> Response {
    match file::answer(web, "client/deskwire.js", Keep::Asked, headers).await {
        Some(mut script) => {
            set(&mut script, ACCESS_CONTROL_ALLOW_ORIGIN, "*");
            set(&mut script, RESOURCE_POLICY, "cross-origin");
            script
        }
        None => file::not_found(web),
    }
}

/// Sets a header to a text of ours. One that cannot be a header takes the answer with it, since
/// what it would have forbidden must not be allowed.
fn set(response: &mut Response, name: HeaderName, value: impl AsRef<str>) {
    match HeaderValue::from_str(value.as_ref()) {
        Ok(value) => {
            response.headers_mut().insert(name, value);
        }
        Err(error) => {
            tracing::error!(%name, %error, "a page is not served for want of a header");
            *response = axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    }
}
