//! Resident memory: at rest, with many tools, and for each idle peer.

use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::lists::TOOLS;
use super::report::{Report, Target};
use super::rig::{Api, Responder, Rig};
use crate::failure::Failure;

/// From the last thing that happened to the measurement.
const REST: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
struct Idled {
    peers: u64,
    resident_kib_before: u64,
    resident_kib_after: u64,
}

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let (mut idle, mut idle_peer) = (Vec::new(), Vec::new());
    let (mut full, mut full_peer) = (Vec::new(), Vec::new());
    let mut each = Vec::new();
    for _ in 0..rig.plan.record_repeats {
        let mut deskwire = rig.deskwire(None)?;
        let (ours, gateway) = (deskwire.place("mcp")?, deskwire.place("gateway")?);
        let mut peer = rig.node_peer(Api::McpServer, &gateway, None)?;
        let theirs = peer.place("mcp")?;
        thread::sleep(REST);
        idle.push(deskwire.resident_megabytes()?);
        idle_peer.push(peer.resident_megabytes()?);

        let responder = rig.responder(Responder::Connect, &gateway, Some(TOOLS), None)?;
        rig.await_tools(&ours, TOOLS)?;
        rig.await_tools(&theirs, TOOLS)?;
        thread::sleep(REST);
        full.push(deskwire.resident_megabytes()?);
        full_peer.push(peer.resident_megabytes()?);
        drop((responder, peer, deskwire));

        each.push(idle_peers(rig)?);
    }
    let node = |figures| Some(("node-mcpserver", figures));
    report.state("memory, idle", "MB", &idle, node(&idle_peer[..]), Target::None);
    let what = format!("memory with {TOOLS} tools, listed once");
    report.state(&what, "MB", &full, node(&full_peer[..]), Target::AtMost(35.0));
    let what = format!("memory of each of {} idle peers", rig.plan.idle_peers);
    report.state(&what, "kB", &each, None, Target::AtMost(30.0));
    Ok(())
}

/// Memory of each idle peer in a gateway of its own, in units of a thousand bytes.
fn idle_peers(rig: &Rig) -> Result<f64, Failure> {
    let mut deskwire = rig.gateway(None)?;
    let gateway = deskwire.place("gateway")?;
    thread::sleep(REST);
    let (pid, peers) = (deskwire.pid().to_string(), rig.plan.idle_peers.to_string());
    let arguments = ["bus-idle", "--url", &gateway, "--pid", &pid, "--peers", &peers];
    let Idled { peers, resident_kib_before, resident_kib_after } =
        rig.generate(None, &arguments)?;
    let kib = resident_kib_after.saturating_sub(resident_kib_before) as f64;
    Ok(kib * 1.024 / peers as f64)
}
