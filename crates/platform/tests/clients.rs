//! The desktop services of the crate `connect` against the platform: what the one asks, the other answers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
mod desk;

use std::time::Duration;

use deskwire_connect::Client;
use deskwire_connect::services::apps::{AppEvent, StartError, StartOptions};
use deskwire_connect::services::layouts::ImportMode;
use deskwire_connect::services::workspaces::WorkspaceError;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use desk::{Desk, app, ask, path, write};

const PATIENCE: Duration = Duration::from_secs(20);

async fn desk() -> Desk {
    Desk::start(|config, folder| {
        let mut chart = app("chart");
        chart["title"] = json!("Chart");
        chart["caption"] = json!("Shows prices");
        chart["intents"] =
            json!([{ "name": "View", "contexts": ["Instrument"], "resultType": "Picture" }]);
        write(folder, "apps.json", &json!([chart, app("notes")]));
        config.sources = vec![path("apps.json")];
    })
    .await
}

fn fields(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// A desk page, for which every window loads at once.
async fn page(client: &Client) {
    ask(client, "Deskwire.Frame.Attach", json!({})).await.unwrap();
}

#[tokio::test]
async fn applications_are_listed_started_followed_and_stopped() {
    let desk = desk().await;
    let client = desk.peer("client").await;
    let apps = client.apps();
    assert!(apps.available());
    let listed = apps.list().await.unwrap();
    let chart = listed.iter().find(|one| one.name == "chart").unwrap();
    assert_eq!((chart.title.as_deref(), chart.kind.as_deref()), (Some("Chart"), Some("window")));
    assert_eq!(chart.caption.as_deref(), Some("Shows prices"));
    let definitions = apps.definitions(Some(&["notes", "nobody"])).await.unwrap();
    assert_eq!(definitions, [app("notes")]);
    let intents = apps.intents().await.unwrap();
    assert_eq!(intents.len(), 1);
    assert_eq!((&*intents[0].application, &*intents[0].intents[0].name), ("chart", "View"));
    assert_eq!(intents[0].intents[0].contexts, ["Instrument"]);

    let at_once = || StartOptions { ready_within: None, ..StartOptions::default() };
    let nobody = apps.start("nobody", at_once()).await.unwrap_err();
    assert!(matches!(nobody, StartError::AppNotFound { .. }), "{nobody}");
    let shown = apps.start("chart", at_once()).await.unwrap_err();
    assert!(shown.to_string().contains("no desk is open"), "{shown}");

    let shows = desk.peer("desk").await;
    page(&shows).await;
    let mut events = apps.events().await.unwrap();
    let options = StartOptions { context: json!({ "ric": "X" }).into(), ..at_once() };
    let started = apps.start("chart", options).await.unwrap();
    let instances = apps.instances().await.unwrap();
    assert_eq!(instances.iter().map(|one| &one.id).collect::<Vec<_>>(), [&started.id]);
    apps.stop(&started).await.unwrap();
    assert_eq!(apps.instances().await.unwrap(), []);
    let told = timeout(PATIENCE, async {
        let mut told = Vec::new();
        while told.len() < 2 {
            match events.next().await.unwrap() {
                AppEvent::InstanceStarted(one) => told.push(("started", one.application)),
                AppEvent::InstanceStopped(one) => told.push(("stopped", one.application)),
                _ => {}
            }
        }
        told
    });
    let expected = [("started", "chart".to_owned()), ("stopped", "chart".to_owned())];
    assert_eq!(told.await.expect("news in time"), expected);
}

#[tokio::test]
async fn workspaces_are_created_saved_restored_and_closed() {
    let desk = desk().await;
    let client = desk.peer("client").await;
    let workspaces = client.workspaces();
    assert!(workspaces.available());
    let window = json!({ "type": "window", "appName": "notes", "context": { "text": "hello" } });
    let definition =
        json!({ "children": [window], "config": { "title": "Mine" }, "context": { "a": 1 } });
    let made = workspaces.create(definition).await.unwrap();
    assert_eq!(made.summary.title, "Mine");
    let windows = made.windows();
    assert_eq!(windows.len(), 1);
    assert_eq!(windows[0].application.as_deref(), Some("notes"));
    workspaces.set_title(&made.summary.id, "Ours").await.unwrap();
    workspaces.focus(&windows[0].item).await.unwrap();
    assert_eq!(workspaces.snapshot(&windows[0].item).await.unwrap().summary.title, "Ours");
    let saved = workspaces.save_layout("mine", &made.summary.id, true).await.unwrap();
    assert_eq!(saved["components"][0]["state"]["context"], json!({ "a": 1 }));

    let names = async || -> Vec<String> {
        workspaces.layouts().await.unwrap().into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names().await, ["mine"]);
    let none = workspaces.restore("none", Map::new()).await.unwrap_err();
    let WorkspaceError::NoSuchLayout { there, .. } = none else { panic!("{none}") };
    assert_eq!(there, ["mine"]);
    let options = fields(json!({ "context": { "b": 2 }, "title": "Again" }));
    let restored = workspaces.restore("mine", options).await.unwrap();
    assert_eq!(restored.summary.title, "Again");
    assert_eq!(restored.summary.layout.as_deref(), Some("mine"));
    assert_eq!(workspaces.list().await.unwrap().len(), 2);
    let exported = workspaces.export_layouts().await.unwrap();
    workspaces.delete_layout("mine").await.unwrap();
    assert_eq!(names().await, Vec::<String>::new());
    workspaces.import_layouts(exported, ImportMode::Merge).await.unwrap();
    assert_eq!(names().await, ["mine"]);
    for one in workspaces.list().await.unwrap() {
        workspaces.close(&one.id).await.unwrap();
    }
    assert_eq!(workspaces.list().await.unwrap(), []);
}

#[tokio::test]
async fn layouts_channels_and_preferences_are_kept() {
    let desk = desk().await;
    let client = desk.peer("client").await;
    let layouts = client.layouts();
    assert!(layouts.available());
    layouts.save("Now", fields(json!({ "a": 1 })), fields(json!({ "b": 2 }))).await.unwrap();
    layouts.rename("Global", "Now", "Then").await.unwrap();
    let listed = layouts.list().await.unwrap();
    assert_eq!((&*listed[0].name, &*listed[0].kind), ("Then", "Global"));
    assert_eq!(listed[0].metadata, fields(json!({ "b": 2 })));
    layouts.restore("Then", Map::new(), true).await.unwrap();
    layouts.remove("Global", "Then").await.unwrap();
    assert!(layouts.remove("Global", "Then").await.is_err());
    layouts.import([listed[0].document.clone()], ImportMode::Merge).await.unwrap();
    assert_eq!(layouts.list().await.unwrap().len(), 1);

    let channels = client.channels();
    let names = channels.list();
    assert_eq!(names.len(), 6);
    let red = channels.get("Red").await.unwrap().unwrap();
    assert!(red.meta.contains_key("color"));
    let other = desk.peer("other").await;
    let mut followed = other.channels().subscribe("Red").await.unwrap();
    assert_eq!(followed.next().await.unwrap().data, Map::new());
    channels.publish("Red", [("ric".to_owned(), json!("ASML.AS"))]).await.unwrap();
    let news = timeout(PATIENCE, followed.next()).await.expect("news in time").unwrap();
    assert_eq!(news.data, fields(json!({ "ric": "ASML.AS" })));
    assert!(channels.publish("Nowhere", []).await.is_err());

    let preferences = client.preferences();
    assert!(preferences.available());
    assert_eq!(preferences.get("client").await.unwrap().data, Map::new());
    preferences.set("client", fields(json!({ "colour": "red", "size": 1 }))).await.unwrap();
    preferences.merge("client", fields(json!({ "size": 2 }))).await.unwrap();
    let kept = preferences.get("client").await.unwrap();
    assert_eq!(kept.data, fields(json!({ "colour": "red", "size": 2 })));
    assert!(kept.last_update.is_some());
    assert_eq!(preferences.all().await.unwrap().len(), 1);
    preferences.clear("client").await.unwrap();
    assert_eq!(preferences.get("client").await.unwrap().data, Map::new());
}
