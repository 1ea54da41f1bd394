//! The arrangement of windows about which nothing was said.

use std::sync::Arc;

use crate::id::{IdSource, Ids};
use crate::limits::MAX_ITEMS;
use crate::tree::{Content, Item, Kind, Tree};

/// Too many windows to arrange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{windows} windows are too many: a workspace has at most {MAX_ITEMS} items, rows and groups included"
)]
pub struct TooManyWindows {
    /// How many there were.
    pub windows: usize,
}

/// Arranges windows: one stands alone; two stand in a row; more stand in a near-square grid of
/// groups, as a column of rows, the fuller rows first.
///
/// A window may carry a size; its group takes it over. Ids that clash are replaced.
///
/// # Errors
/// When the windows with their rows and groups are more than [`MAX_ITEMS`].
pub fn arrange(windows: Vec<Item>, ids: &mut dyn IdSource) -> Result<Tree, TooManyWindows> {
    let count = windows.len();
    let mut ids = Ids::new(ids);
    let windows: Vec<Item> = windows.into_iter().map(|item| unique(item, &mut ids)).collect();
    let children = match count {
        0 | 1 => windows.into_iter().map(Arc::new).collect(),
        2 => vec![row(windows, &mut ids)],
        _ => vec![grid(windows, &mut ids)],
    };
    let tree = Tree { children, root: Arc::default() };
    if tree.items().count() > MAX_ITEMS {
        return Err(TooManyWindows { windows: count });
    }
    Ok(tree)
}

fn unique(mut item: Item, ids: &mut Ids<'_>) -> Item {
    if item.id.as_str().is_empty() || !ids.take(&item.id) {
        item.id = ids.assign();
    }
    item
}

fn row(items: Vec<Item>, ids: &mut Ids<'_>) -> Arc<Item> {
    let items = items.into_iter().map(Arc::new).collect();
    Arc::new(Item::new(ids.assign(), Content::Row(items)))
}

/// Rows of at most ⌈√n⌉ groups, as equal in number as can be.
fn grid(windows: Vec<Item>, ids: &mut Ids<'_>) -> Arc<Item> {
    let count = windows.len();
    let across = (1..=count).find(|across| across * across >= count).unwrap_or(1);
    let down = count.div_ceil(across);
    let mut windows = windows.into_iter();
    let column = Item::new(ids.assign(), Content::Column(Vec::new()));
    let rows = (0..down).map(|place| {
        let long = count / down + usize::from(place < count % down);
        let mut windows = windows.by_ref().take(long).collect::<Vec<_>>();
        match windows.pop() {
            Some(only) if windows.is_empty() => Arc::new(group(only, ids)),
            last => {
                let row = ids.assign();
                windows.extend(last);
                let groups = windows.into_iter().map(|window| Arc::new(group(window, ids)));
                Arc::new(Item::new(row, Content::Row(groups.collect())))
            }
        }
    });
    let rows = rows.collect();
    Arc::new(Item { content: Content::Column(rows), ..column })
}

fn group(mut item: Item, ids: &mut Ids<'_>) -> Item {
    if item.kind() != Kind::Window {
        return item;
    }
    let size = std::mem::take(&mut item.size);
    let content = Content::Group { windows: vec![Arc::new(item)], active: None };
    Item { size, ..Item::new(ids.assign(), content) }
}
