//! What a peer makes of links that are slow, silent, broken or hostile. The
//! other end is written by hand here, frame by frame.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use deskwire_connect::wire::{
    AvailableDomain, ClientFrame, ClientMessage, Domain, Id, Identity, Method, MethodDef, Payload,
    ServerFrame, ServerMessage, uri,
};
use deskwire_connect::{
    Client, ConnectError, InvokeError, InvokeOptions, Limits, Options, Reconnect, RequestError,
    Status, in_process, websocket,
};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// The gateway's end of one link.
struct Far {
    frames: mpsc::Receiver<ClientFrame>,
    to_peer: mpsc::Sender<ServerFrame>,
}

impl Far {
    async fn next(&mut self) -> ClientFrame {
        self.frames.recv().await.expect("a frame")
    }

    async fn say(&self, request_id: Option<Id>, domain: Domain, message: ServerMessage) {
        let frame =
            ServerFrame { domain: Some(domain), request_id, peer_id: Some("me".into()), message };
        self.to_peer.send(frame).await.expect("a peer that listens");
    }

    async fn hello(&mut self) -> Option<Id> {
        let hello = self.next().await;
        assert!(matches!(hello.message, ClientMessage::Hello { .. }), "{hello:?}");
        hello.request_id
    }

    async fn refuse(&mut self, reason_uri: &str) {
        let request = self.hello().await;
        let (reason_uri, reason) = (reason_uri.to_owned(), "no".to_owned());
        let message = ServerMessage::Error { reason_uri, reason, context: None };
        self.say(request, Domain::Global, message).await;
    }

    /// Welcomes the peer, and returns the id of its join.
    async fn welcome(&mut self) -> Option<Id> {
        let request = self.hello().await;
        let domain = AvailableDomain { uri: "agm".into(), description: String::new(), version: 1 };
        let message = ServerMessage::Welcome {
            available_domains: vec![domain],
            resolved_identity: Identity::default(),
            options: None,
        };
        self.say(request, Domain::Global, message).await;
        self.next().await.request_id
    }

    async fn admit(&mut self) {
        let join = self.welcome().await;
        self.say(join, Domain::Agm, ServerMessage::Success).await;
    }
}

/// A peer, and the far ends of its links one by one.
fn peer(options: Options) -> (Client, mpsc::Receiver<Far>) {
    let (client, far_ends) = idle(options);
    client.wake();
    (client, far_ends)
}

/// The same, not woken yet.
fn idle(options: Options) -> (Client, mpsc::Receiver<Far>) {
    let (links, far_ends) = mpsc::channel(16);
    let connector = in_process(move || {
        let (frames, from_peer) = mpsc::channel(16);
        let (to_peer, incoming) = mpsc::channel(16);
        links.try_send(Far { frames: from_peer, to_peer }).expect("room for a link");
        (frames, incoming)
    });
    (Client::idle(connector, options), far_ends)
}

fn options() -> Options {
    let reconnect = Reconnect {
        first: Duration::from_millis(100),
        longest: Duration::from_secs(1),
        random: || 1.0,
    };
    Options { reconnect, ..Options::new("me") }
}

fn server(n: usize) -> (ServerMessage, ServerMessage) {
    let peer = format!("p-{n}");
    let identity = json!({"application": format!("app-{n}")}).as_object().unwrap().clone();
    let added = ServerMessage::PeerAdded {
        new_peer_id: peer.as_str().into(),
        identity: Identity::new(identity),
        meta: None,
    };
    let method = Method { name: format!("Method.{n}"), ..Method::default() };
    let methods = ServerMessage::MethodsAdded {
        source_type: Default::default(),
        server_id: peer.into(),
        methods: vec![MethodDef::new(Id::from(0), &method).unwrap()],
    };
    (added, methods)
}

#[tokio::test(start_paused = true)]
async fn the_gateway_is_shown_that_we_live() {
    let (client, mut links) = peer(options());
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
    let start = Instant::now();
    for _ in 0..3 {
        let ping = far.next().await;
        assert_eq!(ping.encode(), r#"{"type":"ping"}"#);
    }
    let passed = start.elapsed();
    assert!(passed > Duration::from_secs(80) && passed < Duration::from_secs(95), "{passed:?}");
}

#[tokio::test(start_paused = true)]
async fn an_idle_peer_opens_no_link_before_it_is_woken() {
    let (client, mut links) = idle(options());
    let asked = client.invoke("Any", Payload::empty_object(), InvokeOptions::default()).await;
    assert!(asked.is_err(), "{asked:?}");
    let opened = timeout(Duration::from_secs(3600), links.recv()).await;
    assert!(opened.is_err(), "nobody needs a link");
    assert_eq!(*client.status().borrow(), Status::Idle);

    let waiting = client.clone();
    let ready = tokio::spawn(async move { waiting.ready().await });
    let mut far = links.recv().await.unwrap();
    client.wake();
    far.admit().await;
    assert_eq!(ready.await.unwrap(), Ok(()));
    assert!(links.try_recv().is_err(), "one link, however often it is woken");
}

#[tokio::test(start_paused = true)]
async fn an_idle_peer_can_be_closed() {
    let (client, mut links) = idle(options());
    client.close().await;
    assert_eq!(*client.status().borrow(), Status::Closed);
    assert_eq!(client.ready().await, Err(ConnectError::Closed));
    assert!(links.recv().await.is_none(), "it never opened a link");
}

#[tokio::test(start_paused = true)]
async fn attempts_are_made_with_growing_waits() {
    let (client, mut links) = peer(options());
    let mut status = client.status();
    let start = Instant::now();
    let mut at = Vec::new();
    for _ in 0..6 {
        links.recv().await.unwrap().refuse(uri::ALREADY_SEEN).await;
        at.push(start.elapsed().as_millis());
    }
    assert_eq!(at, [0, 100, 300, 700, 1500, 2500]);
    let refused = |status: &Status| match status {
        Status::Connecting { attempt: 7, last_error: Some(error) } => Some(error.clone()),
        _ => None,
    };
    let last = status.wait_for(|status| refused(status).is_some()).await.unwrap();
    assert_eq!(refused(&last), Some(ConnectError::AlreadySeen { reason: "no".into() }));
    drop(last);

    // A success, and the waits begin anew.
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
    drop(far);
    let lost = Instant::now();
    let again = |status: &Status| {
        *status == Status::Connecting { attempt: 1, last_error: Some(ConnectError::Lost) }
    };
    status.wait_for(again).await.unwrap();
    links.recv().await.unwrap();
    assert_eq!(lost.elapsed().as_millis(), 100);
}

#[tokio::test(start_paused = true)]
async fn bad_credentials_are_final() {
    let (client, mut links) = peer(options());
    links.recv().await.unwrap().refuse(uri::AUTHENTICATION_FAILURE).await;
    let refused = ConnectError::Credentials { reason: "no".into() };
    assert_eq!(client.ready().await, Err(refused.clone()));
    assert_eq!(*client.status().borrow(), Status::Refused(refused));
    assert!(links.recv().await.is_none(), "no further link");
}

#[tokio::test(start_paused = true)]
async fn a_silent_gateway_is_given_up() {
    let (client, mut links) = peer(options());
    let start = Instant::now();
    let silent = links.recv().await.unwrap();
    let mut half = links.recv().await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(10_100));
    half.welcome().await;
    let mut good = links.recv().await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(20_300));
    good.admit().await;
    client.ready().await.unwrap();
    drop((silent, half));
}

#[tokio::test(start_paused = true)]
async fn closing_says_goodbye() {
    let (client, mut links) = peer(options());
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
    let gateway = async {
        let leave = far.next().await;
        assert!(
            matches!(leave.message, ClientMessage::Leave { ref destination } if destination == "agm")
        );
        assert!(far.frames.recv().await.is_none());
        drop(far);
    };
    tokio::join!(client.close(), gateway);
    assert_eq!(*client.status().borrow(), Status::Closed);
}

#[tokio::test]
async fn a_burst_of_announcements_is_few_changes() {
    const SERVERS: usize = 5_000;
    let (client, mut links) = peer(options());
    let mut far = links.recv().await.unwrap();
    let mut changes = client.directory_changes();
    let join = far.welcome().await;
    for n in 0..SERVERS {
        let (added, methods) = server(n);
        far.say(None, Domain::Agm, added).await;
        far.say(None, Domain::Agm, methods).await;
    }
    assert!(!changes.has_changed().unwrap(), "nothing is told before the directory is complete");
    far.say(join, Domain::Agm, ServerMessage::Success).await;
    client.ready().await.unwrap();
    changes.changed().await.unwrap();
    let directory = client.directory();
    assert_eq!(directory.servers().count(), SERVERS + 1);
    assert_eq!(directory.find("method.4999").count(), 1);
    assert!(!changes.has_changed().unwrap());

    // All leave at once, while somebody looks at every change.
    let (leaving, mut seen) = (
        async {
            for n in 0..SERVERS {
                let removed_id = format!("p-{n}").into();
                let message =
                    ServerMessage::PeerRemoved { removed_id, reason_uri: None, reason: None };
                far.say(None, Domain::Agm, message).await;
            }
        },
        0,
    );
    let watching = async {
        while client.directory().servers().count() > 1 {
            changes.changed().await.unwrap();
            seen += 1;
        }
    };
    tokio::join!(leaving, watching);
    // The link holds 16 frames, so a change is for at least about that many.
    assert!(seen <= SERVERS / 8, "{seen} changes");
}

#[tokio::test]
async fn a_gateway_that_does_not_read_is_left() {
    let limits = Limits { outgoing_frames: 100, ..Limits::default() };
    let (client, mut links) = peer(Options { limits, ..options() });
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
    // Each wants an answer, and none is taken. The peer reads on all the same.
    for n in 0.. {
        let message = ServerMessage::Invoke {
            invocation_id: format!("r-{n}").into(),
            caller_id: "p-1".into(),
            method_id: Id::from("none"),
            arguments: None,
            arguments_kv: None,
            context: None,
        };
        let frame = ServerFrame {
            domain: Some(Domain::Agm),
            request_id: None,
            peer_id: Some("me".into()),
            message,
        };
        if far.to_peer.send(frame).await.is_err() {
            break;
        }
        assert!(n < 1_000, "it is left in the end");
    }
    let next = timeout(Duration::from_secs(5), links.recv()).await.expect("another link");
    let mut far = next.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
}

#[tokio::test]
async fn callers_wait_for_room_and_are_not_lost() {
    let (client, mut links) = peer(options());
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    let (added, methods) = server(1);
    far.say(None, Domain::Agm, added).await;
    far.say(None, Domain::Agm, methods).await;
    let (all, mut answers) = mpsc::channel(200);
    for n in 0..200 {
        let (client, all) = (client.clone(), all.clone());
        tokio::spawn(async move {
            let wait = Duration::from_secs(5);
            let options = InvokeOptions { wait_for_method: wait, ..InvokeOptions::default() };
            let arguments = Payload::from(json!({"n": n}));
            let answers = client.invoke("Method.1", arguments, options).await.unwrap();
            all.send((n, answers.first().unwrap().value()["n"].clone())).await.unwrap();
        });
    }
    // The link holds 16 frames; the gateway takes them one by one.
    for _ in 0..200 {
        let call = far.next().await;
        let ClientMessage::Call { arguments_kv, .. } = call.message else { panic!("{call:?}") };
        far.say(call.request_id, Domain::Agm, ServerMessage::Result { result: arguments_kv }).await;
        let (n, answer) = answers.recv().await.unwrap();
        assert_eq!(json!(n), answer);
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_to_its_sender_alone() {
    let limits = Limits { outgoing_payload_bytes: 100, ..Limits::default() };
    let (client, mut links) = peer(Options { limits, ..options() });
    let mut far = links.recv().await.unwrap();
    far.admit().await;
    client.ready().await.unwrap();
    let large = Payload::from(json!({"a": "x".repeat(200)}));
    let error = client.contexts().set("ctx", large.clone()).await;
    assert!(error.is_err());
    let (added, methods) = server(1);
    far.say(None, Domain::Agm, added).await;
    far.say(None, Domain::Agm, methods).await;
    let options =
        InvokeOptions { wait_for_method: Duration::from_secs(5), ..InvokeOptions::default() };
    let answers = client.invoke("Method.1", large, options).await.unwrap();
    assert_eq!(
        answers.first().unwrap_err(),
        InvokeError::Request(RequestError::TooLarge { bytes: 208, limit: 100 })
    );
}

type Socket = WebSocketStream<TcpStream>;

async fn next_text(socket: &mut Socket) -> serde_json::Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn admit(socket: &mut Socket) {
    for answer in ["welcome", "success"] {
        let asked = next_text(socket).await;
        let frame = json!({"type": answer, "request_id": asked["request_id"], "peer_id": "me"});
        socket.send(Message::text(frame.to_string())).await.unwrap();
    }
}

#[tokio::test]
async fn frames_that_cannot_be_read_are_skipped_and_fail_what_they_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/gw", listener.local_addr().unwrap());
    let limits = Limits { incoming_frame_bytes: 10_000, ..Limits::default() };
    let client = Client::start(websocket(&url).unwrap(), Options { limits, ..options() });
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    admit(&mut socket).await;
    client.ready().await.unwrap();
    for rubbish in [
        "",
        "{",
        "[]",
        "null",
        r#"{"type":"nonsense"}"#,
        r#"{"type":5}"#,
        r#"{"domain":"moon","type":"success"}"#,
        r#"{"domain":"agm","type":"invoke"}"#,
        &"[".repeat(5_000),
    ] {
        socket.send(Message::text(rubbish)).await.unwrap();
    }
    socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    let gateway = async {
        let asked = next_text(&mut socket).await;
        assert_eq!(asked["type"], "create-token");
        let frame = json!({"type": "token", "request_id": asked["request_id"], "token": 5});
        socket.send(Message::text(frame.to_string())).await.unwrap();
    };
    let (token, ()) = tokio::join!(client.create_token(), gateway);
    let error = token.unwrap_err().to_string();
    assert!(error.contains("cannot be read"), "{error}");

    // One too large ends the link, and another one is made.
    socket.send(Message::text("x".repeat(20_000))).await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    admit(&mut socket).await;
    client.ready().await.unwrap();
}

#[tokio::test]
async fn a_gateway_that_comes_later_is_found() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = Client::start(websocket(&format!("ws://{address}/gw")).unwrap(), options());
    let mut status = client.status();
    let unreachable = |status: &Status| {
        matches!(
            status,
            Status::Connecting { last_error: Some(ConnectError::Unreachable { .. }), .. }
        )
    };
    status.wait_for(unreachable).await.unwrap();
    let listener = TcpListener::bind(address).await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    admit(&mut socket).await;
    client.ready().await.unwrap();
}
