//! What clients of one profile see.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio_util::bytes::Bytes;

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
    is_for_all_revisions: bool,
    /// Whether a client was given the list.
    was_listed: AtomicBool,
    /// The list, as JSON; made when somebody first asks for it.
    list: OnceLock<Bytes>,
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
            is_for_all_revisions: true,
            was_listed: AtomicBool::new(false),
            list: OnceLock::new(),
        };
        let mut hasher = DefaultHasher::new();
        for (at, entry) in entries.iter().enumerate() {
            let definition = entry.tool.definition();
            if !definition.needs().admit(profile) {
                view.withheld.push(not_for(definition, profile));
            } else if view.tools.len() >= limit {
                view.over_limit += 1;
                view.withheld.push(over(definition, format!("there are more than {limit} tools")));
            } else if bytes + definition.text().len() > MAX_LIST {
                view.over_limit += 1;
                let reason = format!("the list of tools is longer than {MAX_LIST} bytes");
                view.withheld.push(over(definition, reason));
            } else {
                bytes += definition.text().len();
                hasher.write_u64(definition.fingerprint());
                view.is_for_all_revisions &= definition.is_for_all_revisions();
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

    /// The visible tools of these entries as one JSON array. Written once.
    pub(super) fn list_text(&self, entries: &[Entry]) -> Bytes {
        let write = || {
            let texts = self.tools.iter().map(|&place| entries[place].tool.definition().text());
            let mut list =
                Vec::with_capacity(2 + texts.clone().map(|it| it.len() + 1).sum::<usize>());
            list.push(b'[');
            for (at, text) in texts.enumerate() {
                list.extend((at > 0).then_some(b','));
                list.extend_from_slice(text.as_bytes());
            }
            list.push(b']');
            list.into()
        };
        self.list.get_or_init(write).clone()
    }

    /// Whether clients of every revision of MCP are shown the same list.
    pub(crate) fn is_for_all_revisions(&self) -> bool {
        self.is_for_all_revisions
    }

    /// A client is given the list.
    pub(crate) fn listed(&self) {
        self.was_listed.store(true, Ordering::Relaxed);
    }

    /// Whether a client was given the list.
    pub(super) fn was_listed(&self) -> bool {
        self.was_listed.load(Ordering::Relaxed)
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
