//! Workspaces as JSON: for pages, for clients, for saved layouts, for the store.

pub(crate) mod page;
pub(crate) mod record;
pub(crate) mod saved;
pub(crate) mod snapshot;

use deskwire_layout::Object;
use serde_json::Value;

/// Copies a setting if it has the type that readers check for.
fn copy(from: &Object, to: &mut Object, key: &str, fits: impl Fn(&Value) -> bool) {
    if let Some(value) = from.get(key).filter(|value| fits(value)) {
        to.insert(key.to_owned(), value.clone());
    }
}

fn put(object: &mut Object, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}
