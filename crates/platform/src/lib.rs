//! The platform: applications and their instances, workspaces, layouts,
//! channels and preferences, served on the bus under the names that the
//! desktop's client libraries call.
//!
//! It is a peer like any other: it gets a connected [`deskwire_connect::Client`]
//! and never sees the gateway. What it needs of others comes through the traits
//! of [`ports`].

mod apps;
mod channels;
mod clock;
mod config;
pub mod instances;
mod launch;
mod layouts;
mod limits;
mod platform;
pub mod ports;
mod preferences;
mod probe;
mod process;
mod running;
mod serve;
mod sources;
pub mod workspaces;

pub use apps::{Apps, ImportMode, Imported};
pub use config::{ChannelDef, Config, RestSource, Source};
pub use launch::{Definitions, FocusError, Launcher, WindowHost};
pub use layouts::{Import, LayoutError, Layouts};
pub use limits::Limits;
pub use platform::{Platform, StartError};
pub use running::{InstanceCommands, Running, RunningNews, StartCommand};
pub use sources::{SourceError, read_definitions};
