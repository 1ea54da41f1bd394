//! The tools of this server at one moment: who sees which, and why not others.
//!
//! Sources offer tools, [`Surface::assemble`] makes one immutable snapshot of
//! the offers, and a [`View`] of it is what clients of one [`Profile`] see.
//! Nothing here knows a session, a transport or a clock.

mod caller;
mod diagnostics;
mod former;
mod progress;
mod source;
mod tool;
mod view;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use tokio_util::bytes::Bytes;

pub use caller::Caller;
pub use diagnostics::{Diagnostic, Kind, Remark, RemarkCode, Stage, Withheld};
pub use progress::{Progress, Step};
pub use source::{Offer, Origin, Source};
pub use tool::{CallContext, Definition, Tool};
pub use view::{Revision, View};

use crate::names;
use crate::profile::Profile;
use former::Former;

/// The tools at one moment. Immutable.
pub struct Surface {
    entries: Vec<Entry>,
    withheld: Vec<Arc<Withheld>>,
    missing_bus: Option<Arc<Withheld>>,
    limit: Option<usize>,
    former: Arc<Former>,
    views: [OnceLock<View>; Profile::COUNT],
}

/// What holds for the tools of all sources.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Name of the server; clients put it before the names of tools.
    pub server_name: String,
    /// Most tools a client is shown.
    pub limit: Option<usize>,
}

/// A tool and the kind of source it comes from.
#[derive(Clone)]
pub struct Entry {
    /// The kind of source.
    pub origin: Origin,
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// What its source cannot know: how clients will call it.
    long_name: Option<Arc<Remark>>,
}

impl Entry {
    fn new(origin: Origin, tool: Arc<dyn Tool>, rules: &Rules) -> Self {
        let long_name = long_name(&rules.server_name, tool.definition().name()).map(Arc::new);
        Self { origin, tool, long_name }
    }

    /// What someone should look at.
    pub fn remarks(&self) -> impl Iterator<Item = &Remark> {
        self.tool.remarks().iter().chain(&self.long_name).map(|remark| &**remark)
    }
}

/// What a name stands for, to clients of one profile.
pub enum Found<'a> {
    /// A tool they see.
    Tool(&'a Arc<dyn Tool>),
    /// A tool they saw, or could have seen, and see no more.
    Departed,
    /// Nothing that is there without the bus, which this server is not on: why.
    OutOfReach(&'a Withheld),
    /// Nothing they ever saw.
    Unknown,
}

impl Surface {
    /// A surface of what the sources offer, under the rules for all of them.
    ///
    /// `previous` is the surface before this one: what clients could see of it and
    /// of this one no more is remembered as departed.
    #[must_use]
    pub fn assemble(offers: Vec<(Origin, Offer)>, rules: &Rules, previous: Option<&Self>) -> Self {
        let mut offers = offers;
        offers.sort_by_key(|(origin, _)| *origin);
        let mut entries: Vec<Entry> = Vec::new();
        let mut holders: HashMap<Arc<str>, Origin> = HashMap::new();
        let mut withheld = Vec::new();
        for (origin, offer) in offers {
            withheld.extend(offer.withheld);
            for tool in offer.tools {
                let definition = tool.definition();
                match holders.get(definition.name()) {
                    Some(holder) => withheld.push(Arc::new(clash(definition, *holder))),
                    None => {
                        holders.insert(Arc::clone(definition.name()), origin);
                        entries.push(Entry::new(origin, tool, rules));
                    }
                }
            }
        }
        entries.sort_by(|one, other| {
            let name = |entry: &Entry| Arc::clone(entry.tool.definition().name());
            one.origin.cmp(&other.origin).then_with(|| name(one).cmp(&name(other)))
        });
        let former = previous.map(|previous| former::after(previous, &entries));
        let missing_bus = withheld.iter().find(|it| it.kind == Kind::Bus).cloned();
        let (limit, views, former) = (rules.limit, Default::default(), former.unwrap_or_default());
        Self { entries, withheld, missing_bus, limit, former, views }
    }

    /// Every tool, in the order of lists: system, static, dynamic, each by name.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is withheld from every client. What is withheld from clients of a
    /// profile stands in their view.
    #[must_use]
    pub fn withheld(&self) -> &[Arc<Withheld>] {
        &self.withheld
    }

    /// Why this server is not on its bus, and so knows no tool of an application,
    /// if that is so.
    #[must_use]
    pub fn missing_bus(&self) -> Option<&Withheld> {
        self.missing_bus.as_deref()
    }

    /// What clients of this profile see. Worked out once.
    pub fn view(&self, profile: Profile) -> &View {
        self.views[profile.index()].get_or_init(|| View::new(&self.entries, profile, self.limit))
    }

    /// The tools that clients of this profile see, in order.
    pub fn tools(&self, profile: Profile) -> impl ExactSizeIterator<Item = &Arc<dyn Tool>> {
        self.view(profile).places().iter().map(|&place| &self.entries[place].tool)
    }

    /// The same as the JSON array of a list. Written once, and shared.
    pub fn list_text(&self, profile: Profile) -> Bytes {
        self.view(profile).list_text(&self.entries)
    }

    /// What there is to say about each tool, to clients of this profile: first
    /// those they see, in the order of lists, then those they do not see, by
    /// stage and name. What several instances of an application have in common
    /// is said once.
    #[must_use]
    pub fn diagnostics(&self, profile: Profile) -> Vec<Diagnostic> {
        let view = self.view(profile);
        let visible = view.places().iter().map(|&place| &self.entries[place]);
        let mut diagnostics: Vec<_> = visible.flat_map(Diagnostic::visible).collect();
        let withheld = self.withheld.iter().map(|withheld| &**withheld).chain(view.withheld());
        let mut withheld: Vec<_> = withheld.map(Diagnostic::from).collect();
        withheld.sort_by(|one, other| one.place().cmp(&other.place()));
        withheld.dedup();
        diagnostics.append(&mut withheld);
        diagnostics
    }

    /// The tool of this name, whoever sees it.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let of = |origin: Origin| {
            let place = |entry: &Entry| {
                entry.origin.cmp(&origin).then_with(|| (**entry.tool.definition().name()).cmp(name))
            };
            self.entries.binary_search_by(place).ok()
        };
        let place =
            of(Origin::System).or_else(|| of(Origin::Static)).or_else(|| of(Origin::Dynamic))?;
        Some(&self.entries[place].tool)
    }

    /// What `name` stands for, to clients of this profile.
    #[must_use]
    pub fn find(&self, profile: Profile, name: &str) -> Found<'_> {
        if let Some(place) = self.view(profile).place(name) {
            return Found::Tool(&self.entries[place].tool);
        }
        match (self.former.was_seen(name, profile), self.missing_bus()) {
            (Some(false), _) => Found::Unknown,
            (Some(true), _) if self.has(name) => Found::Departed,
            (None, _) if self.has(name) => Found::Unknown,
            (_, Some(bus)) => Found::OutOfReach(bus),
            (Some(true), None) => Found::Departed,
            (None, None) => Found::Unknown,
        }
    }

    /// Why clients of this profile do not see the tool of this name; `None` where they
    /// see it, and where nothing is known of it.
    #[must_use]
    pub fn why_not(&self, profile: Profile, name: &str) -> Option<&Withheld> {
        let withheld = self.withheld.iter().map(|withheld| &**withheld);
        withheld
            .chain(self.view(profile).withheld())
            .find(|withheld| withheld.kind == Kind::Tool && withheld.name == name)
    }

    /// Whether there is a tool of this name, seen or not.
    fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| **entry.tool.definition().name() == *name)
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface")
            .field("entries", &self.entries)
            .field("withheld", &self.withheld)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.origin, self.tool.definition().name())
    }
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(tool) => write!(f, "Tool({})", tool.definition().name()),
            Self::Departed => f.write_str("Departed"),
            Self::OutOfReach(bus) => write!(f, "OutOfReach({})", bus.reason),
            Self::Unknown => f.write_str("Unknown"),
        }
    }
}

fn clash(definition: &Definition, holder: Origin) -> Withheld {
    Withheld {
        kind: Kind::Tool,
        name: definition.name().to_string(),
        application: definition.application().map(str::to_owned),
        method: definition.method().map(str::to_owned),
        stage: Stage::Definition,
        reason: format!("a {holder} tool has this name already"),
        fix: "give one of the two another name".into(),
    }
}

/// A remark about a name that is too long for clients that put the server's
/// before it.
fn long_name(server: &str, name: &str) -> Option<Remark> {
    let excess = names::excess(server, name);
    (excess > 0).then(|| Remark {
        code: RemarkCode::LongName,
        stage: Stage::Configuration,
        reason: format!(
            "clients that call it `mcp__{server}__{name}` exceed 64 characters by {excess}"
        ),
        fix: format!("shorten server.name or the name of the tool by {excess}"),
    })
}

#[cfg(test)]
mod tests;
