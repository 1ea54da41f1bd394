//! Load generator of the benchmark, and the servers it needs beside Deskwire.
//!
//! `cargo xtask bench` starts everything; each command can be run by hand too. A load prints one line of
//! JSON; a server prints where it is as soon as it is ready.

mod bus;
mod desktop;
mod failure;
mod load;
mod mcp;
mod proc;
mod serve;
mod server;
mod tools;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use serde::Serialize;
use tokio::runtime::{Builder, Runtime};

use crate::failure::{Doing, Failure};
use crate::load::Plan;

#[derive(Debug, Parser)]
#[command(about = "Load generator of the benchmark, and the servers it needs beside Deskwire")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Load: `tools/call` of the echo tool.
    Calls {
        #[command(flatten)]
        target: mcp::Target,
        #[command(flatten)]
        plan: Plan,
    },
    /// Load: `tools/list`.
    Lists {
        #[command(flatten)]
        target: mcp::Target,
        /// Number of tools that each list must have.
        #[arg(long)]
        tools: usize,
        #[command(flatten)]
        plan: Plan,
    },
    /// Load: calls through a gateway.
    BusCalls {
        #[command(flatten)]
        calls: bus::calls::Calls,
        #[command(flatten)]
        plan: Plan,
    },
    /// Load: publications through a gateway to many.
    BusFanOut {
        #[command(flatten)]
        fan_out: bus::fan_out::FanOut,
        #[command(flatten)]
        plan: Plan,
    },
    /// Memory that idle peers take in a gateway.
    BusIdle(bus::idle::Idle),
    /// Waits until an MCP server lists so many tools.
    AwaitTools {
        #[command(flatten)]
        target: mcp::Target,
        /// Number of tools that are waited for.
        #[arg(long)]
        tools: usize,
        /// Seconds after which it is given up.
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// Time from the start of an MCP server to its first list.
    FirstList {
        /// How the client introduces itself.
        #[arg(long, value_enum, default_value = "session")]
        era: mcp::Era,
        /// Speak with it on standard input and output.
        #[arg(long, conflicts_with = "era")]
        stdio: bool,
        /// The server's command; without `--stdio` it must print `mcp URL`.
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// What a desktop of many applications takes: its start, a change in a file, a save, a snapshot.
    Desktop(desktop::Desktop),
    /// Server: `rmcp` with the echo tool, without a bus.
    Echo,
    /// Server: the application behind the tools, on a bus.
    Responder {
        /// URL of the gateway.
        #[arg(long)]
        gateway: String,
        /// Register so many tools in place of the echo tool.
        #[arg(long)]
        tools: Option<usize>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing is left to do when stderr is gone too.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let one = one_thread()?;
    match command {
        Command::Calls { target, plan } => print(&one.block_on(mcp::calls(&target, &plan))?),
        Command::Lists { target, tools, plan } => {
            print(&one.block_on(mcp::lists(&target, tools, &plan))?)
        }
        Command::BusCalls { calls, plan } => print(&one.block_on(bus::calls::run(&calls, &plan))?),
        Command::BusFanOut { fan_out, plan } => {
            print(&one.block_on(bus::fan_out::run(&fan_out, &plan))?)
        }
        Command::BusIdle(idle) => print(&one.block_on(bus::idle::run(&idle))?),
        Command::Desktop(desktop) => print(&one.block_on(desktop::run(&desktop))?),
        Command::AwaitTools { target, tools, limit } => {
            let limit = Duration::from_secs(limit);
            print(&one.block_on(mcp::await_tools(&target, tools, limit))?)
        }
        Command::FirstList { stdio: true, command, .. } => {
            print(&mcp::start::first_list_stdio(&command)?)
        }
        Command::FirstList { era, command, .. } => {
            print(&one.block_on(mcp::start::first_list(&command, era))?)
        }
        Command::Echo => all_threads()?.block_on(serve::echo::serve()),
        Command::Responder { gateway, tools } => {
            one.block_on(serve::responder::serve(&gateway, tools))
        }
    }
}

fn one_thread() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().doing("starting the runtime")
}

/// As Deskwire runs: a thread for each core the process may use.
fn all_threads() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().enable_all().build().doing("starting the runtime")
}

fn print(report: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(report)
        .map_err(|error| Failure::protocol(format!("a report that is no JSON: {error}")))?;
    writeln!(io::stdout(), "{line}").doing("writing to stdout")
}
