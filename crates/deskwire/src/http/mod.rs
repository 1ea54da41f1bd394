//! What the process serves over HTTP, and who may ask.

mod cors;
mod diagnostics;
mod guard;
mod listen;
mod metrics;
mod page;
mod pages;
mod socket;
mod status;
mod web;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Json, Router, middleware};
use deskwire_gateway::Gateway;
use deskwire_mcp::{McpServer, Profile};
use deskwire_web_assets::Web;
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::desktop::Desktop;
pub(crate) use guard::Guard;
pub(crate) use listen::{address, bind};
pub(crate) use metrics::collect as collect_metrics;
pub(crate) use pages::PageOrigins;

/// How long the next piece of a request's body may take to come.
const BODY_STALL: Duration = Duration::from_secs(30);

/// What the routes serve.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) gateway: Gateway,
    /// Absent where the bus runs alone.
    pub(crate) mcp: Option<McpServer>,
    /// Absent where the bus runs alone.
    pub(crate) desktop: Option<Desktop>,
    pub(crate) web: Web,
    /// Where the demo's pages find the gateway; absent where the demo does not run.
    pub(crate) demo: Option<SocketAddr>,
    pub(crate) metrics: PrometheusHandle,
}

/// Every route of the process, behind the guard.
///
/// The guard is the outermost layer, so that no route can be added outside it.
pub(crate) fn router(services: Services, guard: Guard) -> Router {
    let mut router = bus_routes(&services);
    let (web, demo) = (services.web.clone(), services.demo);
    if let Some(mcp) = services.mcp.clone() {
        router = router
            .merge(web::routes(web.clone(), mcp.clone()))
            .merge(mcp_routes(mcp, services, &guard));
    }
    let guard = Arc::new(if demo.is_some() { guard.with_demo() } else { guard });
    let mut router = router
        .layer(cors::layer(Arc::clone(&guard)))
        .layer(middleware::map_request(cors::narrowed));
    if let Some(gateway) = demo {
        let url = format!("ws://{gateway}/gw");
        let demo = web::demo::routes(web, &url, gateway.port());
        router = router.layer(middleware::from_fn_with_state(demo, web::demo::divide));
    }
    router
        .layer(RequestBodyTimeoutLayer::new(BODY_STALL))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

fn bus_routes(services: &Services) -> Router {
    let Services { gateway, mcp, metrics, .. } = services.clone();
    let health = {
        let (gateway, mcp) = (gateway.clone(), mcp.clone());
        move || async move {
            let tools = mcp.as_ref().map(|mcp| mcp.surface().view(Profile::ALL).len());
            Json(json!({ "status": "ok", "peers": gateway.stats().peers, "tools": tools }))
        }
    };
    let figures = {
        let gateway = gateway.clone();
        move || async move { metrics::text(&metrics, &gateway, mcp.as_ref()) }
    };
    Router::new()
        .route("/healthz", get(health))
        .route("/metrics", get(figures))
        .merge(deskwire_gateway::router(gateway))
}

fn mcp_routes(mcp: McpServer, services: Services, guard: &Guard) -> Router {
    let Services { desktop, gateway, .. } = services;
    let known = diagnostics::Known { mcp: mcp.clone(), desktop };
    Router::new()
        .route("/api/diagnostics", get(diagnostics::list))
        .route("/api/status", get(status::show))
        .with_state(status::Overview::new(known, gateway))
        .nest_service("/mcp", mcp.http(guard.mcp_options()))
}
