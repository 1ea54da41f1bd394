//! How the process is told to stop.

use std::io;

/// Ends at the first signal that asks the process to stop. Signals are heard from the call on, so it is
/// called before anybody can know that the process is there; what comes before the wait is not lost.
pub(crate) fn told_to_stop() -> impl Future<Output = ()> {
    let interrupt = heard(interrupts(), "Ctrl-C");
    let terminate = heard(terminations(), "SIGTERM");
    async {
        tokio::select! {
            () = wait(interrupt) => {}
            () = wait(terminate) => {}
        }
    }
}

#[cfg(unix)]
use tokio::signal::unix::Signal;
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Signal, ctrl_c};

#[cfg(unix)]
fn interrupts() -> io::Result<Option<Signal>> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).map(Some)
}

#[cfg(unix)]
fn terminations() -> io::Result<Option<Signal>> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).map(Some)
}

#[cfg(windows)]
fn interrupts() -> io::Result<Option<Signal>> {
    ctrl_c().map(Some)
}

/// Nobody is asked to end there.
#[cfg(windows)]
fn terminations() -> io::Result<Option<Signal>> {
    Ok(None)
}

fn heard(signal: io::Result<Option<Signal>>, name: &str) -> Option<Signal> {
    signal.unwrap_or_else(|error| {
        tracing::error!(%error, "{name} is not heard");
        None
    })
}

async fn wait(signal: Option<Signal>) {
    match signal {
        Some(mut signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
