//! Windows: what runs in the places that a tree has for applications.

use std::sync::Arc;

use deskwire_layout::{ItemId, Kind, Object};
use deskwire_wire::PeerId;
use indexmap::IndexMap;

use super::{Op, Start, Turn};
use crate::workspaces::ids::{InstanceRef, WindowId, WorkspaceId};
use crate::workspaces::limits::short;
use crate::workspaces::model::{Desk, Window, WindowState, Workspace};
use crate::workspaces::refused::Refused;

/// What became of an edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Edited {
    /// It was done; this is the revision it made.
    Applied(u64),
    /// It was made on a tree that has changed since, and was not done. This is the truth.
    Stale(Arc<Workspace>),
}

/// What became of the start of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// An instance is there; the page can be loaded.
    Instance(InstanceRef),
    /// There is no such application, or it is not one for a window.
    Missing(String),
    /// It cannot be started now.
    Failed(String),
}

/// What a page says about a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Its page has loaded.
    Loaded,
    /// Its page did not load, for this reason.
    Failed(String),
    /// It is to go.
    Closed,
    /// Its title is another one.
    Title(String),
}

impl Turn<'_> {
    /// A page edits a workspace of its frame, as it saw it at a revision.
    ///
    /// # Errors
    /// When the workspace is not in the peer's frame, or the edit cannot be done.
    pub fn edit(
        &mut self,
        peer: &PeerId,
        id: &WorkspaceId,
        base: u64,
        op: &Op,
    ) -> Result<Edited, Refused> {
        self.check_yours(peer, id)?;
        let before = Arc::clone(self.workspace(id)?);
        if base < before.tree_rev || base > before.rev {
            return Ok(Edited::Stale(before));
        }
        self.reach = Some(before.frame.clone());
        self.operate(id, op)?;
        let changed = **self.workspace(id)? != *before;
        Ok(Edited::Applied(before.rev + u64::from(changed)))
    }

    /// A page says something about a window of its frame.
    ///
    /// # Errors
    /// When the window is not there or not in the peer's frame.
    pub fn report(
        &mut self,
        peer: &PeerId,
        window: &WindowId,
        report: Report,
    ) -> Result<(), Refused> {
        let (id, item) = self.place_of(window)?;
        self.check_yours(peer, &id)?;
        match report {
            Report::Loaded => self.loaded(&id, &item),
            Report::Failed(reason) => self.fail(&id, &item, &reason),
            Report::Closed => self.close_window(&id, &item),
            Report::Title(title) => self.retitle(&id, &item, &title),
        }
    }

    /// What became of the start of a window that [`super::Changes::start`] asked for. If the window
    /// is gone meanwhile, nothing.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn opened(&mut self, start: &Start, opened: Opened) -> Result<(), Refused> {
        let Ok(workspace) = self.workspace_mut(&start.workspace) else { return Ok(()) };
        let window = workspace.windows.get_mut(&start.item);
        let Some(window) = window.filter(|window| window.id == start.window) else { return Ok(()) };
        match opened {
            Opened::Instance(instance) => {
                window.instance = Some(instance);
                window.state = WindowState::Loading;
            }
            Opened::Missing(reason) => window.state = WindowState::Missing(short(&reason)),
            Opened::Failed(reason) => window.state = WindowState::Failed(short(&reason)),
        }
        Ok(())
    }

    /// An instance is on the bus.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn instance_ready(&mut self, instance: &InstanceRef) -> Result<(), Refused> {
        self.in_its_window(instance, Self::loaded)
    }

    /// An instance has ended on its own, or by others: its window goes.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn instance_stopped(&mut self, instance: &InstanceRef) -> Result<(), Refused> {
        self.in_its_window(instance, Self::close_window)
    }

    /// An instance has failed: its window stays and says so.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn instance_failed(&mut self, instance: &InstanceRef, reason: &str) -> Result<(), Refused> {
        self.in_its_window(instance, |turn, id, item| turn.fail(id, item, reason))
    }

    /// An instance has another title.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn instance_titled(&mut self, instance: &InstanceRef, title: &str) -> Result<(), Refused> {
        self.in_its_window(instance, |turn, id, item| turn.retitle(id, item, title))
    }

    /// An instance has changed the context that it would be started with.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn instance_context(
        &mut self,
        instance: &InstanceRef,
        context: Object,
    ) -> Result<(), Refused> {
        self.in_its_window(instance, |turn, _, item| {
            turn.change_item(item, |item| {
                if let deskwire_layout::Content::Window(window) = &mut item.content {
                    window.context = Some(context);
                }
            })
        })
    }

    /// Gives each window of the tree a place to run in, and takes away those that are gone.
    pub(super) fn settle_windows(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        let workspace = Arc::clone(self.workspace(id)?);
        let mut windows = IndexMap::with_capacity(workspace.windows.len());
        for item in workspace.tree.windows() {
            let window = workspace.windows.get(&item.id).cloned().unwrap_or_else(|| Window {
                id: self.ids.window(),
                instance: None,
                state: WindowState::Waiting,
            });
            windows.insert(item.id.clone(), window);
        }
        let is_gone = |item: &Option<ItemId>| {
            item.as_ref().is_some_and(|item| workspace.tree.item(item).is_none())
        };
        let (no_maximized, no_focused) =
            (is_gone(&workspace.maximized), is_gone(&workspace.focused));
        let settled = self.workspace_mut(id)?;
        settled.windows = windows;
        if no_maximized {
            settled.maximized = None;
        }
        if no_focused {
            settled.focused = None;
        }
        Ok(())
    }

    /// Whether a workspace is in the frame that a peer holds.
    pub(super) fn check_yours(&self, peer: &PeerId, id: &WorkspaceId) -> Result<(), Refused> {
        let frame = &self.workspace(id)?.frame;
        if self.frame(frame)?.holder() == Some(peer) {
            return Ok(());
        }
        Err(Refused::NotYours { what: format!("workspace {id}") })
    }

    fn place_of(&self, window: &WindowId) -> Result<(WorkspaceId, ItemId), Refused> {
        match self.desk.window(window) {
            Some((workspace, item, _)) => Ok((workspace.id.clone(), item.clone())),
            None => Err(Refused::UnknownWindow { window: window.clone() }),
        }
    }

    /// What is said of an instance that is in no window any more is too late, and no fault.
    fn in_its_window(
        &mut self,
        instance: &InstanceRef,
        then: impl FnOnce(&mut Self, &WorkspaceId, &ItemId) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let place = self.desk.instance(instance);
        let place = place.map(|(workspace, item, _)| (workspace.id.clone(), item.clone()));
        place.map_or(Ok(()), |(id, item)| then(self, &id, &item))
    }

    fn loaded(&mut self, id: &WorkspaceId, item: &ItemId) -> Result<(), Refused> {
        let loading = |window: &Window| window.state == WindowState::Loading;
        if self.workspace(id)?.windows.get(item).is_some_and(loading)
            && let Some(window) = self.workspace_mut(id)?.windows.get_mut(item)
        {
            window.state = WindowState::Ready;
        }
        Ok(())
    }

    fn fail(&mut self, id: &WorkspaceId, item: &ItemId, reason: &str) -> Result<(), Refused> {
        let runs = |window: &Window| window.instance.is_some();
        // A report may be late: where nothing runs, nothing fails.
        if self.workspace(id)?.windows.get(item).is_some_and(runs)
            && let Some(window) = self.workspace_mut(id)?.windows.get_mut(item)
        {
            window.instance = None;
            window.state = WindowState::Failed(short(reason));
        }
        Ok(())
    }

    fn close_window(&mut self, id: &WorkspaceId, item: &ItemId) -> Result<(), Refused> {
        self.edit_tree(id, &deskwire_layout::Edit::Remove { item: item.clone() })
    }

    fn retitle(&mut self, id: &WorkspaceId, item: &ItemId, title: &str) -> Result<(), Refused> {
        let same = |found: &deskwire_layout::Item| found.title.as_deref() == Some(title);
        let found = self.workspace(id)?.tree.item(item);
        if found.is_some_and(|found| found.kind() == Kind::Window && !same(found)) {
            let title = short(title);
            self.change_item(item, |item| item.title = Some(title))?;
        }
        Ok(())
    }
}

impl Desk {
    /// The instance in a window and the workspace around it, for the page that shows it.
    ///
    /// # Errors
    /// When the window is not there, not in the peer's frame, or nothing runs in it.
    pub fn instance_for(
        &self,
        peer: &PeerId,
        window: &WindowId,
    ) -> Result<(WorkspaceId, InstanceRef), Refused> {
        let Some((workspace, _, found)) = self.window(window) else {
            return Err(Refused::UnknownWindow { window: window.clone() });
        };
        let frame = self.frames.get(&workspace.frame);
        if frame.and_then(|frame| frame.holder()) != Some(peer) {
            return Err(Refused::NotYours { what: format!("window {window}") });
        }
        let instance = found.instance.clone().ok_or_else(|| Refused::NotRunning {
            window: window.clone(),
            state: found.state.in_words(),
        });
        Ok((workspace.id.clone(), instance?))
    }
}

impl WindowState {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Failed(_) => "failed",
            Self::Missing(_) => "missing",
        }
    }

    /// Why it does not run.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Failed(reason) | Self::Missing(reason) => Some(reason),
            Self::Waiting | Self::Loading | Self::Ready => None,
        }
    }

    /// The name, and the reason if there is one.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self.reason() {
            Some(reason) => format!("{} ({reason})", self.as_str()),
            None => self.as_str().to_owned(),
        }
    }
}
