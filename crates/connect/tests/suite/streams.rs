//! Streams, from both ends.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{
    Client, Limits, Options, Publisher, SubscribeError, SubscribeOptions, Subscriber, Subscription,
    SubscriptionRequest, Target,
};
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};

use super::world::{method, payload, serve};
use super::{Lines, World};

fn options() -> SubscribeOptions {
    SubscribeOptions { wait_for_stream: Duration::from_secs(10), ..SubscribeOptions::default() }
}

async fn subscribe(client: &Client, name: &str, branch: &str) -> Subscription {
    let arguments = payload(json!({"branch": branch}));
    client.subscribe(name, arguments, options()).await.unwrap()
}

/// A stream that accepts everybody on the branch they ask for, and greets them
/// there. Yields them one by one.
pub(crate) async fn publish(
    client: &Client,
    name: &str,
) -> (Publisher, mpsc::Receiver<Subscriber>) {
    let (accepted, subscribers) = mpsc::channel(16);
    let accept = move |request: SubscriptionRequest| {
        let accepted = accepted.clone();
        async move {
            let branch = request.arguments().value()["branch"].as_str().unwrap_or("").to_owned();
            if let Some(subscriber) = request.accept_on(&branch).await {
                subscriber.push(payload(json!({"hello": branch}))).await.unwrap();
                accepted.send(subscriber).await.unwrap();
            }
        }
    };
    (client.register_stream(method(name), accept).await.unwrap(), subscribers)
}

async fn next(subscription: &mut Subscription) -> Value {
    subscription.next().await.unwrap().data.value().clone()
}

pub(crate) async fn events_reach_the_branch_they_are_for(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let (publisher, mut subscribers) = publish(&server, "Prices").await;
    let mut a = subscribe(&client, "prices", "a").await;
    let mut b = subscribe(&client, "Prices", "b").await;
    let first = subscribers.recv().await.unwrap();
    subscribers.recv().await.unwrap();

    let hello = a.next().await.unwrap();
    assert_eq!(hello.data.value(), &json!({"hello": "a"}));
    assert!(hello.out_of_band);
    assert_eq!(hello.server.application(), "server");
    assert_eq!(next(&mut b).await, json!({"hello": "b"}));

    publisher.push_to("a", payload(json!({"n": 1}))).await.unwrap();
    publisher.push_to("nobody", payload(json!({"n": 2}))).await.unwrap();
    publisher.push(payload(json!({"n": 3}))).await.unwrap();
    first.push(payload(json!({"n": 4}))).await.unwrap();
    publisher.push(payload(json!({"n": 5}))).await.unwrap();
    let one = a.next().await.unwrap();
    assert!(!one.out_of_band);
    assert_eq!(one.data.value(), &json!({"n": 1}));
    for n in [3, 4, 5] {
        assert_eq!(next(&mut a).await, json!({"n": n}));
    }
    for n in [3, 5] {
        assert_eq!(next(&mut b).await, json!({"n": n}));
    }

    let there = publisher.subscribers();
    let branches: Vec<_> = there.iter().map(Subscriber::branch).collect();
    assert_eq!(branches, ["a", "b"]);
    assert_eq!(there[0].caller_identity().unwrap().application(), Some("client"));
}

pub(crate) async fn a_refusal_comes_in_the_publishers_words(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let refuse = |request: SubscriptionRequest| request.reject("not for you");
    let _publisher = server.register_stream(method("Private"), refuse).await.unwrap();
    let error = client.subscribe("Private", payload(json!({})), options()).await.unwrap_err();
    match error {
        SubscribeError::Refused { application, reason, .. } => {
            assert_eq!(application, "server");
            assert!(reason.contains("not for you"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn either_side_can_end_it(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let (publisher, mut subscribers) = publish(&server, "Prices").await;

    let subscription = subscribe(&client, "Prices", "").await;
    let subscriber = subscribers.recv().await.unwrap();
    assert!(!subscriber.has_left());
    drop(subscription);
    subscriber.left().await;
    assert!(publisher.subscribers().is_empty());

    let mut subscription = subscribe(&client, "Prices", "").await;
    let subscriber = subscribers.recv().await.unwrap();
    subscriber.close("enough").await;
    assert_eq!(next(&mut subscription).await, json!({"hello": ""}));
    assert!(subscription.next().await.is_none());
    match subscription.ended().unwrap() {
        SubscribeError::Ended { reason, .. } => assert_eq!(reason, "enough"),
        other => panic!("{other:?}"),
    }

    let mut subscription = subscribe(&client, "Prices", "").await;
    let subscriber = subscribers.recv().await.unwrap();
    publisher.close().await.unwrap();
    subscriber.left().await;
    assert_eq!(next(&mut subscription).await, json!({"hello": ""}));
    assert!(subscription.next().await.is_none());
}

pub(crate) async fn a_publisher_that_leaves_ends_it(world: &World) {
    let lines = Lines::default();
    let server = world.peer_on(&lines, world.options("server")).await;
    let client = world.peer("client").await;
    let (_publisher, _subscribers) = publish(&server, "Prices").await;
    let mut subscription = subscribe(&client, "Prices", "").await;
    lines.close();
    while subscription.next().await.is_some() {}
    let error = subscription.ended().unwrap().to_string();
    assert!(error.contains("server"), "{error}");
}

pub(crate) async fn a_slow_reader_loses_the_oldest_and_is_told(world: &World) {
    let server = world.peer("server").await;
    let limits = Limits { queued_events: 4, ..Limits::default() };
    let options = Options { limits, ..world.options("client") };
    let client = world.peer_on(&Lines::default(), options).await;
    let (publisher, mut subscribers) = publish(&server, "Prices").await;
    let mut slow = subscribe(&client, "Prices", "").await;
    let mut last = subscribe(&client, "Prices", "end").await;
    subscribers.recv().await.unwrap();
    subscribers.recv().await.unwrap();
    for n in 0..10 {
        publisher.push_to("", payload(json!({"n": n}))).await.unwrap();
    }
    // What one peer sends arrives in order: after this, all of the above is there.
    publisher.push_to("end", payload(json!({"n": "end"}))).await.unwrap();
    assert_eq!(next(&mut last).await, json!({"hello": "end"}));
    assert_eq!(next(&mut last).await, json!({"n": "end"}));
    let first = slow.next().await.unwrap();
    // The greeting and the first six are lost.
    assert_eq!((first.data.value(), first.missed), (&json!({"n": 6}), 7));
    assert_eq!(slow.next().await.unwrap().missed, 0);
}

pub(crate) async fn an_undecided_subscriber_is_refused(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let forget = |request: SubscriptionRequest| async move { drop(request) };
    let _forgetful = server.register_stream(method("Forgetful"), forget).await.unwrap();
    let error = client.subscribe("Forgetful", payload(json!({})), options()).await.unwrap_err();
    assert!(matches!(error, SubscribeError::Refused { .. }), "{error:?}");

    let held = Arc::new(Mutex::new(Vec::new()));
    let holder = Arc::clone(&held);
    let hold = move |request: SubscriptionRequest| {
        let holder = Arc::clone(&holder);
        async move { holder.lock().await.push(request) }
    };
    let _undecided = server.register_stream(method("Undecided"), hold).await.unwrap();
    let after = Duration::from_millis(50);
    let impatient = SubscribeOptions { decision_timeout: after, ..options() };
    let error = client.subscribe("Undecided", payload(json!({})), impatient).await.unwrap_err();
    assert_eq!(error, SubscribeError::TimedOut { name: "Undecided".into(), after });
    // Accepted after all: the subscriber closes it at once.
    let request = held.lock().await.pop().unwrap();
    if let Some(subscriber) = request.accept().await {
        subscriber.left().await;
    }
}

pub(crate) async fn all_publishers_can_be_subscribed_at_once(world: &World) {
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    let (_one, _subscribers) = publish(&one, "Prices").await;
    let (_two, _more) = publish(&two, "Prices").await;
    let client = world.peer("client").await;
    let all = SubscribeOptions { target: Target::All, ..options() };
    let mut all = client.subscribe("Prices", payload(json!({})), all).await.unwrap();
    let mut from = Vec::new();
    for _ in 0..2 {
        from.push(all.next().await.unwrap().server.application().to_owned());
    }
    from.sort();
    assert_eq!(from, ["one", "two"]);
    one.close().await;
    two.close().await;
    assert!(all.next().await.is_none());
}

pub(crate) async fn a_call_is_no_subscription(world: &World) {
    let (server, client) = (world.peer("server").await, world.peer("client").await);
    let (_publisher, _subscribers) = publish(&server, "Stream").await;
    let _method = serve(&server, "Method", "server").await;
    let patient = options();
    let hasty = SubscribeOptions::default();
    client.subscribe("Stream", payload(json!({})), patient).await.unwrap();
    let error = client.subscribe("Method", payload(json!({})), hasty).await.unwrap_err();
    assert_eq!(error, SubscribeError::NoSuchStream { name: "Method".into() });
}
