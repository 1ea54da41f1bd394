//! Reading JSON as people write it, with the place of everything.
//!
//! A record is read by `serde_json` where it keeps to strict JSON, which most do,
//! and else by `json5`, which knows comments, trailing commas and bare keys. Neither
//! goes on after a fault, so finding where a record ends is the work of [`walk`].

mod lines;
mod locate;
mod pieces;
mod walk;

pub(crate) use lines::{Lines, lines_before};
pub(crate) use locate::locate;
pub(crate) use pieces::{Fault, Parsed, Pieces, parse};
pub(crate) use walk::{Members, skip_blank};
