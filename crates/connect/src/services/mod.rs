//! Clients of what a desktop platform serves on the bus, one module for each
//! service.
//!
//! They call the methods that the desktop's JavaScript libraries call, so they
//! work with every platform those work with. A bus without a platform is told
//! at once, or after a second in which one could still appear
//! ([`ServiceError::NotAvailable`]); nothing waits for one longer.

pub mod apps;
pub mod channels;
pub mod intents;
pub mod layouts;
mod lenient;
mod platform;
pub mod preferences;
pub mod workspaces;

pub use platform::ServiceError;
