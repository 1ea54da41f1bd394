//! A desktop of many applications: its start, a change in a file, a save, a snapshot.

use serde::Deserialize;

use super::report::{Report, Target};
use super::rig::Rig;
use crate::failure::Failure;

#[derive(Debug, Deserialize)]
struct Figures {
    start_ms: f64,
    reload_ms: Vec<f64>,
    save_ms: Vec<f64>,
    snapshot_ms: Vec<f64>,
}

pub(super) fn run(rig: &Rig, report: &mut Report) -> Result<(), Failure> {
    let (mut starts, mut reloads, mut saves, mut snapshots) = (vec![], vec![], vec![], vec![]);
    for _ in 0..rig.plan.record_repeats {
        let Figures { start_ms, reload_ms, save_ms, snapshot_ms } = rig.desktop()?;
        starts.push(start_ms);
        reloads.extend(reload_ms);
        saves.extend(save_ms);
        snapshots.extend(snapshot_ms);
    }
    let mut tell = |what, figures: &[f64], most| {
        report.state(what, "ms", figures, None, Target::AtMost(most));
    };
    tell("start to the names of 2 000 definitions, each in its file", &starts, 1_000.0);
    tell("a change in one of those files reaches a client", &reloads, 300.0);
    tell("a layout of 1 KiB is durable", &saves, 20.0);
    tell("1 000 instances in one snapshot", &snapshots, 50.0);
    Ok(())
}
