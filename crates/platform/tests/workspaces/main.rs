//! Workspaces on a real bus and a real store: pages that host windows, clients that ask, restarts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, unreachable_pub)]

mod control;
mod pages;
mod restarts;
#[path = "../support/windows.rs"]
mod windows;
mod world;
