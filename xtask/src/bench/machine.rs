//! Where and when the figures were found.

use std::fmt;
use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

use crate::repo::{Repo, output};

/// The machine, and the versions of what ran on it.
#[derive(Debug)]
pub(super) struct Machine {
    date: String,
    commit: String,
    processor: String,
    cores: usize,
    memory_gib: f64,
    kernel: String,
    rust: String,
    node: String,
}

const UNKNOWN: &str = "unknown";

impl Machine {
    /// Looks around. What cannot be found out is said to be unknown.
    pub(super) fn look(repo: &Repo) -> Self {
        let ask = |mut command: Command| {
            output(&mut command).map_or(UNKNOWN.to_owned(), |said| said.trim().to_owned())
        };
        let commit = ask(repo.command("git", &["rev-parse", "--short", "HEAD"]));
        let changed = ask(repo.command("git", &["status", "--porcelain", "--untracked-files=no"]));
        Self {
            date: ask(repo.command("date", &["--utc", "+%Y-%m-%d"])),
            commit: if changed.is_empty() { commit } else { format!("{commit} with changes") },
            processor: field("/proc/cpuinfo", "model name").unwrap_or(UNKNOWN.to_owned()),
            cores: available_parallelism().map_or(0, usize::from),
            memory_gib: field("/proc/meminfo", "MemTotal")
                .and_then(|kib| kib.split(' ').next()?.parse::<f64>().ok())
                .map_or(f64::NAN, |kib| kib / 1024.0 / 1024.0),
            kernel: ask(repo.command("uname", &["-sr"])),
            rust: ask(repo.command("rustc", &["--version"])),
            node: ask(repo.command("node", &["--version"])),
        }
    }

    /// Cores the benchmark may use.
    pub(super) fn cores(&self) -> usize {
        self.cores
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, commit, processor, cores, memory_gib, kernel, rust, node } = self;
        write!(
            f,
            "{date}, commit {commit}. {processor}, {cores} cores, {memory_gib:.0} GiB; {kernel}; \
             {rust}; Node {node}."
        )
    }
}

/// The value of `name : value` in a file of `/proc`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().to_owned())
    })
}
