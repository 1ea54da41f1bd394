//! Operations that only look.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Failure, Item, Selector, read};
use super::operation::Operation;
use crate::workspaces::{Desk, Frame, FrameId, Refused, Target, Workspace, snapshot};

/// Answers from the desk as it is now.
pub(super) fn answer(desk: &Desk, operation: Operation, given: &Value) -> Result<Value, Failure> {
    Ok(match operation {
        Operation::IsWindowInWorkspace => {
            let Item { item_id } = read(given)?;
            json!({ "inWorkspace": matches!(desk.find(&item_id), Ok(Target::Item(..))) })
        }
        Operation::GetAllFramesSummaries => {
            let frames = desk.frames.values();
            let summaries: Vec<_> =
                frames.map(|frame| snapshot::frame_summary(desk, frame)).collect();
            json!({ "summaries": summaries })
        }
        Operation::GetAllWorkspacesSummaries => {
            let workspaces = desk.workspaces.values();
            let summary = |workspace: &Arc<Workspace>| snapshot::workspace_summary(desk, workspace);
            json!({ "summaries": workspaces.map(summary).collect::<Vec<_>>() })
        }
        Operation::GetWorkspaceSnapshot => {
            snapshot::workspace_snapshot(desk, workspace(desk, given)?)
        }
        Operation::GetFrameSummary => snapshot::frame_summary(desk, frame(desk, given)?),
        Operation::GetFrameSnapshot => {
            #[derive(Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct Options {
                exclude_ids: Option<bool>,
            }
            let Options { exclude_ids } = read(given)?;
            let with_ids = exclude_ids != Some(true);
            snapshot::frame_snapshot(desk, frame(desk, given)?, with_ids)
        }
        Operation::GetFrameState => {
            frame(desk, given)?;
            json!({ "state": "normal" })
        }
        Operation::GetFrameBounds => {
            let frame = frame(desk, given)?;
            let bounds =
                frame.bounds.ok_or_else(|| Refused::NoBounds { frame: frame.id.clone() })?;
            json!({ "bounds": bounds })
        }
        Operation::GetFrameVisibility => {
            json!({ "isVisible": frame(desk, given)?.is_attached() })
        }
        Operation::GetWorkspaceIcon => {
            let Selector { workspace_id } = read(given)?;
            let found = desk.workspaces.get(&workspace_id);
            let found = found.ok_or(Refused::UnknownWorkspace { workspace: workspace_id })?;
            match found.setting("icon").filter(|icon| icon.is_string()) {
                Some(icon) => json!({ "icon": icon }),
                None => json!({}),
            }
        }
        // No frame is the platform's own.
        _ => json!({}),
    })
}

/// The frame of whatever is named.
fn frame<'a>(desk: &'a Desk, given: &Value) -> Result<&'a Arc<Frame>, Refused> {
    let Item { item_id } = read(given)?;
    let id = match desk.find(&item_id)? {
        Target::Frame(frame) => frame,
        Target::Workspace(workspace) | Target::Item(workspace, _) => {
            let found = desk.workspaces.get(&workspace);
            found.map_or_else(|| FrameId::from(item_id), |workspace| workspace.frame.clone())
        }
    };
    desk.frames.get(&id).ok_or(Refused::UnknownFrame { frame: id })
}

/// The workspace of whatever is named.
fn workspace<'a>(desk: &'a Desk, given: &Value) -> Result<&'a Arc<Workspace>, Refused> {
    let Item { item_id } = read(given)?;
    match desk.find(&item_id)? {
        Target::Workspace(id) | Target::Item(id, _) => {
            desk.workspaces.get(&id).ok_or(Refused::UnknownWorkspace { workspace: id })
        }
        Target::Frame(frame) => {
            let reason = format!("{frame} is a frame; name a workspace, or something in one");
            Err(Refused::BadArguments { reason })
        }
    }
}
