//! Our copy of one context.
//!
//! The gateway applies changes in the order it gets them and tells everybody
//! but the sender, who only hears of success. So a change of ours counts when
//! its success comes: by then every change that the gateway had before it has
//! come as well, and the copy goes through the same states as everybody's.

use std::collections::VecDeque;
use std::sync::Arc;

use deskwire_wire::{Command, Delta, DeltaError, Document, Id, Payload};
use indexmap::IndexMap;

/// Our copy of one context.
#[derive(Debug)]
pub(super) struct Replica {
    confirmed: Arc<Document>,
    /// Changes of ours on their way.
    inflight: VecDeque<(Id, Arc<Delta>)>,
}

/// What a writer wants.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    /// To replace everything.
    Reset(Document),
    /// To set top-level keys; `null` removes one.
    Keys(IndexMap<String, Payload>),
    /// To set values by path, in order; `null` removes one.
    Paths(Vec<(String, Payload)>),
}

impl Write {
    /// About the bytes of its values.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Reset(document) => document.len(),
            Self::Keys(keys) => keys.iter().map(|(key, value)| key.len() + value.len()).sum(),
            Self::Paths(paths) => paths.iter().map(|(path, value)| path.len() + value.len()).sum(),
        }
    }
}

impl Replica {
    pub(super) fn new(confirmed: Document) -> Self {
        Self { confirmed: Arc::new(confirmed), inflight: VecDeque::new() }
    }

    pub(super) fn confirmed(&self) -> &Arc<Document> {
        &self.confirmed
    }

    /// The change to send; with `commands`, in the newer form. What is so
    /// already is left out. While changes of ours are on their way nothing is:
    /// how things will be is not known, and a change there and back would lose
    /// the way back.
    pub(super) fn delta(&self, write: Write, commands: bool) -> Delta {
        let now = self.inflight.is_empty().then_some(&*self.confirmed);
        match write {
            Write::Reset(document) if Some(&document) == now => Delta::Commands(Vec::new()),
            Write::Reset(document) => Delta::Reset(document),
            Write::Paths(paths) => Delta::Commands(commands_for(now, paths)),
            Write::Keys(keys) if commands && keys.keys().all(|key| is_path(key)) => {
                Delta::Commands(commands_for(now, keys.into_iter().collect()))
            }
            Write::Keys(keys) => fields_for(now, keys),
        }
    }

    /// A change of ours goes out.
    pub(super) fn sent(&mut self, request: Id, delta: Arc<Delta>) {
        self.inflight.push_back((request, delta));
    }

    /// A change of ours is done; `None` when it is none of this copy's.
    ///
    /// # Errors
    /// When the copy cannot follow; it must be fetched again.
    pub(super) fn done(&mut self, request: &Id) -> Result<Option<Arc<Delta>>, DeltaError> {
        let Some(delta) = self.take(request) else { return Ok(None) };
        self.changed(&delta)?;
        Ok(Some(delta))
    }

    /// A change of ours was refused.
    pub(super) fn refused(&mut self, request: &Id) {
        self.take(request);
    }

    /// A change came.
    ///
    /// # Errors
    /// When the copy cannot follow; it must be fetched again.
    pub(super) fn changed(&mut self, delta: &Delta) -> Result<(), DeltaError> {
        Arc::make_mut(&mut self.confirmed).apply(delta)
    }

    /// The whole context came again. True when it differs.
    pub(super) fn replaced(&mut self, document: Document) -> bool {
        let differs = *self.confirmed != document;
        if differs {
            self.confirmed = Arc::new(document);
        }
        differs
    }

    fn take(&mut self, request: &Id) -> Option<Arc<Delta>> {
        let at = self.inflight.iter().position(|(id, _)| id == request)?;
        self.inflight.remove(at).map(|(_, delta)| delta)
    }
}

/// Whether a command with this path means this very key.
fn is_path(key: &str) -> bool {
    !key.is_empty() && !key.contains('.')
}

/// Commands for paths. Where it is known how things are `now`, those that
/// change nothing are left out.
fn commands_for(now: Option<&Document>, paths: Vec<(String, Payload)>) -> Vec<Command> {
    let mut now = now.cloned();
    let mut commands = Vec::new();
    for (path, value) in paths {
        if let Some(now) = &now
            && !path.is_empty()
        {
            let is_so = match now.at(&path) {
                Some(found) => found == value && !value.is_null(),
                None => value.is_null(),
            };
            if is_so {
                continue;
            }
        }
        let command =
            if value.is_null() { Command::Remove { path } } else { Command::Set { path, value } };
        if let Some(now) = &mut now {
            // What cannot be applied will be refused as a whole.
            let _refused_later = now.apply(&Delta::Commands(vec![command.clone()]));
        }
        commands.push(command);
    }
    commands
}

/// The older form. `updated` would merge objects one level deep; `added` sets a
/// key whole, whether it is there or not, so that is what objects go as.
fn fields_for(now: Option<&Document>, keys: IndexMap<String, Payload>) -> Delta {
    let (mut added, mut updated, mut removed) = (IndexMap::new(), IndexMap::new(), Vec::new());
    for (key, value) in keys {
        match now.map(|now| now.get(&key)) {
            Some(None) if value.is_null() => {}
            _ if value.is_null() => removed.push(key),
            Some(Some(found)) if *found == value => {}
            Some(Some(_)) if !value.is_object() => {
                updated.insert(key, value);
            }
            _ => {
                added.insert(key, value);
            }
        }
    }
    Delta::Fields { added, updated, removed }
}
