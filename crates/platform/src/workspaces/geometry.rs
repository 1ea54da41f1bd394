//! Pixels: how large items are in a frame of which the bounds are known. Borders, tab strips and
//! splitters are the page's own; they are not known here and not counted.

use std::collections::HashMap;

use deskwire_layout::{Axis, Edit, ItemId, Tree, shares};

use super::model::Bounds;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    const fn along(self, axis: Axis) -> f64 {
        match axis {
            Axis::Horizontal => self.width,
            Axis::Vertical => self.height,
        }
    }

    fn part(self, axis: Axis, share: f64) -> Self {
        let Self { width, height } = self;
        match axis {
            Axis::Horizontal => Self { width: width * share / 100.0, height },
            Axis::Vertical => Self { width, height: height * share / 100.0 },
        }
    }
}

impl From<Bounds> for Area {
    fn from(bounds: Bounds) -> Self {
        Self { width: bounds.width, height: bounds.height }
    }
}

/// The axes along which a size is asked for.
pub(crate) fn wanted(width: Option<f64>, height: Option<f64>) -> impl Iterator<Item = (Axis, f64)> {
    let width = width.map(|pixels| (Axis::Horizontal, pixels));
    width.into_iter().chain(height.map(|pixels| (Axis::Vertical, pixels)))
}

/// The area of each item.
pub(crate) fn areas(tree: &Tree, bounds: Bounds) -> HashMap<&ItemId, Area> {
    let mut areas = HashMap::new();
    let mut open = vec![(tree.children.as_slice(), Some(Axis::Horizontal), Area::from(bounds))];
    while let Some((children, axis, area)) = open.pop() {
        let parts = axis.map(|axis| (axis, shares(children, axis)));
        for (place, child) in children.iter().enumerate() {
            let own = parts.as_ref().and_then(|(axis, shares)| Some((*axis, *shares.get(place)?)));
            let own = own.map_or(area, |(axis, share)| area.part(axis, share));
            areas.insert(&child.id, own);
            open.push((child.children(), child.kind().axis(), own));
        }
    }
    areas
}

/// The edit that gives an item a size in pixels along an axis: it moves the boundary of the item, or
/// of the nearest container around it, that lies across that axis. `None` if there is none.
pub(crate) fn resize(
    tree: &Tree,
    bounds: Bounds,
    item: &ItemId,
    axis: Axis,
    pixels: f64,
    relative: bool,
) -> Option<Edit> {
    let areas = areas(tree, bounds);
    let mut target = item.clone();
    loop {
        let parent = super::core::parent_of(tree, &target);
        let siblings = parent.map_or(tree.children.len(), |parent| parent.children().len());
        let lies = parent.map_or(Some(Axis::Horizontal), |parent| parent.kind().axis());
        if lies == Some(axis) && siblings > 1 {
            let around = parent.map_or_else(
                || Some(Area::from(bounds)),
                |parent| areas.get(&parent.id).copied(),
            )?;
            let now = areas.get(&target)?.along(axis);
            let wanted = if relative { now + pixels } else { pixels };
            let size = wanted * 100.0 / around.along(axis);
            return Some(Edit::Resize { item: target, size });
        }
        target = parent?.id.clone();
    }
}
