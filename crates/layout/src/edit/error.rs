//! Why an edit cannot be done.

use crate::diagnostic::ReadError;
use crate::id::ItemId;
use crate::limits::{MAX_DEPTH, MAX_ITEMS, MAX_TITLE};
use crate::tree::Kind;

/// Why an edit cannot be done. The tree is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EditError {
    /// No item has this id.
    #[error("there is no item `{id}`")]
    NoSuchItem {
        /// The id.
        id: ItemId,
    },
    /// A new item cannot be read.
    #[error("the new item cannot be read: {0}")]
    Item(#[from] ReadError),
    /// An item beside or into itself, or where nothing else is.
    #[error("`{id}` cannot be put beside or into itself")]
    IntoItself {
        /// The item.
        id: ItemId,
    },
    /// Something that is no tab among tabs.
    #[error("only windows, and groups of them, can be tabs; a {kind} cannot")]
    NotATab {
        /// What was to become one.
        kind: Kind,
    },
    /// Tabs onto something that has none.
    #[error("`{id}` is a {kind}; tabs can be put onto a window or into a group")]
    NotStackable {
        /// The target.
        id: ItemId,
        /// What it is.
        kind: Kind,
    },
    /// Something into a window.
    #[error("`{id}` is a window; only rows, columns and groups hold items")]
    NotAContainer {
        /// The window.
        id: ItemId,
    },
    /// A place that is not there.
    #[error("there is no place {index}; it is at most {most}")]
    BadIndex {
        /// The place, counted from 0.
        index: usize,
        /// The last one that is there.
        most: usize,
    },
    /// A resize of something that has no boundary.
    #[error("`{id}` has no boundary that could move: it needs a neighbour in a row or column")]
    NoBoundary {
        /// The item.
        id: ItemId,
    },
    /// A size that leaves too little.
    #[error("{size} is out of range: between {min} and {max} percent would leave room for both")]
    BadSize {
        /// The size that was asked for.
        size: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// A selection of something that is in no group.
    #[error("`{id}` is no tab: it is not a window in a group")]
    NotInGroup {
        /// The item.
        id: ItemId,
    },
    /// A title that is too long.
    #[error("a title has at most {MAX_TITLE} characters")]
    TitleTooLong,
    /// The result has too many items.
    #[error("a workspace has at most {MAX_ITEMS} items")]
    TooManyItems,
    /// The result nests too deep.
    #[error("items nest at most {MAX_DEPTH} levels deep")]
    TooDeep,
}

impl EditError {
    /// A name for programs; it never changes, the message may.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchItem { .. } => "no-such-item",
            Self::Item(error) => error.code(),
            Self::IntoItself { .. } => "into-itself",
            Self::NotATab { .. } => "not-a-tab",
            Self::NotStackable { .. } => "not-stackable",
            Self::NotAContainer { .. } => "not-a-container",
            Self::BadIndex { .. } => "bad-index",
            Self::NoBoundary { .. } => "no-boundary",
            Self::BadSize { .. } => "bad-size",
            Self::NotInGroup { .. } => "not-in-group",
            Self::TitleTooLong => "title-too-long",
            Self::TooManyItems => "too-many-items",
            Self::TooDeep => "too-deep",
        }
    }
}
