//! The `deskwire` command: configuration, command line and HTTP assembly around
//! the crates that do the work.

mod audit;
mod cli;
mod client;
mod commands;
mod config;
mod data;
mod definitions;
mod demo;
mod desktop;
mod fault;
mod http;
mod logging;
#[cfg(test)]
mod model_view;
mod signals;
mod stack;
mod verified;

use std::process::ExitCode;

use clap::Parser;

/// Sessions come and go by the thousand, on all threads. The allocator of the system
/// keeps a heap for each thread, and what they lose to gaps adds up. Huge pages, which this one
/// would ask for, cost 20 MB before anybody comes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    logging::init(&cli.log);
    // One TLS stack for the process; a second provider would make rustls panic.
    // The only failure is that somebody installed one before, which nobody did.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fault::Fault::new("start the async runtime", error).report(),
    };
    let code = match runtime.block_on(commands::run(cli)) {
        Ok(code) => code,
        Err(fault) => fault.report(),
    };
    // Readers of standard input block a thread that nothing can end.
    runtime.shutdown_background();
    code
}
