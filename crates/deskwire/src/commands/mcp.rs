//! `deskwire mcp`: an MCP server on standard input and output.

use std::process::ExitCode;

use deskwire_connect::{Client, Options, websocket};
use deskwire_mcp::McpServer;

use crate::cli::McpArgs;
use crate::config;
use crate::fault::Fault;
use crate::stack;

pub(super) async fn run(args: &McpArgs) -> Result<ExitCode, Fault> {
    let loaded = config::load(args.config.as_deref())?;
    let connector = websocket(&args.gateway).map_err(|error| {
        Fault::new(format!("join the bus at {}", args.gateway), error)
            .hint("A gateway's address reads like ws://127.0.0.1:4111/gw.")
    })?;
    let bus = Client::start(connector, Options::new(stack::APPLICATION));
    let config = deskwire_mcp::Config {
        bus_address: Some(args.gateway.clone()),
        ..stack::mcp_config(&loaded.config)?
    };
    let server = McpServer::new(bus.clone(), config);
    tokio::select! {
        served = server.serve_stdio() => {
            served.map_err(|error| Fault::new("serve MCP on standard input and output", error))?;
        }
        () = stack::told_to_stop() => server.shutdown().await,
    }
    bus.close().await;
    Ok(ExitCode::SUCCESS)
}
