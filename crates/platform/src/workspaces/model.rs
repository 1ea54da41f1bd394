//! Frames and workspaces as values.

use std::sync::Arc;

use deskwire_layout::{ItemId, Object, Tree};
use deskwire_wire::PeerId;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::ids::{FrameId, InstanceRef, WindowId, WorkspaceId};

/// The setting of a window that holds the address of a page without a definition.
pub(super) const ADDRESS: &str = "address";

/// All frames and workspaces, as they are at one moment. Clones are cheap and share what is in them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Desk {
    /// Frames, in the order they came to be.
    pub frames: IndexMap<FrameId, Arc<Frame>>,
    /// Workspaces, in the order they came to be.
    pub workspaces: IndexMap<WorkspaceId, Arc<Workspace>>,
    /// The frame that was used last.
    pub focused: Option<FrameId>,
}

/// What shows workspaces: a place that a page may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its name.
    pub id: FrameId,
    /// Who holds it.
    pub lease: Lease,
    /// The area that the page has for a workspace, if it said so.
    pub bounds: Option<Bounds>,
    /// What it was created with.
    pub context: Option<Object>,
}

/// Who holds a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lease {
    /// A page, by its peer on the bus.
    Held(PeerId),
    /// Nobody.
    Waiting {
        /// Since when, in milliseconds.
        since: u64,
        /// Until when its windows keep their instances; `None` when that is over.
        until: Option<u64>,
    },
}

/// An area in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// From the left edge of the page.
    #[serde(default)]
    pub left: f64,
    /// From its upper edge.
    #[serde(default)]
    pub top: f64,
    /// Width, above 0.
    pub width: f64,
    /// Height, above 0.
    pub height: f64,
}

/// A workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Its name on the bus.
    pub id: WorkspaceId,
    /// Number of the present revision, from 1 on.
    pub rev: u64,
    /// The revision that last changed its tree. Edits made on an earlier one are stale.
    pub tree_rev: u64,
    /// The one frame it belongs to.
    pub frame: FrameId,
    /// Where it stands among those of its frame: by this number, lowest first.
    pub position: u64,
    /// Whether it is the one that its frame shows.
    pub selected: bool,
    /// Whether its windows have no instances, until it is resumed.
    pub hibernated: bool,
    /// The name it was made under.
    pub name: String,
    /// The saved layout that it came from, or was saved to last.
    pub layout_name: Option<String>,
    /// What is in it, with its title and settings. The context of the root is not kept here.
    pub tree: Tree,
    /// The windows of the tree, by their items.
    pub windows: IndexMap<ItemId, Window>,
    /// What its applications share, as last seen on the bus.
    pub context: Arc<Object>,
    /// The item that fills it.
    pub maximized: Option<ItemId>,
    /// The window that was used last.
    pub focused: Option<ItemId>,
}

/// What is in the place of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its name on the bus.
    pub id: WindowId,
    /// The instance that runs in it.
    pub instance: Option<InstanceRef>,
    /// How it stands.
    pub state: WindowState,
}

/// How a window stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowState {
    /// Nothing runs in it yet.
    Waiting,
    /// There is an instance; its page is to be loaded.
    Loading,
    /// It runs.
    Ready,
    /// It does not, for this reason.
    Failed(String),
    /// There is nothing to run, for this reason.
    Missing(String),
}

impl Frame {
    /// Whether a page holds it.
    #[must_use]
    pub const fn is_attached(&self) -> bool {
        matches!(self.lease, Lease::Held(_))
    }

    /// Whether windows in it may have instances: a page holds it, or may still come back.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self.lease, Lease::Held(_) | Lease::Waiting { until: Some(_), .. })
    }

    /// The peer that holds it.
    #[must_use]
    pub const fn holder(&self) -> Option<&PeerId> {
        match &self.lease {
            Lease::Held(peer) => Some(peer),
            Lease::Waiting { .. } => None,
        }
    }
}

impl Bounds {
    /// Whether these are the bounds of something that can be seen.
    #[must_use]
    pub fn are_sound(&self) -> bool {
        let Self { left, top, width, height } = *self;
        [left, top, width, height].iter().all(|side| side.is_finite())
            && width > 0.0
            && height > 0.0
    }
}

impl Workspace {
    /// Its title; its name where it has none.
    #[must_use]
    pub fn title(&self) -> &str {
        self.tree.title().filter(|title| !title.is_empty()).unwrap_or(&self.name)
    }

    /// The name of the bus context that its applications share.
    #[must_use]
    pub fn context_name(&self) -> String {
        context_name(&self.id)
    }

    /// Whether its windows are to have instances.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        !self.hibernated
    }

    /// The window with this id, with its item.
    #[must_use]
    pub fn window(&self, id: &WindowId) -> Option<(&ItemId, &Window)> {
        self.windows.iter().find(|(_, window)| window.id == *id)
    }

    /// A setting of the workspace.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&serde_json::Value> {
        self.tree.root.config.as_ref()?.get(key)
    }
}

/// The name of the bus context that the applications of a workspace share.
#[must_use]
pub fn context_name(id: &WorkspaceId) -> String {
    format!("___workspace___{id}")
}

impl Desk {
    /// When to call [`super::Turn::expire`] next, in milliseconds; `None` if nothing waits.
    #[must_use]
    pub fn alarm(&self) -> Option<u64> {
        let until = |frame: &Arc<Frame>| match frame.lease {
            Lease::Waiting { until, .. } => until,
            Lease::Held(_) => None,
        };
        self.frames.values().filter_map(until).min()
    }

    /// The workspaces of a frame, in their order.
    #[must_use]
    pub fn workspaces_of(&self, frame: &FrameId) -> Vec<&Arc<Workspace>> {
        let mut own: Vec<_> =
            self.workspaces.values().filter(|workspace| workspace.frame == *frame).collect();
        own.sort_by_key(|workspace| workspace.position);
        own
    }

    /// Where a workspace stands in its frame, counted from 0.
    #[must_use]
    pub fn position(&self, workspace: &Workspace) -> usize {
        let before = |other: &&Arc<Workspace>| {
            other.frame == workspace.frame && other.position < workspace.position
        };
        self.workspaces.values().filter(before).count()
    }

    /// The workspace that a frame shows.
    #[must_use]
    pub fn selected(&self, frame: &FrameId) -> Option<&Arc<Workspace>> {
        self.workspaces.values().find(|workspace| workspace.selected && workspace.frame == *frame)
    }

    /// The frame that a peer holds.
    #[must_use]
    pub fn frame_of(&self, peer: &PeerId) -> Option<&Arc<Frame>> {
        self.frames.values().find(|frame| frame.holder() == Some(peer))
    }

    /// The workspace that an item is in, by the item's id.
    #[must_use]
    pub fn workspace_of_item(&self, item: &ItemId) -> Option<&Arc<Workspace>> {
        self.workspaces.values().find(|workspace| {
            workspace.windows.contains_key(item) || workspace.tree.item(item).is_some()
        })
    }

    /// The workspace and the item of a window.
    #[must_use]
    pub fn window(&self, id: &WindowId) -> Option<(&Arc<Workspace>, &ItemId, &Window)> {
        self.workspaces.values().find_map(|workspace| {
            let (item, window) = workspace.window(id)?;
            Some((workspace, item, window))
        })
    }

    /// Whether a workspace has a window for an application.
    #[must_use]
    pub fn has_window_of(&self, application: &str) -> bool {
        let mut items = self.workspaces.values().flat_map(|workspace| workspace.tree.windows());
        items.any(|item| {
            item.as_window().and_then(|window| window.app_name.as_deref()) == Some(application)
        })
    }

    /// The workspace and the item in which an instance runs.
    #[must_use]
    pub fn instance(&self, id: &InstanceRef) -> Option<(&Arc<Workspace>, &ItemId, &Window)> {
        self.workspaces.values().find_map(|workspace| {
            let found =
                workspace.windows.iter().find(|(_, window)| window.instance.as_ref() == Some(id));
            found.map(|(item, window)| (workspace, item, window))
        })
    }
}
