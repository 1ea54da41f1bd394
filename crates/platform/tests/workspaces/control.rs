//! What clients ask for.

use deskwire_connect::wire::Payload;
use serde_json::{Value, json};

use crate::world::{Desktop, app, window};

fn layout(name: &str, children: Value) -> Value {
    json!({
        "name": name, "type": "Workspace", "metadata": { "description": "for tests" },
        "components": [{ "type": "Workspace", "state": {
            "children": children,
            "config": { "title": "Saved", "workspaceId": "old", "isSelected": true },
            "context": { "kept": 1, "changed": 1 },
        }}],
    })
}

#[tokio::test]
async fn a_layout_opens_with_what_is_missing_shown() {
    let children = json!([{ "type": "row", "children": [
        { "type": "group", "children": [
            { "type": "window", "config": { "appName": "nope-gone", "instanceId": "old" } },
            { "type": "window", "config": { "appName": "clients", "context": { "id": 7 } } },
        ]},
        { "type": "carousel" },
    ]}]);
    let desktop = Desktop::with_layouts([layout("desk", children)]).await;
    let _page = desktop.page(None).await;
    let client = desktop.client("client").await;
    let options = json!({ "context": { "changed": 2 }, "title": "Today" });
    let open = json!({ "name": "desk", "restoreOptions": options });
    let snapshot = client.control("openWorkspace", open).await.unwrap();
    assert_eq!(snapshot["config"]["title"], "Today");
    assert_eq!(snapshot["config"]["layoutName"], "desk");
    assert_ne!(snapshot["id"], "old");
    assert_eq!(desktop.windows.running(), [("clients".to_owned(), json!({ "id": 7 }))]);
    assert!(window(&snapshot, "nope-gone")["config"]["windowId"].is_string());

    let name = format!("___workspace___{}", snapshot["id"].as_str().unwrap());
    let shared = client.0.contexts().get(&name).await.unwrap().unwrap().to_payload();
    assert_eq!(*shared.value(), json!({ "kept": 1, "changed": 2 }));
    let unknown = client.control("openWorkspace", json!({ "name": "other" })).await.unwrap_err();
    assert!(unknown.contains("\"other\"; there are desk"), "{unknown}");
}

#[tokio::test]
async fn what_was_written_before_a_save_is_in_the_layout() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    let id = client.create(json!([app("clients")])).await["id"].clone();
    let name = format!("___workspace___{}", id.as_str().unwrap());
    for number in 0..20 {
        let data = json!({ "number": number });
        client.0.contexts().update(&name, Payload::from(data.clone())).await.unwrap();
        let save = json!({ "name": "mine", "workspaceId": id });
        let saved = client.control("saveLayout", save).await.unwrap();
        assert_eq!(saved["components"][0]["state"]["context"], data);
    }
    let summaries = client.control("getAllLayoutsSummaries", json!({})).await.unwrap();
    assert_eq!(summaries, json!({ "summaries": [{ "name": "mine" }] }));
    client.control("deleteLayout", json!({ "name": "mine" })).await.unwrap();
    assert!(client.control("deleteLayout", json!({ "name": "mine" })).await.is_err());
}

#[tokio::test]
async fn layouts_come_and_go_as_a_whole() {
    let desktop = Desktop::with_layouts([layout("old", json!([]))]).await;
    let client = desktop.client("client").await;
    let mut bad = layout("bad", json!([]));
    bad["components"] = json!(7);
    let import = json!({ "mode": "replace", "layouts": [layout("new", json!([])), bad] });
    let refused = client.control("importLayouts", import).await.unwrap_err();
    assert!(refused.contains("\"bad\""), "{refused}");
    let names = |export: &Value| -> Vec<Value> {
        export["layouts"].as_array().unwrap().iter().map(|layout| layout["name"].clone()).collect()
    };
    let export = client.control("exportAllLayouts", json!({})).await.unwrap();
    assert_eq!(names(&export), ["old"]);
    assert_eq!(export["layouts"][0]["metadata"]["description"], "for tests");
    let import = json!({ "mode": "replace", "layouts": [layout("new", json!([]))] });
    client.control("importLayouts", import).await.unwrap();
    let import = json!({ "mode": "merge", "layout": layout("more", json!([])) });
    client.control("importLayout", import).await.unwrap();
    let export = client.control("exportAllLayouts", json!({})).await.unwrap();
    assert_eq!(names(&export), ["new", "more"]);
}

#[tokio::test]
async fn a_definition_with_a_fault_is_refused_by_its_place() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    let children = json!([{ "type": "row", "children": [app("one"), { "type": "window" }] }]);
    let refused = client.control("createWorkspace", json!({ "children": children })).await;
    let refused = refused.unwrap_err();
    assert!(refused.contains("children[0].children[1]"), "{refused}");
    let all = client.control("getAllWorkspacesSummaries", json!({})).await.unwrap();
    assert_eq!(all, json!({ "summaries": [] }));
}

#[tokio::test]
async fn without_a_page_a_workspace_is_there_and_asleep() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    let snapshot = client.create(json!([app("clients")])).await;
    assert_eq!(snapshot["config"]["isHibernated"], true);
    let resumed = client.control("resumeWorkspace", json!({ "workspaceId": snapshot["id"] })).await;
    assert!(resumed.unwrap_err().contains("open a desk page"));
    let mut page = desktop.page(None).await;
    assert_eq!(page.frame, snapshot["frameSummary"]["id"].as_str().unwrap());
    let item = window(&snapshot, "clients")["id"].clone();
    client.control("setItemTitle", json!({ "itemId": item, "title": "All" })).await.unwrap();
    page.workspace(|workspace| workspace["windows"][item.as_str().unwrap()]["title"] == "All")
        .await;
}

#[tokio::test]
async fn every_operation_is_answered() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    for operation in [
        "changeFrameState",
        "moveFrame",
        "changeFrameVisibility",
        "setFrameOnTop",
        "showPopup",
        "showFrameDialog",
        "registerShortcut",
        "unregisterShortcut",
        "subscribeToFrameClosing",
        "getTaskbarIcon",
        "setTaskbarIcon",
        "showLoadingAnimation",
        "hideLoadingAnimation",
    ] {
        let check = client.control("operationCheck", json!({ "operation": operation })).await;
        assert_eq!(check, Ok(json!({ "isSupported": false })), "{operation}");
        let refused = client.control(operation, json!({ "itemId": "x", "frameId": "x" })).await;
        assert!(refused.unwrap_err().contains("is not supported here"), "{operation}");
    }
    let check = client.control("operationCheck", json!({ "operation": "bundleItem" })).await;
    assert_eq!(check, Ok(json!({ "isSupported": true })));
    let unknown = client.control("fly", json!({})).await.unwrap_err();
    assert!(unknown.contains("\"fly\""), "{unknown}");
    let bad = client.control("closeItem", json!({ "itemId": 7 })).await.unwrap_err();
    assert!(bad.contains("itemId"), "{bad}");
}

#[tokio::test]
async fn branches_that_are_none_are_refused() {
    let desktop = Desktop::start().await;
    let client = desktop.client("client").await;
    for branch in [json!("everything"), json!("window_"), json!(7), json!(null)] {
        let options = deskwire_connect::SubscribeOptions::default();
        let arguments = json!({ "branch": branch, "type": "window" }).into();
        let refused = client.0.subscribe("T42.Workspaces.Stream.Window", arguments, options).await;
        assert!(refused.is_err(), "{branch}");
    }
}
