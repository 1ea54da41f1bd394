//! The method: one operation after the other, each to its place.

use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure, RegisterError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::Failure;
use super::operation::Operation;
use super::{arguments, items, layouts, opening, reading, settings};
use crate::workspaces::{Refused, Workspaces};

const CONTROL: &str = "T42.Workspaces.Control";

/// Offers the method.
///
/// # Errors
/// When the gateway refuses it.
pub(crate) async fn register(workspaces: &Workspaces) -> Result<(), RegisterError> {
    let handle = workspaces.clone();
    let answer = move |call: Call| {
        let workspaces = handle.clone();
        async move {
            let result = answer(&workspaces, call.arguments.value()).await;
            result.map(Payload::from).map_err(CallFailure::from)
        }
    };
    let control = Method { name: CONTROL.into(), ..Method::default() };
    workspaces.bus().register(control, answer).await?.keep();
    Ok(())
}

async fn answer(workspaces: &Workspaces, call: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Control {
        operation: String,
    }
    let Control { operation: name } = arguments::read(call)?;
    let Some(operation) = Operation::parse(&name) else {
        let name: String = name.chars().take(40).collect();
        let reason =
            format!("there is no operation {name:?}; `operationCheck` tells which there are");
        return Err(Refused::BadArguments { reason }.into());
    };
    if !operation.is_supported() {
        let reason = format!(
            "{name} is not supported here: a frame is a page in a browser, and only its person decides that"
        );
        return Err(Refused::BadArguments { reason }.into());
    }
    let nothing = json!({});
    let arguments = call.get("operationArguments").filter(|given| !given.is_null());
    perform(workspaces, operation, arguments.unwrap_or(&nothing)).await
}

async fn perform(
    workspaces: &Workspaces,
    operation: Operation,
    given: &Value,
) -> Result<Value, Failure> {
    use Operation as Op;
    match operation {
        Op::Ping => Ok(json!({ "live": true })),
        Op::Check => check(given),
        Op::CreateWorkspace => opening::create(workspaces, given).await,
        Op::OpenWorkspace => opening::open(workspaces, given).await,
        Op::CreateFrame => opening::create_frame(workspaces, given).await,
        Op::InitFrame => opening::init_frame(workspaces, given).await,
        Op::GetAllLayoutsSummaries => Ok(layouts::summaries(workspaces)),
        Op::ExportAllLayouts => Ok(layouts::export(workspaces)),
        Op::SaveLayout => layouts::save(workspaces, given).await,
        Op::ImportLayout => layouts::import_one(workspaces, given).await,
        Op::ImportLayouts => layouts::import(workspaces, given).await,
        Op::DeleteLayout => layouts::delete(workspaces, given).await,
        Op::AddWindow => items::add_window(workspaces, given).await,
        Op::AddContainer => items::add_container(workspaces, given).await,
        Op::CloseItem | Op::CloseWorkspace => items::close(workspaces, given).await,
        Op::FocusItem => items::focus(workspaces, given).await,
        Op::MaximizeItem => items::maximize(workspaces, given, true).await,
        Op::RestoreItem => items::maximize(workspaces, given, false).await,
        Op::SetItemTitle => items::set_title(workspaces, given).await,
        Op::ResizeItem => items::resize(workspaces, given).await,
        Op::MoveWindowTo => items::move_window(workspaces, given).await,
        Op::EjectWindow => items::eject(workspaces, given).await,
        Op::ForceLoadWindow => items::force_load(workspaces, given).await,
        Op::BundleWorkspace | Op::BundleItem => items::bundle(workspaces, given).await,
        Op::HibernateWorkspace => items::hibernate(workspaces, given).await,
        Op::ResumeWorkspace => items::resume(workspaces, given).await,
        Op::PinWorkspace => settings::pin(workspaces, given, true).await,
        Op::UnpinWorkspace => settings::pin(workspaces, given, false).await,
        Op::SetWorkspaceIcon => settings::set_icon(workspaces, given).await,
        Op::LockWorkspace => settings::lock_workspace(workspaces, given).await,
        Op::LockWindow => settings::lock_window(workspaces, given).await,
        Op::LockContainer => settings::lock_container(workspaces, given).await,
        Op::SetWindowDragMode => settings::set_drag_mode(workspaces, given).await,
        Op::SetLoadingStrategy => settings::set_loading_strategy(workspaces, given).await,
        Op::SetMaximizationBoundary => settings::set_boundary(workspaces, given).await,
        _ => reading::answer(&workspaces.desk(), operation, given),
    }
}

fn check(given: &Value) -> Result<Value, Failure> {
    #[derive(Deserialize)]
    struct Check {
        operation: String,
    }
    let Check { operation } = arguments::read(given)?;
    let is_supported = Operation::parse(&operation).is_some_and(Operation::is_supported);
    Ok(json!({ "isSupported": is_supported }))
}
