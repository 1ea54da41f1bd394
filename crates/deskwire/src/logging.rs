//! Logs go to standard error; standard output belongs to answers and protocols.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Filters that hold unless the person names the same target.
///
/// `rmcp` logs each request whose client went away as an error, which it is not.
const QUIET: &str = "rmcp::service=off,rmcp=warn";

/// Starts logging with a filter such as `info` or `deskwire_gateway=debug`.
pub(crate) fn init(filter: &str) {
    let filter = EnvFilter::try_new(format!("{QUIET},{filter}"))
        .unwrap_or_else(|_| EnvFilter::new(format!("{QUIET},info")));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(true)
        .finish();
    // Fails only when a subscriber is set already, which then logs.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
