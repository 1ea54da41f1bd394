//! A tree in the middle of an edit: finding items, changing them in place.

use std::sync::Arc;

use super::EditError;
use crate::diagnostic::Diagnostic;
use crate::id::{IdSource, Ids, ItemId};
use crate::limits::{MAX_DEPTH, MAX_ITEMS};
use crate::normalise::settle_tree;
use crate::tree::{Axis, Content, Item, Kind, Tree};

/// Places from the top level down to an item. An empty way leads to the workspace itself.
pub(super) type Way = Vec<usize>;

pub(super) struct Work<'a> {
    pub(super) tree: Tree,
    pub(super) ids: Ids<'a>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Work<'a> {
    pub(super) fn new(tree: &Tree, source: &'a mut dyn IdSource) -> Self {
        let mut ids = Ids::new(source);
        for item in tree.items() {
            ids.take(&item.id);
        }
        Self { tree: tree.clone(), ids, diagnostics: Vec::new() }
    }

    /// Settles sizes and checks bounds.
    pub(super) fn finish(mut self) -> Result<(Tree, Vec<ItemId>, Vec<Diagnostic>), EditError> {
        settle_tree(&mut self.tree);
        if self.tree.items().count() > MAX_ITEMS {
            return Err(EditError::TooManyItems);
        }
        if depth(&self.tree.children) > MAX_DEPTH {
            return Err(EditError::TooDeep);
        }
        Ok((self.tree, self.ids.into_assigned(), self.diagnostics))
    }

    pub(super) fn way(&self, id: &ItemId) -> Result<Way, EditError> {
        let mut way = Way::new();
        if find(&self.tree.children, id, &mut way) {
            return Ok(way);
        }
        Err(EditError::NoSuchItem { id: id.clone() })
    }

    pub(super) fn item(&self, way: &[usize]) -> Option<&Arc<Item>> {
        let (place, above) = way.split_last()?;
        self.children(above).get(*place)
    }

    pub(super) fn item_mut(&mut self, way: &[usize]) -> Option<&mut Item> {
        let (place, above) = way.split_last()?;
        self.children_mut(above)?.get_mut(*place).map(Arc::make_mut)
    }

    /// What stands at the end of a way; nothing in a window.
    pub(super) fn children(&self, way: &[usize]) -> &[Arc<Item>] {
        way.iter().fold(self.tree.children.as_slice(), |items, place| {
            items.get(*place).map_or(&[], |item| item.children())
        })
    }

    /// As [`Self::children`]; `None` for a window. Only the items on the way are copied.
    pub(super) fn children_mut(&mut self, way: &[usize]) -> Option<&mut Vec<Arc<Item>>> {
        way.iter().try_fold(&mut self.tree.children, |items, place| {
            Arc::make_mut(items.get_mut(*place)?).children_mut()
        })
    }

    /// What stands at the end of a way; `None` is the workspace itself.
    pub(super) fn kind(&self, way: &[usize]) -> Option<Kind> {
        self.item(way).map(|item| item.kind())
    }

    /// The axis on which children are laid out there; the top level is as a row.
    pub(super) fn axis(&self, way: &[usize]) -> Option<Axis> {
        self.kind(way).map_or(Some(Axis::Horizontal), Kind::axis)
    }

    /// The tab in front of a group.
    pub(super) fn active(&self, way: &[usize]) -> usize {
        match self.item(way).map(|item| &item.content) {
            Some(Content::Group { active, .. }) => active.unwrap_or(0),
            _ => 0,
        }
    }

    /// Brings a tab to the front. That it is the first is said only where something was said.
    pub(super) fn set_active(&mut self, way: &[usize], tab: usize) {
        if let Some(Item { content: Content::Group { active, .. }, .. }) = self.item_mut(way)
            && (active.is_some() || tab > 0)
        {
            *active = Some(tab);
        }
    }

    /// Splits a way into the container's way and the place in it.
    pub(super) fn split(way: &[usize]) -> (&[usize], usize) {
        way.split_last().map_or((&[], 0), |(place, above)| (above, *place))
    }
}

fn find(items: &[Arc<Item>], id: &ItemId, way: &mut Way) -> bool {
    for (place, item) in items.iter().enumerate() {
        way.push(place);
        if item.id == *id || find(item.children(), id, way) {
            return true;
        }
        way.pop();
    }
    false
}

fn depth(items: &[Arc<Item>]) -> usize {
    items.iter().map(|item| 1 + depth(item.children())).max().unwrap_or(0)
}
