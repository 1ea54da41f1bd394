//! `deskwire gateway`: the bus alone.

use std::process::ExitCode;

use super::output;
use crate::cli::ServeArgs;
use crate::fault::Fault;
use crate::signals::told_to_stop;
use crate::stack::{Parts, Stack};

pub(super) async fn run(args: &ServeArgs) -> Result<ExitCode, Fault> {
    let told = told_to_stop();
    let stack = Stack::start(args, Parts::GatewayAlone).await?;
    output::line(&format!("gateway  ws://{}/gw", stack.address()))?;
    stack.run_until(told).await?;
    Ok(ExitCode::SUCCESS)
}
