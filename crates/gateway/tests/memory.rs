//! What is counted is what is taken: a hostile peer that fills its account
//! takes about as much memory as the account says, whatever it fills it with.
//!
//! In a process of its own, since it measures the whole process.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_gateway::broker::{Broker, Effect, Event, LinkInfo, Login};
use deskwire_gateway::{Limits, LinkId};
use deskwire_wire::ClientFrame;
use serde_json::{Value, json};

const MIB: usize = 1024 * 1024;
/// What a peer, and all contexts together, may have remembered.
const BOUND: usize = 2 * MIB;

/// Bytes of memory that the process has.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

struct Hostile {
    broker: Broker,
    refused: bool,
}

impl Hostile {
    fn new() -> Self {
        let mut limits = Limits::default();
        limits.state_bytes_per_peer = BOUND;
        limits.context_bytes_total = BOUND;
        limits.contexts = usize::MAX;
        limits.retained_contexts_per_instance = usize::MAX;
        limits.calls_per_peer = usize::MAX;
        limits.methods_per_peer = usize::MAX;
        limits.peers = usize::MAX;
        let mut hostile = Self { broker: Broker::new("n", "me", limits), refused: false };
        hostile.handle(Event::Opened { link: LinkId(1), info: LinkInfo::in_process() });
        hostile.say(json!({"type": "hello", "identity": {}}));
        for destination in ["agm", "bus"] {
            hostile.say(json!({"type": "join", "destination": destination}));
        }
        hostile
            .say(json!({"domain": "agm", "type": "register", "methods": [{"id": 1, "name": "m"}]}));
        hostile
    }

    fn say(&mut self, mut frame: Value) {
        if frame["type"] != "hello" {
            frame.as_object_mut().unwrap().insert("peer_id".into(), json!("p-n-1"));
        }
        let frame = ClientFrame::decode(&frame.to_string()).unwrap();
        self.handle(Event::Frame { link: LinkId(1), frame });
    }

    fn handle(&mut self, event: Event) {
        self.broker.handle(event);
        while let Some(effect) = self.broker.next_effect() {
            match effect {
                Effect::Deliver { outbound, .. } => {
                    let weight = outbound.weight();
                    if let Some(frame) = outbound.frames().next().filter(|_| weight < 3_000) {
                        self.refused |= frame.encode().contains("limits_exceeded");
                    }
                }
                Effect::Authenticate { hello, .. } => {
                    let outcome = Ok(Login::default());
                    self.broker.handle(Event::Authenticated { hello, outcome });
                }
                _ => {}
            }
        }
    }
}

#[test]
fn what_is_counted_is_what_is_taken() {
    let many: Vec<u8> = vec![0; 700];
    type Frame = Box<dyn Fn(usize) -> Value>;
    let vectors: Vec<(&str, Frame)> = vec![
        (
            "methods",
            Box::new(
                |n| json!({"domain": "agm", "type": "register", "methods": [{"id": n, "name": "m"}]}),
            ),
        ),
        (
            "long methods",
            Box::new(
                |n| json!({"domain": "agm", "type": "register", "methods": [{"id": n, "name": "m", "x": vec![0; 50_000]}]}),
            ),
        ),
        (
            "calls",
            Box::new(
                |n| json!({"domain": "agm", "type": "call", "server_id": "p-n-1", "method_id": 1, "request_id": n}),
            ),
        ),
        (
            "calls with long ids",
            Box::new(
                |n| json!({"domain": "agm", "type": "call", "server_id": "p-n-1", "method_id": 1, "request_id": format!("{n:01000}")}),
            ),
        ),
        (
            "subscriptions",
            Box::new(
                |n| json!({"domain": "agm", "type": "subscribe", "server_id": "p-n-1", "method_id": 1, "request_id": n}),
            ),
        ),
        (
            "topics",
            Box::new(
                |n| json!({"domain": "bus", "type": "subscribe", "topic": format!("{n}.a.{n}.b")}),
            ),
        ),
        (
            "deep topics",
            Box::new(
                |n| json!({"domain": "bus", "type": "subscribe", "topic": format!("{n}.{}", "a.".repeat(400))}),
            ),
        ),
        (
            "contexts",
            Box::new(
                |n| json!({"type": "create-context", "name": n.to_string(), "data": {"k": 1}}),
            ),
        ),
        (
            "contexts of many keys",
            Box::new(|n| {
                let data: serde_json::Map<_, _> =
                    (0..5_000).map(|k| (k.to_string(), json!(0))).collect();
                json!({"type": "create-context", "name": n.to_string(), "data": data})
            }),
        ),
        (
            "contexts that a change opens",
            Box::new(|n| {
                let nested: serde_json::Map<_, _> =
                    (0..5_000).map(|key| (key.to_string(), json!(0))).collect();
                match n % 2 {
                    0 => {
                        json!({"type": "create-context", "name": n.to_string(), "data": {"o": nested}})
                    }
                    _ => {
                        json!({"type": "update-context", "context_id": format!("c-n-{}", (n - 11) / 2),
                                "delta": {"commands": [{"type": "set", "path": "o.x", "value": 1}]}})
                    }
                }
            }),
        ),
        ("hellos", Box::new(move |n| json!({"type": "hello", "identity": {"n": n, "many": many}}))),
    ];
    // Kept, so that nothing is measured in the memory of what went before.
    let mut kept = Vec::new();
    for (what, frame) in vectors {
        let before = resident();
        let mut hostile = Hostile::new();
        // Each has an account of its own.
        let rounds = if what == "hellos" { 500 } else { 1_000_000 };
        let mut said = 0;
        while !hostile.refused && said < rounds {
            said += 1;
            hostile.say(frame(said + 10));
        }
        let census = hostile.broker.census();
        let counted = census.state_bytes + census.context_bytes;
        let taken = resident().saturating_sub(before);
        assert!(hostile.refused || what == "hellos", "{what}: never refused");
        assert!(
            taken <= 3 * counted + 4 * MIB,
            "{what}: {said} frames count as {counted} bytes and take {taken}"
        );
        kept.push(hostile);
    }
}
