//! What a change of layouts means for the store and for what is in force. Pure.

use std::sync::Arc;

use deskwire_catalog::Layout;
use deskwire_store::Import;

use super::LayoutError;
use super::document::{renamed, text_of};
use crate::apps::{LayoutName, Registry, Saved};

/// A wish to change what is saved.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// Keep this one.
    Save(Arc<Layout>),
    /// Keep these, and remove what `import` says.
    Import {
        /// The layouts.
        layouts: Vec<Arc<Layout>>,
        /// What becomes of others.
        import: Import,
    },
    /// Forget this one.
    Remove(LayoutName),
    /// Call this one by another name.
    Rename {
        /// The layout.
        layout: LayoutName,
        /// Its new name.
        name: String,
    },
}

/// What to write, and what is in force once that is committed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) write: Write,
    pub(super) saved: Vec<Saved>,
    /// The layout that goes on under another name.
    pub(super) renamed: Option<(LayoutName, String)>,
}

/// A write to the store.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Write {
    Put { layouts: Vec<deskwire_store::Layout>, import: Import },
    Remove(LayoutName),
    Rename { layout: LayoutName, name: String },
}

/// Judges a change, `now_ms` milliseconds after 1970.
pub(super) fn plan(
    change: Change,
    registry: &Registry,
    most: usize,
    now_ms: u64,
) -> Result<Plan, LayoutError> {
    match change {
        Change::Save(layout) => put(vec![layout], Import::Merge, registry, most, now_ms),
        Change::Import { layouts, import } => put(layouts, import, registry, most, now_ms),
        Change::Remove(layout) => {
            own(&layout, registry)?;
            let saved = vec![Saved::Removed(layout.clone())];
            Ok(Plan { write: Write::Remove(layout), saved, renamed: None })
        }
        Change::Rename { layout, name } => {
            let old = own(&layout, registry)?;
            if name.trim().is_empty() {
                let reason = "the new name is blank".into();
                return Err(LayoutError::Unusable { name: old.name.clone(), reason });
            }
            if name != layout.1 && registry.catalog().layout(&layout.0, &name).is_some() {
                let kind = layout.0.as_str().to_owned();
                return Err(LayoutError::Taken { kind, name });
            }
            let saved =
                vec![Saved::Removed(layout.clone()), Saved::Put(vec![renamed(&old, &name)])];
            let write = Write::Rename { layout: layout.clone(), name: name.clone() };
            Ok(Plan { write, saved, renamed: Some((layout, name)) })
        }
    }
}

/// The saved layout of this name; one of a file may not be touched.
fn own(layout: &LayoutName, registry: &Registry) -> Result<Arc<Layout>, LayoutError> {
    if let Some(saved) = registry.saved().get(layout) {
        return Ok(Arc::clone(saved));
    }
    let (kind, name) = layout;
    Err(match registry.catalog().layout(kind, name) {
        Some(of_file) => LayoutError::ReadOnly {
            kind: kind.as_str().to_owned(),
            name: name.clone(),
            origin: of_file.origin.to_string(),
        },
        None => LayoutError::NotFound { kind: kind.as_str().to_owned(), name: name.clone() },
    })
}

fn put(
    layouts: Vec<Arc<Layout>>,
    import: Import,
    registry: &Registry,
    most: usize,
    now_ms: u64,
) -> Result<Plan, LayoutError> {
    let mut after = registry.saved().clone();
    match &import {
        Import::Merge => {}
        Import::ReplaceKind(kind) => after.retain(|(saved, _), _| saved.as_str() != kind),
        Import::ReplaceAll => after.clear(),
    }
    for layout in &layouts {
        after.insert((layout.kind.clone(), layout.name.clone()), Arc::clone(layout));
    }
    if after.len() > most {
        return Err(LayoutError::TooMany { most });
    }
    let saved = match import {
        Import::Merge => Saved::Put(layouts.clone()),
        _ => Saved::All(after.into_values().collect()),
    };
    let layouts = layouts
        .iter()
        .map(|layout| deskwire_store::Layout {
            kind: layout.kind.as_str().to_owned(),
            name: layout.name.clone(),
            document: text_of(layout),
            saved_ms: now_ms,
        })
        .collect();
    Ok(Plan { write: Write::Put { layouts, import }, saved: vec![saved], renamed: None })
}
