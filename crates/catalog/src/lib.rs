//! Application, layout and channel definitions: every dialect in, one model and
//! diagnostics out.
//!
//! [`read()`] takes the text of a definition file, in any of the dialects that the
//! README of this crate lists, and answers with a [`Read`]: the records it could
//! read, and a [`Diagnostic`] for everything that is not as it should be. One bad
//! record never hides another. [`Catalog::merge`] puts several of those together:
//! the first holder of a name keeps it. The crate opens no file and no address;
//! whoever calls it brings the text and a label for where it came from.
//!
//! ```
//! use deskwire_catalog::{Catalog, SourceLabel, read};
//!
//! let text = r#"[{ "name": "chart", "type": "window", "details": { "url": "http://localhost:4100" } },
//!                { "name": "broken", "type": "window", "details": { "url": "javascript:alert(1)" } }]"#;
//! let catalog = Catalog::merge([read(&SourceLabel::new("apps.json"), text)]);
//! assert!(catalog.application("chart").is_some());
//! assert_eq!(
//!     catalog.diagnostics()[0].to_string(),
//!     "apps.json:2: broken: details.url: `javascript:alert(1)` is not opened: only http and https \
//!      addresses are; write https://…",
//! );
//! ```

mod allowed;
mod catalog;
mod changes;
mod diagnostic;
mod fields;
pub mod limits;
mod model;
mod read;
mod report;
mod source;
mod text;

pub use allowed::{AllowedNames, InvalidAllowedName};
pub use catalog::Catalog;
pub use changes::{Changes, Moved};
pub use diagnostic::{Code, Diagnostic, RecordRef, Severity};
pub use model::{
    Application, Channel, ContextSource, ContextUse, Exe, Intent, Interop, InteropIntent,
    InteropMethod, Kind, Layout, LayoutKind, Node, UrlFault, Window,
};
pub use read::{Read, is_definitions, read, read_value};
pub use source::{Origin, SourceLabel};
