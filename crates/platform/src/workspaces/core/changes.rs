//! What follows from a change: found by comparing before and after.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use deskwire_layout::{Item, ItemId, Object};
use serde_json::Value;

use crate::workspaces::events::{Event, Notice, events, notices};
use crate::workspaces::ids::{InstanceRef, WindowId, WorkspaceId};
use crate::workspaces::model::{ADDRESS, Desk, WindowState, Workspace};
use crate::workspaces::resume::Resume;

/// What follows from a change, to be done in this order.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// What clients are told, in this order.
    pub events: Vec<Event>,
    /// What pages are told, in this order.
    pub notices: Vec<Notice>,
    /// Workspaces to store; `None` where one is to be forgotten.
    pub store: Vec<(WorkspaceId, Option<Arc<Workspace>>)>,
    /// Shared data to be written to the bus.
    pub contexts: Vec<ContextWrite>,
    /// Workspaces whose shared data ends with them.
    pub forget_contexts: Vec<WorkspaceId>,
    /// Instances that have no window any more.
    pub end: Vec<(InstanceRef, Ending)>,
    /// Windows that need an instance.
    pub start: Vec<Start>,
}

/// Shared data of a workspace, to be written to the bus.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextWrite {
    /// Whose.
    pub workspace: WorkspaceId,
    /// All of it.
    pub data: Object,
}

/// A window that needs an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The window.
    pub window: WindowId,
    /// The workspace that it is in.
    pub workspace: WorkspaceId,
    /// The item that it stands in.
    pub item: ItemId,
    /// The application to show.
    pub application: String,
    /// What it is started with.
    pub context: Object,
    /// The title it had.
    pub title: Option<String>,
    /// The address of a page that was opened without a definition.
    pub address: Option<String>,
    /// What its page was before, where the page that shows it says that it lives on.
    pub resume: Option<Resume>,
}

/// Why an instance has no window any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Its window was closed.
    Closed,
    /// Its page failed, for this reason.
    Failed(String),
    /// Its window waits for another instance.
    Replaced,
}

/// Compares, and gives each changed workspace its next revision.
pub(super) fn changes(
    before: &Desk,
    after: &mut Desk,
    reshaped: &HashSet<WorkspaceId>,
    contexts: Vec<ContextWrite>,
    resumes: &HashMap<WindowId, Resume>,
) -> Changes {
    let mut store = Vec::new();
    for (id, workspace) in &mut after.workspaces {
        let former = before.workspaces.get(id);
        if former.is_some_and(|former| Arc::ptr_eq(former, workspace) || former == workspace) {
            continue;
        }
        if former.is_some_and(|former| same_but_context(former, workspace)) {
            store.push((id.clone(), Some(Arc::clone(workspace))));
            continue;
        }
        let rev = former.map_or(0, |former| former.rev) + 1;
        let revised = Arc::make_mut(workspace);
        revised.rev = rev;
        if former.is_none() || reshaped.contains(id) {
            revised.tree_rev = rev;
        }
        store.push((id.clone(), Some(Arc::clone(workspace))));
    }
    let gone =
        || before.workspaces.keys().filter(|id| !after.workspaces.contains_key(*id)).cloned();
    store.extend(gone().map(|id| (id, None)));
    Changes {
        events: events(before, after),
        notices: notices(before, after),
        contexts,
        forget_contexts: gone().collect(),
        end: ended(before, after),
        start: after
            .workspaces
            .values()
            .flat_map(|workspace| starts(after, workspace, resumes))
            .collect(),
        store,
    }
}

/// Whether two states differ in nothing that a page or a client is told as a revision: what the
/// applications share goes by the bus.
fn same_but_context(former: &Workspace, workspace: &Workspace) -> bool {
    former.tree == workspace.tree
        && *former == Workspace { context: Arc::clone(&former.context), ..workspace.clone() }
}

/// Windows of a live workspace in which nothing runs yet.
fn starts(
    desk: &Desk,
    workspace: &Arc<Workspace>,
    resumes: &HashMap<WindowId, Resume>,
) -> Vec<Start> {
    let is_live = desk.frames.get(&workspace.frame).is_some_and(|frame| frame.is_live());
    if workspace.hibernated || !is_live {
        return Vec::new();
    }
    let start = |item: &Item| {
        let window = workspace.windows.get(&item.id)?;
        if window.state != WindowState::Waiting || window.instance.is_some() {
            return None;
        }
        let leaf = item.as_window()?;
        Some(Start {
            window: window.id.clone(),
            workspace: workspace.id.clone(),
            item: item.id.clone(),
            application: leaf.app_name.clone()?,
            context: leaf.context.clone().unwrap_or_default(),
            title: item.title.clone(),
            address: item.config.get(ADDRESS).and_then(Value::as_str).map(str::to_owned),
            resume: resumes.get(&window.id).cloned(),
        })
    };
    workspace.tree.windows().filter_map(start).collect()
}

/// Instances that were in a window before and are in none after.
fn ended(before: &Desk, after: &Desk) -> Vec<(InstanceRef, Ending)> {
    let untouched = |workspace: &&Arc<Workspace>| {
        after.workspaces.get(&workspace.id).is_some_and(|now| Arc::ptr_eq(now, workspace))
    };
    let touched: Vec<_> =
        before.workspaces.values().filter(|workspace| !untouched(workspace)).collect();
    if touched.is_empty() {
        return Vec::new();
    }
    let windows = after.workspaces.values().flat_map(|workspace| workspace.windows.values());
    let now: HashMap<&WindowId, _> = windows.map(|window| (&window.id, window)).collect();
    let mut ended = Vec::new();
    for window in touched.iter().flat_map(|workspace| workspace.windows.values()) {
        let Some(instance) = &window.instance else { continue };
        let ending = match now.get(&window.id) {
            None => Ending::Closed,
            Some(window) if window.instance.as_ref() == Some(instance) => continue,
            Some(window) => match &window.state {
                WindowState::Failed(reason) => Ending::Failed(reason.clone()),
                _ => Ending::Replaced,
            },
        };
        ended.push((instance.clone(), ending));
    }
    ended
}
