//! Our own floor: `rmcp` with the echo tool in the server itself, without a bus.

use super::alternate::alternate;
use super::pinning::Pinning;
use super::process::Server;
use super::report::{Figure, Report, Target};
use super::rig::{Responder, Rig};
use crate::failure::Failure;

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    for (pinning, eras) in
        [(Pinning::Unpinned, &["session", "stateless"][..]), (Pinning::Pinned, &["session"])]
    {
        let mut deskwire = rig.deskwire(pinning.servers())?;
        let (ours, gateway) = (deskwire.place("mcp")?, deskwire.place("gateway")?);
        let responder = rig.responder(Responder::Connect, &gateway, None, pinning.outside())?;
        let mut echo = rig.echo(pinning.servers())?;
        let floor = echo.place("mcp")?;
        rig.await_tools(&ours, 1)?;
        for era in eras {
            let load = |url: &str, watched: &[&Server]| {
                let arguments = ["calls", "--url", url, "--era", era, "--connections", "16"];
                rig.measure(pinning.outside(), &arguments, watched)
            };
            let [ours, floor] = alternate(
                rig.plan.repeats,
                [
                    (deskwire.name(), &|| load(&ours, &[&deskwire, &responder])),
                    (echo.name(), &|| load(&floor, &[&echo])),
                ],
            )?;
            let what = format!("d: tools/call, 16 conn., {era}, {pinning}");
            report.compare(&what, Figure::PerSecond, &ours, &floor, Target::Times(0.5));
            report.detail(&what, &[&ours, &floor]);
        }
    }
    Ok(())
}
