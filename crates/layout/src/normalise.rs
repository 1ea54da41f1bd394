//! The normal form: no empty containers, and sizes that sum to 100.

use std::sync::Arc;

use crate::sizes::{needs_settling, settle};
use crate::tree::{Axis, Item, Kind, Tree};

/// Brings a tree that came from somewhere into normal form:
///
/// 1. Containers without a window in them are dropped.
/// 2. Sizes of siblings along the axis of their container: either none has one, or all have and
///    they sum to 100. An only child has none.
///
/// Containers with one child stay: whoever made them wanted them.
#[must_use]
pub fn normalise(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    drop_empty(&mut tree.children);
    settle_tree(&mut tree);
    tree
}

/// Drops what has no window in it.
fn drop_empty(items: &mut Vec<Arc<Item>>) {
    items.retain(|item| has_window(item));
    for item in items {
        let is_clean = item.walk().all(has_window);
        if !is_clean && let Some(children) = Arc::make_mut(item).children_mut() {
            drop_empty(children);
        }
    }
}

fn has_window(item: &Item) -> bool {
    item.walk().any(|below| below.kind() == Kind::Window)
}

/// Settles the sizes of all siblings; copies only what changes.
pub(crate) fn settle_tree(tree: &mut Tree) {
    settle_items(&mut tree.children, Some(Axis::Horizontal));
}

fn settle_items(items: &mut [Arc<Item>], axis: Option<Axis>) {
    if let Some(axis) = axis {
        settle(items, axis);
    }
    for item in items {
        if item.walk().any(is_unsettled) {
            let item = Arc::make_mut(item);
            let axis = item.kind().axis();
            if let Some(children) = item.children_mut() {
                settle_items(children, axis);
            }
        }
    }
}

fn is_unsettled(item: &Item) -> bool {
    item.kind().axis().is_some_and(|axis| needs_settling(item.children(), axis))
}
