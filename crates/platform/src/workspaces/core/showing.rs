//! Where an application goes if nobody says: into the workspace that is looked at.

use deskwire_layout::{ItemId, Kind, Place};
use serde_json::Value;

use super::{NewWorkspace, Placement, Turn};
use crate::workspaces::ids::WorkspaceId;
use crate::workspaces::model::Workspace;
use crate::workspaces::refused::Refused;

/// How many windows stand side by side before further ones become tabs.
const SIDE_BY_SIDE: usize = 3;

impl Turn<'_> {
    /// Puts a window into the selected workspace of the page that was used last, or into a new one
    /// there. Gives workspace and item.
    ///
    /// # Errors
    /// When there is no page, the definition cannot be read, or there is no room.
    pub fn show(&mut self, definition: &Value) -> Result<(WorkspaceId, ItemId), Refused> {
        let frame = self.usual_frame()?;
        if !self.frame(&frame)?.is_attached() {
            return Err(Refused::NoPage { frame });
        }
        let workspace = match self.desk.selected(&frame) {
            Some(selected) => selected.id.clone(),
            None => self.create(NewWorkspace::empty(Placement::Frame(frame)))?,
        };
        let place = usual_place(self.workspace(&workspace)?);
        let item = self.insert(&workspace, definition, place)?;
        self.select_workspace(&workspace)?;
        Ok((workspace, item))
    }
}

/// Beside the others while there are few; then as a tab beside the window that was used last.
fn usual_place(workspace: &Workspace) -> Place {
    let tree = &workspace.tree;
    let is_pane = |item: &&deskwire_layout::Item| match item.kind() {
        Kind::Group => true,
        Kind::Window => super::contents::box_of(tree, &item.id).is_none(),
        Kind::Row | Kind::Column => false,
    };
    let used = workspace.focused.clone();
    let last = || tree.windows().last().map(|window| window.id.clone());
    match used.or_else(last) {
        Some(target) if tree.items().filter(is_pane).count() >= SIDE_BY_SIDE => {
            Place::Stack { target, index: None }
        }
        _ => Place::Into { parent: None, index: None },
    }
}
