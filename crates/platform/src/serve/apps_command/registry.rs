//! The commands about definitions.

use std::sync::Arc;

use deskwire_catalog::Application;
use deskwire_connect::CallFailure;
use serde_json::{Map, Value, json};

use super::super::Answer;
use super::super::message::{done, maybe_object, payload, text, texts};
use super::filter::Filter;
use super::instances::told;
use crate::apps::{Apps, core};
use crate::running::{InstanceCommands, Running};

pub(super) fn get_many(
    apps: &Apps,
    running: &dyn InstanceCommands,
    details: &Map<String, Value>,
) -> Answer {
    let filter = maybe_object(details, "filter")?;
    let wanted = Filter::new(&filter);
    let instances = wanted_instances(running, &filter);
    let catalog = apps.catalog();
    let all: Vec<_> = catalog
        .applications()
        .iter()
        .filter(|app| wanted.admits(app, apps.is_in_memory(&app.name)))
        .map(|app| describe(apps, app, &filter, &instances))
        .collect();
    Ok(payload(&json!({ "apps": all })))
}

pub(super) fn get(
    apps: &Apps,
    running: &dyn InstanceCommands,
    details: &Map<String, Value>,
) -> Answer {
    let name = text(details, "name")?;
    // Clients take an empty object for "there is none".
    Ok(match apps.catalog().application(name) {
        Some(app) => payload(&describe(apps, app, details, &wanted_instances(running, details))),
        None => done(),
    })
}

pub(super) fn has(apps: &Apps, details: &Map<String, Value>) -> Answer {
    let there = apps.catalog().application(text(details, "name")?).is_some();
    Ok(json!({ "result": there }).into())
}

pub(super) fn has_in_memory(apps: &Apps, details: &Map<String, Value>) -> Answer {
    Ok(json!({ "result": apps.is_in_memory(text(details, "name")?) }).into())
}

pub(super) fn remove_in_memory(apps: &Apps, details: &Map<String, Value>) -> Answer {
    let names = texts(details, "name")?;
    let removed = apps.forget(&names);
    let missing: Vec<_> = names.iter().filter(|name| !removed.contains(name)).collect();
    if removed.is_empty() && !missing.is_empty() {
        let reason = format!("there is no in-memory application {missing:?}");
        return Err(CallFailure::new(reason));
    }
    Ok(json!({ "removed": removed }).into())
}

pub(super) fn clear_in_memory(apps: &Apps) -> Answer {
    apps.forget_all();
    Ok(done())
}

fn wanted_instances(
    running: &dyn InstanceCommands,
    options: &Map<String, Value>,
) -> Option<Vec<Arc<Running>>> {
    (options.get("includeInstances") == Some(&Value::Bool(true))).then(|| running.running())
}

fn describe(
    apps: &Apps,
    app: &Application,
    options: &Map<String, Value>,
    instances: &Option<Vec<Arc<Running>>>,
) -> Value {
    let mut told_of = core(app, apps.is_in_memory(&app.name));
    if let Some(fields) = told_of.as_object_mut() {
        if let Some(own) = app.custom_properties().filter(|own| !own.is_empty()) {
            fields.insert("customProperties".into(), json!(own));
        }
        if options.get("includeDefinition") == Some(&Value::Bool(true)) {
            fields.insert("definition".into(), Value::clone(&app.raw));
        }
        if let Some(instances) = instances {
            let own = instances.iter().filter(|one| one.application == app.name);
            fields.insert("instances".into(), own.map(|one| told(one)).collect());
        }
    }
    told_of
}
