//! Real sockets: slow, rude, dead and too many.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::net::SocketAddr;
use std::time::Duration;

use axum::Extension;
use deskwire_gateway::{Admission, Gateway, InstanceGrant, Limits, router};
use serde_json::{Value, json};
use support::{Incoming, Peer, gateway, serve, serve_router, within};
use tokio_tungstenite::tungstenite::{Error, Message};

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

/// An in-process peer that publishes one stream, its id, and its method's.
async fn publisher(gateway: &Gateway) -> (Peer, String) {
    let mut publisher = Peer::in_process(gateway);
    let id = publisher.join("publisher").await;
    publisher.register(&id, json!({"id": 1, "name": "Stream", "flags": {"streaming": true}})).await;
    (publisher, id)
}

/// Joins and subscribes; the publisher accepts.
async fn subscribe(subscriber: &mut Peer, publisher: &mut Peer, server: &str) -> String {
    let id = subscriber.join("subscriber").await;
    subscriber
        .send(json!({"domain": "agm", "type": "subscribe", "server_id": server, "method_id": 1,
                     "request_id": "s", "peer_id": id}))
        .await;
    let interest = publisher.frame_of("add-interest").await;
    publisher
        .send(json!({"domain": "agm", "type": "accepted", "stream_id": 0, "peer_id": server,
                     "subscription_id": interest["subscription_id"]}))
        .await;
    subscriber.frame_of("subscribed").await;
    id
}

fn event(server: &str, number: usize, bytes: usize) -> Value {
    json!({"domain": "agm", "type": "publish", "stream_id": 0, "peer_id": server,
           "data": {"number": number, "padding": "x".repeat(bytes)}})
}

/// Skips frames until this peer is gone.
async fn removed(watcher: &mut Peer, id: &str) {
    while watcher.frame_of("peer-removed").await["removed_id"] != id {}
}

#[tokio::test]
async fn a_slow_reader_among_a_hundred_is_closed_and_nobody_waits_for_it() {
    const EVENTS: usize = 120;
    let gateway = gateway(limits(|limits| limits.queued_bytes_per_peer = 400_000));
    let address = serve(&gateway).await;
    let (mut publisher, server) = publisher(&gateway).await;
    let mut slow = Peer::narrow(address).await;
    let slow_id = subscribe(&mut slow, &mut publisher, &server).await;
    let (took, mut taken) = tokio::sync::mpsc::channel(1);
    let mut readers = Vec::new();
    for _ in 0..100 {
        let mut fast = Peer::socket(address).await;
        subscribe(&mut fast, &mut publisher, &server).await;
        let took = took.clone();
        readers.push(tokio::spawn(async move {
            for number in 0..EVENTS {
                let event = fast.frame_of("event").await;
                assert_eq!(event["data"]["number"], number, "in order, and all");
                took.send(()).await.unwrap();
            }
            fast
        }));
    }
    // Faster than the slow one, and no faster than the others.
    for number in 0..EVENTS {
        publisher.send(event(&server, number, 8_000)).await;
        for _ in 0..100 {
            within("the fast readers", taken.recv()).await.unwrap();
        }
    }
    let mut fast = Vec::new();
    for reader in readers {
        fast.push(reader.await.unwrap());
    }
    removed(&mut publisher, &slow_id).await;
    assert_eq!(gateway.stats().peers, 101, "all but the slow one are there");
}

#[tokio::test]
async fn a_socket_over_which_no_peer_comes_in_is_closed_in_time() {
    let gateway = gateway(limits(|limits| limits.hello = Duration::from_millis(300)));
    let address = serve(&gateway).await;
    let mut greeted = Peer::socket(address).await;
    let id = greeted.join("greeted").await;
    let mut silent = Peer::socket(address).await;
    let mut noisy = Peer::socket(address).await;
    noisy.send(json!({"type": "ping"})).await;
    noisy.send(json!({"type": "join", "destination": "agm", "request_id": "j"})).await;
    for peer in [&mut silent, &mut noisy] {
        let (code, reason) = peer.closed().await.expect("a reason");
        assert_eq!(code, 1008);
        assert!(reason.contains("no peer said hello and was let in within 300ms"), "{reason}");
    }
    // Who is in stays, however long it says nothing.
    greeted.register(&id, json!({"id": 1, "name": "Add"})).await;
    assert_eq!(gateway.stats().links, 1);
}

#[tokio::test]
async fn a_socket_that_takes_nothing_is_closed_in_time() {
    let gateway = gateway(limits(|limits| limits.stall = Duration::from_millis(200)));
    let address = serve(&gateway).await;
    let (mut publisher, server) = publisher(&gateway).await;
    let mut stalled = Peer::narrow(address).await;
    let stalled_id = subscribe(&mut stalled, &mut publisher, &server).await;
    let mut idle = Peer::socket(address).await;
    let idle_id = idle.join("idle").await;
    // More than the buffers on the way take, and less than may wait.
    for number in 0..80 {
        publisher.send(event(&server, number, 100_000)).await;
    }
    removed(&mut publisher, &stalled_id).await;
    // Who has nothing to take is not stalled.
    assert_eq!(idle.frame_of("peer-removed").await["removed_id"], json!(stalled_id));
    assert!(gateway.stats().queued_bytes < 100_000);
    drop(idle_id);
}

#[tokio::test]
async fn too_much_for_all_closes_the_longest_queue() {
    let gateway = gateway(limits(|limits| limits.queued_bytes_total = 3_000_000));
    let address = serve(&gateway).await;
    let (mut publisher, server) = publisher(&gateway).await;
    let mut stalled = Peer::narrow(address).await;
    let stalled_id = subscribe(&mut stalled, &mut publisher, &server).await;
    let mut reader = Peer::socket(address).await;
    subscribe(&mut reader, &mut publisher, &server).await;
    for number in 0..100 {
        publisher.send(event(&server, number, 100_000)).await;
        assert_eq!(reader.frame_of("event").await["data"]["number"], number);
    }
    removed(&mut publisher, &stalled_id).await;
    assert!(gateway.stats().queued_bytes < 3_000_000);
}

#[tokio::test]
async fn what_cannot_be_answered_closes_with_a_reason_and_others_go_on() {
    let gateway = gateway(limits(|limits| limits.inbound_frame_bytes = 10_000));
    let address = serve(&gateway).await;
    let mut other = Peer::socket(address).await;
    let id = other.join("other").await;
    let deep = format!(r#"{{"type":"ping","x":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    for (message, code, reason) in [
        (Message::text("not json"), 1007, "frame is not JSON"),
        (Message::text(r#"{"type":"ping""#), 1007, "frame is not JSON"),
        (Message::text(deep), 1007, "frame nests deeper than 100 levels"),
        (Message::binary(b"{}".to_vec()), 1003, "frames are text messages"),
        (Message::text(" ".repeat(10_001)), 1009, "a frame may have 10000 bytes"),
        (Message::text(" ".repeat(3_000_000)), 1009, "a frame may have 10000 bytes"),
    ] {
        let mut rude = Peer::socket(address).await;
        rude.hello("rude").await;
        let Peer::Socket(socket) = &mut rude else { unreachable!() };
        let large = message.len() > 1_000_000;
        // It may be cut off while it still sends.
        let sent = futures_util::SinkExt::send(socket, message).await;
        assert!(sent.is_ok() || large, "{sent:?}");
        let (got, text) = rude.closed().await.unwrap_or_else(|| panic!("no reason: {reason}"));
        assert_eq!(got, code, "{reason}");
        assert!(text.starts_with(reason), "{text}");
    }
    // What can be answered is, and the socket stays.
    other.send_text("[1]").await;
    assert_eq!(other.frame_of("error").await["reason_uri"], "global.errors.unhandled_message");
    other
        .send(json!({"domain": "agm", "type": "nonsense", "request_id": "n", "peer_id": id}))
        .await;
    assert_eq!(other.frame_of("error").await["request_id"], "n");
    assert_eq!(gateway.stats().peers, 1);
}

fn same() -> Value {
    json!({"application": "app", "instance": "i"})
}

#[tokio::test]
async fn a_dead_holder_makes_room_for_the_same_identity() {
    let gateway = gateway(limits(|limits| limits.probe = Duration::from_millis(200)));
    let address = serve(&gateway).await;
    let mut old = Peer::socket(address).await;
    old.hello_as(same()).await;
    // From here on it answers no ping, since nobody reads for it.
    let mut new = Peer::socket(address).await;
    let id = new.hello_as(same()).await;
    assert_eq!(gateway.stats().peers, 1);
    // It was only asleep, and learns why it is out.
    let (code, reason) = old.closed().await.unwrap();
    assert_eq!(code, 1008);
    assert!(reason.contains("same identity"), "{reason}");
    // The newcomer lives and holds now; the one that woke up does not evict it.
    let reading = tokio::spawn(async move {
        let frame = new.next().await;
        (new, frame)
    });
    let mut again = Peer::socket(address).await;
    again.send(json!({"type": "hello", "request_id": "h", "identity": same()})).await;
    assert_eq!(again.frame_of("error").await["reason_uri"], "global.errors.already_seen");
    assert_eq!(gateway.stats().peers, 1);
    reading.abort();
    drop(id);
}

#[tokio::test]
async fn a_living_holder_is_found_alive_at_once() {
    // Longer than the test may take: waiting it out would fail.
    let gateway = gateway(limits(|limits| limits.probe = Duration::from_secs(3_600)));
    let address = serve(&gateway).await;
    let mut old = Peer::socket(address).await;
    old.hello_as(same()).await;
    let reading = tokio::spawn(async move { old.next().await });
    for _ in 0..3 {
        let mut new = Peer::socket(address).await;
        new.send(json!({"type": "hello", "request_id": "h", "identity": same()})).await;
        assert_eq!(new.frame_of("error").await["reason_uri"], "global.errors.already_seen");
    }
    assert!(!reading.is_finished());
}

#[tokio::test]
async fn a_stopped_instance_is_cut_off() {
    let gateway = gateway(Limits::default());
    let address =
        serve_router(router(gateway.clone()).layer(Extension(Admission::TokenRequired))).await;
    let grant = InstanceGrant { instance: "i1".into(), application: "app".into() };
    let token = gateway.tokens().mint_instance(grant).unwrap();
    let hello = json!({"type": "hello", "request_id": "h", "identity": {"application": "bank"},
                       "authentication": {"method": "gateway-token", "token": token}});
    let mut app = Peer::socket(address).await;
    app.send(json!({"type": "hello", "request_id": "h", "identity": {}})).await;
    assert_eq!(app.frame_of("error").await["reason_uri"], "global.errors.authentication.failure");
    app.send(hello.clone()).await;
    let identity = app.frame_of("welcome").await["resolved_identity"].clone();
    assert_eq!((&identity["application"], &identity["instance"]), (&json!("app"), &json!("i1")));
    assert_eq!(identity["machine"], "127.0.0.1");

    gateway.tokens().revoke_instance("i1");
    assert_eq!(app.closed().await.unwrap().0, 1008);
    let mut app = Peer::socket(address).await;
    app.send(hello.clone()).await;
    assert_eq!(app.frame_of("error").await["reason_uri"], "global.errors.authentication.failure");

    // After a restart the platform knows it again, and its old token is good.
    gateway.tokens().admit_instance("i1");
    app.send(hello).await;
    app.frame_of("welcome").await;
}

#[tokio::test]
async fn one_socket_too_many_is_turned_away() {
    let gateway = gateway(limits(|limits| limits.sockets = 2));
    let address = serve(&gateway).await;
    let first = Peer::socket(address).await;
    let _second = Peer::socket(address).await;
    let url = format!("ws://{address}/gw");
    match tokio_tungstenite::connect_async(&url).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 503),
        other => panic!("{other:?}"),
    }
    drop(first);
    within("a free place", async {
        while tokio_tungstenite::connect_async(&url).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_says_goodbye_to_everybody() {
    let gateway = gateway(Limits::default());
    let address = serve(&gateway).await;
    let mut socket = Peer::socket(address).await;
    socket.hello("socket").await;
    let mut inside = Peer::in_process(&gateway);
    inside.hello("inside").await;
    let reading = tokio::spawn(async move { socket.closed().await });
    within("the shutdown", gateway.shutdown()).await;
    let (code, reason) = reading.await.unwrap().unwrap();
    assert_eq!((code, reason.as_str()), (1001, "the gateway is shutting down"));
    assert!(inside.closed().await.is_none());
    assert_eq!(gateway.stats().links, 0);

    // Nobody comes in any more.
    assert!(Peer::in_process(&gateway).closed().await.is_none());
    let mut late = Peer::socket(address).await;
    assert_eq!(late.closed().await.unwrap().0, 1001);
}

#[tokio::test]
async fn sockets_wait_for_a_busy_in_process_peer_and_nothing_is_lost() {
    const CALLS: usize = 400;
    let gateway = gateway(limits(|limits| {
        limits.high_water_bytes = 100_000;
        limits.inproc_channel_frames = 4;
    }));
    let address = serve(&gateway).await;
    let mut busy = Peer::in_process(&gateway);
    let server = busy.join("busy").await;
    busy.register(&server, json!({"id": 1, "name": "Work"})).await;
    let mut client = Peer::socket(address).await;
    let id = client.join("client").await;
    let mut one = Peer::socket(address).await;
    let one_id = one.join("one").await;
    one.register(&one_id, json!({"id": 1, "name": "Echo"})).await;
    let mut other = Peer::socket(address).await;
    let other_id = other.join("other").await;
    let flood = tokio::spawn({
        let server = server.clone();
        async move {
            for number in 0..CALLS {
                client
                    .send(
                        json!({"domain": "agm", "type": "call", "server_id": server, "method_id": 1,
                                 "request_id": number.to_string(), "peer_id": id,
                                 "arguments_kv": {"padding": "x".repeat(20_000)}}),
                    )
                    .await;
            }
            client
        }
    });
    // Others are served meanwhile, though they share the gateway with the flood.
    for _ in 0..20 {
        other
            .send(json!({"domain": "agm", "type": "call", "server_id": one_id, "method_id": 1,
                         "request_id": "c", "peer_id": other_id}))
            .await;
        let invoke = one.frame_of("invoke").await;
        one.send(json!({"domain": "agm", "type": "yield", "peer_id": one_id,
                        "invocation_id": invoke["invocation_id"]}))
            .await;
        other.frame_of("result").await;
        // One frame above the mark, and what other peers said to it.
        assert!(gateway.stats().queued_bytes < 200_000, "{}", gateway.stats().queued_bytes);
    }
    for _ in 0..CALLS {
        busy.frame_of("invoke").await;
    }
    within("the flood", flood).await.unwrap();
}

/// Who asks for more than it takes is read no further, and gets it all: an
/// application that comes back asks for all its contexts at once.
#[tokio::test]
async fn more_answers_than_may_wait_come_as_they_are_taken() {
    let gateway = gateway(limits(|limits| {
        limits.queued_bytes_per_peer = 1_000_000;
        limits.high_water_bytes = 300_000;
    }));
    let address = serve(&gateway).await;
    let mut owner = Peer::in_process(&gateway);
    let owner_id = owner.hello("owner").await;
    for number in 0..20 {
        owner
            .send(json!({"type": "create-context", "name": number.to_string(), "peer_id": owner_id,
                         "data": {"padding": "x".repeat(200_000)}}))
            .await;
        owner.frame_of("context-created").await;
    }
    let mut back = Peer::narrow(address).await;
    let id = back.hello("back").await;
    let mut contexts = Vec::new();
    for _ in 0..20 {
        contexts.push(back.frame_of("context-added").await["context_id"].clone());
    }
    for context in &contexts {
        back.send(json!({"type": "subscribe-context", "context_id": context, "peer_id": id})).await;
    }
    for context in contexts {
        assert_eq!(back.frame_of("subscribed-context").await["context_id"], context);
    }
}

#[tokio::test]
async fn pings_of_the_client_are_neither_answered_nor_counted_as_frames() {
    let gateway = gateway(Limits::default());
    let address: SocketAddr = serve(&gateway).await;
    let mut peer = Peer::socket(address).await;
    peer.hello("app").await;
    peer.send(json!({"type": "ping"})).await;
    peer.send(json!({"type": "hello", "request_id": "next", "identity": {}})).await;
    match peer.next().await {
        Incoming::Frame(frame) => assert_eq!(frame["request_id"], "next"),
        closed @ Incoming::Closed(_) => panic!("{closed:?}"),
    }
}
