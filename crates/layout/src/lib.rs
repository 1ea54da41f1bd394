//! The workspace tree: rows, columns, groups and windows.
//!
//! The crate is pure: JSON in, a [`Tree`] and diagnostics out; an [`Edit`] in, a new tree out. It
//! knows no applications, no buses and no screens. The README beside it has the model, both JSON
//! dialects, the rules, and the form of the vectors that other implementations run as well.

mod arrange;
mod diagnostic;
mod edit;
mod id;
pub mod limits;
mod normalise;
mod path;
mod read;
mod sizes;
mod tree;
mod write;

pub use arrange::{TooManyWindows, arrange};
pub use diagnostic::{Diagnostic, Fault, ReadError};
pub use edit::{Applied, Edit, EditError, Place, Side};
pub use id::{Counter, IdSource, ItemId};
pub use normalise::normalise;
pub use path::Path;
pub use read::{Dialect, Policy, Read, read, read_text};
pub use sizes::shares;
pub use tree::{Axis, Content, Item, Kind, Object, Root, Size, Tree, Window};
pub use write::{WriteIds, definition, item as item_definition, saved_layout};
