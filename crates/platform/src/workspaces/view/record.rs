//! The stored form of an open workspace.

use std::sync::Arc;

use deskwire_layout::{ItemId, Object, Policy, WriteIds, definition, read};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::workspaces::ids::{FrameId, Ids, WindowId, WorkspaceId};
use crate::workspaces::limits::{MAX_STORED_CONTEXT, short};
use crate::workspaces::model::{Desk, Frame, Lease, Window, WindowState, Workspace};

/// What is stored of a workspace. Instances are not: they end with the platform.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    frame: FrameId,
    position: u64,
    selected: bool,
    rev: u64,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout_name: Option<String>,
    tree: Value,
    /// Names of windows, by their items.
    windows: IndexMap<ItemId, WindowId>,
    context: Box<RawValue>,
}

/// Why a stored workspace cannot be opened again. It stays in the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the stored workspace {workspace} cannot be read and is left out: {reason}")]
pub struct RecordError {
    /// Its id.
    pub workspace: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A document to store.
pub(crate) struct Written {
    /// JSON text of an object.
    pub(crate) document: String,
    /// Whether the context was too large, and is left out.
    pub(crate) without_context: bool,
}

/// The document to store.
pub(crate) fn write(workspace: &Workspace) -> Result<Written, serde_json::Error> {
    let context = serde_json::value::to_raw_value(&*workspace.context)?;
    let without_context = context.get().len() > MAX_STORED_CONTEXT;
    let context = if without_context { RawValue::from_string("{}".to_owned())? } else { context };
    let record = Record {
        frame: workspace.frame.clone(),
        position: workspace.position,
        selected: workspace.selected,
        rev: workspace.rev,
        name: workspace.name.clone(),
        layout_name: workspace.layout_name.clone(),
        tree: definition(&workspace.tree, WriteIds::Yes),
        windows: workspace
            .windows
            .iter()
            .map(|(item, window)| (item.clone(), window.id.clone()))
            .collect(),
        context,
    };
    Ok(Written { document: serde_json::to_string(&record)?, without_context })
}

/// A desk of stored workspaces: all asleep, on frames that wait for pages.
pub(crate) fn restore(
    records: impl IntoIterator<Item = (String, String)>,
    ids: &mut dyn Ids,
) -> (Desk, Vec<RecordError>) {
    let (mut desk, mut errors) = (Desk::default(), Vec::new());
    for (id, document) in records {
        match open(&id, &document, ids) {
            Ok(workspace) => add(&mut desk, workspace),
            Err(reason) => errors.push(RecordError { workspace: id, reason }),
        }
    }
    (desk, errors)
}

fn open(id: &str, document: &str, ids: &mut dyn Ids) -> Result<Workspace, String> {
    let record: Record = serde_json::from_str(document).map_err(|error| error.to_string())?;
    let context: Object =
        serde_json::from_str(record.context.get()).map_err(|error| error.to_string())?;
    let tree = read(&record.tree, Policy::Lenient, &mut || ids.item());
    let tree = tree.map_err(|error| error.to_string())?.tree;
    let mut names = record.windows;
    let windows = tree
        .windows()
        .map(|item| {
            let id = names.swap_remove(&item.id).unwrap_or_else(|| ids.window());
            (item.id.clone(), Window { id, instance: None, state: WindowState::Waiting })
        })
        .collect();
    Ok(Workspace {
        id: WorkspaceId::from(id),
        rev: record.rev.max(1),
        tree_rev: record.rev.max(1),
        frame: record.frame,
        position: record.position,
        selected: record.selected,
        hibernated: true,
        name: short(&record.name),
        layout_name: record.layout_name,
        tree,
        windows,
        context: Arc::new(context),
        maximized: None,
        focused: None,
    })
}

fn add(desk: &mut Desk, mut workspace: Workspace) {
    if !desk.frames.contains_key(&workspace.frame) {
        let id = workspace.frame.clone();
        let lease = Lease::Waiting { since: 0, until: None };
        let frame = Frame { id: id.clone(), lease, bounds: None, context: None };
        desk.frames.insert(id, Arc::new(frame));
    }
    workspace.selected &= desk.selected(&workspace.frame).is_none();
    desk.workspaces.insert(workspace.id.clone(), Arc::new(workspace));
}
