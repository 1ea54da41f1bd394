//! Bounds on what is read. A source is somebody else's: it may be a public
//! directory or a file that a program wrote without end.

/// Longest text of one source in bytes.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Most records of one source; the rest is not read.
pub const MAX_RECORDS: usize = 10_000;
/// Most places of one source that are not JSON before reading ends; going on behind each
/// may cost a walk to the end of the text.
pub const MAX_FAULTS: usize = 50;
/// How deep arrays and objects of one record may nest; the bound of `serde_json`,
/// which reads what keeps to strict JSON.
pub const MAX_DEPTH: usize = 127;
/// Longest name of an application, layout or channel in characters.
pub const MAX_NAME: usize = 256;
/// Most diagnostics that are kept of one source; the rest is counted.
pub const MAX_DIAGNOSTICS: usize = 2_000;
/// Most diagnostics that are kept of one record; finding the line of each costs a walk
/// through its text.
pub const MAX_DIAGNOSTICS_OF_RECORD: usize = 50;
/// Longest piece of a record's own text in a message, in characters.
pub(crate) const MAX_QUOTED: usize = 80;
