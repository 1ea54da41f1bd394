//! From the start of a server's process to its first list of tools.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::reply::{self, Anything, Counted};
use super::{Client, Era};
use crate::failure::{Doing, Failure};

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
    let url = server.url()?;
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
    server.reply::<Anything>(1)?;
    let ready_ms = ms_since(began);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    server.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#)?;
    let tools = server.reply::<Counted>(2)?.tools.len();
    Ok(Started { ready_ms, first_list_ms: ms_since(began), tools })
}

fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// A process that ends with its handle.
struct Server {
    process: Child,
    /// Kept open: a server that finds its stdout closed may end.
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn spawn(command: &[String], stdin: Stdio) -> Result<Self, Failure> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(Failure::protocol("no command to start"));
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .spawn()
            .doing(format!("starting {program}"))?;
        let stdout = process.stdout.take().ok_or_else(|| Failure::protocol("no stdout"))?;
        Ok(Self { process, stdout: BufReader::new(stdout) })
    }

    fn say(&mut self, message: &str) -> Result<(), Failure> {
        let stdin = self.process.stdin.as_mut().ok_or_else(|| Failure::protocol("no stdin"))?;
        writeln!(stdin, "{message}").doing("writing to the server's stdin")
    }

    /// The reply to request `id`; what comes before it is passed over.
    fn reply<R: DeserializeOwned>(&mut self, id: u64) -> Result<R, Failure> {
        let mut line = String::new();
        while self.stdout.read_line(&mut line).doing("reading the server's stdout")? > 0 {
            if let Some(result) = reply::find(&line, id)? {
                return Ok(result);
            }
            line.clear();
        }
        Err(Failure::protocol("the server ended without an answer"))
    }

    fn url(&mut self) -> Result<String, Failure> {
        for line in self.stdout.by_ref().lines() {
            let line = line.doing("reading the server's stdout")?;
            if let Some(url) = line.strip_prefix("mcp ") {
                return Ok(url.trim().to_owned());
            }
        }
        Err(Failure::protocol("the server ended without saying where it listens"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when the process is gone already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
