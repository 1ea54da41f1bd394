//! Pages that host windows.

use deskwire_platform::workspaces::{InstanceRef, ShowError, ShowWindow, WindowEvent};
use serde_json::json;

use crate::world::{Desktop, app, states, window};

#[tokio::test]
async fn a_page_hosts_the_windows_of_a_workspace() {
    let desktop = Desktop::start().await;
    let mut page = desktop.page(None).await;
    let client = desktop.client("client").await;
    let mut heard = client.listen("Window", "global").await;
    let with_context = json!({ "type": "window", "appName": "clients", "context": { "id": 7 } });
    let snapshot = client.create(json!([with_context, app("nope")])).await;
    assert_eq!(snapshot["config"]["frameId"], page.frame.as_str());

    let seen = page.workspace(|workspace| workspace["rev"] == 2).await;
    let expected = [("clients", "loading"), ("nope", "missing")];
    assert_eq!(states(&seen), expected.map(|(one, other)| (one.to_owned(), other.to_owned())));

    let item = window(&snapshot, "clients");
    let id = &item["config"]["windowId"];
    let ticket = page.peer.call("Deskwire.Frame.Window", json!({ "windowId": id })).await.unwrap();
    assert_eq!(ticket["application"], "clients");
    assert_eq!(ticket["startingContext"], json!({ "id": 7 }));
    let missing = &window(&snapshot, "nope")["config"]["windowId"];
    let refused = page.peer.call("Deskwire.Frame.Window", json!({ "windowId": missing })).await;
    assert!(refused.unwrap_err().starts_with("not-running: "));

    let loaded = json!({ "windowId": id, "state": "loaded", "title": "All clients" });
    page.peer.call("Deskwire.Frame.Report", loaded).await.unwrap();
    let actions = [heard.next().await, heard.next().await, heard.next().await];
    assert_eq!(actions.each_ref().map(|(action, _)| action.as_str()), ["added", "added", "loaded"]);
    let (_, loaded) = &actions[2];
    assert_eq!(loaded["windowSummary"]["itemId"], item["id"]);
    assert_eq!(loaded["windowSummary"]["config"]["title"], "All clients");
}

#[tokio::test]
async fn the_lease_of_a_workspace_moves_to_the_page_that_claims_it() {
    let desktop = Desktop::start().await;
    let mut first = desktop.page(None).await;
    let client = desktop.client("client").await;
    let id = client.create(json!([app("clients")])).await["id"].clone();
    let before = first.workspace(|workspace| workspace["rev"] == 2).await;
    let mut second = desktop.page(None).await;
    assert_ne!(first.frame, second.frame);

    let claimed = second.peer.call("Deskwire.Frame.Claim", json!({ "workspaceId": id })).await;
    let claimed = claimed.unwrap()["workspace"].clone();
    assert_eq!(claimed["frameId"], second.frame.as_str());
    for page in [&mut first, &mut second] {
        let told = page.workspace(|workspace| workspace["rev"] == claimed["rev"]).await;
        assert_eq!(told, claimed, "both hear the same");
    }
    assert_eq!(desktop.windows.running().len(), 1, "it runs in one place");
    let lost = first.edit(&before, json!({ "op": "restore" })).await.unwrap_err();
    assert!(lost.starts_with("not-yours: "), "{lost}");
    let edited = second.edit(&claimed, json!({ "op": "rename", "title": "Mine" })).await.unwrap();
    assert_eq!(edited["status"], "applied");
}

#[tokio::test]
async fn a_stale_edit_hears_the_truth() {
    let desktop = Desktop::start().await;
    let mut page = desktop.page(None).await;
    let client = desktop.client("client").await;
    let snapshot = client.create(json!([app("one"), app("two")])).await;
    let seen = page.workspace(|workspace| workspace["rev"] == 2).await;
    // A client is faster than the person at the page.
    let item = &window(&snapshot, "one")["id"];
    client.control("closeItem", json!({ "itemId": item })).await.unwrap();
    let answer = page.edit(&seen, json!({ "op": "remove", "item": item })).await.unwrap();
    assert_eq!(answer["status"], "stale");
    assert_eq!(answer["workspace"]["rev"], 3);
    assert_eq!(states(&answer["workspace"]).len(), 1);
    let refused = page.edit(&answer["workspace"], json!({ "op": "explode" })).await.unwrap_err();
    assert!(refused.starts_with("bad-edit: ") && refused.contains("select-workspace"), "{refused}");
}

#[tokio::test]
async fn a_page_that_is_gone_leaves_its_workspaces_asleep_for_the_next() {
    let desktop = Desktop::start().await;
    let page = desktop.page(Some("left-screen")).await;
    let client = desktop.client("client").await;
    let mut heard = client.listen("Workspace", "global").await;
    let id = client.create(json!([app("clients")])).await["id"].clone();
    assert_eq!((heard.next().await.0, heard.next().await.0), ("opened".into(), "selected".into()));
    page.leave().await;
    let (action, payload) = heard.next().await;
    assert_eq!((action.as_str(), &payload["workspaceSummary"]["id"]), ("hibernated", &id));
    assert!(desktop.windows.running().is_empty());

    let page = desktop.page(None).await;
    assert_eq!(page.frame, "left-screen");
    assert_eq!(heard.next().await.0, "resumed");
    assert_eq!(desktop.windows.running().len(), 1);
}

#[tokio::test]
async fn a_page_that_reloads_finds_its_windows_running() {
    let desktop = Desktop::start().await;
    let page = desktop.page(Some("screen")).await;
    let client = desktop.client("client").await;
    let snapshot = client.create(json!([app("clients")])).await;
    let id = window(&snapshot, "clients")["config"]["windowId"].clone();
    let ask = json!({ "windowId": id });
    let ticket = page.peer.call("Deskwire.Frame.Window", ask.clone()).await.unwrap();
    page.leave().await;
    let page = desktop.page(Some("screen")).await;
    assert_eq!(page.peer.call("Deskwire.Frame.Window", ask).await.unwrap(), ticket);
}

#[tokio::test]
async fn a_frame_is_its_holders_alone() {
    let desktop = Desktop::start().await;
    let page = desktop.page(Some("screen")).await;
    let other = desktop.client("other").await;
    let taken = other.call("Deskwire.Frame.Attach", json!({ "frameId": "screen" })).await;
    assert!(taken.unwrap_err().starts_with("frame-taken: "));
    let options = deskwire_connect::SubscribeOptions::default();
    let arguments = json!({ "frameId": page.frame }).into();
    let refused = other.0.subscribe("Deskwire.Frame.Events", arguments, options).await;
    assert!(refused.unwrap_err().to_string().contains("not-yours: "));
    let reported = json!({ "bounds": { "width": 10, "height": 10 } });
    let refused = other.call("Deskwire.Frame.Report", reported).await.unwrap_err();
    assert!(refused.starts_with("not-attached: "), "{refused}");
    let refused = page.peer.call("Deskwire.Frame.Report", json!({})).await.unwrap_err();
    assert!(refused.starts_with("bad-arguments: "), "{refused}");
}

#[tokio::test]
async fn what_happens_to_instances_shows_in_their_windows() {
    let desktop = Desktop::start().await;
    let mut page = desktop.page(None).await;
    let client = desktop.client("client").await;
    client.create(json!([app("one"), app("two"), app("three")])).await;
    let seen = page.workspace(|workspace| workspace["rev"] == 2).await;
    let instance = |app: &str| {
        let windows = seen["windows"].as_object().unwrap().values();
        let window = windows.into_iter().find(|window| window["appName"] == app).unwrap();
        InstanceRef::from(window["instanceId"].as_str().unwrap())
    };
    desktop.windows.tell(WindowEvent::Ready(instance("one")));
    desktop.windows.tell(WindowEvent::Failed(instance("two"), "it crashed".into()));
    desktop.windows.tell(WindowEvent::Stopped(instance("three")));
    let seen = page.workspace(|workspace| workspace["rev"] == 5).await;
    let expected = [("one", "ready"), ("two", "failed")];
    assert_eq!(states(&seen), expected.map(|(one, other)| (one.to_owned(), other.to_owned())));
}

#[tokio::test]
async fn an_application_is_shown_where_a_desk_is_open() {
    let desktop = Desktop::start().await;
    let show = async |application: &str| {
        let show = ShowWindow {
            application: application.to_owned(),
            context: json!({ "id": 7 }).as_object().unwrap().clone(),
            title: None,
            address: None,
            options: None,
        };
        desktop.workspaces.show(show).await
    };
    assert_eq!(show("clients").await, Err(ShowError::NoDesk));
    let page = desktop.page(None).await;
    let (window, instance) = show("clients").await.unwrap();
    let ticket = page.peer.call("Deskwire.Frame.Window", json!({ "windowId": window })).await;
    assert_eq!(ticket.unwrap()["instanceId"], instance.as_str());
    let reason = "there is no application `nope`".to_owned();
    assert_eq!(show("nope").await, Err(ShowError::NotStarted { reason }));
    assert_eq!(desktop.windows.running(), [("clients".to_owned(), json!({ "id": 7 }))]);
    assert_eq!(desktop.workspaces.close(&instance).await, Ok(true));
    assert_eq!(desktop.workspaces.close(&instance).await, Ok(false));
    let desk = desktop.workspaces.desk();
    assert!(desk.workspaces.values().all(|workspace| workspace.windows.is_empty()));
}
