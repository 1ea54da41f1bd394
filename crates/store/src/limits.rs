//! Every bound of the store, in one place.

use std::time::Duration;

/// How much the store takes, holds and waits.
///
/// What is too large is refused by name. What comes too fast waits: nothing is
/// dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one JSON document.
    pub document_bytes: usize,
    /// Bytes of each user, application, kind, name and id.
    pub name_bytes: usize,
    /// Writes that may wait for the writer; a further one waits for a place.
    pub queued_writes: usize,
    /// Bytes of all writes that wait; a further one waits for room. One write
    /// (an import of layouts has many documents) may not be larger.
    pub queued_bytes: usize,
    /// Writes that are committed in one transaction.
    pub writes_per_commit: usize,
    /// Connections that read at the same time.
    pub readers: u32,
    /// Bytes the database file may grow to; its log may hold as much again.
    pub database_bytes: u64,
    /// How long another program may keep the file locked before a write fails.
    pub lock_wait: Duration,
}

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 4 * MIB,
            name_bytes: KIB,
            queued_writes: 256,
            queued_bytes: 64 * MIB,
            writes_per_commit: 128,
            readers: 4,
            database_bytes: 1024 * MIB as u64,
            lock_wait: Duration::from_secs(5),
        }
    }
}
