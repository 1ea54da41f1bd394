//! Several sources as one: who holds a name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::changes::Changes;
use crate::diagnostic::{Code, Diagnostic, RecordRef};
use crate::model::{Application, Channel, Layout, LayoutKind};
use crate::read::Read;
use crate::report::quote;
use crate::source::Origin;

/// Every definition there is, each name once. Immutable, and cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Catalog(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    applications: Vec<Arc<Application>>,
    layouts: Vec<Arc<Layout>>,
    channels: Vec<Arc<Channel>>,
    /// Places in `applications`.
    by_name: HashMap<String, usize>,
    /// Places in `layouts`.
    by_kind_and_name: HashMap<(LayoutKind, String), usize>,
    diagnostics: Vec<Diagnostic>,
}

impl Catalog {
    /// Puts sources together in their order: the first holder of a name keeps it, later
    /// ones are left out and told. Layouts of different kinds may share a name.
    #[must_use]
    pub fn merge(sources: impl IntoIterator<Item = Read>) -> Self {
        Self::default().succeed(sources)
    }

    /// As [`Self::merge`], for the same sources read again: a record that is what it was
    /// here, and where it was, keeps its `Arc`.
    #[must_use]
    pub fn succeed(&self, sources: impl IntoIterator<Item = Read>) -> Self {
        let mut next = Inner::default();
        for read in sources {
            next.diagnostics.extend(read.diagnostics);
            for new in read.applications {
                let old = self.application(&new.name);
                next.add_application(kept(new, old, |old, new| {
                    old.origin == new.origin && old.same_content(new)
                }));
            }
            for new in read.layouts {
                let old = self.layout(&new.kind, &new.name);
                next.add_layout(kept(new, old, |old, new| {
                    old.origin == new.origin && old.same_content(new)
                }));
            }
            for new in read.channels {
                let old = self.channel(&new.name);
                next.add_channel(kept(new, old, |old, new| {
                    old.origin == new.origin && old.same_content(new)
                }));
            }
        }
        Self(Arc::new(next))
    }

    /// The applications, in the order of their sources.
    #[must_use]
    pub fn applications(&self) -> &[Arc<Application>] {
        &self.0.applications
    }

    /// The application of a name.
    #[must_use]
    pub fn application(&self, name: &str) -> Option<&Arc<Application>> {
        self.0.applications.get(*self.0.by_name.get(name)?)
    }

    /// The layouts of all kinds, in the order of their sources.
    #[must_use]
    pub fn layouts(&self) -> &[Arc<Layout>] {
        &self.0.layouts
    }

    /// The layout of a kind and a name.
    #[must_use]
    pub fn layout(&self, kind: &LayoutKind, name: &str) -> Option<&Arc<Layout>> {
        let key = (kind.clone(), name.to_owned());
        self.0.layouts.get(*self.0.by_kind_and_name.get(&key)?)
    }

    /// The saved workspaces.
    pub fn workspaces(&self) -> impl Iterator<Item = &Arc<Layout>> {
        self.0.layouts.iter().filter(|layout| layout.kind == LayoutKind::Workspace)
    }

    /// The saved workspace of a name.
    #[must_use]
    pub fn workspace(&self, name: &str) -> Option<&Arc<Layout>> {
        self.layout(&LayoutKind::Workspace, name)
    }

    /// The channels, in the order of their sources.
    #[must_use]
    pub fn channels(&self) -> &[Arc<Channel>] {
        &self.0.channels
    }

    /// The channel of a name.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<&Arc<Channel>> {
        self.0.channels.iter().find(|channel| channel.name == name)
    }

    /// Everything that is not as it should be, source by source.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// What became different from `old` to this.
    #[must_use]
    pub fn changes_since(&self, old: &Self) -> Changes {
        Changes::between(old, self)
    }
}

/// The record that was there, where nothing of it is new.
fn kept<T>(new: Arc<T>, old: Option<&Arc<T>>, unchanged: impl Fn(&T, &T) -> bool) -> Arc<T> {
    match old {
        Some(old) if unchanged(old, &new) => old.clone(),
        _ => new,
    }
}

impl Inner {
    fn add_application(&mut self, application: Arc<Application>) {
        match self.by_name.entry(application.name.clone()) {
            Entry::Vacant(place) => {
                place.insert(self.applications.len());
                self.applications.push(application);
            }
            Entry::Occupied(place) => {
                if let Some(holder) = self.applications.get(*place.get()) {
                    let clash = duplicate(
                        Code::AppDuplicate,
                        "application",
                        &application.name,
                        &holder.origin,
                        &application.origin,
                    );
                    self.diagnostics.push(clash);
                }
            }
        }
    }

    fn add_layout(&mut self, layout: Arc<Layout>) {
        match self.by_kind_and_name.entry((layout.kind.clone(), layout.name.clone())) {
            Entry::Vacant(place) => {
                place.insert(self.layouts.len());
                self.layouts.push(layout);
            }
            Entry::Occupied(place) => {
                if let Some(holder) = self.layouts.get(*place.get()) {
                    let what = format!("layout of type {}", quote(layout.kind.as_str()));
                    let clash = duplicate(
                        Code::LayoutDuplicate,
                        &what,
                        &layout.name,
                        &holder.origin,
                        &layout.origin,
                    );
                    self.diagnostics.push(clash);
                }
            }
        }
    }

    fn add_channel(&mut self, channel: Arc<Channel>) {
        // There are a dozen.
        match self.channels.iter().find(|holder| holder.name == channel.name) {
            None => self.channels.push(channel),
            Some(holder) => {
                let clash = duplicate(
                    Code::ChannelDuplicate,
                    "channel",
                    &channel.name,
                    &holder.origin,
                    &channel.origin,
                );
                self.diagnostics.push(clash);
            }
        }
    }
}

fn duplicate(code: Code, what: &str, name: &str, holder: &Origin, late: &Origin) -> Diagnostic {
    Diagnostic {
        code,
        severity: code.severity(),
        source: late.source.clone(),
        line: late.line,
        record: Some(RecordRef::new(late, Some(&quote(name)))),
        field: Some("name".to_owned()),
        message: format!(
            "the name belongs to the {what} at {holder}, which came first; this one is left \
             out: rename one of them",
        ),
    }
}
