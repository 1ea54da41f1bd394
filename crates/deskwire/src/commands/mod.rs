//! One module per command.

mod apps;
mod bus;
mod call;
mod check;
mod doctor;
mod gateway;
mod init;
mod layouts;
mod mcp;
mod output;
mod start;
mod tools;
mod up;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::fault::Fault;

/// Runs what the command line asks for.
pub(crate) async fn run(cli: Cli) -> Result<ExitCode, Fault> {
    match cli.command {
        None => up::run(&cli.up).await,
        Some(Command::Up(args)) => up::run(&args).await,
        Some(Command::Gateway(args)) => gateway::run(&args).await,
        Some(Command::Mcp(args)) => mcp::run(&args).await,
        Some(Command::Tools(args)) => tools::run(&args).await,
        Some(Command::Call(args)) => call::run(&args).await,
        Some(Command::Doctor(args)) => doctor::run(&args).await,
        Some(Command::Apps(args)) => apps::run(&args).await,
        Some(Command::Start(args)) => start::run(&args).await,
        Some(Command::Layouts(args)) => layouts::run(&args).await,
        Some(Command::Init(args)) => init::run(&args),
        Some(Command::Check(args)) => check::run(&args),
    }
}
