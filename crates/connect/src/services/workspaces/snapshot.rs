//! What a platform tells of a workspace.

use serde_json::{Map, Value};

use super::super::lenient::{fields, flag, list, text};

/// How deep the tree of a workspace is looked into.
const MAX_DEPTH: usize = 64;

/// An open workspace, without what is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceSummary {
    /// Its id.
    pub id: String,
    /// The frame it is in.
    pub frame: String,
    /// Its title.
    pub title: String,
    /// The layout it was restored from.
    pub layout: Option<String>,
    /// Whether its windows are put away.
    pub hibernated: bool,
    /// Its whole configuration.
    pub config: Map<String, Value>,
}

/// An open workspace with all that is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceSnapshot {
    /// The workspace itself.
    pub summary: WorkspaceSummary,
    /// All that was told of it.
    pub document: Value,
}

/// A window in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowItem {
    /// Its id as an item of the workspace.
    pub item: String,
    /// Its id as a window, and as an instance, once it is loaded.
    pub window: Option<String>,
    /// Name of its application.
    pub application: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

impl WorkspaceSummary {
    pub(super) fn read(record: &Value) -> Option<Self> {
        let config = record.get("config")?;
        Some(Self {
            id: text(record, &["id"])?,
            frame: text(config, &["frameId"])?,
            title: text(config, &["title"]).unwrap_or_default(),
            layout: text(config, &["layoutName"]),
            hibernated: flag(config, &["isHibernated"]).unwrap_or(false),
            config: fields(Some(config)),
        })
    }
}

impl WorkspaceSnapshot {
    pub(super) fn read(document: Value) -> Option<Self> {
        Some(Self { summary: WorkspaceSummary::read(&document)?, document })
    }

    /// The windows, in the order of the tree.
    #[must_use]
    pub fn windows(&self) -> Vec<WindowItem> {
        let mut found = Vec::new();
        collect(&self.document, MAX_DEPTH, &mut found);
        found
    }
}

fn collect(item: &Value, depth: usize, found: &mut Vec<WindowItem>) {
    if item.get("type").and_then(Value::as_str) == Some("window") {
        let config = item.get("config").unwrap_or(&Value::Null);
        if let Some(id) = text(item, &["id"]) {
            found.push(WindowItem {
                item: id,
                window: text(config, &["windowId"]),
                application: text(config, &["appName"]),
                title: text(config, &["title"]),
            });
        }
    }
    if depth > 0 {
        for child in list(item.get("children")) {
            collect(child, depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn windows_are_found_in_the_order_of_the_tree() {
        let window = |id: &str, app: &str| json!({"id": id, "type": "window", "config": {"appName": app, "windowId": format!("w-{id}")}});
        let document = json!({
            "id": "ws-1", "config": {"frameId": "f", "title": "T", "layoutName": "L"},
            "children": [{"id": "r", "type": "row", "children": [
                window("1", "orders"),
                {"id": "g", "type": "group", "children": [window("2", "chart"), {"type": "window"}]},
            ]}],
        });
        let snapshot = WorkspaceSnapshot::read(document).unwrap();
        assert_eq!(snapshot.summary.layout.as_deref(), Some("L"));
        let windows = snapshot.windows();
        let windows: Vec<_> =
            windows.iter().map(|it| (it.item.as_str(), it.application.as_deref())).collect();
        assert_eq!(windows, [("1", Some("orders")), ("2", Some("chart"))]);
    }

    #[test]
    fn what_is_no_workspace_is_none() {
        for odd in [json!(null), json!({"id": "x"}), json!({"id": "", "config": {"frameId": "f"}})]
        {
            assert_eq!(WorkspaceSnapshot::read(odd), None);
        }
    }
}
