//! `deskwire mcp`: an MCP server on standard input and output.

use std::process::ExitCode;
use std::time::Duration;

use deskwire_connect::{Client, Options, websocket};
use deskwire_mcp::McpServer;
use tokio::time::timeout;

use crate::cli::McpArgs;
use crate::config;
use crate::fault::Fault;
use crate::signals::told_to_stop;
use crate::stack;

/// How long a goodbye to the bus may take; whoever started this waits for its end.
const GOODBYE: Duration = Duration::from_millis(400);

pub(super) async fn run(args: &McpArgs) -> Result<ExitCode, Fault> {
    let told = told_to_stop();
    let loaded = config::load(args.config.as_deref())?;
    let connector = websocket(&args.gateway).map_err(|error| {
        Fault::new(format!("join the bus at {}", args.gateway), error)
            .hint("A gateway's address reads like ws://127.0.0.1:4111/gw.")
    })?;
    // Chat applications start every server they know; the bus is joined when a
    // client asks for tools.
    let bus = Client::idle(connector, Options::new(stack::APPLICATION));
    let config = deskwire_mcp::Config {
        bus_address: Some(args.gateway.clone()),
        ..stack::mcp_config(&loaded.config).map_err(|fault| loaded.place(fault))?
    };
    let server = McpServer::new(bus.clone(), config);
    tracing::info!(bus = args.gateway, "ready; the bus is joined at the first request for tools");
    let stopped = async {
        told.await;
        server.shutdown().await;
    };
    // The client is served on while the server stops, for it has answers to take.
    let served = tokio::select! {
        served = server.serve_stdio() => served,
        () = stopped => Ok(()),
    };
    if timeout(GOODBYE, bus.close()).await.is_err() {
        tracing::debug!("the gateway did not take our goodbye");
    }
    served.map_err(|error| Fault::new("serve MCP on standard input and output", error))?;
    Ok(ExitCode::SUCCESS)
}
