//! Tools that clients could see once: what they call by such a name is gone, not
//! unknown.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{Entry, Surface};
use crate::profile::{Profile, Profiles};

/// Names that are remembered. Those of a few applications that register as much
/// as they may.
const MAX: usize = 16 * 1024;

/// Names of tools that somebody could see once, and who that was. The names of
/// tools that everybody still sees are not among them.
#[derive(Debug, Default)]
pub(super) struct Former {
    names: IndexMap<Arc<str>, Profiles>,
}

impl Former {
    /// Whether clients of this profile could see a tool of this name; `None` where
    /// nobody could.
    pub(super) fn was_seen(&self, name: &str, profile: Profile) -> Option<bool> {
        self.names.get(name).map(|profiles| profiles.contain(profile))
    }
}

/// What is remembered once `entries` follow on what `previous` had. The oldest
/// names are forgotten.
pub(super) fn after(previous: &Surface, entries: &[Entry]) -> Arc<Former> {
    let present: HashMap<&str, Profiles> = entries
        .iter()
        .map(|entry| entry.tool.definition())
        .map(|tool| (&**tool.name(), tool.needs().admitted()))
        .collect();
    let mut lost: HashMap<&Arc<str>, Profiles> = HashMap::new();
    let mut order = Vec::new();
    for (name, seen) in seen(previous) {
        let known = previous.former.names.get(name).copied().unwrap_or_default();
        let remains = present.get(&**name).copied().unwrap_or_default();
        // With a limit, whoever may see a tool need not see it.
        let is_lost = previous.limit.is_some() || !remains.include(seen);
        if is_lost && (!known.include(seen) || !present.contains_key(&**name)) {
            order.push(name);
            lost.insert(name, known.with(seen));
        }
    }
    if lost.is_empty() {
        return Arc::clone(&previous.former);
    }
    let kept = previous.former.names.iter().filter(|(name, _)| !lost.contains_key(name));
    let kept = kept.map(|(name, profiles)| (Arc::clone(name), *profiles));
    let new = order.iter().map(|name| (Arc::clone(name), lost[name]));
    let mut names: IndexMap<_, _> = kept.chain(new).collect();
    let excess = names.len().saturating_sub(MAX);
    names.drain(..excess);
    Arc::new(Former { names })
}

/// The tools of a surface, and who could see each.
fn seen(surface: &Surface) -> Vec<(&Arc<str>, Profiles)> {
    let tools = surface.entries.iter().map(|entry| entry.tool.definition());
    let admitted = tools.map(|tool| (tool.name(), tool.needs().admitted()));
    if surface.limit.is_none() {
        return admitted.collect();
    }
    // Only those who were given a list know what the limit left.
    let seen = |name: &str| {
        let views = Profile::all().zip(&surface.views);
        let views = views.filter_map(|(profile, view)| Some((profile, view.get()?)));
        let views = views.filter(|(_, view)| view.was_listed() && view.place(name).is_some());
        views.fold(Profiles::default(), |seen, (profile, _)| seen.with(profile.alone()))
    };
    admitted
        .map(|(name, _)| (name, seen(name)))
        .filter(|(_, profiles)| *profiles != Profiles::default())
        .collect()
}
