//! The bus by itself, against the original's open gateway: the same frames on the same number of sockets.

use super::alternate::alternate;
use super::process::Server;
use super::report::{Figure, Report, Target};
use super::rig::Rig;
use crate::failure::Failure;

/// A load: its name, what the load generator is told, and what is aimed at.
type Load = (&'static str, &'static [&'static str], Target);

const LOADS: &[Load] = &[
    ("call → result, 1 under way", &["bus-calls"], Target::None),
    (
        "call → result, 16 callers, 64 under way",
        &["bus-calls", "--callers=16", "--in-flight=4"],
        Target::Times(8.0),
    ),
    (
        "publication to 100 subscribers, 4 under way",
        &["bus-fan-out", "--subscribers=100", "--in-flight=4"],
        Target::Times(5.0),
    ),
];

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let mut deskwire = rig.gateway(None)?;
    let mut peer = rig.gateway_web(None)?;
    let (ours, theirs) = (deskwire.place("gateway")?, peer.place("gateway")?);
    for (name, arguments, target) in LOADS {
        let load = |url: &str, server: &Server| {
            rig.measure(None, &[arguments, &["--url", url][..]].concat(), &[server])
        };
        let [ours, theirs] = alternate(
            rig.plan.repeats,
            [
                (deskwire.name(), &|| load(&ours, &deskwire)),
                (peer.name(), &|| load(&theirs, &peer)),
            ],
        )?;
        let what = format!("c: {name}, unpinned");
        report.compare(&what, Figure::PerSecond, &ours, &theirs, *target);
        report.compare(&what, Figure::P99, &ours, &theirs, Target::None);
        report.detail(&what, &[&ours, &theirs]);
    }
    Ok(())
}
