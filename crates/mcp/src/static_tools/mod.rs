//! Tools from the configuration: methods and intents of the bus that are tools
//! because the operator says so.
//!
//! The configuration is read and checked once, before anything starts:
//! [`StaticTools`] holds only tools that can be published. Which application
//! serves them changes with the bus; [`StaticSource`] and [`IntentSource`] keep up
//! with it.

mod absence;
mod compile;
mod config;
mod intents;
mod source;

#[cfg(test)]
mod tests;

pub use compile::{InvalidStaticTools, StaticFault, StaticTools};
pub use config::{
    Availability, ResolutionStrategy, StaticAnnotations, StaticIntent, StaticIntentInterop,
    StaticInterop, StaticMethod, StaticToolConfig, StaticToolsConfig,
};
pub(crate) use intents::IntentSource;
pub(crate) use source::StaticSource;
