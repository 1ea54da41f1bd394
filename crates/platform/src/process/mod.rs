//! Processes: what to start and in which surroundings, and how to be rid of it again.
//!
//! Each is the leader of a process group of its own (on Windows, of a job), so that
//! what it starts ends with it. A process that leaves its group on purpose (a daemon)
//! is beyond reach.

mod child;
mod environment;
mod expand;
mod guard;
mod output;
mod program;

pub use child::Exit;
pub(crate) use child::{Child, Spawn};
pub(crate) use environment::Surroundings;
pub(crate) use guard::Guard;
pub(crate) use program::Programs;
