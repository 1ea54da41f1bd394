//! The bus: a broker as a pure state machine, and its WebSocket and in-process links.
//!
//! [`Gateway`] is the whole of it: [`router`] takes WebSockets,
//! [`Gateway::connect`] opens a link within the process. [`broker`] is the
//! state machine alone, without links, for tests and for the curious.
//! `README.md` beside this crate says what is refused, who closes what, and why.

mod access;
mod account;
pub mod auth;
pub mod broker;
mod claims;
mod gateway;
mod http;
mod inproc;
mod limits;
mod outbound;
mod outbox;
mod tokens;
mod ws;

pub use access::{AccessKey, AccessKeyError};
pub use broker::{Admission, LinkId, LinkInfo};
pub use gateway::{Config, Gateway, Stats};
pub use http::router;
pub use limits::Limits;
pub use outbound::{Outbound, Shared, Snapshot};
pub use tokens::{InstanceGrant, TokenError, Tokens};
