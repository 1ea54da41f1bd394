//! `tools/list` of many dynamic tools, against both classes of the SDK.

use super::alternate::alternate;
use super::process::Server;
use super::report::{Figure, Report, Target};
use super::rig::{Api, Responder, Rig};
use crate::failure::Failure;

/// Dynamic tools, all of one responder.
pub(super) const TOOLS: usize = 1_000;

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let mut deskwire = rig.deskwire(None)?;
    let (ours, gateway) = (deskwire.place("mcp")?, deskwire.place("gateway")?);
    let _responder = rig.responder(Responder::Connect, &gateway, Some(TOOLS), None)?;
    let mut high = rig.node_peer(Api::McpServer, &gateway, None)?;
    let mut low = rig.node_peer(Api::Server, &gateway, None)?;
    let (high_url, low_url) = (high.place("mcp")?, low.place("mcp")?);
    for url in [&ours, &high_url, &low_url] {
        rig.await_tools(url, TOOLS)?;
    }
    let tools = TOOLS.to_string();
    for connections in ["1", "8"] {
        let load = |url: &str, server: &Server| {
            let arguments =
                ["lists", "--url", url, "--tools", &tools, "--connections", connections];
            rig.measure(None, &arguments, &[server])
        };
        let [ours, high, low] = alternate(
            rig.plan.repeats,
            [
                (deskwire.name(), &|| load(&ours, &deskwire)),
                (high.name(), &|| load(&high_url, &high)),
                (low.name(), &|| load(&low_url, &low)),
            ],
        )?;
        let what = format!("b: tools/list of {TOOLS}, {connections} conn., unpinned");
        report.compare(&what, Figure::PerSecond, &ours, &high, Target::Times(30.0));
        report.compare(&what, Figure::PerSecond, &ours, &low, Target::Times(1.5));
        report.detail(&what, &[&ours, &high, &low]);
    }
    Ok(())
}
