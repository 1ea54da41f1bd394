//! Bounds on what is read. A source is somebody else's: it may be a public
//! directory or a file that a program wrote without end.

/// Longest text of one source in bytes.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Most records of one source; the rest is not read.
pub const MAX_RECORDS: usize = 10_000;
/// Most places of one source that are not JSON before reading ends.
pub const MAX_FAULTS: usize = 1_000;
/// Most records of one list that are not closed and behind which reading goes on; each may
/// cost a walk to the end of the text.
pub(crate) const MAX_RESUMES: usize = 20;
/// Longest record in bytes whose fields are looked up for their lines; diagnostics of a
/// longer one have the line of the record.
pub(crate) const MAX_LOCATED: usize = 256 * 1024;
/// How deep arrays and objects of one record may nest; the bound of `serde_json`,
/// which reads what keeps to strict JSON.
pub const MAX_DEPTH: usize = 127;
/// Longest name of an application, layout or channel in characters.
pub const MAX_NAME: usize = 256;
/// Most diagnostics that are kept of one source; the rest is counted.
pub const MAX_DIAGNOSTICS: usize = 2_000;
/// Most diagnostics that are kept of one record.
pub const MAX_DIAGNOSTICS_OF_RECORD: usize = 50;
/// Longest piece of a record's own text in a message, in characters.
pub(crate) const MAX_QUOTED: usize = 80;
