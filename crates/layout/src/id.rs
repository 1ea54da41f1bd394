//! Names of items, and where new ones come from.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::limits::MAX_ITEMS;

/// The name of an item, unique in its tree. It stays with the item through every edit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(Arc<str>);

impl ItemId {
    /// The id as it stands in JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for ItemId {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where ids of new items come from. Any `FnMut() -> ItemId` is one.
///
/// A source that repeats itself, or gives an id that the tree has, is asked again.
pub trait IdSource {
    /// The next id.
    fn next_id(&mut self) -> ItemId;
}

impl<F: FnMut() -> ItemId> IdSource for F {
    fn next_id(&mut self) -> ItemId {
        self()
    }
}

/// Counts: `i1`, `i2`, … for the prefix `i`.
#[derive(Debug, Clone)]
pub struct Counter {
    prefix: String,
    last: u64,
}

impl Counter {
    /// A counter whose first id is `<prefix>1`.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), last: 0 }
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new("i")
    }
}

impl IdSource for Counter {
    fn next_id(&mut self) -> ItemId {
        self.last += 1;
        format!("{}{}", self.prefix, self.last).into()
    }
}

/// Ids in use, with a source of further ones.
pub(crate) struct Ids<'a> {
    used: HashSet<ItemId>,
    source: &'a mut dyn IdSource,
    assigned: Vec<ItemId>,
}

impl<'a> Ids<'a> {
    pub(crate) fn new(source: &'a mut dyn IdSource) -> Self {
        Self { used: HashSet::new(), source, assigned: Vec::new() }
    }

    /// Takes an id that was given; `false` if another item has it.
    pub(crate) fn take(&mut self, id: &ItemId) -> bool {
        self.used.insert(id.clone())
    }

    /// A new id that nothing has. A source that never gives one is helped out with a suffix.
    pub(crate) fn assign(&mut self) -> ItemId {
        let mut id = self.source.next_id();
        for _ in 0..=MAX_ITEMS {
            if !self.used.contains(&id) {
                break;
            }
            id = self.source.next_id();
        }
        let stem = id.clone();
        let mut suffix = 2_u32;
        while self.used.contains(&id) {
            id = format!("{stem}-{suffix}").into();
            suffix += 1;
        }
        self.used.insert(id.clone());
        self.assigned.push(id.clone());
        id
    }

    /// What the source had to give, in order.
    pub(crate) fn into_assigned(self) -> Vec<ItemId> {
        self.assigned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_repeats_itself_is_no_trap() {
        let mut stuck = || ItemId::from("x");
        let mut ids = Ids::new(&mut stuck);
        let made: Vec<_> = (0..3).map(|_| ids.assign()).collect();
        assert_eq!(made, ["x".into(), "x-2".into(), ItemId::from("x-3")]);
    }

    #[test]
    fn what_is_taken_is_passed_over() {
        let mut counter = Counter::default();
        let mut ids = Ids::new(&mut counter);
        assert!(ids.take(&"i1".into()));
        assert!(!ids.take(&"i1".into()));
        assert_eq!(ids.assign(), "i2".into());
    }
}
