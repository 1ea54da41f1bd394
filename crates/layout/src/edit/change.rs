//! Changes that leave every item in its container: sizes, titles, order, the tab in front.

use serde_json::Value;

use super::EditError;
use super::work::Work;
use crate::id::ItemId;
use crate::limits::{MAX_TITLE, MIN_SHARE};
use crate::sizes::{self, shares};
use crate::tree::Kind;

impl Work<'_> {
    pub(super) fn resize(&mut self, id: &ItemId, size: f64) -> Result<(), EditError> {
        let way = self.way(id)?;
        let (above, place) = Self::split(&way);
        let none = || EditError::NoBoundary { id: id.clone() };
        let axis = self.axis(above).ok_or_else(none)?;
        let mut shares = shares(self.children(above), axis);
        let next = if place + 1 < shares.len() { place + 1 } else { place.wrapping_sub(1) };
        let (Some(own), Some(other)) = (shares.get(place), shares.get(next)) else {
            return Err(none());
        };
        let both = own + other;
        let (min, max) = (MIN_SHARE, both - MIN_SHARE);
        if !(size >= min && size <= max) {
            return Err(EditError::BadSize { size, min, max });
        }
        if let Some(share) = shares.get_mut(place) {
            *share = size;
        }
        if let Some(share) = shares.get_mut(next) {
            *share = both - size;
        }
        if let Some(siblings) = self.children_mut(above) {
            sizes::write(siblings, axis, &shares);
        }
        Ok(())
    }

    pub(super) fn rename(
        &mut self,
        id: Option<&ItemId>,
        title: Option<&str>,
    ) -> Result<(), EditError> {
        let title = title.filter(|title| !title.trim().is_empty());
        if title.is_some_and(|title| title.chars().count() > MAX_TITLE) {
            return Err(EditError::TitleTooLong);
        }
        if let Some(id) = id {
            let way = self.way(id)?;
            if let Some(item) = self.item_mut(&way) {
                item.title = title.map(str::to_owned);
            }
            return Ok(());
        }
        let root = std::sync::Arc::make_mut(&mut self.tree.root);
        match title {
            Some(title) => {
                let config = root.config.get_or_insert_default();
                config.insert("title".to_owned(), Value::from(title));
            }
            None => {
                root.config.as_mut().and_then(|config| config.shift_remove("title"));
            }
        }
        Ok(())
    }

    pub(super) fn reorder(&mut self, id: &ItemId, index: usize) -> Result<(), EditError> {
        let way = self.way(id)?;
        self.shift(&way, index)
    }

    /// Puts an item to another place among its siblings; it keeps its size, and the tab in front
    /// stays in front.
    pub(super) fn shift(&mut self, way: &[usize], to: usize) -> Result<(), EditError> {
        let (above, from) = Self::split(way);
        let most = self.children(above).len().saturating_sub(1);
        if to > most {
            return Err(EditError::BadIndex { index: to, most });
        }
        let front = self.active(above);
        if let Some(siblings) = self.children_mut(above) {
            let item = siblings.remove(from);
            siblings.insert(to, item);
        }
        let front = match front {
            front if front == from => to,
            front if from < front && front <= to => front - 1,
            front if to <= front && front < from => front + 1,
            front => front,
        };
        self.set_active(above, front);
        Ok(())
    }

    pub(super) fn select(&mut self, id: &ItemId) -> Result<(), EditError> {
        let way = self.way(id)?;
        let (above, place) = Self::split(&way);
        if self.kind(above) != Some(Kind::Group) {
            return Err(EditError::NotInGroup { id: id.clone() });
        }
        self.set_active(above, place);
        Ok(())
    }
}
