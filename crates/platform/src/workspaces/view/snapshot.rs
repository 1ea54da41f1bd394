//! What clients are told: the forms that the workspaces library of the desktop checks. A value of the
//! wrong type anywhere in them makes it refuse the whole, so settings are told only where they fit.

use std::collections::HashMap;

use deskwire_layout::{Item, ItemId, Object};
use serde_json::{Value, json};

use super::{copy, put};
use crate::workspaces::geometry::{Area, areas};
use crate::workspaces::model::{Desk, Frame, Workspace};

/// Settings of a workspace that are switches.
pub(crate) const WORKSPACE_SWITCHES: [&str; 17] = [
    "allowDrop",
    "allowDropLeft",
    "allowDropTop",
    "allowDropRight",
    "allowDropBottom",
    "allowSystemHibernation",
    "allowExtract",
    "allowWindowReorder",
    "allowSplitters",
    "showCloseButton",
    "showSaveButton",
    "allowWorkspaceTabReorder",
    "allowWorkspaceTabExtract",
    "showWindowCloseButtons",
    "showAddWindowButtons",
    "showEjectButtons",
    "isPinned",
];

/// Settings of a window that are switches.
pub(crate) const WINDOW_SWITCHES: [&str; 3] = ["allowExtract", "allowReorder", "showCloseButton"];

/// Settings that are numbers of pixels.
pub(crate) const LIMITS: [&str; 4] = ["minWidth", "maxWidth", "minHeight", "maxHeight"];

/// How windows may be dragged out of a workspace.
pub(crate) const DRAG_MODES: [&str; 2] = ["keepInside", "autoEject"];

/// When windows of a workspace are loaded.
pub(crate) const LOADING_STRATEGIES: [&str; 3] = ["direct", "delayed", "lazy"];

/// A frame in short.
pub(crate) fn frame_summary(desk: &Desk, frame: &Frame) -> Value {
    let mut object = Object::new();
    put(&mut object, "id", frame.id.as_str());
    put(&mut object, "isFocused", desk.focused.as_ref() == Some(&frame.id));
    put(&mut object, "isInitialized", true);
    if let Some(context) = &frame.context {
        put(&mut object, "initializationContext", json!({ "context": context }));
    }
    object.into()
}

/// A frame with all that is in it.
pub(crate) fn frame_snapshot(desk: &Desk, frame: &Frame, with_ids: bool) -> Value {
    let mut workspaces: Vec<Value> = desk
        .workspaces_of(&frame.id)
        .into_iter()
        .map(|workspace| workspace_snapshot(desk, workspace))
        .collect();
    if !with_ids {
        for child in workspaces.iter_mut().filter_map(|workspace| workspace.get_mut("children")) {
            without_ids(child);
        }
    }
    json!({ "id": frame.id.as_str(), "config": {}, "workspaces": workspaces })
}

/// A workspace in short.
pub(crate) fn workspace_summary(desk: &Desk, workspace: &Workspace) -> Value {
    json!({ "id": workspace.id.as_str(), "config": workspace_config(desk, workspace) })
}

/// A workspace with all that is in it.
pub(crate) fn workspace_snapshot(desk: &Desk, workspace: &Workspace) -> Value {
    let view = View::new(desk, workspace);
    let children: Vec<Value> = view.children(&workspace.tree.children, None);
    json!({
        "id": workspace.id.as_str(),
        "config": workspace_config(desk, workspace),
        "children": children,
        "frameSummary": frame_summary_of(desk, workspace),
        "context": *workspace.context,
    })
}

/// The frame of a workspace, in short.
pub(crate) fn frame_summary_of(desk: &Desk, workspace: &Workspace) -> Value {
    match desk.frames.get(&workspace.frame) {
        Some(frame) => frame_summary(desk, frame),
        None => json!({ "id": workspace.frame.as_str() }),
    }
}

fn workspace_config(desk: &Desk, workspace: &Workspace) -> Value {
    let mut config = Object::new();
    if let Some(settings) = &workspace.tree.root.config {
        for key in WORKSPACE_SWITCHES.iter().chain(&["noTabHeader"]) {
            copy(settings, &mut config, key, Value::is_boolean);
        }
        for key in LIMITS {
            copy(settings, &mut config, key, Value::is_number);
        }
        let one_of = |names: &'static [&str]| {
            move |value: &Value| value.as_str().is_some_and(|name| names.contains(&name))
        };
        copy(settings, &mut config, "windowDragMode", one_of(&DRAG_MODES));
        copy(settings, &mut config, "loadingStrategy", one_of(&LOADING_STRATEGIES));
        copy(settings, &mut config, "icon", Value::is_string);
    }
    put(&mut config, "frameId", workspace.frame.as_str());
    put(&mut config, "title", workspace.title());
    put(&mut config, "positionIndex", desk.position(workspace));
    put(&mut config, "name", workspace.name.as_str());
    if let Some(layout) = &workspace.layout_name {
        put(&mut config, "layoutName", layout.as_str());
    }
    put(&mut config, "isHibernated", workspace.hibernated);
    put(&mut config, "isSelected", workspace.selected);
    if let Some(bounds) = desk.frames.get(&workspace.frame).and_then(|frame| frame.bounds) {
        put(&mut config, "widthInPx", bounds.width);
        put(&mut config, "heightInPx", bounds.height);
    }
    config.into()
}

/// What is needed again and again for the items of one workspace.
pub(crate) struct View<'a> {
    workspace: &'a Workspace,
    areas: HashMap<&'a ItemId, Area>,
}

impl<'a> View<'a> {
    pub(crate) fn new(desk: &Desk, workspace: &'a Workspace) -> Self {
        let bounds = desk.frames.get(&workspace.frame).and_then(|frame| frame.bounds);
        let areas = bounds.map(|bounds| areas(&workspace.tree, bounds)).unwrap_or_default();
        Self { workspace, areas }
    }

    fn children(&self, items: &[std::sync::Arc<Item>], parent: Option<&Item>) -> Vec<Value> {
        let child = |(place, item): (usize, &std::sync::Arc<Item>)| self.child(item, place, parent);
        items.iter().enumerate().map(child).collect()
    }

    fn child(&self, item: &Item, place: usize, parent: Option<&Item>) -> Value {
        let mut object = Object::new();
        put(&mut object, "id", item.id.as_str());
        put(&mut object, "type", item.kind().as_str());
        if item.as_window().is_some() {
            put(&mut object, "config", self.window_config(item, place, parent));
        } else {
            put(&mut object, "config", self.container_config(item, place));
            put(&mut object, "children", self.children(item.children(), Some(item)));
        }
        object.into()
    }

    /// Settings of a row, column or group.
    pub(crate) fn container_config(&self, item: &Item, place: usize) -> Value {
        let mut config = item.config.clone();
        self.place(&mut config, item, place);
        put(&mut config, "width", item.size.width);
        put(&mut config, "height", item.size.height);
        if let Some(title) = &item.title {
            put(&mut config, "title", title.as_str());
        }
        if let deskwire_layout::Content::Group { active, windows } = &item.content {
            let front = (!windows.is_empty()).then(|| active.unwrap_or(0));
            put(&mut config, "activeTabIndex", front);
        }
        put(&mut config, "isMaximized", self.workspace.maximized.as_ref() == Some(&item.id));
        config.into()
    }

    /// Settings of a window.
    pub(crate) fn window_config(&self, item: &Item, place: usize, parent: Option<&Item>) -> Value {
        let mut config = Object::new();
        for key in WINDOW_SWITCHES {
            copy(&item.config, &mut config, key, Value::is_boolean);
        }
        for key in LIMITS {
            copy(&item.config, &mut config, key, Value::is_number);
        }
        self.place(&mut config, item, place);
        let workspace = self.workspace;
        if let Some(window) = workspace.windows.get(&item.id) {
            put(&mut config, "windowId", window.id.as_str());
        }
        put(&mut config, "isMaximized", workspace.maximized.as_ref() == Some(&item.id));
        put(&mut config, "isFocused", workspace.focused.as_ref() == Some(&item.id));
        let in_front = parent.and_then(Item::active_tab).is_none_or(|tab| tab.id == item.id);
        put(&mut config, "isSelected", in_front);
        if let Some(leaf) = item.as_window() {
            let title = item.title.as_deref().or(leaf.app_name.as_deref());
            put(&mut config, "title", title.unwrap_or_default());
            if let Some(app_name) = &leaf.app_name {
                put(&mut config, "appName", app_name.as_str());
            }
            if let Some(context) = &leaf.context {
                put(&mut config, "context", context.clone());
            }
        }
        config.into()
    }

    fn place(&self, config: &mut Object, item: &Item, place: usize) {
        put(config, "frameId", self.workspace.frame.as_str());
        put(config, "workspaceId", self.workspace.id.as_str());
        put(config, "positionIndex", place);
        if let Some(area) = self.areas.get(&item.id) {
            put(config, "widthInPx", area.width);
            put(config, "heightInPx", area.height);
        }
    }
}

/// Takes the ids out of items.
fn without_ids(children: &mut Value) {
    for child in children.as_array_mut().into_iter().flatten() {
        if let Some(fields) = child.as_object_mut() {
            fields.shift_remove("id");
        }
        if let Some(children) = child.get_mut("children") {
            without_ids(children);
        }
    }
}
