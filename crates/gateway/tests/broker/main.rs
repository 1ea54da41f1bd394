//! The broker alone: what is said, and what is said in return.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(unreachable_pub, missing_debug_implementations)]

mod bus;
mod contexts;
mod desk;
mod farewell;
mod interop;
mod limits;
mod session;
mod streams;
