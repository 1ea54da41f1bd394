//! From the start of the process to the first list.

use std::process::Command;

use serde::Deserialize;

use super::report::{Report, Target};
use super::rig::{Api, Responder, Rig};
use crate::failure::Failure;

#[derive(Debug, Deserialize)]
struct Started {
    first_list_ms: f64,
}

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let mut gateway = rig.gateway_web(None)?;
    let place = gateway.place("gateway")?;
    // Without a single tool, the SDK's server refuses to list.
    let _responder = rig.responder(Responder::Core, &place, None, None)?;
    let up = rig.deskwire_command(None)?;
    let stdio = rig.stdio_command(&place)?;
    let peer = rig.node_peer_command(Api::McpServer, &place, None);

    let (mut up_ms, mut stdio_ms, mut peer_ms) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rig.plan.starts {
        up_ms.push(first_list(rig, &up, &[])?);
        stdio_ms.push(first_list(rig, &stdio, &["--stdio"])?);
        peer_ms.push(first_list(rig, &peer, &[])?);
    }
    let node = || Some(("node-mcpserver, its gateway already running", &peer_ms[..]));
    let target = Target::AtMost(100.0);
    report.state("start to first list, `up`, its own gateway too", "ms", &up_ms, node(), target);
    report.state(
        "start to first list, `mcp`, gateway already running",
        "ms",
        &stdio_ms,
        node(),
        target,
    );
    Ok(())
}

fn first_list(rig: &Rig, command: &Command, options: &[&str]) -> Result<f64, Failure> {
    let parts: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect();
    let mut arguments = vec!["first-list"];
    arguments.extend(options);
    arguments.push("--");
    arguments.extend(parts.iter().map(AsRef::as_ref));
    Ok(rig.generate::<Started>(None, &arguments)?.first_list_ms)
}
