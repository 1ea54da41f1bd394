//! Commands of the repository: `cargo xtask <command>`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to the person who ran it")]

mod bench;
mod failure;
mod repo;
mod setup;
mod steps;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use repo::Repo;

/// Commands of this repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs every check, or the parts that are named; installs what they need.
    Test {
        /// Which parts; all by default.
        parts: Vec<test::Part>,
    },
    /// Measures Deskwire and its peers side by side.
    Bench(bench::Options),
    /// Checks the rules that no compiler knows: layers, sizes, links, words.
    Tidy,
}

fn main() -> ExitCode {
    match run(&Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.code)
        }
    }
}

fn run(command: &Command) -> Result<(), Failure> {
    let repo = Repo::find()?;
    match command {
        Command::Test { parts } => test::run(&repo, parts),
        Command::Bench(options) => bench::run(&repo, options),
        Command::Tidy => tidy::run(&repo),
    }
}
