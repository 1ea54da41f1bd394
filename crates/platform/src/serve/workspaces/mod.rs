//! `T42.Workspaces.Control` and its streams: workspaces as the client library asks for them.

mod arguments;
mod control;
mod items;
mod layouts;
mod opening;
mod operation;
mod reading;
mod settings;
pub(crate) mod streams;

pub(crate) use control::register;
