//! What is still there after the platform has ended.

use deskwire_connect::wire::Payload;
use serde_json::json;

use crate::world::{Desktop, app, window};

#[tokio::test]
async fn workspaces_survive_with_windows_and_contexts() {
    let desktop = Desktop::start().await;
    let page = desktop.page(Some("screen")).await;
    let client = desktop.client("client").await;
    let with_context = json!({ "type": "window", "appName": "clients", "context": { "id": 7 } });
    let first = client.create(json!([with_context])).await;
    let second = client.create(json!([app("orders"), app("notes")])).await;
    let name = format!("___workspace___{}", first["id"].as_str().unwrap());
    let shared = json!({ "selectedClient": "CL-1" });
    client.0.contexts().update(&name, Payload::from(shared.clone())).await.unwrap();
    let note = &window(&second, "notes")["id"];
    client.control("closeItem", json!({ "itemId": note })).await.unwrap();
    // The context is noted when it comes by; the answer to this one comes after.
    client.control("focusItem", json!({ "itemId": first["id"] })).await.unwrap();
    let mut changes = desktop.workspaces.changes();
    let id = deskwire_platform::workspaces::WorkspaceId::from(first["id"].as_str().unwrap());
    let noted = changes.wait_for(|desk| json!(*desk.workspaces[&id].context) == shared);
    tokio::time::timeout(std::time::Duration::from_secs(30), noted).await.unwrap().unwrap();
    drop(page);

    let desktop = desktop.restart().await;
    let client = desktop.client("client").await;
    let all = client.control("getAllWorkspacesSummaries", json!({})).await.unwrap();
    let all = all["summaries"].as_array().unwrap();
    assert_eq!(all.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [&first["id"], &second["id"]]);
    assert!(all.iter().all(|one| one["config"]["isHibernated"] == true));
    let kept = client.0.contexts().get(&name).await.unwrap().unwrap().to_payload();
    assert_eq!(*kept.value(), shared);

    let page = desktop.page(None).await;
    assert_eq!(page.frame, "screen");
    assert_eq!(desktop.windows.running(), [("clients".to_owned(), json!({ "id": 7 }))]);
    let snapshot = client.control("getWorkspaceSnapshot", json!({ "itemId": second["id"] })).await;
    assert_eq!(window(&snapshot.unwrap(), "orders")["id"], window(&second, "orders")["id"]);
    client.control("focusItem", json!({ "itemId": second["id"] })).await.unwrap();
    assert_eq!(desktop.windows.running().len(), 2);
}

#[tokio::test]
async fn what_is_closed_stays_closed() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    let id = client.create(json!([app("clients")])).await["id"].clone();
    client.control("closeItem", json!({ "itemId": id })).await.unwrap();
    let desktop = desktop.restart().await;
    let client = desktop.client("client").await;
    let all = client.control("getAllWorkspacesSummaries", json!({})).await.unwrap();
    assert_eq!(all, json!({ "summaries": [] }));
}
