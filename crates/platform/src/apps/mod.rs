//! The registry of definitions, and who hears of its changes.

mod listing;
mod memory;
mod registry;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use deskwire_catalog::{Catalog, Read};
use serde_json::Value;
use tokio::sync::watch;

pub(crate) use listing::{Listing, core, properties};
pub use memory::{ImportMode, Imported};
pub(crate) use registry::{LayoutName, Registry, Saved};

/// The definitions in force. Clones are handles of the same.
#[derive(Debug, Clone)]
pub struct Apps {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    /// That of the registry, for those who only look.
    catalog: RwLock<Catalog>,
    revision: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    registry: Registry,
    listing: Arc<Listing>,
}

impl Apps {
    pub(crate) fn new(registry: Registry) -> Self {
        let listing = Arc::new(Listing::new(registry.catalog().clone()));
        let catalog = RwLock::new(registry.catalog().clone());
        let state = Mutex::new(State { registry, listing });
        Self { inner: Arc::new(Inner { state, catalog, revision: watch::Sender::new(0) }) }
    }

    /// What is in force. While nothing changes, records keep their `Arc`s. Does not wait
    /// for a change that is being worked out.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        self.inner.catalog.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A number that moves whenever [`Apps::catalog`] would differ.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.revision.subscribe()
    }

    /// Registers applications at run time, as far as the configured stores allow.
    pub fn import(&self, definitions: Vec<Value>, mode: ImportMode) -> Imported {
        self.change(|registry| registry.import(definitions, mode))
    }

    /// Removes applications that were registered at run time; those that were there.
    pub fn forget(&self, names: &[String]) -> Vec<String> {
        self.change(|registry| registry.forget(names))
    }

    /// Removes all applications that were registered at run time.
    pub fn forget_all(&self) {
        self.change(Registry::forget_all);
    }

    /// Whether an application was registered at run time.
    #[must_use]
    pub fn is_in_memory(&self, name: &str) -> bool {
        self.lock().registry.is_in_memory(name)
    }

    /// The definitions of the applications that were registered at run time.
    #[must_use]
    pub fn export(&self) -> Vec<Value> {
        self.lock().registry.export()
    }

    /// What clients are told of the definitions.
    pub(crate) fn listing(&self) -> Arc<Listing> {
        Arc::clone(&self.lock().listing)
    }

    pub(crate) fn set_source(&self, place: usize, reads: Vec<Read>) {
        self.change(|registry| registry.set_source(place, reads));
    }

    pub(crate) fn set_saved(&self, changes: Vec<Saved>) {
        self.change(|registry| registry.set_saved(changes));
    }

    /// Looks at the registry, all of one moment.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&Registry) -> T) -> T {
        look(&self.lock().registry)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Registry) -> T) -> T {
        let mut state = self.lock();
        let before = state.registry.catalog().clone();
        let result = change(&mut state.registry);
        let after = state.registry.catalog().clone();
        let same =
            after.changes_since(&before).is_empty() && after.diagnostics() == before.diagnostics();
        if !same {
            state.listing = Arc::new(Listing::new(after.clone()));
            *self.inner.catalog.write().unwrap_or_else(PoisonError::into_inner) = after;
            // Under the lock, so that the number never moves before what it stands for.
            self.inner.revision.send_modify(|revision| *revision += 1);
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
