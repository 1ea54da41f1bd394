//! The life of a workspace: made, selected, put to sleep, woken, brought elsewhere, closed.

use std::sync::Arc;

use deskwire_layout::{ItemId, Object, Tree};
use deskwire_wire::PeerId;
use indexmap::IndexMap;

use super::contents::boxed;
use super::{ContextWrite, Turn};
use crate::workspaces::ids::{FrameId, WorkspaceId};
use crate::workspaces::limits::{MAX_WORKSPACES, short};
use crate::workspaces::model::{WindowState, Workspace};
use crate::workspaces::refused::Refused;

/// A workspace to be made.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    /// Its name, where it is not that of a layout.
    pub name: Option<String>,
    /// The saved layout that it comes from.
    pub layout_name: Option<String>,
    /// What is in it, with its settings. Items get ids of their own.
    pub tree: Tree,
    /// What its applications share.
    pub context: Object,
    /// Which frame gets it.
    pub placement: Placement,
    /// Its place among those of the frame, counted from 0; last without one.
    pub position: Option<usize>,
    /// Whether the frame is to show it.
    pub select: bool,
    /// Whether windows of the tree that exist elsewhere come here. Otherwise their ids mean nothing.
    pub adopt_windows: bool,
}

/// Which frame gets a new workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// The one that was used last, another one with a page, one that waits, a new one: the first
    /// of these that is there.
    Usual,
    /// This one.
    Frame(FrameId),
    /// A new one, under this name if one is given.
    NewFrame(Option<FrameId>),
    /// In place of what this workspace holds; it keeps its id, frame and position.
    Instead(WorkspaceId),
}

impl NewWorkspace {
    /// An empty one that its frame shows.
    #[must_use]
    pub fn empty(placement: Placement) -> Self {
        Self {
            name: None,
            layout_name: None,
            tree: Tree::default(),
            context: Object::new(),
            placement,
            position: None,
            select: true,
            adopt_windows: false,
        }
    }
}

impl Turn<'_> {
    /// Makes a workspace.
    ///
    /// # Errors
    /// When the frame or a window is not there, or there is no room.
    pub fn create(&mut self, new: NewWorkspace) -> Result<WorkspaceId, Refused> {
        let NewWorkspace {
            name,
            layout_name,
            tree,
            context,
            placement,
            position,
            select,
            adopt_windows,
        } = new;
        let id = match placement {
            Placement::Instead(id) => {
                self.reshape(&id, Tree::default())?;
                id
            }
            placement => {
                let frame = self.place(placement)?;
                self.add_workspace(&frame)?
            }
        };
        let (tree, adopted) = self.own_tree(tree, adopt_windows)?;
        let name = name
            .or_else(|| layout_name.clone())
            .or_else(|| tree.title().map(str::to_owned))
            .unwrap_or_else(|| self.free_name());
        let workspace = self.workspace_mut(&id)?;
        workspace.name = short(&name);
        workspace.layout_name = layout_name;
        workspace.context = Arc::new(context.clone());
        workspace.maximized = None;
        workspace.focused = None;
        self.contexts.push(ContextWrite { workspace: id.clone(), data: context });
        for (item, window) in adopted {
            self.adopt(&id, item, &window)?;
        }
        self.reshape(&id, tree)?;
        if let Some(position) = position {
            self.reposition(&id, position)?;
        }
        let frame = self.workspace(&id)?.frame.clone();
        if select || self.desk.selected(&frame).is_none() {
            self.select_in_frame(&id)?;
        }
        Ok(id)
    }

    /// Closes a workspace with its windows and its context.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn close_workspace(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        let workspace = Arc::clone(self.workspace(id)?);
        self.desk.workspaces.shift_remove(id);
        if workspace.selected {
            self.select_neighbour(&workspace)?;
        }
        Ok(())
    }

    /// Has its frame show a workspace, awake if a page is there, and makes the frame the focused one.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn select_workspace(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        self.desk.focused = Some(self.workspace(id)?.frame.clone());
        self.select_in_frame(id)
    }

    /// Stops the instances of a workspace's windows. Its frame shows another one that is awake.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn hibernate(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        self.put_to_sleep(id)?;
        let workspace = Arc::clone(self.workspace(id)?);
        if workspace.selected && self.frame(&workspace.frame)?.is_attached() {
            let awake = |other: &&Arc<Workspace>| other.is_live() && other.id != *id;
            let next = nearest(&self.desk.workspaces_of(&workspace.frame), &workspace, awake);
            self.workspace_mut(id)?.selected = false;
            if let Some(next) = next {
                self.select_in_frame(&next)?;
            }
        }
        Ok(())
    }

    /// Starts the windows of a workspace again.
    ///
    /// # Errors
    /// When there is no such workspace, or no page that could show them.
    pub fn resume(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        let frame = self.workspace(id)?.frame.clone();
        if !self.frame(&frame)?.is_attached() {
            return Err(Refused::NoPage { frame });
        }
        self.wake(id)?;
        if self.desk.selected(&frame).is_none() {
            self.select_in_frame(id)?;
        }
        Ok(())
    }

    /// Brings a workspace to the frame of a page, selected and awake.
    ///
    /// # Errors
    /// When the peer holds no frame, or there is no such workspace.
    pub fn claim(&mut self, peer: &PeerId, id: &WorkspaceId) -> Result<(), Refused> {
        let frame = self.held_by(peer)?;
        let workspace = Arc::clone(self.workspace(id)?);
        if workspace.frame != frame {
            let position = self.last_position(&frame);
            self.put_to_sleep(id)?;
            let moved = self.workspace_mut(id)?;
            moved.frame = frame;
            moved.position = position;
            moved.selected = false;
            if workspace.selected {
                self.select_neighbour(&workspace)?;
            }
        }
        self.select_workspace(id)
    }

    /// Gives a workspace another title.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn set_title(&mut self, id: &WorkspaceId, title: &str) -> Result<(), Refused> {
        self.configure(id, Object::from_iter([("title".to_owned(), short(title).into())]))
    }

    /// Changes settings of a workspace; `null` takes one away.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn configure(&mut self, id: &WorkspaceId, settings: Object) -> Result<(), Refused> {
        self.set_settings(id, settings)
    }

    /// Puts a workspace to another place among those of its frame, counted from 0.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn reposition(&mut self, id: &WorkspaceId, place: usize) -> Result<(), Refused> {
        let frame = self.workspace(id)?.frame.clone();
        let mut order = self.workspaces_in(&frame);
        order.retain(|other| other != id);
        order.insert(place.min(order.len()), id.clone());
        let mut positions: Vec<u64> =
            self.desk.workspaces_of(&frame).iter().map(|workspace| workspace.position).collect();
        positions.sort_unstable();
        for (id, position) in order.iter().zip(positions) {
            if self.workspace(id)?.position != position {
                self.workspace_mut(id)?.position = position;
            }
        }
        Ok(())
    }

    /// A workspace was saved as a layout, or opened from it.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn saved_as(&mut self, id: &WorkspaceId, layout: &str) -> Result<(), Refused> {
        let layout = Some(layout.to_owned());
        if self.workspace(id)?.layout_name != layout {
            self.workspace_mut(id)?.layout_name = layout;
        }
        Ok(())
    }

    /// What the applications of a workspace share has changed on the bus.
    ///
    /// # Errors
    /// When there is no such workspace.
    pub fn context_changed(&mut self, id: &WorkspaceId, data: Object) -> Result<(), Refused> {
        if *self.workspace(id)?.context != data {
            self.workspace_mut(id)?.context = Arc::new(data);
        }
        Ok(())
    }

    /// Starts the windows of a workspace if a page is there.
    pub(super) fn wake(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        let workspace = self.workspace(id)?;
        if workspace.hibernated && self.frame(&workspace.frame)?.is_attached() {
            self.workspace_mut(id)?.hibernated = false;
        }
        Ok(())
    }

    pub(super) fn put_to_sleep(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        if self.workspace(id)?.hibernated {
            return Ok(());
        }
        let workspace = self.workspace_mut(id)?;
        workspace.hibernated = true;
        for window in workspace.windows.values_mut() {
            window.instance = None;
            window.state = WindowState::Waiting;
        }
        Ok(())
    }

    pub(super) fn select_in_frame(&mut self, id: &WorkspaceId) -> Result<(), Refused> {
        let frame = self.workspace(id)?.frame.clone();
        let former = self.desk.selected(&frame).map(|workspace| workspace.id.clone());
        if former.as_ref() != Some(id) {
            if let Some(former) = former {
                self.workspace_mut(&former)?.selected = false;
            }
            self.workspace_mut(id)?.selected = true;
        }
        self.wake(id)
    }

    /// A selected workspace is gone from its frame: the nearest one is selected.
    fn select_neighbour(&mut self, gone: &Workspace) -> Result<(), Refused> {
        let next = nearest(&self.desk.workspaces_of(&gone.frame), gone, |_| true);
        next.map_or(Ok(()), |next| self.select_in_frame(&next))
    }

    fn place(&mut self, placement: Placement) -> Result<FrameId, Refused> {
        match placement {
            Placement::Frame(frame) => self.frame(&frame).map(|frame| frame.id.clone()),
            Placement::NewFrame(name) => self.create_frame(name, None),
            Placement::Usual | Placement::Instead(_) => self.usual_frame(),
        }
    }

    /// An empty workspace.
    fn add_workspace(&mut self, frame: &FrameId) -> Result<WorkspaceId, Refused> {
        if self.desk.workspaces.len() >= MAX_WORKSPACES {
            return Err(Refused::TooMany { what: "workspaces", limit: MAX_WORKSPACES });
        }
        let id = self.ids.workspace();
        let workspace = Workspace {
            id: id.clone(),
            rev: 0,
            tree_rev: 0,
            frame: frame.clone(),
            position: self.last_position(frame),
            selected: false,
            hibernated: !self.frame(frame)?.is_attached(),
            name: String::new(),
            layout_name: None,
            tree: Tree::default(),
            windows: IndexMap::new(),
            context: Arc::default(),
            maximized: None,
            focused: None,
        };
        self.desk.workspaces.insert(id.clone(), Arc::new(workspace));
        Ok(id)
    }

    /// The place after the last workspace of a frame.
    fn last_position(&self, frame: &FrameId) -> u64 {
        let positions = self.desk.workspaces_of(frame);
        positions.last().map_or(0, |last| last.position + 1)
    }

    fn free_name(&self) -> String {
        let taken = |name: &str| {
            self.desk.workspaces.values().any(|other| other.name == name || other.title() == name)
        };
        let mut number = 1_usize;
        loop {
            let name = format!("Untitled {number}");
            if !taken(&name) {
                return name;
            }
            number += 1;
        }
    }

    /// A tree with ids of its own, and the windows of others that are to come into it.
    fn own_tree(
        &mut self,
        mut tree: Tree,
        adopt: bool,
    ) -> Result<(Tree, Vec<(ItemId, String)>), Refused> {
        let mut adopted = Vec::new();
        for child in &mut tree.children {
            self.own_item(Arc::make_mut(child), adopt, &mut adopted)?;
        }
        let ids = &mut *self.ids;
        for child in &mut tree.children {
            *child = boxed(Arc::clone(child), || ids.item());
        }
        Arc::make_mut(&mut tree.root).context = None;
        Ok((tree, adopted))
    }
}

/// The workspace of a frame that stands nearest to another one and passes: the next after it, else
/// the last before it.
fn nearest(
    ordered: &[&Arc<Workspace>],
    to: &Workspace,
    passes: impl Fn(&&Arc<Workspace>) -> bool,
) -> Option<WorkspaceId> {
    let fitting = || ordered.iter().copied().filter(|other| passes(other) && other.id != to.id);
    let after = fitting().find(|other| other.position > to.position);
    let found = after.or_else(|| fitting().filter(|other| other.position < to.position).last());
    found.map(|workspace| workspace.id.clone())
}
