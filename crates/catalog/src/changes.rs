//! What became different between two catalogs.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::model::{Application, Channel, Layout};

/// What became different, for those who were told of the old state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Applications, by name.
    pub applications: Moved<Application>,
    /// Layouts, by kind and name.
    pub layouts: Moved<Layout>,
    /// Channels, by name.
    pub channels: Moved<Channel>,
}

/// The records of one sort that became different; each list in the order of its catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved<T> {
    /// Those that were not there.
    pub added: Vec<Arc<T>>,
    /// Those that say something else than they did, as they are now.
    pub changed: Vec<Arc<T>>,
    /// Those that are no longer there, as they were.
    pub removed: Vec<Arc<T>>,
}

impl<T> Default for Moved<T> {
    fn default() -> Self {
        Self { added: Vec::new(), changed: Vec::new(), removed: Vec::new() }
    }
}

impl<T> Moved<T> {
    /// Whether nothing became different.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// `find_old` and `find_new` look a record up in the other catalog.
    fn between<'a>(
        old: &'a [Arc<T>],
        new: &'a [Arc<T>],
        find_old: impl Fn(&T) -> Option<&'a Arc<T>>,
        find_new: impl Fn(&T) -> Option<&'a Arc<T>>,
        same: impl Fn(&T, &T) -> bool,
    ) -> Self {
        let mut moved = Self::default();
        for one in new {
            match find_old(one) {
                None => moved.added.push(one.clone()),
                Some(before) if Arc::ptr_eq(before, one) || same(before, one) => {}
                Some(_) => moved.changed.push(one.clone()),
            }
        }
        moved.removed = old.iter().filter(|one| find_new(one).is_none()).cloned().collect();
        moved
    }
}

impl Changes {
    /// Compares two catalogs. A record that only moved to another line or source is the same.
    #[must_use]
    pub fn between(old: &Catalog, new: &Catalog) -> Self {
        Self {
            applications: Moved::between(
                old.applications(),
                new.applications(),
                |one| old.application(&one.name),
                |one| new.application(&one.name),
                Application::same_content,
            ),
            layouts: Moved::between(
                old.layouts(),
                new.layouts(),
                |one| old.layout(&one.kind, &one.name),
                |one| new.layout(&one.kind, &one.name),
                Layout::same_content,
            ),
            channels: Moved::between(
                old.channels(),
                new.channels(),
                |one| old.channel(&one.name),
                |one| new.channel(&one.name),
                Channel::same_content,
            ),
        }
    }

    /// Whether nothing became different.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.applications.is_empty() && self.layouts.is_empty() && self.channels.is_empty()
    }
}
