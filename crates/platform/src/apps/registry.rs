//! Every definition there is, from all sources, as one catalog. Pure.
//!
//! Order decides who holds a name: a layout saved by the person comes before
//! one of the same kind and name in a file; then the sources in their
//! configured order; applications registered at run time come last.

use std::sync::Arc;

use deskwire_catalog::{AllowedNames, Catalog, Layout, LayoutKind, Read, SourceLabel};
use indexmap::IndexMap;
use serde_json::Value;

use super::memory::{ImportMode, Imported, Memory};
use crate::limits::Limits;

/// What a saved layout is called by.
pub(crate) type LayoutName = (LayoutKind, String);

/// All definitions.
#[derive(Debug)]
pub(crate) struct Registry {
    sources: Vec<Vec<Read>>,
    saved: IndexMap<LayoutName, Arc<Layout>>,
    memory: Memory,
    catalog: Catalog,
    limits: Limits,
}

/// A change of what is saved.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Saved {
    /// These are saved, in the place of those of their names.
    Put(Vec<Arc<Layout>>),
    /// These are all that is saved.
    All(Vec<Arc<Layout>>),
    /// This one is saved no longer.
    Removed(LayoutName),
}

impl Registry {
    /// A registry of this many sources, all of them empty.
    pub(crate) fn new(sources: usize, allowed: Vec<AllowedNames>, limits: Limits) -> Self {
        Self {
            sources: vec![Vec::new(); sources],
            saved: IndexMap::new(),
            memory: Memory::new(allowed),
            catalog: Catalog::default(),
            limits,
        }
    }

    /// What is in force.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// What the source at `place` holds now.
    pub(crate) fn set_source(&mut self, place: usize, reads: Vec<Read>) {
        if let Some(source) = self.sources.get_mut(place) {
            *source = reads;
            self.merge();
        }
    }

    /// Registers applications at run time.
    pub(crate) fn import(&mut self, definitions: Vec<Value>, mode: ImportMode) -> Imported {
        let Self { memory, sources, limits, .. } = self;
        let holder = |name: &str| {
            let all = sources.iter().flatten().flat_map(|read| &read.applications);
            all.into_iter().find(|one| one.name == name).map(|one| one.origin.to_string())
        };
        let imported = memory.import(definitions, mode, holder, limits);
        self.merge();
        imported
    }

    /// Removes applications registered at run time; those that were there.
    pub(crate) fn forget(&mut self, names: &[String]) -> Vec<String> {
        let removed = self.memory.remove(names);
        self.merge();
        removed
    }

    /// Removes all applications registered at run time.
    pub(crate) fn forget_all(&mut self) {
        self.memory.clear();
        self.merge();
    }

    /// Whether an application was registered at run time.
    pub(crate) fn is_in_memory(&self, name: &str) -> bool {
        self.memory.has(name)
    }

    /// The definitions of the applications registered at run time.
    pub(crate) fn export(&self) -> Vec<Value> {
        self.memory.export()
    }

    /// The layouts that are saved.
    pub(crate) fn saved(&self) -> &IndexMap<LayoutName, Arc<Layout>> {
        &self.saved
    }

    /// Takes in what became of the saved layouts.
    pub(crate) fn set_saved(&mut self, changes: Vec<Saved>) {
        let key = |layout: &Arc<Layout>| (layout.kind.clone(), layout.name.clone());
        for change in changes {
            match change {
                Saved::Put(layouts) => {
                    self.saved.extend(layouts.into_iter().map(|layout| (key(&layout), layout)));
                }
                Saved::All(layouts) => {
                    self.saved = layouts.into_iter().map(|layout| (key(&layout), layout)).collect();
                }
                Saved::Removed(name) => {
                    self.saved.shift_remove(&name);
                }
            }
        }
        self.merge();
    }

    fn merge(&mut self) {
        let mut saved = Read::empty(SourceLabel::new("saved"));
        saved.layouts = self.saved.values().cloned().collect();
        let sources = self.sources.iter().flatten().map(|read| {
            let mut read = read.clone();
            // A saved layout stands in the place of a file's on purpose: no clash to be told.
            read.layouts.retain(|layout| {
                !self.saved.contains_key(&(layout.kind.clone(), layout.name.clone()))
            });
            read
        });
        let all = std::iter::once(saved).chain(sources).chain([self.memory.read()]);
        self.catalog = self.catalog.succeed(all);
    }
}
