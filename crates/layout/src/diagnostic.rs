//! What was wrong with a tree, and where.

use std::fmt;

use serde_json::Value;

use crate::id::ItemId;
use crate::limits::{MAX_DEPTH, MAX_ID, MAX_ITEMS, MAX_TEXT, MAX_TITLE, MAX_VALUE_DEPTH};
use crate::path::Path;
use crate::tree::Kind;

/// One thing that could not be read as it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it stands.
    pub path: Path,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.fault)
    }
}

/// What can be wrong at one place of a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An item is no JSON object.
    #[error("{found} is no item; an item is an object with a `type`")]
    NotAnItem {
        /// What stands there.
        found: &'static str,
    },
    /// The type of an item is none of the four.
    #[error("`{found}` is no type of an item; use row, column, group or window")]
    UnknownType {
        /// The type, or what stands in its place.
        found: String,
    },
    /// Something other than a window in a group.
    #[error("a group holds only windows, not a {found}")]
    NotAWindow {
        /// What stands there.
        found: Kind,
    },
    /// A window that shows nothing.
    #[error("a window needs an `appName` or a `windowId`")]
    NoApp,
    /// A window with something in it.
    #[error("a window has no children; put them beside it, in a row, column or group")]
    WindowWithChildren,
    /// Children that are no list.
    #[error("`children` is a list of items, not {found}")]
    NotAList {
        /// What stands there.
        found: &'static str,
    },
    /// A context or another value that nests too deep.
    #[error("nests deeper than {MAX_VALUE_DEPTH} levels")]
    ValueTooDeep,
    /// Settings, a context or a frame that are no object.
    #[error("an object belongs here, not {found}")]
    NotAnObject {
        /// What stands there.
        found: &'static str,
    },
    /// A name or title that is no text.
    #[error("text belongs here, not {found}; ignored")]
    NotText {
        /// What stands there.
        found: &'static str,
    },
    /// A title that is too long.
    #[error("a title has at most {MAX_TITLE} characters; ignored")]
    TitleTooLong,
    /// A width or height that is no share.
    #[error("a size is a number of percent above 0 and up to 100, not {found}; ignored")]
    BadSize {
        /// What stands there.
        found: String,
    },
    /// The index of a tab that is not there.
    #[error("`activeTabIndex` is the place of a tab, counted from 0, not {found}; ignored")]
    BadTab {
        /// What stands there.
        found: String,
    },
    /// An id that cannot be one.
    #[error("an id is text of 1 to {MAX_ID} bytes; a new one was given")]
    BadId,
    /// An id that another item has.
    #[error("another item has the id `{id}`; a new one was given")]
    DuplicateId {
        /// The id.
        id: ItemId,
    },
    /// The same thing said twice, differently.
    #[error("`{key}` stands beside `config` too, with another value; that one counts")]
    SaidTwice {
        /// The key.
        key: &'static str,
    },
    /// A saved layout with several components.
    #[error("a workspace layout has one component; the other {others} are ignored")]
    MoreComponents {
        /// How many there are beside the one that was read.
        others: usize,
    },
}

impl Fault {
    /// Whether something of the workspace is missing from what was read: an item, its children,
    /// its settings or a context. The other faults only made a setting fall back to what holds without it.
    #[must_use]
    pub const fn loses(&self) -> bool {
        match self {
            Self::NotAnItem { .. }
            | Self::UnknownType { .. }
            | Self::NotAWindow { .. }
            | Self::NoApp
            | Self::WindowWithChildren
            | Self::NotAList { .. }
            | Self::NotAnObject { .. }
            | Self::ValueTooDeep => true,
            Self::NotText { .. }
            | Self::TitleTooLong
            | Self::BadSize { .. }
            | Self::BadTab { .. }
            | Self::BadId
            | Self::DuplicateId { .. }
            | Self::SaidTwice { .. }
            | Self::MoreComponents { .. } => false,
        }
    }

    /// A name for programs; it never changes, the message may.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAnItem { .. } => "not-an-item",
            Self::UnknownType { .. } => "unknown-type",
            Self::NotAWindow { .. } => "not-a-window",
            Self::NoApp => "no-app",
            Self::WindowWithChildren => "window-with-children",
            Self::NotAList { .. } => "not-a-list",
            Self::ValueTooDeep => "value-too-deep",
            Self::NotAnObject { .. } => "not-an-object",
            Self::NotText { .. } => "not-text",
            Self::TitleTooLong => "title-too-long",
            Self::BadSize { .. } => "bad-size",
            Self::BadTab { .. } => "bad-tab",
            Self::BadId => "bad-id",
            Self::DuplicateId { .. } => "duplicate-id",
            Self::SaidTwice { .. } => "said-twice",
            Self::MoreComponents { .. } => "more-components",
        }
    }
}

/// Why no tree could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Text that is no JSON.
    #[error("the text is no JSON: {reason}")]
    NotJson {
        /// What the parser says, with line and column.
        reason: String,
    },
    /// Text that is too long.
    #[error("the text has {bytes} bytes; {MAX_TEXT} are allowed")]
    TextTooLong {
        /// How long it is.
        bytes: usize,
    },
    /// JSON that is no workspace in any form.
    #[error(
        "{path}: no workspace, but {found}; give {{\"children\":[…]}}, a list of items, or a saved \
         layout with `components`"
    )]
    NotATree {
        /// Where.
        path: Path,
        /// What stands there.
        found: String,
    },
    /// Items that nest too deep.
    #[error("{path}: items nest deeper than {MAX_DEPTH} levels")]
    TooDeep {
        /// The first item that is too deep.
        path: Path,
    },
    /// Too many items.
    #[error("{path}: a workspace has at most {MAX_ITEMS} items")]
    TooManyItems {
        /// The first item that is too many.
        path: Path,
    },
    /// A strict reading met faults that lose something. All faults are told, the losing ones
    /// first.
    #[error("{}", summary(.diagnostics))]
    Refused {
        /// What was wrong; never empty.
        diagnostics: Vec<Diagnostic>,
    },
}

impl ReadError {
    /// A name for programs; it never changes, the message may.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "not-json",
            Self::TextTooLong { .. } => "text-too-long",
            Self::NotATree { .. } => "not-a-tree",
            Self::TooDeep { .. } => "too-deep",
            Self::TooManyItems { .. } => "too-many-items",
            Self::Refused { diagnostics } => {
                diagnostics.first().map_or("refused", |first| first.fault.code())
            }
        }
    }

    /// Where it went wrong, if that is one place.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::NotJson { .. } | Self::TextTooLong { .. } => None,
            Self::NotATree { path, .. } | Self::TooDeep { path } | Self::TooManyItems { path } => {
                Some(path)
            }
            Self::Refused { diagnostics } => diagnostics.first().map(|first| &first.path),
        }
    }
}

/// The first few diagnostics in one line.
fn summary(diagnostics: &[Diagnostic]) -> String {
    const SHOWN: usize = 3;
    let mut text: Vec<String> = diagnostics.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = diagnostics.len().saturating_sub(SHOWN);
    if more > 0 {
        text.push(format!("and {more} more"));
    }
    text.join("; ")
}

/// What a value is, in words for messages.
pub(crate) const fn what(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value in a message: a scalar as it stands, cut short; anything else in words.
pub(crate) fn shown(value: &Value) -> String {
    const LONGEST: usize = 40;
    match value {
        Value::String(text) => {
            let cut: String = text.chars().take(LONGEST).collect();
            if cut.len() < text.len() { format!("{cut}…") } else { cut }
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => what(value).to_owned(),
    }
}
