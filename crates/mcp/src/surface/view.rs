//! What clients of one profile see.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use super::Entry;
use super::diagnostics::{Kind, Stage, Withheld};
use super::tool::Definition;
use crate::profile::Profile;

/// Longest list in bytes of JSON. A list beyond it fails in most clients, and
/// with it every tool.
const MAX_LIST: usize = 16 * 1024 * 1024;

/// A number that moves when what a profile sees moves, and only then. The same
/// tools have the same revision, in every process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(u64);

/// What clients of one profile see, and what is kept from them.
#[derive(Debug)]
pub struct View {
    tools: Vec<usize>,
    index: HashMap<Arc<str>, usize>,
    revision: Revision,
    withheld: Vec<Withheld>,
    over_limit: usize,
}

impl View {
    pub(super) fn new(entries: &[Entry], profile: Profile, limit: Option<usize>) -> Self {
        let limit = limit.unwrap_or(usize::MAX);
        let mut bytes = 0;
        let mut view = Self {
            tools: Vec::new(),
            index: HashMap::new(),
            revision: Revision(0),
            withheld: Vec::new(),
            over_limit: 0,
        };
        let mut hasher = DefaultHasher::new();
        for (at, entry) in entries.iter().enumerate() {
            let definition = entry.tool.definition();
            if !definition.needs().admit(profile) {
                view.withheld.push(not_for(definition, profile));
            } else if view.tools.len() >= limit {
                view.over_limit += 1;
                view.withheld.push(over(definition, format!("there are more than {limit} tools")));
            } else if bytes + definition.bytes() > MAX_LIST {
                view.over_limit += 1;
                let reason = format!("the list of tools is longer than {MAX_LIST} bytes");
                view.withheld.push(over(definition, reason));
            } else {
                bytes += definition.bytes();
                hasher.write_u64(definition.fingerprint());
                view.index.insert(Arc::clone(definition.name()), at);
                view.tools.push(at);
            }
        }
        view.revision = Revision(hasher.finish());
        view
    }

    /// Places of the visible tools among the entries of the surface, in order.
    pub(super) fn places(&self) -> &[usize] {
        &self.tools
    }

    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Moves when what this profile sees moves.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Tools that exist and that this profile does not see.
    #[must_use]
    pub fn withheld(&self) -> &[Withheld] {
        &self.withheld
    }

    /// Tools that are left out since there are too many.
    #[must_use]
    pub fn over_limit(&self) -> usize {
        self.over_limit
    }

    /// Number of visible tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether nothing is visible.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

fn not_for(definition: &Definition, profile: Profile) -> Withheld {
    let needs = definition.needs();
    let missing = needs.present.without(profile);
    let (reason, fix) = if missing == Profile::NONE {
        let excess = needs.absent.and(profile);
        (
            format!("the client declares {excess}"),
            format!("use a client that does not declare {excess}"),
        )
    } else {
        (
            format!("the client does not declare {missing}"),
            format!("use a client that declares {missing}"),
        )
    };
    withheld(definition, Stage::ClientCapability, reason, fix)
}

fn over(definition: &Definition, reason: String) -> Withheld {
    let fix = "raise server.tools.limit, or let guards leave out other tools".into();
    withheld(definition, Stage::Configuration, reason, fix)
}

fn withheld(definition: &Definition, stage: Stage, reason: String, fix: String) -> Withheld {
    Withheld {
        kind: Kind::Tool,
        name: definition.name().to_string(),
        application: definition.application().map(str::to_owned),
        method: definition.method().map(str::to_owned),
        stage,
        reason,
        fix,
    }
}
