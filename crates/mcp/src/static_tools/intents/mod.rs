//! Static tools that raise intents.
//!
//! Who handles an intent depends on the bus and on what applications are
//! defined to handle; [`IntentSource`] keeps up with both.

mod absence;
mod context;
mod source;
mod tool;

pub(crate) use source::IntentSource;
