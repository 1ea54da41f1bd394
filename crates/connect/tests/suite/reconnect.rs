//! Lost links: what comes back, and what does not.

use std::time::Duration;

use deskwire_connect::wire::{Payload, PeerId};
use deskwire_connect::{
    Call, CallFailure, Client, ConnectError, InvokeError, InvokeOptions, Publication, RequestError,
    Status, SubscribeOptions, Target,
};
use serde_json::json;
use tokio::sync::{mpsc, watch};

use super::contexts::until;
use super::streams::publish;
use super::topics;
use super::world::{eventually, method, payload, register, serve};
use super::{Lines, World};

fn peer_id(status: &Status) -> Option<PeerId> {
    match status {
        Status::Ready { peer_id, .. } => Some(peer_id.clone()),
        _ => None,
    }
}

/// Cuts the line and waits for the session on the next one.
async fn reconnect(client: &Client, lines: &Lines) -> PeerId {
    let mut status = client.status();
    let before = peer_id(&status.borrow()).unwrap();
    lines.cut();
    new_session(&mut status, &before).await
}

async fn new_session(status: &mut watch::Receiver<Status>, before: &PeerId) -> PeerId {
    let now = status.wait_for(|status| peer_id(status).is_some_and(|now| now != *before)).await;
    peer_id(&now.unwrap()).unwrap()
}

pub(crate) async fn a_new_session_after_a_lost_link(world: &World) {
    let lines = Lines::default();
    let client = world.peer_on(&lines, world.options("client")).await;
    let other = world.peer("other").await;
    let mut status = client.status();
    let before = peer_id(&status.borrow()).unwrap();
    lines.close();
    status.wait_for(|status| matches!(status, Status::Connecting { .. })).await.unwrap();
    assert_eq!(client.directory().servers().count(), 0);
    let refused = client.invoke("Any", payload(json!({})), InvokeOptions::default()).await;
    assert_eq!(refused.unwrap_err(), InvokeError::Request(RequestError::NotConnected));
    lines.open();
    let after = new_session(&mut status, &before).await;
    assert_ne!(before, after);
    assert_eq!(client.directory().servers().count(), 2);
    eventually(&mut other.directory_changes(), || {
        let directory = other.directory();
        (directory.server(&after).is_some() && directory.server(&before).is_none()).then_some(())
    })
    .await;
}

pub(crate) async fn methods_come_back_under_new_ids(world: &World) {
    let lines = Lines::default();
    let server = world.peer_on(&lines, world.options("server")).await;
    let client = world.peer("client").await;
    let registration = serve(&server, "Here", "server").await;
    let before = registration.method_key().unwrap();
    reconnect(&server, &lines).await;
    let after = registration.method_key().unwrap();
    assert_ne!(before.method, after.method);
    // One method and one invocation per call, not one per life.
    eventually(&mut client.directory_changes(), || {
        let directory = client.directory();
        let found: Vec<_> = directory.find("Here").map(|(_, method)| &method.key).collect();
        (found == [&after]).then_some(())
    })
    .await;
    let all = InvokeOptions { target: Target::All, ..InvokeOptions::default() };
    let answers = client.invoke("Here", payload(json!({})), all).await.unwrap();
    assert_eq!(answers.iter().count(), 1);
    assert_eq!(answers.first().unwrap().value()["server"], "server");
    // What was registered while there was no link is there as well.
    let mut status = server.status();
    lines.close();
    status.wait_for(|status| peer_id(status).is_none()).await.unwrap();
    let registering = serve(&server, "Later", "server");
    let (_later, ()) = tokio::join!(registering, async { lines.open() });
    let wait =
        InvokeOptions { wait_for_method: Duration::from_secs(10), ..InvokeOptions::default() };
    client.invoke("Later", payload(json!({})), wait).await.unwrap().first().unwrap();
}

pub(crate) async fn pending_calls_fail_at_once_by_name(world: &World) {
    let lines = Lines::default();
    let server = world.peer("server").await;
    let client = world.peer_on(&lines, world.options("client")).await;
    let (started, mut starts) = mpsc::channel(1);
    let stuck = move |_: Call| {
        let started = started.clone();
        async move {
            started.send(()).await?;
            std::future::pending::<Result<Payload, CallFailure>>().await
        }
    };
    let _stuck = register(&server, "Stuck", stuck).await;
    let wait =
        InvokeOptions { wait_for_method: Duration::from_secs(10), ..InvokeOptions::default() };
    let cutting = async {
        starts.recv().await.unwrap();
        lines.close();
    };
    let (answers, ()) = tokio::join!(client.invoke("Stuck", payload(json!({})), wait), cutting);
    match answers.unwrap().first().unwrap_err() {
        InvokeError::ConnectionLost { application, .. } => assert_eq!(application, "server"),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn subscriptions_are_made_again(world: &World) {
    let (near, far) = (Lines::default(), Lines::default());
    let server = world.peer_on(&far, world.options("server")).await;
    let client = world.peer_on(&near, world.options("client")).await;
    let (publisher, mut subscribers) = publish(&server, "Prices").await;
    let options = SubscribeOptions {
        wait_for_stream: Duration::from_secs(10),
        ..SubscribeOptions::default()
    };
    let mut prices = client.subscribe("Prices", payload(json!({})), options).await.unwrap();
    let first = subscribers.recv().await.unwrap();
    assert!(prices.next().await.unwrap().out_of_band);

    reconnect(&client, &near).await;
    first.left().await;
    subscribers.recv().await.unwrap();
    assert!(prices.next().await.unwrap().out_of_band, "a newcomer is greeted again");
    publisher.push(payload(json!({"n": 1}))).await.unwrap();
    assert_eq!(prices.next().await.unwrap().data.value(), &json!({"n": 1}));

    // Both go, as when the gateway restarts, and the publisher is the last to return.
    let (mut server_status, mut client_status) = (server.status(), client.status());
    let before = peer_id(&client_status.borrow()).unwrap();
    near.close();
    client_status.wait_for(|status| peer_id(status).is_none()).await.unwrap();
    far.close();
    server_status.wait_for(|status| peer_id(status).is_none()).await.unwrap();
    near.open();
    new_session(&mut client_status, &before).await;
    far.open();
    subscribers.recv().await.unwrap();
    assert!(prices.next().await.unwrap().out_of_band);
    publisher.push(payload(json!({"n": 2}))).await.unwrap();
    assert_eq!(prices.next().await.unwrap().data.value(), &json!({"n": 2}));
    assert_eq!(prices.ended(), None);
}

pub(crate) async fn contexts_are_followed_again(world: &World) {
    let shared = &world.name("shared");
    let lines = Lines::default();
    let client = world.peer_on(&lines, world.options("client")).await;
    let other = world.peer("other").await;
    other.contexts().set(shared, payload(json!({"n": 0}))).await.unwrap();
    let mut follower = client.contexts().subscribe(shared).await.unwrap();
    until(&mut follower, &json!({"n": 0})).await;
    let mut status = client.status();
    let before = peer_id(&status.borrow()).unwrap();
    lines.close();
    status.wait_for(|status| peer_id(status).is_none()).await.unwrap();
    let error = client.contexts().update(shared, payload(json!({"lost": 1}))).await.unwrap_err();
    assert!(error.to_string().contains("not connected"), "{error}");
    other.contexts().update(shared, payload(json!({"n": 1}))).await.unwrap();
    lines.open();
    new_session(&mut status, &before).await;
    // Nothing of before is written back.
    until(&mut follower, &json!({"n": 1})).await;
    other.contexts().update(shared, payload(json!({"n": 2}))).await.unwrap();
    until(&mut follower, &json!({"n": 2})).await;
    client.contexts().update(shared, payload(json!({"m": 1}))).await.unwrap();
    until(&mut follower, &json!({"n": 2, "m": 1})).await;
}

pub(crate) async fn topics_are_subscribed_again(world: &World) {
    let lines = Lines::default();
    let client = world.peer_on(&lines, world.options("client")).await;
    let mut news = client.topics().subscribe("news", None).await.unwrap();
    reconnect(&client, &lines).await;
    // One peer's frames are handled in order: the subscription comes first.
    client.topics().publish(Publication::new("news", payload(json!({"n": 1})))).await.unwrap();
    assert_eq!(topics::next(&mut news).await, json!({"n": 1}));
}

pub(crate) async fn closing_is_final(world: &World) {
    let shared = &world.name("shared");
    let client = world.peer("client").await;
    let other = world.peer("other").await;
    let registration = serve(&client, "Here", "client").await;
    let mut follower = client.contexts().subscribe(shared).await.unwrap();
    client.close().await;
    assert_eq!(*client.status().borrow(), Status::Closed);
    assert_eq!(client.ready().await, Err(ConnectError::Closed));
    let refused = client.invoke("Here", payload(json!({})), InvokeOptions::default()).await;
    assert_eq!(refused.unwrap_err(), InvokeError::Request(RequestError::Closed));
    let handler = |_: Call| async { Ok(payload(json!({}))) };
    assert!(client.register(method("More"), handler).await.is_err());
    while follower.next().await.is_some() {}
    assert!(follower.ended().is_some());
    drop(registration);
    eventually(&mut other.directory_changes(), || {
        other.directory().find("Here").next().is_none().then_some(())
    })
    .await;

    // The last handle that is dropped closes as well.
    let dropped = world.peer("dropped").await;
    let mut status = dropped.status();
    drop(dropped);
    let closed = status.wait_for(|status| *status == Status::Closed).await;
    assert!(closed.is_ok());
}
