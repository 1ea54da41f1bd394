//! The platform: applications and their instances, workspaces, layouts,
//! channels and preferences, served on the bus under the names that the
//! desktop's client libraries call.
//!
//! It is a peer like any other: it gets a connected [`deskwire_connect::Client`]
//! and never sees the gateway. What it needs of others comes through the traits
//! of [`ports`].

pub mod ports;
