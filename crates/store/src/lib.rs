//! Durable repositories over one SQLite file.
//!
//! [`Store::open`] gives the one opener of a file; its repositories are cheap
//! handles. A write that has been answered with `Ok` is committed: it outlives
//! the process and, as far as the disk keeps its word, the machine.

mod database;
mod document;
mod error;
mod layouts;
mod limits;
mod lock;
mod preferences;
mod schema;
mod store;
mod workspaces;
mod writer;

pub use self::error::StoreError;
pub use self::layouts::{Import, Layout, LayoutKey, Layouts, Marker};
pub use self::limits::Limits;
pub use self::preferences::{Preference, Preferences};
pub use self::store::Store;
pub use self::workspaces::{OpenWorkspace, OpenWorkspaces};
