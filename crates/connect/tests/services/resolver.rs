//! Asking the person through the desktop's own application.

use std::sync::Arc;

use deskwire_connect::services::intents::{PlatformResolver, Raise, RaiseError, WhenSeveral};
use deskwire_connect::wire::Payload;
use deskwire_connect::{Call, CallFailure, Client, InvokeOptions};
use serde_json::{Value, json};

use crate::desk::{Desk, Platform, idle, listens, named, within};

fn raise(client: &Client) -> Raise {
    let resolver = Arc::new(PlatformResolver::new(client.clone()));
    Raise {
        when_several: WhenSeveral::Ask(resolver),
        ..Raise::new("Show", json!({"type": "instrument"}).into())
    }
}

/// Waits for what the resolver was started with.
async fn asked(platform: &Platform) -> Value {
    let mut started = platform.started.clone();
    let started = within(started.wait_for(|all| !all.is_empty())).await.unwrap();
    started[0]["Context"].clone()
}

struct Scene {
    desk: Desk,
    platform: Platform,
    client: Client,
    _handlers: Vec<(Client, crate::desk::Listening)>,
}

async fn scene(apps: Value) -> Scene {
    let desk = Desk::new();
    let platform = Platform::new(&desk, apps, idle).await;
    let mut handlers = Vec::new();
    for (application, id) in [("one", "one-1"), ("two", "two-1")] {
        let app = desk.instance(application, id).await;
        let listening = listens(&app, "Show", json!({"by": id})).await;
        handlers.push((app, listening));
    }
    let client = desk.instance("caller", "caller-1").await;
    Scene { desk, platform, client, _handlers: handlers }
}

#[tokio::test(start_paused = true)]
async fn the_person_is_asked_and_only_the_one_asked_may_answer() {
    let Scene { desk, platform, client, _handlers } =
        scene(json!([{"name": "intentsResolver"}])).await;
    let answers = async {
        let question = asked(&platform).await;
        assert_eq!(question["initialCaller"]["applicationName"], "caller");
        let handlers = question["intent"]["handlers"].as_array().unwrap();
        let two = handlers.iter().find(|it| it["instanceId"] == "two-1").unwrap();
        let answer = json!({"intent": "Show", "handler": two});
        let method = question["methodName"].as_str().unwrap();
        let one = handlers.iter().find(|it| it["instanceId"] == "one-1").unwrap();
        let stranger = desk.instance("stranger", "stranger-1").await;
        let forged = Payload::from(json!({"intent": "Show", "handler": one}));
        stranger.invoke(method, forged, InvokeOptions::default()).await.unwrap();
        let resolver = desk.instance("intentsResolver", "intentsResolver-1").await;
        resolver.invoke(method, answer.into(), InvokeOptions::default()).await.unwrap();
    };
    let (raised, ()) = tokio::join!(client.intents().raise(raise(&client)), answers);
    assert_eq!(raised.unwrap().result.value()["by"], "two-1");
    let mut stopped = platform.stopped.clone();
    within(stopped.wait_for(|ids| *ids == ["intentsResolver-1"])).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_closed_question_is_a_cancelled_intent() {
    let Scene { platform, client, _handlers, .. } =
        scene(json!([{"name": "intentsResolver"}])).await;
    let closes = async {
        asked(&platform).await;
        let gone = json!({"Id": "intentsResolver-1", "Name": "intentsResolver"});
        platform.tells(json!({"OnApplicationStopped": [gone]})).await;
    };
    let (raised, ()) = tokio::join!(client.intents().raise(raise(&client)), closes);
    let error = raised.unwrap_err();
    assert_eq!(error, RaiseError::UserCancelledResolution { intent: "Show".into() });
}

#[tokio::test(start_paused = true)]
async fn a_desktop_without_the_application_takes_the_first() {
    let Scene { platform, client, _handlers, .. } = scene(json!([])).await;
    let raised = within(client.intents().raise(raise(&client))).await.unwrap();
    assert_eq!(raised.result.value()["by"], "one-1");
    assert!(platform.started.borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_remembered_choice_is_not_asked_again() {
    let Scene { desk, platform, client, _handlers } =
        scene(json!([{"name": "intentsResolver"}])).await;
    let keeper = desk.peer("keeper").await;
    let get = |call: Call| async move {
        let handler = json!({"applicationName": "two", "type": "instance", "instanceId": "two-1"});
        let kept = json!({"app": call.arguments.value()["app"],
                          "data": {"intents": {"Show": {"handler": handler}}}});
        Ok::<_, CallFailure>(Payload::from(kept))
    };
    let _get = keeper.register(named("T42.Prefs.Get"), get).await.unwrap();
    let mut changes = client.directory_changes();
    while !client.preferences().available() {
        within(changes.changed()).await.unwrap();
    }
    let raised = within(client.intents().raise(raise(&client))).await.unwrap();
    assert_eq!(raised.result.value()["by"], "two-1");
    assert!(platform.started.borrow().is_empty());
}
