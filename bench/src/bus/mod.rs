//! Load on a gateway: raw frames on raw sockets, the same for every gateway.

pub(crate) mod calls;
pub(crate) mod fan_out;
mod frame;
pub(crate) mod idle;
mod peer;
mod websocket;
