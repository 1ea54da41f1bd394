//! `GET /metrics`: counters for Prometheus.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deskwire_gateway::Gateway;
use deskwire_mcp::{McpServer, Profile};
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::fault::Fault;

/// Buckets of the duration of calls, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0];

/// Starts collecting, once a process.
pub(crate) fn collect() -> Result<PrometheusHandle, Fault> {
    let failed = |error: &dyn std::fmt::Display| Fault::new("collect metrics", error);
    let recorder = PrometheusBuilder::new()
        .set_buckets(&BUCKETS)
        .map_err(|error| failed(&error))?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|error| failed(&error))?;
    describe_counter!("deskwire_tool_calls_total", "Calls of tools that ended, by outcome");
    describe_histogram!("deskwire_tool_call_seconds", Unit::Seconds, "Duration of calls of tools");
    describe_gauge!("deskwire_gateway_links", "Connections to the bus");
    describe_gauge!("deskwire_gateway_peers", "Peers on the bus");
    describe_gauge!("deskwire_gateway_methods", "Methods on the bus");
    describe_gauge!("deskwire_gateway_contexts", "Shared contexts on the bus");
    describe_gauge!("deskwire_gateway_queued_bytes", Unit::Bytes, "Bytes that wait for peers");
    describe_gauge!("deskwire_gateway_frames_in", "Frames that came in since the start");
    describe_gauge!("deskwire_gateway_frames_out", "Frames that went out since the start");
    describe_gauge!("deskwire_tools", "Tools that a client with every capability sees");
    Ok(handle)
}

/// The text of the moment.
pub(super) fn text(
    handle: &PrometheusHandle,
    gateway: &Gateway,
    mcp: Option<&McpServer>,
) -> Response {
    let stats = gateway.stats();
    #[expect(clippy::cast_precision_loss, reason = "gauges are floating point")]
    for (name, value) in [
        ("deskwire_gateway_links", stats.links as u64),
        ("deskwire_gateway_peers", stats.peers as u64),
        ("deskwire_gateway_methods", stats.methods as u64),
        ("deskwire_gateway_contexts", stats.contexts as u64),
        ("deskwire_gateway_queued_bytes", stats.queued_bytes as u64),
        ("deskwire_gateway_frames_in", stats.frames_in),
        ("deskwire_gateway_frames_out", stats.frames_out),
    ] {
        gauge!(name).set(value as f64);
    }
    if let Some(mcp) = mcp {
        let tools = u32::try_from(mcp.surface().view(Profile::ALL).len()).unwrap_or(u32::MAX);
        gauge!("deskwire_tools").set(f64::from(tools));
    }
    handle.run_upkeep();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
}
