//! Putting items somewhere.

use std::sync::Arc;

use serde_json::Value;

use super::work::Work;
use super::{EditError, Place, Side};
use crate::id::ItemId;
use crate::read::read_item;
use crate::sizes::{self, any_given, shares};
use crate::tree::{Axis, Content, Item, Kind, Size};

impl Work<'_> {
    pub(super) fn insert(&mut self, item: &Value, place: &Place) -> Result<(), EditError> {
        let (item, diagnostics) = read_item(item, &mut self.ids)?;
        self.diagnostics = diagnostics;
        self.put(item, place)
    }

    pub(super) fn relocate(&mut self, id: &ItemId, place: &Place) -> Result<(), EditError> {
        let way = self.way(id)?;
        if let Some(index) = self.place_among_siblings(&way, place)? {
            return self.shift(&way, index);
        }
        self.check_move(&way, id, place)?;
        let keep = match place {
            Place::Into { parent, .. } => parent.as_ref(),
            _ => None,
        };
        let (item, left) = self.take(&way, id, keep)?;
        self.put(item, place)?;
        self.collapse(left.as_ref());
        Ok(())
    }

    /// The new place of an item that stays in its row or column, where `place` is in the same.
    fn place_among_siblings(
        &self,
        way: &[usize],
        place: &Place,
    ) -> Result<Option<usize>, EditError> {
        let (above, from) = Self::split(way);
        let Some(axis) = self.axis(above) else { return Ok(None) };
        let last = self.children(above).len().saturating_sub(1);
        Ok(match place {
            Place::Beside { target, side } if side.axis() == axis => {
                let target = self.way(target)?;
                let (beside, to) = Self::split(&target);
                (beside == above && to != from)
                    .then_some(to + usize::from(!side.is_before()) - usize::from(from < to))
            }
            Place::Edge { side } if side.axis() == axis => {
                let is_outermost = match above {
                    [] => last > 0,
                    [0] => self.tree.children.len() == 1,
                    _ => false,
                };
                is_outermost.then_some(if side.is_before() { 0 } else { last })
            }
            Place::Into { parent, index } => {
                let parent = parent.as_ref().map(|id| self.way(id)).transpose()?;
                (parent.unwrap_or_default() == above).then_some(index.unwrap_or(last))
            }
            _ => None,
        })
    }

    /// Refuses places that would be gone with the item.
    fn check_move(&self, way: &[usize], id: &ItemId, place: &Place) -> Result<(), EditError> {
        let item = self.item(way);
        let windows =
            |item: &Arc<Item>| item.walk().filter(|one| one.kind() == Kind::Window).count();
        let own = item.map_or(0, windows);
        let is_gone = match place {
            Place::Beside { target, .. } | Place::Stack { target, .. } => {
                let mut target = self.way(target)?;
                if self.kind(Self::split(&target).0) == Some(Kind::Group)
                    && !target.starts_with(way)
                {
                    target.pop();
                }
                let is_above = way.starts_with(&target);
                target.starts_with(way)
                    || is_above && self.item(&target).is_some_and(|one| windows(one) == own)
            }
            Place::Edge { .. } => self.tree.windows().count() == own,
            Place::Into { parent: Some(parent), .. } => self.way(parent)?.starts_with(way),
            Place::Into { parent: None, .. } => false,
        };
        if is_gone { Err(EditError::IntoItself { id: id.clone() }) } else { Ok(()) }
    }

    fn put(&mut self, mut item: Arc<Item>, place: &Place) -> Result<(), EditError> {
        if item.size != Size::default() {
            Arc::make_mut(&mut item).size = Size::default();
        }
        match place {
            Place::Beside { target, side } => {
                let mut way = self.way(target)?;
                if self.kind(Self::split(&way).0) == Some(Kind::Group) {
                    way.pop();
                }
                self.put_beside(item, &way, *side);
                Ok(())
            }
            Place::Stack { target, index } => self.put_onto(&item, target, *index),
            Place::Edge { side } => {
                self.put_at_edge(item, *side);
                Ok(())
            }
            Place::Into { parent, index } => self.put_into(item, parent.as_ref(), *index),
        }
    }

    /// Halves the space of what stands at `way`.
    fn put_beside(&mut self, item: Arc<Item>, way: &[usize], side: Side) {
        let (above, place) = Self::split(way);
        let axis = side.axis();
        let is_alone = above.is_empty() && self.tree.children.len() == 1;
        if is_alone || self.axis(above) != Some(axis) {
            self.wrap(item, way, side);
            return;
        }
        let Some(siblings) = self.children_mut(above) else { return };
        let is_sized = any_given(siblings, axis);
        let mut shares = shares(siblings, axis);
        let half = shares.get(place).map_or(0.0, |share| share / 2.0);
        if let Some(share) = shares.get_mut(place) {
            *share = half;
        }
        let at = place + usize::from(!side.is_before());
        shares.insert(at, half);
        siblings.insert(at, item);
        if is_sized || siblings.len() > 2 {
            sizes::write(siblings, axis, &shares);
        }
    }

    /// Puts a new row or column where something stands, and that with the item into it.
    fn wrap(&mut self, item: Arc<Item>, way: &[usize], side: Side) {
        self.replace(way, row_or_column(side.axis()), |old| {
            if side.is_before() { vec![item, old] } else { vec![old, item] }
        });
    }

    /// Replaces an item by a new container that holds it, and gets its size.
    fn replace(
        &mut self,
        way: &[usize],
        kind: Kind,
        children: impl FnOnce(Arc<Item>) -> Vec<Arc<Item>>,
    ) {
        let id = self.ids.assign();
        let (above, place) = Self::split(way);
        let Some(slot) = self.children_mut(above).and_then(|items| items.get_mut(place)) else {
            return;
        };
        let mut old = Arc::clone(slot);
        let size = std::mem::take(&mut Arc::make_mut(&mut old).size);
        if let Some(mut container) = Item::container(id, kind, children(old)) {
            container.size = size;
            *slot = Arc::new(container);
        }
    }

    fn put_onto(
        &mut self,
        item: &Arc<Item>,
        target: &ItemId,
        index: Option<usize>,
    ) -> Result<(), EditError> {
        let way = self.way(target)?;
        let (above, place) = Self::split(&way);
        let kind = self.kind(&way).unwrap_or(Kind::Group);
        match kind {
            Kind::Group => self.put_tabs(item, &way, index),
            Kind::Window if self.kind(above) == Some(Kind::Group) => {
                self.put_tabs(item, above, index.or(Some(place + 1)))
            }
            Kind::Window => {
                self.replace(&way, Kind::Group, |old| vec![old]);
                self.put_tabs(item, &way, index)
            }
            Kind::Row | Kind::Column => Err(EditError::NotStackable { id: target.clone(), kind }),
        }
    }

    /// Puts a window, or the windows of a group, among the tabs of a group, and in front.
    fn put_tabs(
        &mut self,
        item: &Arc<Item>,
        group: &[usize],
        index: Option<usize>,
    ) -> Result<(), EditError> {
        let (mut tabs, front) = match &item.content {
            Content::Window(_) => (vec![Arc::clone(item)], 0),
            Content::Group { windows, active } => (windows.clone(), active.unwrap_or(0)),
            Content::Row(_) | Content::Column(_) => {
                return Err(EditError::NotATab { kind: item.kind() });
            }
        };
        for tab in &mut tabs {
            if tab.size != Size::default() {
                Arc::make_mut(tab).size = Size::default();
            }
        }
        let most = self.children(group).len();
        let index = index.unwrap_or(most);
        if index > most {
            return Err(EditError::BadIndex { index, most });
        }
        let is_empty = tabs.is_empty();
        if let Some(windows) = self.children_mut(group) {
            windows.splice(index..index, tabs);
        }
        if !is_empty {
            self.set_active(group, index + front);
        }
        Ok(())
    }

    fn put_at_edge(&mut self, item: Arc<Item>, side: Side) {
        let axis = side.axis();
        let end = |count: usize| if side.is_before() { 0 } else { count };
        match self.tree.children.as_slice() {
            [] => self.tree.children.push(item),
            [only] if only.kind().axis() == Some(axis) => {
                let at = end(only.children().len());
                self.put_equal(item, &[0], at);
            }
            [_] => self.wrap(item, &[0], side),
            several if axis == Axis::Horizontal => {
                let at = end(several.len());
                self.put_equal(item, &[], at);
            }
            _ => {
                let id = self.ids.assign();
                let children = std::mem::take(&mut self.tree.children);
                self.tree.children.extend(Item::container(id, Kind::Row, children).map(Arc::new));
                self.wrap(item, &[0], side);
            }
        }
    }

    fn put_into(
        &mut self,
        item: Arc<Item>,
        parent: Option<&ItemId>,
        index: Option<usize>,
    ) -> Result<(), EditError> {
        let way = parent.map(|id| self.way(id)).transpose()?.unwrap_or_default();
        match self.kind(&way) {
            Some(Kind::Window) => {
                return Err(EditError::NotAContainer {
                    id: parent.cloned().unwrap_or(item.id.clone()),
                });
            }
            Some(Kind::Group) => return self.put_tabs(&item, &way, index),
            Some(Kind::Row | Kind::Column) | None => {}
        }
        let most = self.children(&way).len();
        let index = index.unwrap_or(most);
        if index > most {
            return Err(EditError::BadIndex { index, most });
        }
        self.put_equal(item, &way, index);
        Ok(())
    }

    /// Puts an item among siblings, with an equal part; the others keep their proportions.
    fn put_equal(&mut self, item: Arc<Item>, way: &[usize], at: usize) {
        let Some(axis) = self.axis(way) else { return };
        let Some(siblings) = self.children_mut(way) else { return };
        let is_sized = any_given(siblings, axis);
        let share = 100.0 / sizes::to_f64(siblings.len() + 1);
        let mut shares = sizes::scaled(shares(siblings, axis), 100.0 - share);
        shares.insert(at, share);
        siblings.insert(at, item);
        if is_sized {
            sizes::write(siblings, axis, &shares);
        }
    }
}

const fn row_or_column(axis: Axis) -> Kind {
    match axis {
        Axis::Horizontal => Kind::Row,
        Axis::Vertical => Kind::Column,
    }
}
