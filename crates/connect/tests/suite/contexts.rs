//! Shared contexts.

use deskwire_connect::wire::Delta;
use deskwire_connect::{Client, ContextError, ContextSubscription, Status};
use serde_json::{Value, json};

use super::World;
use super::world::payload;

/// The data of a context, or null.
async fn data(client: &Client, name: &str) -> Value {
    let data = client.contexts().get(name).await.unwrap();
    data.map_or(Value::Null, |data| data.to_payload().value().clone())
}

/// The data after the next change.
async fn next(subscription: &mut ContextSubscription) -> Value {
    subscription.next().await.unwrap().data.to_payload().value().clone()
}

/// Reads on until the data is this.
pub(crate) async fn until(subscription: &mut ContextSubscription, wanted: &Value) {
    while next(subscription).await != *wanted {}
}

pub(crate) async fn what_one_sets_another_reads(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    assert!(one.contexts().get(shared).await.unwrap().is_none());
    one.contexts().set(shared, payload(json!({"a": 1, "o": {"p": [1]}}))).await.unwrap();
    let mut follower = two.contexts().subscribe(shared).await.unwrap();
    until(&mut follower, &json!({"a": 1, "o": {"p": [1]}})).await;
    assert_eq!(data(&two, shared).await, json!({"a": 1, "o": {"p": [1]}}));
    one.contexts().set(shared, payload(json!({"b": 2}))).await.unwrap();
    assert_eq!(data(&one, shared).await, json!({"b": 2}));
    until(&mut follower, &json!({"b": 2})).await;

    let error = one.contexts().set(shared, payload(json!([1]))).await.unwrap_err();
    assert!(matches!(error, ContextError::Data { .. }), "{error:?}");
}

pub(crate) async fn an_update_replaces_keys_and_leaves_the_rest(world: &World) {
    let shared = &world.name("shared");
    let made = &world.name("made by update");
    let client = world.peer("client").await;
    let start = json!({"keep": 1, "o": {"p": 1, "q": 2}, "gone": true});
    client.contexts().set(shared, payload(start)).await.unwrap();
    let changes = json!({"o": {"p": 5}, "gone": null, "new": "x", "dotted.key": 1});
    client.contexts().update(shared, payload(changes)).await.unwrap();
    assert_eq!(
        data(&client, shared).await,
        json!({"keep": 1, "o": {"p": 5}, "new": "x", "dotted.key": 1})
    );
    client.contexts().update(made, payload(json!({"a": 1, "b": null}))).await.unwrap();
    assert_eq!(data(&client, made).await, json!({"a": 1}));
    let error =
        client.contexts().update(shared, payload(json!({"__proto__": {}}))).await.unwrap_err();
    assert!(matches!(error, ContextError::Change { .. }), "{error:?}");
}

pub(crate) async fn what_is_so_already_is_not_sent(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    one.contexts().set(shared, payload(json!({"a": 1, "b": 1}))).await.unwrap();
    let mut follower = two.contexts().subscribe(shared).await.unwrap();
    until(&mut follower, &json!({"a": 1, "b": 1})).await;
    one.contexts().update(shared, payload(json!({"a": 1, "nothing": null}))).await.unwrap();
    one.contexts().update(shared, payload(json!({"a": 1, "b": 2}))).await.unwrap();
    let change = follower.next().await.unwrap();
    match &*change.delta {
        Delta::Commands(commands) => assert_eq!(commands.len(), 1),
        other => panic!("{other:?}"),
    }
    assert_eq!(change.data.to_payload().value(), &json!({"a": 1, "b": 2}));
}

pub(crate) async fn paths_reach_inside(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    one.contexts().set_path(shared, "o.p.q", payload(json!(1))).await.unwrap();
    let values = [("o.r", json!([1])), ("o.p.s", json!(2)), ("o.p.q", json!(null))];
    let values = values.map(|(path, value)| (path.to_owned(), payload(value)));
    one.contexts().set_paths(shared, values).await.unwrap();
    let mut follower = two.contexts().subscribe(shared).await.unwrap();
    until(&mut follower, &json!({"o": {"p": {"s": 2}, "r": [1]}})).await;
    assert_eq!(data(&one, shared).await, json!({"o": {"p": {"s": 2}, "r": [1]}}));
}

pub(crate) async fn followers_hear_of_every_change_and_its_author(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    one.contexts().set(shared, payload(json!({"n": 0}))).await.unwrap();
    let mut mine = one.contexts().subscribe(shared).await.unwrap();
    let mut theirs = two.contexts().subscribe(shared).await.unwrap();
    until(&mut theirs, &json!({"n": 0})).await;
    let first = mine.next().await.unwrap();
    assert!(matches!(&*first.delta, Delta::Reset(_)));
    one.contexts().update(shared, payload(json!({"n": 1}))).await.unwrap();
    two.contexts().update(shared, payload(json!({"n": 2}))).await.unwrap();
    let author = |client: &Client| match &*client.status().borrow() {
        Status::Ready { peer_id, .. } => peer_id.clone(),
        other => panic!("{other:?}"),
    };
    for follower in [&mut mine, &mut theirs] {
        for (n, who) in [(1, &one), (2, &two)] {
            let change = follower.next().await.unwrap();
            assert_eq!(change.data.get("n").unwrap().value(), &json!(n));
            assert_eq!(change.updater, Some(author(who)));
            assert_eq!(change.missed, 0);
        }
    }
}

pub(crate) async fn two_updates_at_once_are_both_kept(world: &World) {
    let fresh = &world.name("fresh");
    let raced = &world.name("raced");
    let client = world.peer("client").await;
    let contexts = client.contexts();
    // At once on a context that does not exist.
    let (a, b) = tokio::join!(
        contexts.update(fresh, payload(json!({"a": 1}))),
        contexts.update(fresh, payload(json!({"b": 2}))),
    );
    a.and(b).unwrap();
    assert_eq!(data(&client, fresh).await, json!({"a": 1, "b": 2}));
    // There and back: the last one is no repetition of what was before.
    let (a, b, c) = tokio::join!(
        contexts.update(fresh, payload(json!({"a": 5}))),
        contexts.update(fresh, payload(json!({"a": 6}))),
        contexts.update(fresh, payload(json!({"a": 5}))),
    );
    a.and(b).and(c).unwrap();
    assert_eq!(data(&client, fresh).await, json!({"a": 5, "b": 2}));
    // Two clients that both make it.
    let other = world.peer("other").await;
    let (a, b) = tokio::join!(
        client.contexts().update(raced, payload(json!({"a": 1}))),
        other.contexts().update(raced, payload(json!({"b": 2}))),
    );
    a.and(b).unwrap();
    let mut follower = client.contexts().subscribe(raced).await.unwrap();
    until(&mut follower, &json!({"a": 1, "b": 2})).await;
}

pub(crate) async fn two_writers_see_the_same_end(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    one.contexts().set(shared, payload(json!({"n": 0}))).await.unwrap();
    let mut mine = one.contexts().subscribe(shared).await.unwrap();
    let mut theirs = two.contexts().subscribe(shared).await.unwrap();
    let write = async |client: &Client, from: u32| {
        for n in from..from + 50 {
            client.contexts().update(shared, payload(json!({"n": n}))).await.unwrap();
        }
    };
    tokio::join!(write(&one, 100), write(&two, 200));
    one.contexts().update(shared, payload(json!({"end": true}))).await.unwrap();
    let mut ends = Vec::new();
    for follower in [&mut mine, &mut theirs] {
        ends.push(loop {
            let data = next(follower).await;
            if data["end"] == true {
                break data;
            }
        });
    }
    assert_eq!(ends[0], ends[1]);
    assert!([149, 249].contains(&ends[0]["n"].as_u64().unwrap()));
}

pub(crate) async fn a_destroyed_context_ends_its_followers(world: &World) {
    let shared = &world.name("shared");
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    one.contexts().set(shared, payload(json!({"n": 0}))).await.unwrap();
    let mut follower = two.contexts().subscribe(shared).await.unwrap();
    one.contexts().destroy(shared).await.unwrap();
    while follower.next().await.is_some() {}
    assert_eq!(follower.ended(), Some(ContextError::Destroyed { name: shared.clone() }));
    assert_eq!(data(&two, shared).await, Value::Null);
    let error = one.contexts().destroy(shared).await.unwrap_err();
    assert_eq!(error, ContextError::NoSuchContext { name: shared.clone() });
    one.contexts().set(shared, payload(json!({"again": 1}))).await.unwrap();
    assert_eq!(data(&one, shared).await, json!({"again": 1}));
}

pub(crate) async fn names_are_listed(world: &World) {
    let one = world.peer("one").await;
    let (a, b) = (world.name("a"), world.name("b"));
    for name in [&b, &a] {
        one.contexts().set(name, payload(json!({}))).await.unwrap();
    }
    // A newcomer knows them when it is ready.
    for client in [&one, &world.peer("two").await] {
        let mut names = client.contexts().all();
        names.retain(|name| name.starts_with(&world.name("")));
        assert_eq!(names, [a.as_str(), b.as_str()]);
    }
}
