//! The pages of the demo, under a host of their own: `http://demo.localhost:<port>/<page>/`.
//!
//! They are applications as any other, so they have another origin than the desk, and nothing
//! else of the server is there: neither the bus nor tools.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::http::{HeaderMap, Uri};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use deskwire_web_assets::Web;
use tower::Service;

use super::super::guard::Site;
use super::file::{self, Keep};
use super::{policy, set, starter_of};

#[derive(Clone)]
struct Pages {
    web: Web,
    policy: String,
}

/// The routes of the demo's host. `gateway_url` is where its pages find the bus.
pub(in super::super) fn routes(web: Web, gateway_url: &str, port: u16) -> Router {
    let policy = policy::demo(gateway_url, port);
    Router::new()
        .route("/deskwire.js", get(starter))
        .route("/{*path}", get(page))
        .with_state(Pages { web, policy })
}

/// The layer that sends requests for the demo's host there.
pub(in super::super) async fn divide(
    State(mut demo): State<Router>,
    request: Request,
    next: Next,
) -> Response {
    match request.extensions().get() {
        // A router is always ready, and does not fail.
        Some(Site::Demo) => match demo.call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        _ => next.run(request).await,
    }
}

async fn starter(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    starter_of(&pages.web, &headers).await
}

async fn page(State(pages): State<Pages>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    let index = if path.ends_with('/') { "index.html" } else { "" };
    let keep = if path.starts_with("/assets/") { Keep::Always } else { Keep::Asked };
    let name = format!("demo{path}{index}");
    let Some(mut page) = file::answer(&pages.web, &name, keep, &headers).await else {
        return file::not_found(&pages.web);
    };
    set(&mut page, CONTENT_SECURITY_POLICY, &pages.policy);
    set(&mut page, REFERRER_POLICY, "no-referrer");
    page
}
