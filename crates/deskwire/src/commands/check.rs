//! `deskwire check`: whether a configuration can be used.

use std::process::ExitCode;

use super::output;
use crate::cli::CheckArgs;
use crate::config;
use crate::fault::Fault;
use crate::http::Guard;
use crate::stack;

pub(super) fn run(args: &CheckArgs) -> Result<ExitCode, Fault> {
    let loaded = config::load(args.file.as_deref())?;
    let Some(file) = &loaded.file else {
        output::line(
            "There is no deskwire.json here; the defaults and the demo applications hold.",
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    let config = &loaded.config;
    Guard::new(&config.listen, config.listen.port)?;
    stack::mcp_config(config)?;
    output::line(&format!(
        "{} can be used: server `{}`, {} static tools, dynamic tools {}.",
        file.display(),
        config.server.name,
        config.server.tools.fixed.methods.len(),
        if config.server.tools.dynamic.methods.enabled { "on" } else { "off" },
    ))?;
    Ok(ExitCode::SUCCESS)
}
