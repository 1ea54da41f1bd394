//! `cargo xtask bench`: Deskwire and its peers side by side in one run. `bench/README.md` tells the method.

mod alternate;
mod calls;
mod desktop;
mod floor;
mod gateway;
mod lists;
mod load;
mod machine;
mod memory;
mod pinning;
mod process;
mod readme;
mod report;
mod rig;
mod search;
mod spread;
mod start;

use std::time::Instant;

use machine::Machine;
use report::Report;
use rig::{Plan, Rig};

use crate::failure::Failure;
use crate::repo::Repo;

/// What to measure, and how thoroughly.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Only these parts, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// See in a minute that everything runs; the figures mean nothing.
    #[arg(long)]
    quick: bool,
    /// Put the results into bench/README.md.
    #[arg(long, conflicts_with_all = ["only", "quick"])]
    write: bool,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// `tools/call` through the bus, against the Node peer.
    #[value(alias = "a")]
    Calls,
    /// `tools/list` of 1 000 tools, against the Node peers.
    #[value(alias = "b")]
    Lists,
    /// Calls and publications through the gateway, against gateway-web.
    #[value(alias = "c")]
    Gateway,
    /// `tools/call` against rmcp without a bus.
    #[value(alias = "d")]
    Floor,
    /// Start to first list.
    Start,
    /// Resident memory.
    Memory,
    /// A desktop of many applications.
    Desktop,
    /// Search without a model.
    Search,
}

impl Part {
    fn measure(self, repo: &Repo, rig: &Rig, report: &mut Report) -> Result<(), Failure> {
        match self {
            Self::Calls => calls::run(rig, report),
            Self::Lists => lists::run(rig, report),
            Self::Gateway => gateway::run(rig, report),
            Self::Floor => floor::run(rig, report),
            Self::Start => start::run(rig, report),
            Self::Memory => memory::run(rig, report),
            Self::Desktop => desktop::run(rig, report),
            Self::Search => search::run(repo, report),
        }
    }
}

/// Builds, measures, and prints the tables. A part that cannot be measured does not keep the others from it,
/// but the run fails.
pub(crate) fn run(repo: &Repo, options: &Options) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::new(
            "the benchmark reads /proc and pins with taskset: it needs Linux",
        ));
    }
    let machine = Machine::look(repo);
    if machine.cores() < 2 {
        return Err(Failure::new("the benchmark needs two cores: one for servers, one for load"));
    }
    let plan = if options.quick { Plan::QUICK } else { Plan::FULL };
    let rig = Rig::prepare(repo, plan)?;
    let mut report = Report::default();
    for part in <Part as clap::ValueEnum>::value_variants() {
        if options.only.is_empty() || options.only.contains(part) {
            let began = Instant::now();
            if let Err(failure) = part.measure(repo, &rig, &mut report) {
                report.fail(format!("{part:?}: {failure}"));
            }
            eprintln!("{part:?}: {} s", began.elapsed().as_secs());
        }
    }
    let results = format!("{machine}\n\n{}", report.markdown());
    println!("{results}");
    if !report.complete() {
        return Err(Failure::new("not everything could be measured"));
    }
    if options.write { readme::write(repo, &results) } else { Ok(()) }
}
