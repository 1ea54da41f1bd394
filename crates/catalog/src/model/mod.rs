//! What definitions say, in one form for every dialect.

mod application;
mod channel;
mod interop;
mod layout;

pub use application::{Application, Exe, Intent, Kind, Node, UrlFault, Window};
pub use channel::Channel;
pub use interop::{ContextSource, ContextUse, Interop, InteropIntent, InteropMethod};
pub use layout::{Layout, LayoutKind};
