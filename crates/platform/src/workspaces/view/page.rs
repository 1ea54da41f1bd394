//! What pages are told: `F` and `W` of the frame protocol.

use deskwire_layout::{ItemId, Object, WriteIds, definition};
use serde_json::{Value, json};

use super::put;
use crate::workspaces::model::{Desk, Frame, Window, Workspace};

/// `F`: a frame.
pub(crate) fn frame(desk: &Desk, frame: &Frame) -> Value {
    let mut object = Object::new();
    put(&mut object, "id", frame.id.as_str());
    put(&mut object, "attached", frame.is_attached());
    if let Some(selected) = desk.selected(&frame.id) {
        put(&mut object, "selectedWorkspaceId", selected.id.as_str());
    }
    put(&mut object, "isFocused", desk.focused.as_ref() == Some(&frame.id));
    if let Some(bounds) = frame.bounds {
        put(&mut object, "bounds", json!(bounds));
    }
    object.into()
}

/// `W`: a workspace.
pub(crate) fn workspace(desk: &Desk, workspace: &Workspace) -> Value {
    let windows: Object = workspace
        .tree
        .windows()
        .filter_map(|item| {
            let window = workspace.windows.get(&item.id)?;
            Some((item.id.as_str().to_owned(), self::window(workspace, item, window)))
        })
        .collect();
    let mut object = Object::new();
    put(&mut object, "id", workspace.id.as_str());
    put(&mut object, "rev", workspace.rev);
    put(&mut object, "frameId", workspace.frame.as_str());
    put(&mut object, "position", desk.position(workspace));
    put(&mut object, "title", workspace.title());
    put(&mut object, "name", workspace.name.as_str());
    if let Some(layout) = &workspace.layout_name {
        put(&mut object, "layoutName", layout.as_str());
    }
    put(&mut object, "hibernated", workspace.hibernated);
    put(&mut object, "selected", workspace.selected);
    put(&mut object, "contextName", workspace.context_name());
    if let Some(maximized) = &workspace.maximized {
        put(&mut object, "maximized", maximized.as_str());
    }
    put(&mut object, "tree", definition(&workspace.tree, WriteIds::Yes));
    put(&mut object, "windows", windows);
    object.into()
}

fn window(workspace: &Workspace, item: &deskwire_layout::Item, window: &Window) -> Value {
    let mut object = Object::new();
    let app_name = item.as_window().and_then(|leaf| leaf.app_name.as_deref()).unwrap_or_default();
    let is = |one: &Option<ItemId>| one.as_ref() == Some(&item.id);
    put(&mut object, "windowId", window.id.as_str());
    if let Some(instance) = &window.instance {
        put(&mut object, "instanceId", instance.as_str());
    }
    put(&mut object, "appName", app_name);
    put(&mut object, "title", item.title.as_deref().unwrap_or(app_name));
    put(&mut object, "state", window.state.as_str());
    if let Some(reason) = window.state.reason() {
        put(&mut object, "reason", reason);
    }
    put(&mut object, "maximized", is(&workspace.maximized));
    put(&mut object, "focused", is(&workspace.focused));
    object.into()
}
