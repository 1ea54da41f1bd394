//! Processor time and memory of a process, as Linux accounts for them.

use std::fs;

use crate::failure::{Doing, Failure};

/// Linux counts processor time for user space in hundredths of a second, on every architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// A process that is looked at while the load runs.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    /// The name in the report.
    pub(crate) name: String,
    pub(crate) pid: u32,
}

impl std::str::FromStr for Watched {
    type Err = String;

    /// `NAME=PID`
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, pid) = text.split_once('=').ok_or("must be NAME=PID")?;
        let pid = pid.parse().map_err(|_| format!("`{pid}` is no process id"))?;
        Ok(Self { name: name.to_owned(), pid })
    }
}

/// Seconds of processor time since the start of the process, all threads, user and system.
pub(crate) fn cpu_seconds(pid: u32) -> Result<f64, Failure> {
    let stat = read(pid, "stat")?;
    // The second field is the program's name in parentheses and may hold anything, so count from its end.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let mut times = fields.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    match (times.next(), times.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok((user + system) as f64 / TICKS_PER_SECOND),
        _ => Err(Failure::protocol(format!("/proc/{pid}/stat has an unknown shape"))),
    }
}

/// Resident memory in KiB.
pub(crate) fn resident_kib(pid: u32) -> Result<u64, Failure> {
    let status = read(pid, "status")?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_ascii_whitespace().next())
        .and_then(|figure| figure.parse().ok())
        .ok_or_else(|| Failure::protocol(format!("/proc/{pid}/status has no VmRSS")))
}

fn read(pid: u32, file: &str) -> Result<String, Failure> {
    let path = format!("/proc/{pid}/{file}");
    fs::read_to_string(&path).doing(format!("reading {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_uses_time() {
        let pid = std::process::id();
        let before = cpu_seconds(pid).unwrap();
        let mut work = 0_u64;
        while cpu_seconds(pid).unwrap() <= before {
            work = work.wrapping_mul(31).wrapping_add(1);
        }
        assert!(resident_kib(pid).unwrap() > 100, "{work}");
    }
}
