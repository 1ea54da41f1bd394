//! Bounds of a tree, in one place. They hold for what is read and for what an edit makes.

/// How deep items may nest; an item at the top level has depth 1.
///
/// With [`MAX_VALUE_DEPTH`] this keeps any written tree, in either dialect, below 100 levels of JSON,
/// which is what a frame of the bus may nest.
pub const MAX_DEPTH: usize = 32;

/// How many items a tree may have.
pub const MAX_ITEMS: usize = 2_000;

/// How deep a context, or a setting that layout does not know, may nest.
pub const MAX_VALUE_DEPTH: usize = 20;

/// How long a tree given as JSON text may be, in bytes.
pub const MAX_TEXT: usize = 4 * 1024 * 1024;

/// How long an item's id may be, in bytes.
pub const MAX_ID: usize = 256;

/// How long a title may be, in characters.
pub const MAX_TITLE: usize = 512;

/// How many diagnostics one reading keeps; the rest is counted.
pub const MAX_DIAGNOSTICS: usize = 100;

/// The smallest share of its container, in percent, that a resize leaves to an item.
pub const MIN_SHARE: f64 = 1.0;
