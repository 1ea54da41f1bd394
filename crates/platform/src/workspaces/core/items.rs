//! Items of workspaces, as clients name them: by an id alone, whatever it is the id of.

use std::sync::Arc;

use deskwire_layout::{Edit, ItemId, Kind, Place};

use super::contents::{box_of, parent_of};
use super::lifecycle::{NewWorkspace, Placement};
use super::{Op, Turn};
use crate::workspaces::geometry;
use crate::workspaces::ids::{FrameId, InstanceRef, WindowId, WorkspaceId};
use crate::workspaces::limits::short;
use crate::workspaces::model::{Desk, WindowState};
use crate::workspaces::refused::Refused;

/// What an id is the id of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A frame.
    Frame(FrameId),
    /// A workspace.
    Workspace(WorkspaceId),
    /// An item of this workspace.
    Item(WorkspaceId, ItemId),
}

impl Desk {
    /// What an id is the id of. The id of a window, or of the instance in it, stands for its item.
    ///
    /// # Errors
    /// When it is the id of nothing.
    pub fn find(&self, id: &str) -> Result<Target, Refused> {
        let (frame, workspace) = (FrameId::from(id), WorkspaceId::from(id));
        if self.workspaces.contains_key(&workspace) {
            return Ok(Target::Workspace(workspace));
        }
        if self.frames.contains_key(&frame) {
            return Ok(Target::Frame(frame));
        }
        if let Some((workspace, item, _)) = self.window(&WindowId::from(id)) {
            return Ok(Target::Item(workspace.id.clone(), item.clone()));
        }
        if let Some((workspace, item, _)) = self.instance(&InstanceRef::from(id)) {
            return Ok(Target::Item(workspace.id.clone(), item.clone()));
        }
        let item = ItemId::from(id);
        match self.workspace_of_item(&item) {
            Some(workspace) => Ok(Target::Item(workspace.id.clone(), item)),
            None => Err(Refused::UnknownItem { item }),
        }
    }
}

impl Turn<'_> {
    /// Closes a frame, a workspace, or an item with all that is in it.
    ///
    /// # Errors
    /// When it is not there.
    pub fn close(&mut self, target: &Target) -> Result<(), Refused> {
        match target {
            Target::Frame(frame) => self.close_frame(frame),
            Target::Workspace(workspace) => self.close_workspace(workspace),
            Target::Item(workspace, item) => {
                self.edit_tree(workspace, &Edit::Remove { item: item.clone() })
            }
        }
    }

    /// Does what a page asks of a workspace.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn operate(&mut self, id: &WorkspaceId, op: &Op) -> Result<(), Refused> {
        match op {
            Op::SelectWorkspace => self.select_workspace(id),
            Op::ReorderWorkspace { index } => self.reposition(id, *index),
            Op::Focus { item } => self.focus_item(id, item),
            Op::Maximize { item } => self.maximize(id, Some(item)),
            Op::Restore => self.maximize(id, None),
            Op::Reload { item } => self.reload(id, item),
            Op::Tree(edit) => self.edit_tree(id, edit),
        }
    }

    /// Focuses a frame, a workspace, or a window.
    ///
    /// # Errors
    /// When it is not there.
    pub fn focus(&mut self, target: &Target) -> Result<(), Refused> {
        match target {
            Target::Frame(frame) => self.focus_frame(frame),
            Target::Workspace(workspace) => self.select_workspace(workspace),
            Target::Item(workspace, item) => {
                self.select_workspace(workspace)?;
                self.focus_item(workspace, item)
            }
        }
    }

    /// Has an item fill its workspace; `None` gives the others their places back.
    ///
    /// # Errors
    /// When it is not there.
    pub fn maximize(&mut self, id: &WorkspaceId, item: Option<&ItemId>) -> Result<(), Refused> {
        let workspace = self.workspace(id)?;
        if let Some(item) = item.filter(|item| workspace.tree.item(item).is_none()) {
            return Err(Refused::UnknownItem { item: item.clone() });
        }
        if workspace.maximized.as_ref() != item {
            self.workspace_mut(id)?.maximized = item.cloned();
        }
        Ok(())
    }

    /// Gives a workspace, or an item, another title.
    ///
    /// # Errors
    /// When it is not there, or has no title.
    pub fn set_item_title(&mut self, target: &Target, title: &str) -> Result<(), Refused> {
        match target {
            Target::Frame(_) => {
                let reason = "a frame has no title; name a workspace or a window".to_owned();
                Err(Refused::BadArguments { reason })
            }
            Target::Workspace(workspace) => self.set_title(workspace, title),
            Target::Item(_, item) => {
                let title = short(title);
                self.change_item(item, |item| item.title = Some(title))
            }
        }
    }

    /// Moves a window into a container, which may be in another workspace.
    ///
    /// # Errors
    /// When either is not there, or is of another kind.
    pub fn move_window(&mut self, window: &Target, to: &Target) -> Result<(), Refused> {
        let (from, item) = self.window_item(window)?;
        let (into, parent) = match to {
            Target::Workspace(workspace) => (workspace.clone(), None),
            Target::Item(workspace, container) => (workspace.clone(), Some(container.clone())),
            Target::Frame(_) => {
                let reason = "a window moves into a row, column, group or workspace".to_owned();
                return Err(Refused::BadArguments { reason });
            }
        };
        let place = Place::Into { parent, index: None };
        if from == into {
            return self.edit_tree(&from, &Edit::Move { item, place });
        }
        let moving = self.as_existing(&from, &item)?;
        self.insert(&into, &moving, place).map(drop)
    }

    /// Moves a window into a workspace of its own, in the same frame. Gives the new workspace.
    ///
    /// # Errors
    /// When it is not there or no window.
    pub fn eject(&mut self, window: &Target) -> Result<WorkspaceId, Refused> {
        let (from, item) = self.window_item(window)?;
        let source = Arc::clone(self.workspace(&from)?);
        let name = source.tree.item(&item).and_then(|item| {
            let leaf = item.as_window()?;
            item.title.clone().or_else(|| leaf.app_name.clone())
        });
        let moving = self.as_existing(&from, &item)?;
        let placement = Placement::Frame(source.frame.clone());
        let id = self.create(NewWorkspace { name, ..NewWorkspace::empty(placement) })?;
        self.insert(&id, &moving, Place::Into { parent: None, index: None })?;
        Ok(id)
    }

    /// Puts a row or column around an item, or around all that is in a workspace.
    ///
    /// # Errors
    /// When it is not there.
    pub fn bundle_target(&mut self, target: &Target, kind: Kind) -> Result<(), Refused> {
        match target {
            Target::Workspace(workspace) => self.bundle(workspace, None, kind),
            Target::Item(workspace, item) => self.bundle(workspace, Some(item), kind),
            Target::Frame(_) => {
                let reason = "name an item or a workspace, not a frame".to_owned();
                Err(Refused::BadArguments { reason })
            }
        }
    }

    /// Gives an item a size in pixels, by moving the boundary beside it. `relative` adds to the size
    /// it has.
    ///
    /// # Errors
    /// When it is no item, nobody knows how large its frame is, or it has no boundary to move.
    pub fn resize(
        &mut self,
        target: &Target,
        width: Option<f64>,
        height: Option<f64>,
        relative: bool,
    ) -> Result<(), Refused> {
        let Target::Item(id, item) = target else {
            let reason = "only items have a size; a frame is as large as its page".to_owned();
            return Err(Refused::BadArguments { reason });
        };
        for (axis, pixels) in geometry::wanted(width, height) {
            let workspace = self.workspace(id)?;
            let frame = self.frame(&workspace.frame)?;
            let bounds =
                frame.bounds.ok_or_else(|| Refused::NoBounds { frame: frame.id.clone() })?;
            let edit = geometry::resize(&workspace.tree, bounds, item, axis, pixels, relative);
            let edit = edit.ok_or_else(|| Refused::BadEdit {
                reason: format!("{item} has no boundary that could move along this axis"),
            })?;
            self.edit_tree(id, &edit)?;
        }
        Ok(())
    }

    /// Tries a window again that failed or is missing; one that runs gets a new instance.
    ///
    /// # Errors
    /// When it is no window of this workspace.
    pub fn reload(&mut self, id: &WorkspaceId, item: &ItemId) -> Result<(), Refused> {
        let window = self.workspace_mut(id)?.windows.get_mut(item);
        let window = window.ok_or_else(|| Refused::UnknownItem { item: item.clone() })?;
        window.instance = None;
        window.state = WindowState::Waiting;
        Ok(())
    }

    fn focus_item(&mut self, id: &WorkspaceId, item: &ItemId) -> Result<(), Refused> {
        let workspace = self.workspace(id)?;
        let Some(found) = workspace.tree.item(item) else {
            return Err(Refused::UnknownItem { item: item.clone() });
        };
        let window = found.walk().find(|below| below.kind() == Kind::Window);
        let Some(window) = window.map(|window| window.id.clone()) else { return Ok(()) };
        let is_tab = box_of(&workspace.tree, &window).is_some();
        if workspace.focused.as_ref() != Some(&window) {
            self.workspace_mut(id)?.focused = Some(window.clone());
        }
        if is_tab { self.edit_tree(id, &Edit::Select { item: window }) } else { Ok(()) }
    }

    fn window_item(&self, target: &Target) -> Result<(WorkspaceId, ItemId), Refused> {
        let Target::Item(workspace, item) = target else {
            let reason = "name a window, not a workspace or frame".to_owned();
            return Err(Refused::BadArguments { reason });
        };
        let found = self.workspace(workspace)?.tree.item(item);
        match found.map(deskwire_layout::Item::kind) {
            Some(Kind::Window) => Ok((workspace.clone(), item.clone())),
            Some(found) => {
                Err(Refused::WrongKind { item: item.clone(), found, wanted: "name a window" })
            }
            None => Err(Refused::UnknownItem { item: item.clone() }),
        }
    }

    /// The definition of a window that exists, so that it can come elsewhere.
    fn as_existing(
        &self,
        workspace: &WorkspaceId,
        item: &ItemId,
    ) -> Result<serde_json::Value, Refused> {
        let unknown = || Refused::UnknownItem { item: item.clone() };
        let workspace = self.workspace(workspace)?;
        let window = workspace.windows.get(item).ok_or_else(unknown)?;
        let item = workspace.tree.item(item).ok_or_else(unknown)?;
        let mut definition = deskwire_layout::item_definition(item, deskwire_layout::WriteIds::No);
        if let Some(fields) = definition.as_object_mut() {
            fields.insert("windowId".to_owned(), window.id.as_str().into());
        }
        Ok(definition)
    }

    /// The container that an item stands in; `None` at the top level.
    #[must_use]
    pub fn parent(&self, workspace: &WorkspaceId, item: &ItemId) -> Option<ItemId> {
        let workspace = self.desk.workspaces.get(workspace)?;
        parent_of(&workspace.tree, item).map(|parent| parent.id.clone())
    }
}
