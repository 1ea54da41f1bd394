//! The commands about instances. What they do is done by [`InstanceCommands`].

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{Call, CallFailure};
use deskwire_wire::date_from_millis;
use serde_json::{Map, Value, json};

use super::super::Answer;
use super::super::message::{done, maybe_object, payload, text};
use super::filter::Filter;
use crate::apps::Apps;
use crate::running::{InstanceCommands, Running, StartCommand, no_instance};

/// Who the caller is.
pub(super) fn announce(running: &dyn InstanceCommands, call: &Call) -> Answer {
    let identity = call.caller_identity.as_ref();
    let id = identity.and_then(|identity| identity.instance()).unwrap_or(call.caller.as_str());
    if let Some(one) = running.running().iter().find(|one| one.id == id) {
        return Ok(payload(&told(one)));
    }
    let name = identity.and_then(|identity| identity.application()).unwrap_or_default();
    Ok(json!({ "id": id, "appName": name }).into())
}

pub(super) async fn start(
    apps: &Apps,
    running: &dyn InstanceCommands,
    details: &Map<String, Value>,
    call: &Call,
) -> Answer {
    let mut options = details.clone();
    let name = text(details, "name")?.to_owned();
    if apps.catalog().application(&name).is_none() {
        // Clients look for these words.
        let reason = format!("application not found: no source defines `{name}`");
        return Err(CallFailure::new(reason));
    }
    let context = maybe_object(details, "context")?;
    options.remove("name");
    options.remove("context");
    let start = StartCommand {
        application: name,
        context: Value::Object(context).into(),
        options,
        caller: call.caller_identity.clone(),
    };
    let started = running.start(start).await?;
    Ok(payload(&told(&started)))
}

pub(super) async fn stop(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    running.stop(text(details, "id")?).await?;
    Ok(done())
}

pub(super) async fn wait(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    let within = details.get("timeout").and_then(Value::as_u64).map(Duration::from_millis);
    running.ready(text(details, "id")?, within).await?;
    Ok(done())
}

pub(super) fn get(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    let id = text(details, "id")?;
    // Clients take an empty object for "there is none".
    Ok(running
        .running()
        .iter()
        .find(|one| one.id == id)
        .map_or_else(done, |one| payload(&told(one))))
}

pub(super) fn get_many(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    let filter = maybe_object(details, "filter")?;
    let wanted = Filter::new(&filter);
    let all: Vec<_> = running
        .running()
        .iter()
        .filter(|one| wanted.admits_instance(one))
        .map(|one| told(one))
        .collect();
    Ok(payload(&json!({ "instances": all })))
}

pub(super) fn state(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    Ok(json!({ "state": state_of(&*find(running, details)?) }).into())
}

pub(super) fn context(running: &dyn InstanceCommands, details: &Map<String, Value>) -> Answer {
    Ok(payload(&json!({ "context": find(running, details)?.context.value() })))
}

/// Stops an instance and starts its application anew with its context.
pub(super) async fn restart(
    running: &dyn InstanceCommands,
    details: &Map<String, Value>,
    call: &Call,
) -> Answer {
    let one = find(running, details)?;
    running.stop(&one.id).await?;
    let start = StartCommand {
        application: one.application.clone(),
        context: one.context.clone(),
        options: Map::new(),
        caller: call.caller_identity.clone(),
    };
    let started = running.start(start).await?;
    Ok(payload(&told(&started)))
}

fn find(
    running: &dyn InstanceCommands,
    details: &Map<String, Value>,
) -> Result<Arc<Running>, CallFailure> {
    let id = text(details, "id")?;
    let found = running.running().into_iter().find(|one| one.id == id);
    found.ok_or_else(|| CallFailure::new(no_instance(id)))
}

/// An instance as `io.apps` knows it.
pub(super) fn told(one: &Running) -> Value {
    let mut fields = json!({
        "id": one.id,
        "appName": one.application,
        "startedAt": date_from_millis(i64::try_from(one.started_ms).unwrap_or(i64::MAX)),
    });
    if let Some(fields) = fields.as_object_mut() {
        if let Some(started_by) = &one.started_by {
            fields.insert("startedBy".into(), started_by.clone());
        }
        if let Some(process) = one.process {
            fields.insert("pid".into(), json!(process));
        }
    }
    fields
}

pub(super) fn state_of(one: &Running) -> &'static str {
    if one.ready { "ready" } else { "started" }
}
