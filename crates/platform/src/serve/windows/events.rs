//! What `T42.Wnd.OnEvent` tells.

use std::sync::Arc;

use deskwire_connect::{Publisher, SubscriptionRequest};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::super::message::payload;
use super::{Asked, view};
use crate::instances::{Instance, InstanceEvent, Instances};

/// Which instance subscribers know in which window.
type Known = IndexMap<String, Arc<Instance>>;

/// Tells the stream, for ever: of each subscriber first the windows there are, then
/// what happens to them.
pub(super) async fn tell(
    instances: Instances,
    stream: Publisher,
    mut asked: mpsc::Receiver<Asked>,
) {
    let mut news = instances.events();
    let mut known = Known::new();
    catch_up(&mut known, &instances);
    loop {
        tokio::select! {
            biased;
            next = news.recv() => {
                let events = match next {
                    Ok(event) => learn(&mut known, &event),
                    Err(RecvError::Lagged(_)) => catch_up(&mut known, &instances),
                    Err(RecvError::Closed) => return,
                };
                for event in events {
                    if let Err(error) = stream.push(event.into()).await {
                        tracing::warn!(%error, "cannot tell of a window");
                    }
                }
            }
            next = asked.recv() => match next {
                Some(Asked::Subscribe(request)) => greet(request, &known).await,
                Some(Asked::Echo { caller, event }) => {
                    for subscriber in stream.subscribers() {
                        if *subscriber.caller() == caller
                            && let Err(error) = subscriber.push(event.clone()).await
                        {
                            tracing::debug!(%error, "a caller has left before its command was done");
                        }
                    }
                }
                None => return,
            },
        }
    }
}

/// The first event. Contexts go into it as they are.
#[derive(Serialize)]
struct Snapshot<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    windows: Vec<view::Window<'a>>,
}

async fn greet(request: SubscriptionRequest, known: &Known) {
    let with_config = request.arguments().value().get("withConfig") == Some(&Value::Bool(true));
    let Some(subscriber) = request.accept().await else { return };
    let windows: Vec<_> = known.iter().map(|(id, one)| view::window(one, id)).collect();
    let configuration = json!({ "type": "Configuration", "windowAvailableOnURLChanged": false });
    let snapshot = payload(&Snapshot { kind: "Snapshot", windows });
    let events = with_config.then(|| configuration.into()).into_iter().chain([snapshot]);
    for event in events {
        if let Err(error) = subscriber.push(event).await {
            tracing::debug!(%error, "a subscriber has left before it knew the windows");
            return;
        }
    }
}

/// Takes in news; what to tell of them.
fn learn(known: &mut Known, event: &InstanceEvent) -> Vec<Value> {
    let one = event.instance();
    let Some(id) = one.window() else { return Vec::new() };
    let is_shown = known.get(id).is_some_and(|shown| shown.id == one.id);
    let update = |kind: &str, data: Value| json!({ "type": kind, "windowId": id, "data": data });
    let mut events = Vec::new();
    match event {
        InstanceEvent::Started(one) => {
            if known.insert(id.to_owned(), Arc::clone(one)).is_some() {
                events.push(update("Closed", json!({})));
            }
            events.push(update("Created", json!(view::window(one, id))));
            let composition = json!({ "windowId": id, "groupId": id, "neighbors": {} });
            events.push(update("CompositionChanged", composition));
        }
        InstanceEvent::Stopped(_) | InstanceEvent::Failed(_) => {
            if is_shown {
                known.shift_remove(id);
                events.push(update("Closed", json!({})));
            }
        }
        InstanceEvent::Titled(one) => {
            if is_shown {
                known.insert(id.to_owned(), Arc::clone(one));
                events.push(update("TitleChanged", json!(view::title(one))));
            }
        }
        InstanceEvent::ContextChanged(one) => {
            if is_shown {
                known.insert(id.to_owned(), Arc::clone(one));
                events.push(update("ContextChanged", one.context.value().clone()));
            }
        }
        InstanceEvent::Ready(one) | InstanceEvent::Updated(one) => {
            if is_shown {
                known.insert(id.to_owned(), Arc::clone(one));
            }
        }
    }
    events
}

/// Learns what there is, whatever was missed.
fn catch_up(known: &mut Known, instances: &Instances) -> Vec<Value> {
    let snapshot = instances.snapshot();
    let is_there = |id: &str, old: &Arc<Instance>| {
        snapshot.iter().any(|one| one.id == old.id && one.window() == Some(id))
    };
    let gone: Vec<_> = known
        .iter()
        .filter(|(id, old)| !is_there(id, old))
        .map(|(_, old)| InstanceEvent::Stopped(Arc::clone(old)))
        .collect();
    let mut events: Vec<_> = gone.iter().flat_map(|event| learn(known, event)).collect();
    for one in snapshot.iter() {
        let Some(old) = one.window().and_then(|id| known.get(id)).cloned() else {
            events.extend(learn(known, &InstanceEvent::Started(Arc::clone(one))));
            continue;
        };
        if old.title != one.title {
            events.extend(learn(known, &InstanceEvent::Titled(Arc::clone(one))));
        }
        if old.context != one.context {
            events.extend(learn(known, &InstanceEvent::ContextChanged(Arc::clone(one))));
        }
    }
    events
}
