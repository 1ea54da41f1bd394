//! What `T42.ACS.OnEvent` tells: applications and instances, as the application
//! manager of the clients takes them in.

use deskwire_catalog::{Application, Moved};
use deskwire_connect::{Publisher, SubscriptionRequest};
use deskwire_wire::Payload;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::message::{batches, payload, raw};
use super::super::news::Known;
use crate::apps::properties;
use crate::running::{Running, RunningNews};

/// Subscribers that want no icons are on another branch.
const ICONS: &str = "icons";
const NO_ICONS: &str = "no-icons";

/// An event; members without content are left out.
#[derive(Serialize, Default)]
#[serde(rename_all = "PascalCase")]
struct Event {
    #[serde(rename = "isSnapshot", skip_serializing_if = "Option::is_none")]
    is_snapshot: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_added: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_changed: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_removed: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_started: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_agm_server_ready: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_updated: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_stopped: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_application_start_failed: Vec<Value>,
}

/// Accepts a subscriber and tells it what is known.
pub(crate) async fn greet(request: SubscriptionRequest, known: &Known, event_bytes: usize) {
    let skip = request.arguments().value().get("skipIcon") == Some(&Value::Bool(true));
    let branch = if skip { NO_ICONS } else { ICONS };
    let Some(subscriber) = request.accept_on(branch).await else { return };
    let applications: Vec<_> =
        known.catalog.applications().iter().map(|app| raw(&properties(app, !skip))).collect();
    let mut parts = batches(applications, event_bytes, |record| record.get().len());
    if parts.is_empty() {
        parts.push(Vec::new());
    }
    let last = parts.len() - 1;
    for (index, part) in parts.into_iter().enumerate() {
        let mut event = Event { on_application_added: part, ..Event::default() };
        if index == 0 {
            event.is_snapshot = Some(true);
        }
        // Instances last: their applications are known then.
        if index == last {
            event.on_application_started =
                known.instances.values().map(|one| instance(one)).collect();
            event.on_application_agm_server_ready =
                known.instances.values().filter(|one| one.ready).map(|one| instance(one)).collect();
        }
        if let Err(error) = subscriber.push(payload(&event)).await {
            tracing::warn!(%error, "cannot tell a subscriber the applications there are");
        }
    }
}

/// Tells which definitions have changed.
pub(crate) async fn tell_moved(stream: &Publisher, moved: &Moved<Application>, event_bytes: usize) {
    if moved.is_empty() {
        return;
    }
    for (branch, icons) in [(ICONS, true), (NO_ICONS, false)] {
        let removed =
            moved.removed.iter().map(|app| (What::Removed, raw(&json!({ "Name": app.name }))));
        let added = moved.added.iter().map(|app| (What::Added, raw(&properties(app, icons))));
        let changed = moved.changed.iter().map(|app| (What::Changed, raw(&properties(app, icons))));
        let all: Vec<_> = removed.chain(added).chain(changed).collect();
        for part in batches(all, event_bytes, |(_, record)| record.get().len()) {
            let mut event = Event::default();
            for (what, record) in part {
                match what {
                    What::Added => event.on_application_added.push(record),
                    What::Changed => event.on_application_changed.push(record),
                    What::Removed => event.on_application_removed.push(record),
                }
            }
            push_to(stream, branch, payload(&event)).await;
        }
    }
}

enum What {
    Added,
    Changed,
    Removed,
}

/// Tells news of an instance.
pub(crate) async fn tell_running(stream: &Publisher, news: &RunningNews) {
    let mut event = Event::default();
    match news {
        RunningNews::Started(one) => event.on_application_started.push(instance(one)),
        RunningNews::Ready(one) => event.on_application_agm_server_ready.push(instance(one)),
        RunningNews::Updated(one) => event.on_application_updated.push(instance(one)),
        RunningNews::Stopped { instance: one, .. } => {
            event.on_application_stopped.push(instance(one));
        }
        RunningNews::Failed { instance: one, .. } => {
            event.on_application_start_failed.push(instance(one));
        }
    }
    let event = payload(&event);
    if let Err(error) = stream.push(event).await {
        tracing::warn!(%error, "cannot tell of an instance");
    }
}

fn instance(one: &Running) -> Value {
    let mut told = json!({
        "Id": one.id,
        "Name": one.application,
        "Context": one.context.value(),
        "AgmServers": one.peers,
    });
    if let (Some(title), Some(fields)) = (&one.title, told.as_object_mut()) {
        fields.insert("Title".into(), json!(title));
    }
    told
}

async fn push_to(stream: &Publisher, branch: &str, event: Payload) {
    if let Err(error) = stream.push_to(branch, event).await {
        tracing::warn!(%error, "cannot tell of applications");
    }
}
