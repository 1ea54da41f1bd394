//! The origins of pages of defined applications: they may be on the bus, by token.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use deskwire_catalog::{Catalog, Kind};
use deskwire_platform::Apps;
use tokio::sync::watch;

use super::guard::normal_origin;

/// The origins of the window applications that are defined now.
#[derive(Debug)]
pub(crate) struct PageOrigins {
    apps: Apps,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    changes: watch::Receiver<u64>,
    origins: HashSet<String>,
}

impl PageOrigins {
    /// Those of `apps`, as they are whenever somebody asks.
    pub(crate) fn new(apps: Apps) -> Self {
        let mut changes = apps.changes();
        changes.mark_changed();
        Self { apps, known: Mutex::new(Known { changes, origins: HashSet::new() }) }
    }

    /// Whether a defined page is at this origin, written as [`normal_origin`] does.
    pub(super) fn contain(&self, origin: &str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.changes.has_changed().unwrap_or(true) {
            // First the number: what changes meanwhile is looked at again.
            known.changes.borrow_and_update();
            known.origins = origins(&self.apps.catalog());
        }
        known.origins.contains(origin)
    }
}

fn origins(catalog: &Catalog) -> HashSet<String> {
    let pages = catalog.applications().iter().filter_map(|application| match &application.kind {
        Kind::Window(page) => page.url.as_ref().ok(),
        _ => None,
    });
    pages.filter_map(|url| normal_origin(&url.origin().ascii_serialization())).collect()
}
