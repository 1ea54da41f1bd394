//! Settings that the platform keeps and tells, and whose meaning is the page's affair.

use deskwire_layout::Object;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Failure, Item, read};
use crate::workspaces::limits::MAX_ICON;
use crate::workspaces::{Refused, Target, Turn, WorkspaceId, Workspaces, snapshot};

/// What may be switched off in a row or a column.
const LINE_SWITCHES: [&str; 2] = ["allowDrop", "allowSplitters"];

/// What may be switched off in a group.
const GROUP_SWITCHES: [&str; 11] = [
    "allowExtract",
    "allowReorder",
    "allowDrop",
    "allowDropLeft",
    "allowDropRight",
    "allowDropTop",
    "allowDropBottom",
    "allowDropHeader",
    "showMaximizeButton",
    "showEjectButton",
    "showAddWindowButton",
];

pub(super) async fn pin(
    workspaces: &Workspaces,
    given: &Value,
    is_pinned: bool,
) -> Result<Value, Failure> {
    let Icon { workspace_id, icon } = read(given)?;
    let mut settings = one("isPinned", is_pinned);
    if let Some(icon) = icon {
        settings.insert("icon".into(), checked(icon)?.into());
    }
    configure(workspaces, workspace_id, settings).await
}

pub(super) async fn set_icon(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let Icon { workspace_id, icon } = read(given)?;
    let icon = icon.map(checked).transpose()?;
    configure(workspaces, workspace_id, one("icon", icon)).await
}

pub(super) async fn lock_workspace(
    workspaces: &Workspaces,
    given: &Value,
) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Lock {
        workspace_id: WorkspaceId,
        config: Option<Object>,
    }
    let Lock { workspace_id, config } = read(given)?;
    let switches = snapshot::WORKSPACE_SWITCHES.iter().filter(|key| **key != "isPinned");
    let settings = locked(config, switches.copied());
    configure(workspaces, workspace_id, settings).await
}

pub(super) async fn lock_window(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Lock {
        window_placement_id: String,
        config: Option<Object>,
    }
    let Lock { window_placement_id, config } = read(given)?;
    let settings = locked(config, snapshot::WINDOW_SWITCHES.iter().copied());
    configure_item(workspaces, window_placement_id, settings).await
}

pub(super) async fn lock_container(
    workspaces: &Workspaces,
    given: &Value,
) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Lock {
        item_id: String,
        r#type: String,
        config: Option<Object>,
    }
    let Lock { item_id, r#type: kind, config } = read(given)?;
    let switches: &[&str] = if kind == "group" { &GROUP_SWITCHES } else { &LINE_SWITCHES };
    let settings = locked(config, switches.iter().copied());
    configure_item(workspaces, item_id, settings).await
}

pub(super) async fn set_drag_mode(
    workspaces: &Workspaces,
    given: &Value,
) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Mode {
        item_id: WorkspaceId,
        drag_mode: String,
    }
    let Mode { item_id, drag_mode } = read(given)?;
    let mode = one_of("dragMode", drag_mode, &snapshot::DRAG_MODES)?;
    configure(workspaces, item_id, one("windowDragMode", mode)).await
}

pub(super) async fn set_loading_strategy(
    workspaces: &Workspaces,
    given: &Value,
) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Strategy {
        item_id: WorkspaceId,
        strategy: String,
    }
    let Strategy { item_id, strategy } = read(given)?;
    let strategy = one_of("strategy", strategy, &snapshot::LOADING_STRATEGIES)?;
    configure(workspaces, item_id, one("loadingStrategy", strategy)).await
}

pub(super) async fn set_boundary(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Boundary {
        enabled: bool,
    }
    let (Item { item_id }, Boundary { enabled }) = (read(given)?, read(given)?);
    configure_item(workspaces, item_id, one("maximizationBoundary", enabled)).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Icon {
    workspace_id: WorkspaceId,
    icon: Option<String>,
}

async fn configure(
    workspaces: &Workspaces,
    id: WorkspaceId,
    settings: Object,
) -> Result<Value, Failure> {
    workspaces.change(move |turn| turn.configure(&id, settings)).await?;
    Ok(json!({}))
}

async fn configure_item(
    workspaces: &Workspaces,
    id: String,
    settings: Object,
) -> Result<Value, Failure> {
    let configure = move |turn: &mut Turn<'_>| match turn.desk().find(&id)? {
        Target::Item(_, item) => turn.configure_item(&item, settings),
        Target::Workspace(workspace) => turn.configure(&workspace, settings),
        Target::Frame(frame) => {
            let reason = format!("{frame} is a frame, and has no such setting");
            Err(Refused::BadArguments { reason })
        }
    };
    workspaces.change(configure).await?;
    Ok(json!({}))
}

/// The switches to set: those that are given, or all of them off when none is.
fn locked<'a>(config: Option<Object>, switches: impl Iterator<Item = &'a str>) -> Object {
    match config {
        None => switches.map(|key| (key.to_owned(), Value::Bool(false))).collect(),
        Some(config) => switches
            .filter_map(|key| {
                let value = config.get(key).filter(|value| value.is_boolean())?;
                Some((key.to_owned(), value.clone()))
            })
            .collect(),
    }
}

fn one(key: &str, value: impl Into<Value>) -> Object {
    Object::from_iter([(key.to_owned(), value.into())])
}

fn one_of(key: &str, value: String, known: &[&str]) -> Result<String, Refused> {
    if known.contains(&value.as_str()) {
        return Ok(value);
    }
    let reason = format!("`{key}` is one of {}, not {value:?}", known.join(", "));
    Err(Refused::BadArguments { reason })
}

fn checked(icon: String) -> Result<String, Refused> {
    if icon.len() <= MAX_ICON {
        return Ok(icon);
    }
    let reason = format!("an icon has at most {MAX_ICON} bytes, this one has {}", icon.len());
    Err(Refused::BadArguments { reason })
}
