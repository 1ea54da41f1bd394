//! Where a record came from.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// The name of a source as a person knows it: a path, an address, `in-memory`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct SourceLabel(Arc<str>);

impl SourceLabel {
    /// A label; cheap to clone from then on.
    pub fn new(label: impl Into<Arc<str>>) -> Self {
        Self(label.into())
    }

    /// The label as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SourceLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The place of one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The source.
    pub source: SourceLabel,
    /// The record in its source as a JSON pointer: `/applications/3`, or empty when
    /// the source is the record.
    pub pointer: String,
    /// Which record of its source it is, counted from 0.
    pub index: usize,
    /// The line its text starts at, counted from 1; `None` for what did not come as text.
    pub line: Option<usize>,
}

/// `apps.json:12`, or `apps.json` where no line is known.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.source),
            None => self.source.fmt(f),
        }
    }
}
