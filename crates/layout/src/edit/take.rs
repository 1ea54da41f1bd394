//! Taking items out, and what becomes of the containers they leave.

use std::sync::Arc;

use super::EditError;
use super::work::{Way, Work};
use crate::id::ItemId;
use crate::sizes::settle;
use crate::tree::{Item, Kind};

impl Work<'_> {
    pub(super) fn remove(&mut self, id: &ItemId) -> Result<(), EditError> {
        let way = self.way(id)?;
        let (_, left) = self.take(&way, id, None)?;
        self.collapse(left.as_ref());
        Ok(())
    }

    /// Takes out an item, and the containers above it that are empty then, up to `keep`.
    ///
    /// Gives the container that lost the item: if it is still there when the edit is done, it may
    /// have to collapse.
    pub(super) fn take(
        &mut self,
        way: &[usize],
        id: &ItemId,
        keep: Option<&ItemId>,
    ) -> Result<(Arc<Item>, Option<ItemId>), EditError> {
        let missing = || EditError::NoSuchItem { id: id.clone() };
        let item = self.cut(way).ok_or_else(missing)?;
        let mut above: Way = Self::split(way).0.to_vec();
        let left = self.item(&above).map(|container| container.id.clone());
        while let Some(container) = self.item(&above)
            && container.children().is_empty()
            && keep != Some(&container.id)
        {
            self.cut(&above);
            above.pop();
        }
        Ok((item, left))
    }

    /// Replaces a row or column that has one child left by that child, which gets its size.
    pub(super) fn collapse(&mut self, left: Option<&ItemId>) {
        let Some(way) = left.and_then(|id| self.way(id).ok()) else { return };
        let Some(container) = self.item_mut(&way) else { return };
        let size = container.size;
        if !matches!(container.kind(), Kind::Row | Kind::Column) {
            return;
        }
        let Some(children) = container.children_mut().filter(|children| children.len() == 1) else {
            return;
        };
        let Some(mut only) = children.pop() else { return };
        Arc::make_mut(&mut only).size = size;
        let (above, place) = Self::split(&way);
        if let Some(slot) = self.children_mut(above).and_then(|items| items.get_mut(place)) {
            *slot = only;
        }
    }

    /// Takes an item out of its container; the others share its space in proportion.
    fn cut(&mut self, way: &[usize]) -> Option<Arc<Item>> {
        let (above, place) = Self::split(way);
        let axis = self.axis(above);
        let front = self.active(above);
        let siblings = self.children_mut(above)?;
        if place >= siblings.len() {
            return None;
        }
        if let Some(axis) = axis {
            settle(siblings, axis);
        }
        let item = siblings.remove(place);
        let last = siblings.len().saturating_sub(1);
        if let Some(axis) = axis {
            settle(siblings, axis);
        }
        let front = if place < front { front - 1 } else { front.min(last) };
        self.set_active(above, front);
        Some(item)
    }
}
