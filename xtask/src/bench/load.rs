//! One run of the load generator.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What a load generator's run found. Processes go by the names that they are watched under; `load` is the
/// load generator itself.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Load {
    pub(super) operations: u64,
    pub(super) per_second: f64,
    pub(super) latency_ms: Latency,
    pub(super) answer_bytes: Option<u64>,
    pub(super) seconds: f64,
    cpu_seconds: BTreeMap<String, f64>,
    pub(super) resident_kib: BTreeMap<String, u64>,
}

/// Of one operation.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Latency {
    pub(super) p50: f64,
    pub(super) p99: f64,
}

impl Load {
    /// Processor time of a process for each operation.
    pub(super) fn cpu_microseconds_each(&self, process: &str) -> f64 {
        self.cpu(process) * 1e6 / self.operations as f64
    }

    /// How much of one core a process used.
    pub(super) fn busy(&self, process: &str) -> f64 {
        self.cpu(process) / self.seconds
    }

    /// Resident memory in units of a million bytes.
    pub(super) fn resident_megabytes(&self, process: &str) -> f64 {
        self.resident_kib.get(process).map_or(f64::NAN, |kib| *kib as f64 * 1024.0 / 1e6)
    }

    fn cpu(&self, process: &str) -> f64 {
        self.cpu_seconds.get(process).copied().unwrap_or(f64::NAN)
    }

    /// One second of `server`, half busy.
    #[cfg(test)]
    pub(super) fn sample(server: &str, per_second: f64, p99: f64) -> Self {
        Self {
            operations: per_second as u64,
            per_second,
            latency_ms: Latency { p50: p99 / 2.0, p99 },
            answer_bytes: None,
            seconds: 1.0,
            cpu_seconds: [(server.to_owned(), 0.5), ("load".to_owned(), 0.25)].into(),
            resident_kib: [(server.to_owned(), 20_000)].into(),
        }
    }
}
