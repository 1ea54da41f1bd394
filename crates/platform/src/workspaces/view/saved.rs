//! Workspaces as saved layouts, and back.

use std::collections::HashMap;
use std::sync::Arc;

use deskwire_layout::{
    Content, Item, ItemId, Object, Policy, ReadError, Tree, WriteIds, read, saved_layout,
};
use serde_json::{Value, json};

use super::snapshot::{LIMITS, WINDOW_SWITCHES};
use crate::workspaces::ids::Ids;
use crate::workspaces::model::Workspace;

/// How to save a workspace.
#[derive(Debug, Clone)]
pub(crate) struct SaveOptions {
    /// Whether to save what its applications share.
    pub(crate) context: bool,
    /// Whether to save what its windows are started with.
    pub(crate) window_contexts: bool,
    /// Whether it may be open several times.
    pub(crate) allow_multiple: Option<bool>,
    /// What the author adds.
    pub(crate) metadata: Object,
}

/// The settings of a saved workspace that are its own affair, not the workspace's that is made of it.
const OWN: [&str; 11] = [
    "name",
    "frameId",
    "workspaceId",
    "positionIndex",
    "isHibernated",
    "isSelected",
    "widthInPx",
    "heightInPx",
    "lastActive",
    "layoutName",
    "allowMultiple",
];

/// The layout document of a workspace.
pub(crate) fn layout(workspace: &Workspace, name: &str, options: SaveOptions) -> Value {
    let mut tree = workspace.tree.clone();
    for item in &mut tree.children {
        prepare(Arc::make_mut(item), workspace, options.window_contexts);
    }
    let root = Arc::make_mut(&mut tree.root);
    let config = root.config.get_or_insert_default();
    config.insert("name".to_owned(), workspace.name.as_str().into());
    config.insert("title".to_owned(), workspace.title().into());
    if let Some(allowed) = options.allow_multiple {
        config.insert("allowMultiple".to_owned(), allowed.into());
    }
    let context = if options.context { Object::clone(&workspace.context) } else { Object::new() };
    root.context = Some(context);
    root.frame = None;
    let mut document = saved_layout(&tree, name, WriteIds::No);
    document["metadata"] = options.metadata.into();
    complete(&mut document);
    document
}

/// Puts what windows want saved in the place of what they are started with.
pub(crate) fn set_contexts(workspace: &mut Workspace, contexts: &HashMap<ItemId, Object>) {
    if !contexts.is_empty() {
        for item in &mut workspace.tree.children {
            set_context(Arc::make_mut(item), contexts);
        }
    }
}

fn set_context(item: &mut Item, contexts: &HashMap<ItemId, Object>) {
    match &mut item.content {
        Content::Row(children)
        | Content::Column(children)
        | Content::Group { windows: children, .. } => {
            for child in children {
                set_context(Arc::make_mut(child), contexts);
            }
        }
        Content::Window(window) => {
            if let Some(own) = contexts.get(&item.id) {
                window.context = Some(own.clone());
            }
        }
    }
}

/// Items in saved form say which window fills the workspace, and nothing else of the moment.
fn prepare(item: &mut Item, workspace: &Workspace, with_context: bool) {
    if workspace.maximized.as_ref() == Some(&item.id) {
        item.config.insert("isMaximized".to_owned(), true.into());
    }
    match &mut item.content {
        Content::Row(children)
        | Content::Column(children)
        | Content::Group { windows: children, .. } => {
            for child in children {
                prepare(Arc::make_mut(child), workspace, with_context);
            }
        }
        Content::Window(window) => {
            if !with_context {
                window.context = None;
            }
        }
    }
}

/// What a saved layout opens as.
pub(crate) struct Opened {
    /// What is in it, with its settings.
    pub(crate) tree: Tree,
    /// What its applications share.
    pub(crate) context: Object,
    /// Whether it may be open several times.
    pub(crate) allow_multiple: bool,
}

/// Reads a layout document, leaving out what cannot be read.
pub(crate) fn open(document: &Value, ids: &mut dyn Ids) -> Result<Opened, ReadError> {
    let found = read(document, Policy::Lenient, &mut || ids.item())?;
    for diagnostic in &found.diagnostics {
        tracing::warn!(layout = ?found.name, %diagnostic, "left out of a layout that is opened");
    }
    let mut tree = found.tree;
    let root = Arc::make_mut(&mut tree.root);
    let context = root.context.take().unwrap_or_default();
    root.frame = None;
    let setting = |key: &str| root.config.as_ref().and_then(|config| config.get(key));
    let allow_multiple = setting("allowMultiple") != Some(&Value::Bool(false));
    if let Some(config) = &mut root.config {
        config.retain(|key, value| !OWN.contains(&key.as_str()) && !value.is_null());
    }
    tree.children.retain_mut(keep_named);
    Ok(Opened { tree, context, allow_multiple })
}

/// Drops windows that name no application: the window they name, if any, was another desktop's.
fn keep_named(item: &mut Arc<Item>) -> bool {
    let is_nameless =
        |item: &Item| item.as_window().is_some_and(|window| window.app_name.is_none());
    if !item.walk().any(is_nameless) {
        return true;
    }
    match &mut Arc::make_mut(item).content {
        Content::Row(children) | Content::Column(children) => {
            children.retain_mut(keep_named);
            true
        }
        Content::Group { windows, active } => {
            windows.retain_mut(keep_named);
            *active = active.filter(|active| *active < windows.len());
            true
        }
        Content::Window(_) => false,
    }
}

/// A layout document in the shape that the client library checks. Whoever wrote the file may have
/// left things out, and one layout that does not pass makes the library refuse all.
pub(crate) fn exportable(name: &str, document: &Value) -> Option<Value> {
    let mut source = || String::from("x");
    let ids: &mut dyn Ids = &mut source;
    let mut tree = read(document, Policy::Lenient, &mut || ids.item()).ok()?.tree;
    tree.children.retain_mut(keep_named);
    let mut exported = saved_layout(&tree, name, WriteIds::No);
    if let (Some(fields), Some(given)) = (exported.as_object_mut(), document.as_object()) {
        for (key, value) in given {
            if !["name", "type", "components"].contains(&key.as_str()) {
                fields.insert(key.clone(), value.clone());
            }
        }
    }
    let application =
        document.pointer("/components/0/application").filter(|application| application.is_string());
    if let Some(application) = application {
        exported["components"][0]["application"] = application.clone();
    }
    complete(&mut exported);
    Some(exported)
}

/// The application that shows a layout, if the document names one.
pub(crate) fn application(document: &Value) -> Option<&str> {
    document.pointer("/components/0/application")?.as_str()
}

/// Adds what readers expect to be there (settings of each item, settings and context of the whole) and
/// takes out what they would refuse.
fn complete(document: &mut Value) {
    let Some(state) = document.pointer_mut("/components/0/state") else { return };
    for key in ["config", "context"] {
        if state.get(key).is_none() {
            state[key] = json!({});
        }
    }
    if let Some(children) = state.get_mut("children") {
        complete_items(children);
    }
}

fn complete_items(children: &mut Value) {
    for child in children.as_array_mut().into_iter().flatten() {
        if child.get("config").is_none() {
            child["config"] = json!({});
        }
        if child.get("type").and_then(Value::as_str) == Some("window")
            && let Some(config) = child.get_mut("config").and_then(Value::as_object_mut)
        {
            config.retain(|key, value| fits(key, value));
        }
        if let Some(children) = child.get_mut("children") {
            complete_items(children);
        }
    }
}

/// Whether readers take this setting of a window. Those that they do not know may be anything.
fn fits(key: &str, value: &Value) -> bool {
    match key {
        "isMaximized" => value.is_boolean(),
        "url" | "instanceId" | "windowId" => value.as_str().is_some_and(|text| !text.is_empty()),
        _ if WINDOW_SWITCHES.contains(&key) => value.is_boolean(),
        _ if LIMITS.contains(&key) => value.is_number(),
        _ => true,
    }
}
