//! `tools/call` through the bus, against the Node peer on the same gateway and with the same responder.

use super::alternate::alternate;
use super::pinning::Pinning;
use super::process::Server;
use super::report::{Figure, Report, Target};
use super::rig::{Api, Responder, Rig};
use crate::failure::Failure;

/// One Deskwire, whose gateway serves both; one responder; one peer.
struct Topology {
    pinning: Pinning,
    deskwire: Server,
    ours: String,
    gateway: String,
    responder: Server,
    peer: Server,
    theirs: String,
}

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let repeats = rig.plan.repeats;
    for pinning in [Pinning::Unpinned, Pinning::Pinned] {
        let topology = Topology::start(rig, Responder::Connect, pinning)?;
        topology.compare(rig, report, 1, repeats, "", (Target::Times(2.0), Target::None))?;
        let targets = (Target::Times(5.0), Target::Times(5.0));
        topology.compare(rig, report, 16, repeats, "", targets)?;
        if pinning == Pinning::Unpinned {
            topology.bus_alone(rig, report)?;
        }
    }
    let topology = Topology::start(rig, Responder::Core, Pinning::Unpinned)?;
    for connections in [1, 16] {
        let repeats = rig.plan.record_repeats;
        let record = (Target::None, Target::None);
        topology.compare(rig, report, connections, repeats, ", Node responder", record)?;
    }
    Ok(())
}

impl Topology {
    fn start(rig: &Rig, responder: Responder, pinning: Pinning) -> Result<Self, Failure> {
        let mut deskwire = rig.deskwire(pinning.servers())?;
        let (ours, gateway) = (deskwire.place("mcp")?, deskwire.place("gateway")?);
        let responder = rig.responder(responder, &gateway, None, pinning.outside())?;
        let mut peer = rig.node_peer(Api::McpServer, &gateway, pinning.servers())?;
        let theirs = peer.place("mcp")?;
        rig.await_tools(&ours, 1)?;
        rig.await_tools(&theirs, 1)?;
        Ok(Self { pinning, deskwire, ours, gateway, responder, peer, theirs })
    }

    fn compare(
        &self,
        rig: &Rig,
        report: &mut Report,
        connections: usize,
        repeats: usize,
        note: &str,
        (rate, p99): (Target, Target),
    ) -> Result<(), Failure> {
        let Self { pinning, deskwire, responder, peer, .. } = self;
        let count = connections.to_string();
        let load = |url: &str, watched: &[&Server]| {
            let arguments = ["calls", "--url", url, "--connections", &count];
            rig.measure(pinning.outside(), &arguments, watched)
        };
        let [ours, theirs] = alternate(
            repeats,
            [
                (deskwire.name(), &|| load(&self.ours, &[deskwire, responder])),
                // Its calls go through the gateway in Deskwire.
                (peer.name(), &|| load(&self.theirs, &[peer, deskwire, responder])),
            ],
        )?;
        let what = format!("a: tools/call, {connections} conn., {pinning}{note}");
        report.compare(&what, Figure::PerSecond, &ours, &theirs, rate);
        report.compare(&what, Figure::P99, &ours, &theirs, p99);
        report.detail(&what, &[&ours, &theirs]);
        Ok(())
    }

    /// The same method called by raw frames: what of the above is the bus.
    fn bus_alone(&self, rig: &Rig, report: &mut Report) -> Result<(), Failure> {
        for callers in ["1", "16"] {
            let arguments = [
                "bus-calls",
                "--url",
                &self.gateway,
                "--method",
                "Bench.Echo",
                "--callers",
                callers,
            ];
            let watched = [&self.deskwire, &self.responder];
            let measure = || rig.measure(self.pinning.outside(), &arguments, &watched);
            let [bus] = alternate(rig.plan.record_repeats, [("deskwire", &measure)])?;
            report.detail(&format!("a: the bus alone, {callers} callers, unpinned"), &[&bus]);
        }
        Ok(())
    }
}
