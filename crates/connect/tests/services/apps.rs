//! Applications: what there is, starting, and a bus without a platform.

use std::time::Duration;

use deskwire_connect::services::ServiceError;
use deskwire_connect::services::apps::{AppEvent, Declared, Instance, StartError, StartOptions};
use serde_json::json;
use tokio::time::Instant;

use crate::desk::{Desk, Platform, idle, silent, within};

#[tokio::test(start_paused = true)]
async fn a_bus_without_a_platform_says_so_within_a_second() {
    let desk = Desk::new();
    let client = desk.peer("caller").await;
    assert!(!client.apps().available() && !client.workspaces().available());
    let began = Instant::now();
    let missing = |error: ServiceError, method: &str| {
        assert_eq!(error, ServiceError::NotAvailable { method: method.into() });
    };
    missing(client.apps().list().await.unwrap_err(), "T42.ACS.GetApplications");
    missing(client.layouts().list().await.unwrap_err(), "T42.ACS.Command");
    missing(client.preferences().get("orders").await.unwrap_err(), "T42.Prefs.Get");
    let error = client.workspaces().list().await.unwrap_err().to_string();
    assert!(error.contains("no platform on this bus offers `T42.Workspaces.Control`"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_started_application_is_on_the_bus() {
    let desk = Desk::new();
    let platform = Platform::new(&desk, json!([{"name": "orders"}]), silent).await;
    let client = desk.peer("caller").await;
    let options = StartOptions {
        context: json!({"client": "C-1"}).into(),
        options: json!({"width": 400}).as_object().cloned().unwrap(),
        ..StartOptions::default()
    };
    let instance = client.apps().start("orders", options).await.unwrap();
    assert_eq!(instance, Instance::new("orders-1", "orders"));
    let directory = client.directory();
    let mut servers = directory.servers();
    assert!(servers.any(|server| server.identity.instance() == Some("orders-1")));
    assert_eq!(
        platform.started.borrow()[..],
        [json!({"Name": "orders", "Context": {"client": "C-1"}, "Options": {"width": 400}})]
    );
    client.apps().stop(&instance).await.unwrap();
    assert_eq!(*platform.stopped.borrow(), ["orders-1"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_started_says_why() {
    let desk = Desk::new();
    let platform = Platform::new(&desk, json!([{"name": "orders"}]), idle).await;
    let client = desk.peer("caller").await;
    let start = |name: &'static str| client.apps().start(name, StartOptions::default());

    let similar =
        StartError::AppNotFound { application: "Orders".into(), similar: Some("orders".into()) };
    assert_eq!(start("Orders").await.unwrap_err(), similar);

    let began = Instant::now();
    let late = start("orders").await.unwrap_err();
    assert!(matches!(late, StartError::AppTimeout { .. }), "{late}");
    assert_eq!(began.elapsed().as_secs(), 15);

    // One that ends at once is not waited for.
    let began = Instant::now();
    let failing = async {
        let mut started = client.apps().events().await.unwrap();
        assert_eq!(within(started.next()).await, Some(AppEvent::Snapshot));
        platform
            .tells(json!({"OnApplicationStartFailed": [
            {"Id": "orders-3", "Name": "orders", "Reason": "exit code 3"}]}))
            .await;
    };
    // The event may come before the answer; it is kept.
    let (failed, ()) = tokio::join!(start("orders"), failing);
    let failed = failed.unwrap_err().to_string();
    assert_eq!(failed, "`orders` could not be started: exit code 3");
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn what_applications_handle_is_followed() {
    let desk = Desk::new();
    let client = desk.peer("caller").await;
    let mut followed = client.apps().follow_intents();
    within(followed.wait_for(|it| *it == Declared::NoPlatform)).await.unwrap();
    let apps = json!([{"name": "chart", "intents": [{"name": "Show"}]}, {"name": "orders"}]);
    let platform = Platform::new(&desk, apps, idle).await;
    let known = within(followed.wait_for(|it| matches!(it, Declared::Known(_)))).await.unwrap();
    assert_eq!(known.applications().len(), 1);
    assert_eq!(known.applications()[0].intents[0].name, "Show");
    drop(known);
    drop(platform);
    within(followed.wait_for(|it| *it == Declared::NoPlatform)).await.unwrap();
}
