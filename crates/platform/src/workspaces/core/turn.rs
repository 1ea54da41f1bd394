//! One change of the desk: all of it, or none of it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use deskwire_layout::{ItemId, Object, Tree};

use super::changes::{Changes, ContextWrite, changes};
use crate::workspaces::ids::{FrameId, Ids, WindowId, WorkspaceId};
use crate::workspaces::model::{Desk, Frame, Workspace};
use crate::workspaces::refused::Refused;
use crate::workspaces::resume::Resume;

/// What a change needs of the world.
pub struct Moment<'a> {
    /// The time in milliseconds, on any clock that does not run backwards.
    pub now: u64,
    /// Where new ids come from.
    pub ids: &'a mut dyn Ids,
}

impl std::fmt::Debug for Moment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Moment").field("now", &self.now).finish_non_exhaustive()
    }
}

/// A change in the making.
pub struct Turn<'a> {
    pub(super) desk: &'a mut Desk,
    pub(super) now: u64,
    pub(super) ids: &'a mut dyn Ids,
    /// Workspaces whose tree was changed: edits on earlier revisions are stale.
    pub(super) reshaped: HashSet<WorkspaceId>,
    pub(super) contexts: Vec<ContextWrite>,
    /// The only frame from which windows may be taken; every frame without one.
    pub(super) reach: Option<FrameId>,
    /// What the pages of windows were before, where they live on.
    pub(super) resumes: HashMap<WindowId, Resume>,
}

impl std::fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Desk {
    /// Makes one change. A refusal leaves everything as it was.
    pub fn turn<T, E>(
        &mut self,
        moment: Moment<'_>,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, E>,
    ) -> (Result<T, E>, Changes) {
        let before = self.clone();
        let Moment { now, ids } = moment;
        let mut turn = Turn {
            desk: self,
            now,
            ids,
            reshaped: HashSet::new(),
            contexts: Vec::new(),
            reach: None,
            resumes: HashMap::new(),
        };
        let result = change(&mut turn);
        if result.is_err() {
            *self = before;
            return (result, Changes::default());
        }
        let Turn { reshaped, contexts, resumes, .. } = turn;
        (result, changes(&before, self, &reshaped, contexts, &resumes))
    }
}

impl Turn<'_> {
    /// The desk as it is at this point of the change.
    #[must_use]
    pub fn desk(&self) -> &Desk {
        self.desk
    }

    pub(super) fn frame(&self, id: &FrameId) -> Result<&Arc<Frame>, Refused> {
        self.desk.frames.get(id).ok_or_else(|| Refused::UnknownFrame { frame: id.clone() })
    }

    pub(super) fn frame_mut(&mut self, id: &FrameId) -> Result<&mut Frame, Refused> {
        let frame = self.desk.frames.get_mut(id);
        frame.map(Arc::make_mut).ok_or_else(|| Refused::UnknownFrame { frame: id.clone() })
    }

    pub(super) fn workspace(&self, id: &WorkspaceId) -> Result<&Arc<Workspace>, Refused> {
        let found = self.desk.workspaces.get(id);
        found.ok_or_else(|| Refused::UnknownWorkspace { workspace: id.clone() })
    }

    pub(super) fn workspace_mut(&mut self, id: &WorkspaceId) -> Result<&mut Workspace, Refused> {
        let found = self.desk.workspaces.get_mut(id);
        found.map(Arc::make_mut).ok_or_else(|| Refused::UnknownWorkspace { workspace: id.clone() })
    }

    /// The workspace that an item is in.
    pub(super) fn home(&self, item: &ItemId) -> Result<WorkspaceId, Refused> {
        let found = self.desk.workspace_of_item(item);
        found
            .map(|workspace| workspace.id.clone())
            .ok_or_else(|| Refused::UnknownItem { item: item.clone() })
    }

    /// Gives a workspace another tree, and its windows what follows from it.
    pub(super) fn reshape(&mut self, id: &WorkspaceId, tree: Tree) -> Result<(), Refused> {
        if self.workspace(id)?.tree == tree {
            return Ok(());
        }
        self.reshaped.insert(id.clone());
        self.workspace_mut(id)?.tree = tree;
        self.settle_windows(id)
    }

    /// Changes settings of the workspace; a value of `null` takes one away.
    pub(super) fn set_settings(
        &mut self,
        id: &WorkspaceId,
        settings: Object,
    ) -> Result<(), Refused> {
        let workspace = self.workspace_mut(id)?;
        let root = Arc::make_mut(&mut workspace.tree.root);
        merge(root.config.get_or_insert_default(), settings);
        Ok(())
    }
}

/// Puts keys into an object; `null` takes a key away.
pub(super) fn merge(object: &mut Object, changes: Object) {
    for (key, value) in changes {
        if value.is_null() {
            object.shift_remove(&key);
        } else {
            object.insert(key, value);
        }
    }
}
