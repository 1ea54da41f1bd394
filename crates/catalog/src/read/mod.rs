//! Reading a source: its envelope, its records, each in its dialect.

mod appd;
mod application;
mod channel;
mod envelope;
mod handlers;
mod interop;
mod layout;
mod record;
mod sheet;
mod web_url;

use std::sync::Arc;

use serde_json::Value;

use crate::diagnostic::{Code, Diagnostic};
use crate::limits::MAX_BYTES;
use crate::model::{Application, Channel, Layout};
use crate::source::SourceLabel;
pub use envelope::is_definitions;
use sheet::Sheet;

/// What a source holds: the records that could be read, in order, and what is not as it
/// should be. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The source.
    pub source: SourceLabel,
    /// Its applications. Names may repeat; [`crate::Catalog::merge`] decides.
    pub applications: Vec<Arc<Application>>,
    /// Its layouts.
    pub layouts: Vec<Arc<Layout>>,
    /// Its channels.
    pub channels: Vec<Arc<Channel>>,
    /// Everything that is not as it should be, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Read {
    /// A source that holds nothing.
    #[must_use]
    pub fn empty(source: SourceLabel) -> Self {
        Self {
            source,
            applications: Vec::new(),
            layouts: Vec::new(),
            channels: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// A source that could not be fetched or opened. `reason` says why, and what would
    /// be right.
    #[must_use]
    pub fn unreadable(source: SourceLabel, reason: &str) -> Self {
        let mut sheet = Sheet::new(&source, None);
        sheet.tell(None, Code::FileUnreadable, reason);
        sheet.finish()
    }

    /// Whether there is a record.
    #[must_use]
    pub fn has_records(&self) -> bool {
        !(self.applications.is_empty() && self.layouts.is_empty() && self.channels.is_empty())
    }
}

/// Reads the text of a source: JSON, comments and trailing commas allowed, in any of the
/// dialects. Never fails: what cannot be read is told in [`Read::diagnostics`].
#[must_use]
pub fn read(source: &SourceLabel, text: &str) -> Read {
    let mut sheet = Sheet::new(source, Some(text));
    if text.len() > MAX_BYTES {
        let message =
            format!("it is longer than {MAX_BYTES} bytes and is not read; split it into several");
        sheet.tell(None, Code::FileTooLarge, message);
    } else {
        envelope::read_text(&mut sheet, text);
    }
    sheet.finish()
}

/// Reads a value that came otherwise than as a text of its own, such as the argument of a
/// call. Records have no lines then.
#[must_use]
pub fn read_value(source: &SourceLabel, value: Value) -> Read {
    let mut sheet = Sheet::new(source, None);
    envelope::read_value(&mut sheet, value);
    sheet.finish()
}
