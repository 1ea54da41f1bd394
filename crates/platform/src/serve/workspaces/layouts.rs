//! Operations on saved layouts of workspaces.

use std::collections::HashMap;
use std::sync::Arc;

use deskwire_layout::{ItemId, Object};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Failure, read};
use crate::serve::save_context;
use crate::workspaces::limits::SAVE_CONTEXT;
use crate::workspaces::{
    Refused, SavedLayout, Workspace, WorkspaceId, WorkspaceLayouts, Workspaces, saved,
};

/// How many names a message lists.
const LISTED: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Replace,
    Merge,
}

pub(super) fn summaries(workspaces: &Workspaces) -> Value {
    let summary = |layout: &SavedLayout| {
        let mut summary = json!({ "name": layout.name });
        if let Some(application) = saved::application(&layout.document) {
            summary["applicationName"] = application.into();
        }
        summary
    };
    json!({ "summaries": workspaces.layouts().all().iter().map(summary).collect::<Vec<_>>() })
}

pub(super) fn export(workspaces: &Workspaces) -> Value {
    let layouts: Vec<Value> = workspaces
        .layouts()
        .all()
        .iter()
        .filter_map(|layout| {
            let exported = saved::exportable(&layout.name, &layout.document);
            if exported.is_none() {
                tracing::warn!(layout = layout.name, "not exported: it is no workspace layout");
            }
            exported
        })
        .collect();
    json!({ "layouts": layouts })
}

pub(super) async fn save(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Save {
        name: String,
        workspace_id: WorkspaceId,
        save_context: Option<bool>,
        allow_multiple: Option<bool>,
        metadata: Option<Object>,
        save_window_contexts: Option<bool>,
    }
    let save: Save = read(given)?;
    let how = How {
        context: save.save_context != Some(false),
        window_contexts: save.save_window_contexts != Some(false),
        allow_multiple: save.allow_multiple,
        metadata: save.metadata,
    };
    save_as(workspaces, save.workspace_id, save.name, how).await
}

/// How to save a workspace.
pub(super) struct How {
    pub(super) context: bool,
    pub(super) window_contexts: bool,
    pub(super) allow_multiple: Option<bool>,
    /// Without it, that of the layout of this name stays.
    pub(super) metadata: Option<Object>,
}

/// Saves a workspace under a name. Returns when both are committed.
pub(super) async fn save_as(
    workspaces: &Workspaces,
    id: WorkspaceId,
    name: String,
    how: How,
) -> Result<Value, Failure> {
    let name = checked(name)?;
    let desk = workspaces.desk();
    let found = desk.workspaces.get(&id);
    let mut workspace = found
        .map(|workspace| (**workspace).clone())
        .ok_or_else(|| Refused::UnknownWorkspace { workspace: id.clone() })?;
    // What its applications wrote before they asked is on the bus, and may not be noted here yet.
    let shared = workspaces.bus().contexts().get(&workspace.context_name()).await;
    if let Ok(Some(shared)) = shared
        && let Some(shared) = shared.to_payload().value().as_object()
    {
        workspace.context = Arc::new(shared.clone());
    }
    if how.window_contexts {
        let contexts = window_contexts(workspaces, &workspace).await;
        saved::set_contexts(&mut workspace, &contexts);
    }
    let metadata = how.metadata.or_else(|| {
        let former = workspaces.layouts().get(&name)?;
        former.document.get("metadata")?.as_object().cloned()
    });
    let options = saved::SaveOptions {
        context: how.context,
        window_contexts: how.window_contexts,
        allow_multiple: how.allow_multiple,
        metadata: metadata.unwrap_or_default(),
    };
    let document = Arc::new(saved::layout(&workspace, &name, options));
    let layout = SavedLayout { name: name.clone(), document: Arc::clone(&document) };
    workspaces.layouts().save(layout).await?;
    workspaces.change(move |turn| turn.saved_as(&id, &name)).await?;
    Ok(Arc::unwrap_or_clone(document))
}

/// What the windows of a workspace want saved, where they say so.
async fn window_contexts(
    workspaces: &Workspaces,
    workspace: &Workspace,
) -> HashMap<ItemId, Object> {
    let asked = workspace.windows.iter().filter_map(|(item, window)| {
        let instance = window.instance.clone()?;
        Some(async move {
            let own = save_context::of(workspaces.bus(), instance.as_str(), SAVE_CONTEXT).await?;
            Some((item.clone(), own))
        })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

pub(super) async fn import_one(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Import {
        layout: Value,
        // A single one never replaces the others: the client library sends them one by one, all in the
        // same mode.
        #[expect(dead_code, reason = "it is only checked")]
        mode: Mode,
    }
    let Import { layout, .. } = read(given)?;
    workspaces.layouts().import(vec![checked_layout(layout)?], false).await?;
    Ok(json!({}))
}

pub(super) async fn import(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Import {
        layouts: Vec<Value>,
        mode: Mode,
    }
    let Import { layouts, mode } = read(given)?;
    let layouts = layouts.into_iter().map(checked_layout).collect::<Result<Vec<_>, _>>()?;
    workspaces.layouts().import(layouts, matches!(mode, Mode::Replace)).await?;
    Ok(json!({}))
}

pub(super) async fn delete(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Delete {
        name: String,
    }
    let Delete { name } = read(given)?;
    find(workspaces.layouts(), &name)?;
    workspaces.layouts().remove(&name).await?;
    Ok(json!({}))
}

/// The layout of this name; an error lists names that there are.
pub(super) fn find(layouts: &dyn WorkspaceLayouts, name: &str) -> Result<SavedLayout, Failure> {
    layouts.get(name).ok_or_else(|| Failure::UnknownLayout {
        name: name.to_owned(),
        known: layouts.all().into_iter().take(LISTED).map(|layout| layout.name).collect(),
    })
}

/// A layout that can be opened again.
fn checked_layout(document: Value) -> Result<SavedLayout, Failure> {
    let name = document.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let bad = |reason: &str| Failure::BadLayout { name: name.clone(), reason: reason.to_owned() };
    if document.get("type").and_then(Value::as_str) != Some("Workspace") {
        return Err(bad("its `type` is not \"Workspace\""));
    }
    if saved::exportable(&name, &document).is_none() {
        return Err(bad("its `components` hold no workspace"));
    }
    let name = checked(name)?;
    Ok(SavedLayout { name, document: Arc::new(document) })
}

fn checked(name: String) -> Result<String, Refused> {
    if name.trim().is_empty() {
        let reason = "a layout needs a name that is not blank".to_owned();
        return Err(Refused::BadArguments { reason });
    }
    Ok(name)
}
