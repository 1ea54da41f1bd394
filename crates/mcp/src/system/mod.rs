//! Tools of this server itself: searching, starting and arranging what the desktop
//! has. All of them are experimental: names and schemas may change.
//!
//! [`Role`] is the table of what they are and what each needs. [`SystemTools`] holds
//! the operator's settings. [`SystemSource`] offers those that can be used, and says
//! why the others cannot.

mod roles;
mod schemas;
mod search;
mod settings;
mod source;

#[cfg(test)]
mod tests;

pub use settings::{InvalidSystemTool, Matching, SearchSettings, SystemTools, ToolSettings};
pub(crate) use source::SystemSource;
