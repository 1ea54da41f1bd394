//! Operations that make frames and workspaces.

use deskwire_layout::{Object, Policy, Tree, read as read_tree};
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Failure, read};
use super::layouts::{self, How};
use crate::workspaces::{
    FrameId, NewWorkspace, Placement, Refused, Target, Turn, WorkspaceId, Workspaces, saved,
    snapshot,
};

/// Settings that say what to do with a new workspace, and are none of its own.
const PASSING: [&str; 6] =
    ["position", "positionIndex", "isFocused", "isSelected", "reuseWorkspaceId", "frameId"];

/// `newFrame`: whether, or which.
#[derive(Deserialize)]
#[serde(untagged)]
enum NewFrame {
    Whether(bool),
    #[serde(rename_all = "camelCase")]
    Which {
        frame_id: Option<FrameId>,
    },
}

/// Makes a workspace of a definition.
pub(super) async fn create(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let id = create_in(workspaces, given, None).await?;
    snapshot_of(workspaces, &id)
}

async fn create_in(
    workspaces: &Workspaces,
    given: &Value,
    frame: Option<FrameId>,
) -> Result<WorkspaceId, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Create {
        #[serde(default)]
        config: Option<Config>,
        #[serde(default)]
        frame: Option<Frame>,
        #[serde(default)]
        save_config: Option<SaveConfig>,
    }
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase")]
    struct Config {
        position: Option<usize>,
        position_index: Option<usize>,
        is_selected: Option<bool>,
        is_focused: Option<bool>,
        reuse_workspace_id: Option<WorkspaceId>,
    }
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase")]
    struct Frame {
        activate: Option<bool>,
        reuse_frame_id: Option<FrameId>,
        new_frame: Option<NewFrame>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct SaveConfig {
        save_layout: Option<bool>,
    }
    let Create { config, frame: wanted, save_config } = read(given)?;
    let (config, wanted) = (config.unwrap_or_default(), wanted.unwrap_or_default());
    let definition = tree_of(given)?;
    let placement =
        placement(config.reuse_workspace_id, frame.or(wanted.reuse_frame_id), wanted.new_frame);
    let select = config.is_selected != Some(false) && config.is_focused != Some(false);
    let activate = wanted.activate != Some(false) && select;
    let new = NewWorkspace {
        name: None,
        layout_name: None,
        tree: definition.tree,
        context: definition.context,
        placement,
        position: config.position_index.or(config.position),
        select,
        adopt_windows: true,
    };
    let id = workspaces.change(move |turn| make(turn, new, activate)).await?;
    if save_config.is_some_and(|config| config.save_layout == Some(true)) {
        let desk = workspaces.desk();
        let name = desk.workspaces.get(&id).map(|workspace| workspace.title().to_owned());
        let how =
            How { context: true, window_contexts: true, allow_multiple: None, metadata: None };
        layouts::save_as(workspaces, id.clone(), name.unwrap_or_default(), how).await?;
    }
    Ok(id)
}

/// Opens a saved layout.
pub(super) async fn open(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let id = open_in(workspaces, given, None).await?;
    snapshot_of(workspaces, &id)
}

async fn open_in(
    workspaces: &Workspaces,
    given: &Value,
    frame: Option<FrameId>,
) -> Result<WorkspaceId, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Open {
        name: String,
        restore_options: Option<Restore>,
    }
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase")]
    struct Restore {
        context: Option<Object>,
        title: Option<String>,
        reuse_workspace_id: Option<WorkspaceId>,
        frame_id: Option<FrameId>,
        new_frame: Option<NewFrame>,
        activate_frame: Option<bool>,
        is_selected: Option<bool>,
        position_index: Option<usize>,
        lockdown: Option<bool>,
        // Kept as settings of the workspace.
        #[serde(flatten)]
        settings: Object,
    }
    let Open { name, restore_options } = read(given)?;
    let options = restore_options.unwrap_or_default();
    let layout = layouts::find(workspaces.layouts(), &name)?;
    let mut ids = || String::from("x");
    let opened = saved::open(&layout.document, &mut ids);
    let saved::Opened { mut tree, mut context, allow_multiple } = opened
        .map_err(|error| Failure::BadLayout { name: name.clone(), reason: error.to_string() })?;
    context.extend(options.context.unwrap_or_default());
    let settings = restored_settings(options.settings, options.title, options.lockdown);
    let root = std::sync::Arc::make_mut(&mut tree.root);
    root.config.get_or_insert_default().extend(settings);
    let placement =
        placement(options.reuse_workspace_id, frame.or(options.frame_id), options.new_frame);
    let select = options.is_selected != Some(false);
    let activate = options.activate_frame != Some(false) && select;
    let new = NewWorkspace {
        name: Some(name.clone()),
        layout_name: Some(name.clone()),
        tree,
        context,
        placement,
        position: options.position_index,
        select,
        adopt_windows: false,
    };
    let open = move |turn: &mut Turn<'_>| {
        let is_open = |id: &WorkspaceId| {
            let found = turn.desk().workspaces.get(id);
            found.is_some_and(|workspace| workspace.layout_name.as_ref() == Some(&name))
        };
        let open = turn.desk().workspaces.keys().find(|id| is_open(id)).cloned();
        match open.filter(|_| !allow_multiple) {
            Some(open) => turn.select_workspace(&open).map(|()| open),
            None => make(turn, new, activate),
        }
    };
    Ok(workspaces.change(open).await?)
}

/// Makes a frame that waits for a page.
pub(super) async fn create_frame(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Create {
        frame_config: Option<FrameConfig>,
        context: Option<Object>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct FrameConfig {
        frame_id: Option<FrameId>,
    }
    let Create { frame_config, context } = read(given)?;
    let name = frame_config.and_then(|config| config.frame_id);
    let id = workspaces.change(move |turn| turn.create_frame(name, context)).await?;
    let desk = workspaces.desk();
    let frame = desk.frames.get(&id).ok_or(Refused::UnknownFrame { frame: id })?;
    Ok(snapshot::frame_summary(&desk, frame))
}

/// Makes several workspaces in a frame, of definitions or saved layouts.
pub(super) async fn init_frame(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Init {
        frame_id: FrameId,
        workspaces: Vec<Option<Value>>,
    }
    let Init { frame_id, workspaces: wanted } = read(given)?;
    for one in wanted.into_iter().flatten() {
        let frame = Some(frame_id.clone());
        if one.get("name").is_some() {
            open_in(workspaces, &one, frame).await?;
        } else {
            create_in(workspaces, &one, frame).await?;
        }
    }
    Ok(json!({}))
}

struct Definition {
    tree: Tree,
    context: Object,
}

/// The definition in the arguments of `createWorkspace`, read strictly.
fn tree_of(given: &Value) -> Result<Definition, Refused> {
    let mut root = Object::new();
    for key in ["children", "config", "context"] {
        if let Some(value) = given.get(key) {
            root.insert(key.to_owned(), value.clone());
        }
    }
    root.entry("children").or_insert_with(|| json!([]));
    let mut ids = deskwire_layout::Counter::default();
    let mut tree = read_tree(&Value::Object(root), Policy::Strict, &mut ids)?.tree;
    let root = std::sync::Arc::make_mut(&mut tree.root);
    let context = root.context.take().unwrap_or_default();
    if let Some(config) = &mut root.config {
        config.retain(|key, value| !PASSING.contains(&key.as_str()) && !value.is_null());
    }
    Ok(Definition { tree, context })
}

fn placement(
    instead: Option<WorkspaceId>,
    frame: Option<FrameId>,
    new_frame: Option<NewFrame>,
) -> Placement {
    match (instead, new_frame, frame) {
        (Some(workspace), ..) => Placement::Instead(workspace),
        (None, Some(NewFrame::Which { frame_id }), _) => Placement::NewFrame(frame_id),
        (None, Some(NewFrame::Whether(true)), _) => Placement::NewFrame(None),
        (None, _, Some(frame)) => Placement::Frame(frame),
        (None, _, None) => Placement::Usual,
    }
}

/// Those options of a restore that are settings of the workspace.
fn restored_settings(mut options: Object, title: Option<String>, lockdown: Option<bool>) -> Object {
    const KEPT: [&str; 5] =
        ["loadingStrategy", "noTabHeader", "icon", "isPinned", "allowSystemHibernation"];
    options.retain(|key, value| KEPT.contains(&key.as_str()) && !value.is_null());
    if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
        options.insert("title".to_owned(), title.into());
    }
    if lockdown == Some(true) {
        let locks = snapshot::WORKSPACE_SWITCHES.iter().filter(|key| **key != "isPinned");
        options.extend(locks.map(|key| ((*key).to_owned(), Value::Bool(false))));
    }
    options
}

fn make(turn: &mut Turn<'_>, new: NewWorkspace, activate: bool) -> Result<WorkspaceId, Refused> {
    let id = turn.create(new)?;
    if activate {
        turn.focus(&Target::Workspace(id.clone()))?;
    }
    Ok(id)
}

fn snapshot_of(workspaces: &Workspaces, id: &WorkspaceId) -> Result<Value, Failure> {
    let desk = workspaces.desk();
    let workspace = desk.workspaces.get(id);
    let workspace = workspace.ok_or_else(|| Refused::UnknownWorkspace { workspace: id.clone() })?;
    Ok(snapshot::workspace_snapshot(&desk, workspace))
}
