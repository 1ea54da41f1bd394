//! Instances: which applications run, how each stands, and what has become of it.
//!
//! The core decides everything, as a value that changes by events; [`Instances`] is the
//! handle around it, which does what follows: it tells, mints and revokes tokens, and
//! carries processes from their start to their end.
//!
//! - An instance **exists** once its process does, or its window is opened. From then on
//!   it is in the snapshot, until the news that it has ended.
//! - It is **ready** once one of its peers is on the bus. A program for which nobody asked
//!   that is ready, too, once it has been alive for a second: it may be no client of the bus.
//! - A process that was to be on the bus and is not in time is ended, and has failed.
//! - It **ends** with its process, and all that the process has started ends with it.
//!   Then its token is good no more, and its peers have to leave the bus.

mod browser;
mod carry;
mod commands;
mod error;
mod follow;
mod handle;
pub mod limits;
mod model;
mod outlets;
mod own;
mod pages;
mod start;
mod table;
#[cfg(test)]
mod tests;
mod windows;

pub use error::{StartError, StopError};
pub use handle::{Instances, Surroundings};
pub use model::{Cause, Host, Instance, InstanceEvent, InstanceId, InstanceState, StartedBy};
pub use start::{Secret, Start, StartOptions, WindowTicket};
pub use windows::WindowsOfWorkspaces;
pub(crate) use windows::page;

pub use crate::process::Exit;
