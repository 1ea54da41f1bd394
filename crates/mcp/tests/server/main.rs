//! The server as its clients meet it: a real gateway, real applications, MCP
//! over HTTP and over a pair of pipes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bombs;
mod calls;
mod changes;
mod desk;
mod faults;
mod headers;
mod http;
mod intents;
mod lifetimes;
mod lists;
mod log;
mod mcp;
mod pipes;
mod platform;
mod questions;
mod searches;
mod sources;
mod statics;
