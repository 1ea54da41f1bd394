//! `deskwire up`: bus, MCP server, and without a configuration the demo applications.

use std::io::IsTerminal;
use std::process::ExitCode;

use super::output;
use crate::cli::UpArgs;
use crate::fault::Fault;
use crate::signals::told_to_stop;
use crate::stack::{Parts, Stack};

pub(super) async fn run(args: &UpArgs) -> Result<ExitCode, Fault> {
    let told = told_to_stop();
    let stack = Stack::start(&args.serve, Parts::Everything).await?;
    let at = stack.address();
    output::line(&format!("page     http://{at}/"))?;
    output::line(&format!("mcp      http://{at}/mcp"))?;
    output::line(&format!("gateway  ws://{at}/gw"))?;
    if !args.no_open && std::io::stdout().is_terminal() {
        let page = format!("http://{at}/");
        if let Err(error) = open::that_detached(&page) {
            tracing::info!(%error, "no browser was opened; the page is at {page}");
        }
    }
    stack.run_until(told).await?;
    Ok(ExitCode::SUCCESS)
}
