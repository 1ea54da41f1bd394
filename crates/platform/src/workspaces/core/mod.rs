//! The core: what happens to frames and workspaces. It does no I/O.
//!
//! A [`Turn`] changes a copy of the [`Desk`]; what follows from that is found by comparing before and after
//! ([`Changes`]): revisions, events, windows to start and instances to stop. So a change cannot forget to tell somebody,
//! and a refusal leaves no trace.

mod changes;
mod contents;
mod frames;
mod items;
mod lifecycle;
mod showing;
mod turn;
mod windows;

#[cfg(test)]
mod tests;

pub use changes::{Changes, ContextWrite, Ending, Start};
pub use contents::Op;
pub(crate) use contents::parent_of;
pub use items::Target;
pub use lifecycle::{NewWorkspace, Placement};
pub use turn::{Moment, Turn};
pub use windows::{Edited, Opened, Report};
