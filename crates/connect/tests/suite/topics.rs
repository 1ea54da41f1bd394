//! Topics.

use deskwire_connect::wire::Identity;
use deskwire_connect::{Publication, TopicSubscription};
use serde_json::{Value, json};

use super::World;
use super::world::payload;

pub(crate) async fn next(subscription: &mut TopicSubscription) -> Value {
    subscription.next().await.unwrap().data.value().clone()
}

pub(crate) async fn a_publication_reaches_its_subscribers(world: &World) {
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    let mut exact = two.topics().subscribe("prices.fx.eurusd", None).await.unwrap();
    let mut segment = two.topics().subscribe("prices.*.eurusd", None).await.unwrap();
    let mut rest = one.topics().subscribe("prices.>", None).await.unwrap();
    for (topic, n) in [("prices.fx.gbpusd", 1), ("prices.fx.eurusd", 2)] {
        one.topics().publish(Publication::new(topic, payload(json!({"n": n})))).await.unwrap();
    }
    let event = exact.next().await.unwrap();
    assert_eq!(event.data.value(), &json!({"n": 2}));
    assert_eq!(event.publisher.application(), Some("one"));
    assert_eq!(next(&mut segment).await, json!({"n": 2}));
    // The publisher itself is among those it reaches.
    assert_eq!(next(&mut rest).await, json!({"n": 1}));
    assert_eq!(next(&mut rest).await, json!({"n": 2}));

    drop(exact);
    let mut again = two.topics().subscribe("prices.fx.eurusd", None).await.unwrap();
    one.topics()
        .publish(Publication::new("prices.fx.eurusd", payload(json!({"n": 3}))))
        .await
        .unwrap();
    assert_eq!(next(&mut again).await, json!({"n": 3}));
    assert_eq!(next(&mut segment).await, json!({"n": 3}));
}

pub(crate) async fn a_routing_key_and_a_target_narrow_it(world: &World) {
    let (one, two) = (world.peer("one").await, world.peer("two").await);
    let mut keyed = two.topics().subscribe("news", Some("k")).await.unwrap();
    let mut other = one.topics().subscribe("news", None).await.unwrap();
    let news = |n| Publication::new("news", payload(json!({"n": n})));
    let only_two = Identity::new(json!({"application": "two"}).as_object().unwrap().clone());
    for publication in [
        Publication { routing_key: Some("another".into()), ..news(1) },
        Publication { target: Some(only_two), ..news(2) },
        Publication { routing_key: Some("k".into()), ..news(3) },
    ] {
        one.topics().publish(publication).await.unwrap();
    }
    for n in [2, 3] {
        assert_eq!(next(&mut keyed).await, json!({"n": n}));
    }
    for n in [1, 3] {
        assert_eq!(next(&mut other).await, json!({"n": n}));
    }
}
