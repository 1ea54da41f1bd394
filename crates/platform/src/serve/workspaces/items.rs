//! Operations on what is in workspaces.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a type with a lifetime is not general enough by its name alone"
)]

use deskwire_layout::{ItemId, Kind, Place};
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Failure, Item, Selector, read};
use crate::workspaces::{Refused, Target, Turn, WindowId, WorkspaceId, Workspaces};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Add {
    definition: Value,
    parent_id: String,
}

pub(super) async fn add_window(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let Add { mut definition, parent_id } = read(given)?;
    if let Some(fields) = definition.as_object_mut() {
        fields.insert("type".into(), "window".into());
    }
    let item = add(workspaces, definition, parent_id).await?;
    Ok(match window_of(workspaces, &item) {
        Some(window) => json!({ "itemId": item, "windowId": window }),
        None => json!({ "itemId": item }),
    })
}

pub(super) async fn add_container(
    workspaces: &Workspaces,
    given: &Value,
) -> Result<Value, Failure> {
    let Add { definition, parent_id } = read(given)?;
    Ok(json!({ "itemId": add(workspaces, definition, parent_id).await? }))
}

async fn add(
    workspaces: &Workspaces,
    definition: Value,
    parent: String,
) -> Result<ItemId, Failure> {
    let add = move |turn: &mut Turn<'_>| {
        let (workspace, parent) = match turn.desk().find(&parent)? {
            Target::Workspace(workspace) => (workspace, None),
            Target::Item(workspace, item) => (workspace, Some(item)),
            Target::Frame(frame) => {
                let reason = format!("{frame} is a frame; name a workspace, or a container in one");
                return Err(Refused::BadArguments { reason });
            }
        };
        turn.insert(&workspace, &definition, Place::Into { parent, index: None })
    };
    Ok(workspaces.change(add).await?)
}

pub(super) async fn close(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    on_target(workspaces, given, |turn, target| turn.close(target)).await
}

pub(super) async fn focus(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    on_target(workspaces, given, |turn, target| turn.focus(target)).await
}

pub(super) async fn maximize(
    workspaces: &Workspaces,
    given: &Value,
    is_maximized: bool,
) -> Result<Value, Failure> {
    let maximize = move |turn: &mut Turn<'_>, target: &Target| match target {
        Target::Item(workspace, item) => turn.maximize(workspace, is_maximized.then_some(item)),
        Target::Workspace(_) | Target::Frame(_) => {
            let reason = "only items can be maximized; a frame is as large as its page".to_owned();
            Err(Refused::BadArguments { reason })
        }
    };
    on_target(workspaces, given, maximize).await
}

pub(super) async fn set_title(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Title {
        title: String,
    }
    let Title { title } = read(given)?;
    if title.trim().is_empty() {
        let reason = "a title must not be blank".to_owned();
        return Err(Refused::BadArguments { reason }.into());
    }
    on_target(workspaces, given, move |turn, target| turn.set_item_title(target, &title)).await
}

pub(super) async fn resize(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Size {
        width: Option<f64>,
        height: Option<f64>,
        relative: Option<bool>,
    }
    let Size { width, height, relative } = read(given)?;
    let relative = relative == Some(true);
    let resize =
        move |turn: &mut Turn<'_>, target: &Target| turn.resize(target, width, height, relative);
    on_target(workspaces, given, resize).await
}

pub(super) async fn move_window(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Container {
        container_id: String,
    }
    let Container { container_id } = read(given)?;
    let move_window = move |turn: &mut Turn<'_>, target: &Target| {
        let container = turn.desk().find(&container_id)?;
        turn.move_window(target, &container)
    };
    on_target(workspaces, given, move_window).await
}

pub(super) async fn eject(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let Item { item_id } = read(given)?;
    let eject = move |turn: &mut Turn<'_>| {
        let target = turn.desk().find(&item_id)?;
        let workspace = turn.eject(&target)?;
        let windows = turn.desk().workspaces.get(&workspace).map(|found| &found.windows);
        let window = windows.and_then(|windows| windows.values().next());
        window.map(|window| window.id.clone()).ok_or(Refused::UnknownWorkspace { workspace })
    };
    Ok(json!({ "windowId": workspaces.change(eject).await? }))
}

/// Gets a window to run that does not: its workspace sleeps, it failed, or it was missing.
pub(super) async fn force_load(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    let Item { item_id } = read(given)?;
    let load = move |turn: &mut Turn<'_>| {
        let Target::Item(workspace, item) = turn.desk().find(&item_id)? else {
            let reason = "name a window, not a workspace or frame".to_owned();
            return Err(Refused::BadArguments { reason });
        };
        let found = turn.desk().workspaces.get(&workspace);
        let is_asleep = found.is_some_and(|workspace| workspace.hibernated);
        let window = found.and_then(|workspace| workspace.windows.get(&item));
        let Some(window) = window.cloned() else { return Err(Refused::UnknownItem { item }) };
        if is_asleep {
            turn.resume(&workspace)?;
        } else if window.instance.is_none() {
            turn.reload(&workspace, &item)?;
        }
        Ok(window.id)
    };
    let window = workspaces.change(load).await?;
    let desk = workspaces.desk();
    match desk.window(&window) {
        Some((_, _, found)) if found.instance.is_some() => Ok(json!({ "windowId": window })),
        Some((_, _, found)) => {
            Err(Refused::NotRunning { state: found.state.in_words(), window }.into())
        }
        None => Err(Refused::UnknownWindow { window }.into()),
    }
}

pub(super) async fn bundle(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Bundle {
        r#type: Line,
        #[serde(alias = "workspaceId")]
        item_id: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Line {
        Row,
        Column,
    }
    let Bundle { r#type: line, item_id } = read(given)?;
    let kind = match line {
        Line::Row => Kind::Row,
        Line::Column => Kind::Column,
    };
    let bundle = move |turn: &mut Turn<'_>| {
        let target = turn.desk().find(&item_id)?;
        turn.bundle_target(&target, kind)
    };
    workspaces.change(bundle).await?;
    Ok(json!({}))
}

pub(super) async fn hibernate(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    on_workspace(workspaces, given, |turn, id| turn.hibernate(id)).await
}

pub(super) async fn resume(workspaces: &Workspaces, given: &Value) -> Result<Value, Failure> {
    on_workspace(workspaces, given, |turn, id| turn.resume(id)).await
}

async fn on_workspace(
    workspaces: &Workspaces,
    given: &Value,
    change: fn(&mut Turn<'_>, &WorkspaceId) -> Result<(), Refused>,
) -> Result<Value, Failure> {
    let Selector { workspace_id } = read(given)?;
    workspaces.change(move |turn| change(turn, &workspace_id)).await?;
    Ok(json!({}))
}

async fn on_target(
    workspaces: &Workspaces,
    given: &Value,
    change: impl FnOnce(&mut Turn<'_>, &Target) -> Result<(), Refused> + Send + 'static,
) -> Result<Value, Failure> {
    let Item { item_id } = read(given)?;
    let change = move |turn: &mut Turn<'_>| {
        let target = turn.desk().find(&item_id)?;
        change(turn, &target)
    };
    workspaces.change(change).await?;
    Ok(json!({}))
}

fn window_of(workspaces: &Workspaces, item: &ItemId) -> Option<WindowId> {
    let desk = workspaces.desk();
    let window = desk.workspace_of_item(item)?.windows.get(item)?;
    Some(window.id.clone())
}
