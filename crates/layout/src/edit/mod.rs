//! Edits: what a person or a program does to a tree, as values.
//!
//! An edit is JSON on the wire and in the vectors, so that a page and the server do the same. It
//! takes a tree and gives a new one; the old one is untouched and shares what did not change. An
//! undo is the old tree.

mod change;
mod error;
mod put;
mod take;
mod work;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::id::{IdSource, ItemId};
use crate::tree::{Axis, Item, Tree};

pub use error::EditError;
use work::Work;

/// A change of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Puts a new item somewhere. Its own size does not count; its place decides.
    Insert {
        /// The item in definition form. Ids that are free stay.
        item: Value,
        /// Where it goes.
        place: Place,
    },
    /// Puts an item somewhere else. Within its row or column it keeps its size.
    Move {
        /// The item.
        item: ItemId,
        /// Where it goes; indexes count without the item.
        place: Place,
    },
    /// Takes an item out, with all that is in it.
    Remove {
        /// The item.
        item: ItemId,
    },
    /// Moves the boundary between an item and the next of its row or column (before the last item:
    /// the previous). The two share what they had.
    Resize {
        /// The item.
        item: ItemId,
        /// Its new size, in percent of the row or column.
        size: f64,
    },
    /// Changes a title; without one, or with a blank one, the title goes.
    Rename {
        /// The item; without one, the workspace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<ItemId>,
        /// The new title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// Puts an item to another place among its siblings.
    Reorder {
        /// The item.
        item: ItemId,
        /// Its new place, counted from 0 without the item.
        index: usize,
    },
    /// Brings a tab to the front.
    Select {
        /// The window in a group.
        item: ItemId,
    },
}

/// Where an item goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "lowercase", deny_unknown_fields)]
pub enum Place {
    /// Beside an item: it takes half of that one's space.
    Beside {
        /// The item; a window in a group stands for its group.
        target: ItemId,
        /// The side of it.
        side: Side,
    },
    /// As a tab. A window that is in no group becomes a group first. A group that is put somewhere
    /// as a tab gives its windows.
    Stack {
        /// The group, or a window.
        target: ItemId,
        /// The place among the tabs. Without one: after the window, or last in the group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
    /// Along a whole side of the workspace.
    Edge {
        /// The side.
        side: Side,
    },
    /// Into a container, with an equal part of it. In a group: as a tab.
    Into {
        /// The container; without one, the top level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<ItemId>,
        /// The place among its children; without one, last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
}

/// A side of an item or of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// `left`
    Left,
    /// `right`
    Right,
    /// `top`
    Top,
    /// `bottom`
    Bottom,
}

impl Side {
    /// The axis on which items must be laid out to be on this side of one another.
    #[must_use]
    pub const fn axis(self) -> Axis {
        match self {
            Self::Left | Self::Right => Axis::Horizontal,
            Self::Top | Self::Bottom => Axis::Vertical,
        }
    }

    /// Whether the side comes before what it is a side of.
    #[must_use]
    pub const fn is_before(self) -> bool {
        matches!(self, Self::Left | Self::Top)
    }
}

/// What an edit made.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The new tree.
    pub tree: Tree,
    /// Items that were not there before, in the order of the tree.
    pub added: Vec<ItemId>,
    /// Items that are gone, in the order of the old tree; containers that an edit made superfluous
    /// are among them.
    pub removed: Vec<ItemId>,
    /// What the source of ids had to give, in order. The same edit with a source that gives these
    /// makes the same tree elsewhere.
    pub assigned: Vec<ItemId>,
    /// What could not be read of a new item as it stood.
    pub diagnostics: Vec<Diagnostic>,
}

impl Tree {
    /// Applies an edit.
    ///
    /// A row or column that lost an item to the edit and has one child left is replaced by that
    /// child, which takes over its size; a container that lost its last child goes. Everything
    /// else stays as it is, also containers that came with one child or none. Sizes are settled
    /// as [`crate::normalise`] does.
    ///
    /// # Errors
    /// When the edit names what is not there or cannot be done. This tree is as it was in any case.
    pub fn apply(&self, edit: &Edit, ids: &mut dyn IdSource) -> Result<Applied, EditError> {
        let mut work = Work::new(self, ids);
        match edit {
            Edit::Insert { item, place } => work.insert(item, place)?,
            Edit::Move { item, place } => work.relocate(item, place)?,
            Edit::Remove { item } => work.remove(item)?,
            Edit::Resize { item, size } => work.resize(item, *size)?,
            Edit::Rename { item, title } => work.rename(item.as_ref(), title.as_deref())?,
            Edit::Reorder { item, index } => work.reorder(item, *index)?,
            Edit::Select { item } => work.select(item)?,
        }
        let (tree, assigned, diagnostics) = work.finish()?;
        let (added, removed) = (missing_in(self, &tree), missing_in(&tree, self));
        Ok(Applied { tree, added, removed, assigned, diagnostics })
    }
}

/// Ids of `tree` that `other` does not have.
fn missing_in(other: &Tree, tree: &Tree) -> Vec<ItemId> {
    let there: HashSet<&ItemId> = other.items().map(|item| &item.id).collect();
    let id = |item: &Item| item.id.clone();
    tree.items().filter(|item| !there.contains(&item.id)).map(id).collect()
}
