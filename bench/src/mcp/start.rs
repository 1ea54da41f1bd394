//! From the start of a server's process to its first list of tools.

use std::process::Stdio;
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::reply::{Anything, Counted, find};
use super::{Client, Era};
use crate::failure::Failure;
use crate::server::Server;

/// What was found. Printed as one line of JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Started {
    /// Until the process said where its endpoint is, or answered `initialize`.
    ready_ms: f64,
    /// Until the answer to `tools/list` was complete.
    first_list_ms: f64,
    /// Tools in that list.
    tools: usize,
}

/// Starts `command`, waits for its line `mcp URL`, lists, and ends it.
pub(crate) async fn first_list(command: &[String], era: Era) -> Result<Started, Failure> {
    let began = Instant::now();
    let mut server = Server::spawn(command, Stdio::null())?;
    let url = server.place("mcp")?;
    let ready_ms = ms_since(began);
    let mut client = Client::connect(&url, era).await?;
    let tools = client.list_tools().await?.tools;
    Ok(Started { ready_ms, first_list_ms: ms_since(began), tools })
}

/// The same for a server on standard input and output, with a session.
pub(crate) fn first_list_stdio(command: &[String]) -> Result<Started, Failure> {
    let began = Instant::now();
    let mut server = Server::spawn(command, Stdio::piped())?;
    server.say(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"deskwire-bench","version":"1"}}}"#)?;
    reply::<Anything>(&mut server, 1)?;
    let ready_ms = ms_since(began);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    server.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#)?;
    let tools = reply::<Counted>(&mut server, 2)?.tools.len();
    Ok(Started { ready_ms, first_list_ms: ms_since(began), tools })
}

fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// The reply to request `id`; what comes before it is passed over.
fn reply<R: DeserializeOwned>(server: &mut Server, id: u64) -> Result<R, Failure> {
    while let Some(line) = server.line()? {
        if let Some(result) = find(&line, id)? {
            return Ok(result);
        }
    }
    Err(Failure::protocol("the server ended without an answer"))
}
