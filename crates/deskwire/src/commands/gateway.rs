//! `deskwire gateway`: the bus alone.

use std::process::ExitCode;

use super::output;
use crate::cli::ServeArgs;
use crate::fault::Fault;
use crate::stack::{Parts, Stack};

pub(super) async fn run(args: &ServeArgs) -> Result<ExitCode, Fault> {
    let stack = Stack::start(args, Parts::GatewayAlone).await?;
    output::line(&format!("gateway  ws://{}/gw", stack.address()))?;
    stack.run_until_told().await?;
    Ok(ExitCode::SUCCESS)
}
