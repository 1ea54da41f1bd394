//! `T42.ACS.GetApplications` in its three forms, and `T42.ACS.Execute`.

use std::sync::Arc;

use deskwire_connect::{Call, CallFailure, RegisterError};
use serde_json::Value;

use super::super::message::{object, text};
use super::super::{Answer, Offer};
use crate::apps::Apps;
use crate::instances::StartedBy;
use crate::running::{InstanceCommands, no_instance};

pub(super) async fn offer(
    offer: &mut Offer,
    apps: &Apps,
    instances: &Arc<dyn InstanceCommands>,
) -> Result<(), RegisterError> {
    let all = apps.clone();
    offer.answer("T42.ACS.GetApplications", move |call| get(&all, call)).await?;
    let instances = Arc::clone(instances);
    offer.answer("T42.ACS.Execute", move |call| execute(&*instances, call)).await
}

fn get(apps: &Apps, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let listing = apps.listing();
    if let Some(v2) = arguments.get("v2").and_then(Value::as_object) {
        return Ok(match v2.get("apps") {
            Some(Value::Array(names)) => {
                listing.definitions_of(names.iter().filter_map(Value::as_str))
            }
            _ => listing.definitions(),
        });
    }
    if is_true(arguments.get("withIntentsInfo")) {
        return Ok(listing.intents());
    }
    Ok(listing.properties(!is_true(arguments.get("skipIcon"))))
}

fn execute(instances: &dyn InstanceCommands, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    match text(arguments, "command")? {
        "getStartedBy" => {
            let id = text(arguments, "Id")?;
            let running = instances.running();
            let one = running.iter().find(|one| one.id == id).ok_or_else(|| no_instance(id))?;
            // The answer itself is what the client library hands on.
            Ok(one.started_by.clone().unwrap_or_else(|| StartedBy::default().to_json()).into())
        }
        other => Err(CallFailure::new(format!("there is no command `{other}` here"))),
    }
}

fn is_true(value: Option<&Value>) -> bool {
    value == Some(&Value::Bool(true))
}
