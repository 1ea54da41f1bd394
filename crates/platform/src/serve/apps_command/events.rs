//! What `apps.event` tells.

use deskwire_catalog::{Application, Catalog, Moved};
use deskwire_connect::{Publisher, SubscriptionRequest};
use serde_json::{Map, Value, json};

use super::super::message::payload;
use super::instances::{state_of, told};
use crate::apps::{Apps, core};
use crate::running::RunningNews;

/// The events there are; each is a branch of the stream.
const EVENTS: [&str; 6] = [
    "applications-added",
    "applications-removed",
    "applications-updated",
    "instance-started",
    "instance-stopped",
    "instance-state-changed",
];

/// Accepts a subscriber of one of the events.
pub(crate) async fn greet(request: SubscriptionRequest) {
    let event = request.arguments().value().get("event").and_then(Value::as_str).unwrap_or("");
    match EVENTS.iter().find(|known| **known == event) {
        Some(event) => {
            let _gone = request.accept_on(event).await;
        }
        None => request.reject(format!("`event` must be one of {}", EVENTS.join(", "))).await,
    }
}

/// Tells which definitions have changed since `before`.
pub(crate) async fn tell_moved(
    stream: &Publisher,
    moved: &Moved<Application>,
    before: &Catalog,
    apps: &Apps,
) {
    let describe = |app: &Application| core(app, apps.is_in_memory(&app.name));
    let removed = moved.removed.iter().map(|app| json!({ "appName": app.name }));
    push(stream, "applications-removed", removed.collect()).await;
    let added = moved.added.iter().map(|app| json!({ "app": describe(app) }));
    push(stream, "applications-added", added.collect()).await;
    let changed = moved.changed.iter().map(|app| {
        let old = before.application(&app.name).map(|old| Value::clone(&old.raw));
        json!({ "app": describe(app), "changes": changes(old.unwrap_or_default(), &app.raw) })
    });
    push(stream, "applications-updated", changed.collect()).await;
}

/// Tells news of an instance.
pub(crate) async fn tell_running(stream: &Publisher, news: &RunningNews) {
    let (event, item) = match news {
        RunningNews::Started(one) => ("instance-started", json!({ "instance": told(one) })),
        RunningNews::Ready(one) => {
            ("instance-state-changed", json!({ "instance": told(one), "state": state_of(one) }))
        }
        RunningNews::Stopped { instance, reason } => {
            ("instance-stopped", json!({ "instance": told(instance), "reason": reason }))
        }
        RunningNews::Failed { instance, .. } => {
            ("instance-state-changed", json!({ "instance": told(instance), "state": "failed" }))
        }
        RunningNews::Updated(_) => return,
    };
    push(stream, event, vec![item]).await;
}

/// The members of a definition that are others now; those that are gone are `null`.
fn changes(old: Value, new: &Value) -> Map<String, Value> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return Map::new() };
    let mut changes: Map<_, _> = new
        .iter()
        .filter(|(key, value)| old.get(*key) != Some(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let gone = old.into_iter().filter(|(key, _)| !new.contains_key(key));
    changes.extend(gone.map(|(key, _)| (key, Value::Null)));
    changes
}

async fn push(stream: &Publisher, event: &str, items: Vec<Value>) {
    // A handful fits into one message; a new directory of thousands does not.
    for items in items.chunks(500) {
        if let Err(error) = stream.push_to(event, payload(&json!({ "data": items }))).await {
            tracing::warn!(event, %error, "cannot tell of applications");
        }
    }
}
