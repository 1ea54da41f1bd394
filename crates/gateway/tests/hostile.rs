//! Whatever comes in, in whatever order: the broker stands, keeps to its
//! bounds, tells nobody what is not theirs, and forgets all with the last link.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{HashMap, HashSet};

use deskwire_gateway::auth::Authenticator;
use deskwire_gateway::broker::{Broker, Effect, Event, LinkInfo};
use deskwire_gateway::{Admission, InstanceGrant, Limits, LinkId, Tokens};
use deskwire_wire::{ClientFrame, DecodeError};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Map, Value, json};

const LINKS: u64 = 4;

#[derive(Debug, Clone)]
enum Step {
    Open(u64),
    Close(u64),
    Say(u64, Value),
    Text(u64, String),
    Probed(u64, bool),
    Revoke,
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.peers = 6;
    limits.waiting_hellos_per_link = 2;
    limits.identity_bytes = 400;
    limits.name_bytes = 40;
    limits.methods_per_peer = 4;
    limits.announcement_bytes = 100;
    limits.calls_per_peer = 5;
    limits.state_bytes_per_peer = 12_000;
    limits.state_bytes_total = 40_000;
    limits.contexts = 3;
    limits.context_bytes = 200;
    limits.context_bytes_total = 5_000;
    limits
}

/// A name of a sort that was heard of: which one is settled when it is said.
fn name(letter: char) -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => (0_usize..4).prop_map(move |n| json!(format!("{letter}#{n}"))),
        3 => (0_usize..30).prop_map(move |n| json!(format!("{letter}#{n}"))),
        1 => Just(json!("nonsense")),
        1 => Just(Value::Null),
    ]
}

/// Mostly one of the speaker's own peers.
fn speaker() -> impl Strategy<Value = Value> {
    prop_oneof![12 => Just(json!("OWN")), 1 => name('p')]
}

fn id() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => select(vec![json!(1), json!(1), json!("1"), json!("1"), json!(2)]),
        1 => select(vec![json!("x".repeat(60)), json!(1.5), json!([])]),
    ]
}

fn payload() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!({}),
        json!([1]),
        json!({"a": {"b": 1}, "c": "x".repeat(30)}),
        json!("x".repeat(300)),
        json!(1),
    ])
}

fn delta() -> impl Strategy<Value = Value> {
    let path = select(vec!["", "a", "a.b.c", "c.d", "a.__proto__", "x".repeat(50).leak()]);
    let command = (path, payload(), any::<bool>()).prop_map(|(path, value, set)| {
        json!({"type": if set { "set" } else { "remove" }, "path": path, "value": value})
    });
    prop_oneof![
        prop::collection::vec(command, 0..4).prop_map(|commands| json!({"commands": commands})),
        payload().prop_map(|value| json!({"reset": value})),
        payload().prop_map(
            |value| json!({"added": {"k": value}, "updated": {"a": {"z": 1}}, "removed": ["c"]})
        ),
        payload(),
    ]
}

fn method() -> impl Strategy<Value = Value> {
    let good = select(vec![json!({}), json!(null), json!({"streaming": true})]);
    let flags = prop_oneof![12 => good, 1 => payload()];
    let names = select(vec!["M", "Tick42.FDC3.Intents.X", "N", "M", "N", "", "long"]);
    (id(), names, flags).prop_map(|(id, name, flags)| {
        let name = if name == "long" { "n".repeat(500) } else { name.to_owned() };
        json!({"id": id, "name": name, "flags": flags, "description": "d".repeat(70)})
    })
}

fn authentication() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!({"method": "secret", "login": "a", "secret": "b"}),
        json!({"method": "gateway-token", "token": "INSTANCE"}),
        json!({"method": "zzz"}),
    ])
}

/// Frames with any combination of fields, so that each meets each.
fn frame() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        8 => select(vec![("agm", "call"), ("agm", "call"), ("agm", "yield"), ("agm", "error")]),
        10 => select(vec![
            ("agm", "subscribe"), ("agm", "subscribe"), ("agm", "accepted"), ("agm", "accepted"),
            ("agm", "publish"), ("agm", "post"), ("agm", "unsubscribe"), ("agm", "drop-subscription"),
        ]),
        8 => select(vec![
            ("global", "create-context"), ("context", "create-context"),
            ("global", "subscribe-context"), ("global", "unsubscribe-context"),
            ("global", "update-context"), ("context", "update-context"),
            ("global", "update-context"), ("global", "destroy-context"),
        ]),
        6 => select(vec![
            ("global", "hello"), ("global", "join"), ("global", "join"), ("global", "leave"),
            ("agm", "register"), ("agm", "register"), ("agm", "unregister"),
        ]),
        4 => select(vec![("bus", "subscribe"), ("bus", "publish"), ("bus", "unsubscribe")]),
        2 => select(vec![
            ("global", "create-token"), ("global", "ping"), ("metrics", "publish"), ("moon", "x"),
            ("agm", "nonsense"),
        ]),
    ];
    let ids = (speaker(), name('p'), name('r'), name('r'), name('c'), id(), id(), id());
    let rest = (
        payload(),
        delta(),
        prop::collection::vec(method(), 0..4),
        prop::collection::vec(id(), 0..3),
        select(vec!["agm", "context", "bus", "metrics", "moon"]),
        select(vec!["retained", "ownership", "ref-counted", "weird"]),
        select(vec!["a.b", "a.*", ">", "a", "a.>.c"]),
        authentication(),
        select(vec![
            json!({}),
            json!({"instance": "i"}),
            json!({"instance": "i", "x": "?"}),
            json!({"y": "z".repeat(500)}),
        ]),
        any::<bool>(),
    );
    (kind, ids, rest).prop_map(|((domain, kind), ids, rest)| {
        let (peer, server, invocation, subscription, context, request, method, stream) = ids;
        let (data, delta, methods, method_ids, destination, lifetime, topic, auth, identity, flip) =
            rest;
        let fields = json!({
            "domain": domain, "type": kind, "peer_id": peer,
            "request_id": if kind == "error" { invocation.clone() } else { request },
            "server_id": server, "method_id": method, "invocation_id": invocation,
            "subscription_id": subscription, "stream_id": stream, "context_id": context,
            "destination": destination, "lifetime": lifetime, "topic": topic,
            "routing_key": if flip { json!("k") } else { Value::Null },
            "name": if flip { "C" } else { "D" },
            "methods": if kind == "unregister" { json!(method_ids) } else { json!(methods) },
            "arguments": if flip && kind == "call" { Value::Null } else { data.clone() },
            "arguments_kv": if flip { data.clone() } else { Value::Null }, "data": data, "result": data, "context": data, "delta": delta,
            "identity": identity, "authentication": auth,
        });
        let Value::Object(fields) = fields else { unreachable!() };
        Value::Object(
            fields.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>(),
        )
    })
}

fn step() -> impl Strategy<Value = Step> {
    let link = 0..LINKS;
    prop_oneof![
        2 => link.clone().prop_map(Step::Open),
        1 => link.clone().prop_map(Step::Close),
        90 => (link.clone(), frame()).prop_map(|(link, frame)| Step::Say(link, frame)),
        2 => (link.clone(), "\\PC{0,40}").prop_map(|(link, text)| Step::Text(link, text)),
        2 => (link, any::<bool>()).prop_map(|(link, alive)| Step::Probed(link, alive)),
        1 => Just(Step::Revoke),
    ]
}

struct World {
    broker: Broker,
    auth: Authenticator,
    tokens: Tokens,
    instance_token: String,
    /// Which link number stands for which of the few.
    open: HashMap<u64, LinkId>,
    next: u64,
    owners: HashMap<String, LinkId>,
    /// Names of each sort in the order they were heard of.
    heard: HashMap<char, Vec<String>>,
    closed: HashSet<LinkId>,
}

impl World {
    fn new() -> Self {
        let tokens = Tokens::new(&[7; 32]).unwrap();
        let grant = InstanceGrant { instance: "i".into(), application: "app".into() };
        Self {
            broker: Broker::new("n", "me", limits()),
            auth: Authenticator::new(None, tokens.clone()),
            instance_token: tokens.mint_instance(grant).unwrap(),
            tokens,
            open: HashMap::new(),
            next: 1,
            owners: HashMap::new(),
            heard: HashMap::new(),
            closed: HashSet::new(),
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Open(name) if !self.open.contains_key(&name) => {
                let link = LinkId(self.next);
                self.next += 1;
                self.open.insert(name, link);
                let info = match name {
                    0 => LinkInfo::in_process(),
                    _ => LinkInfo::socket(None, Admission::Anonymous),
                };
                self.handle(Event::Opened { link, info });
            }
            Step::Open(_) => {}
            Step::Close(name) => {
                if let Some(link) = self.open.remove(&name) {
                    self.closed.insert(link);
                    self.handle(Event::Closed { link });
                }
            }
            Step::Say(name, mut frame) => {
                self.settle_names(name, &mut frame);
                let text = frame.to_string().replace("INSTANCE", &self.instance_token);
                self.say(name, &text);
            }
            Step::Text(name, text) => self.say(name, &text),
            Step::Probed(name, alive) => {
                if let Some(&link) = self.open.get(&name) {
                    self.handle(Event::Probed { link, alive });
                }
            }
            Step::Revoke => {
                self.tokens.revoke_instance("i");
                self.handle(Event::Revoked { instance: "i".into() });
                self.tokens.admit_instance("i");
            }
        }
        let (census, limits) = (self.broker.census(), limits());
        assert!(census.peers <= limits.peers);
        assert!(census.contexts <= limits.contexts);
        assert!(census.calls <= limits.calls_per_peer * limits.peers);
        assert!(census.methods <= limits.methods_per_peer * limits.peers);
        assert!(census.state_bytes <= limits.state_bytes_total);
        assert!(census.context_bytes <= limits.context_bytes_total);
        assert_eq!(census.waiting_bytes, 0, "all was delivered");
    }

    /// Puts names that were heard of in the place of placeholders, late ones first.
    fn settle_names(&self, name: u64, frame: &mut Value) {
        for value in frame.as_object_mut().unwrap().values_mut() {
            let Some(placeholder) = value.as_str() else { continue };
            if placeholder == "OWN" {
                let own = self.open.get(&name);
                let peers = self.heard.get(&'p').into_iter().flatten().rev();
                let mine = peers.into_iter().find(|peer| self.owners.get(*peer) == own);
                *value = json!(mine);
            } else if let Some((letter, number)) = placeholder.split_once('#') {
                let letter = letter.chars().next().unwrap();
                let heard = self.heard.get(&letter).into_iter().flatten().rev();
                *value = json!(heard.into_iter().nth(number.parse().unwrap()));
            }
        }
    }

    fn say(&mut self, name: u64, text: &str) {
        let Some(&link) = self.open.get(&name) else { return };
        match ClientFrame::decode(text) {
            Ok(frame) => self.handle(Event::Frame { link, frame }),
            Err(DecodeError::NotJson(_) | DecodeError::TooDeep) => {}
            Err(error) => self.handle(Event::Unreadable { link, error }),
        }
    }

    fn handle(&mut self, event: Event) {
        self.broker.handle(event);
        while let Some(effect) = self.broker.next_effect() {
            match effect {
                Effect::Deliver { link, outbound } => {
                    for frame in outbound.frames() {
                        self.told(link, &serde_json::from_str(&frame.encode()).unwrap());
                    }
                }
                Effect::Authenticate { hello, info, authentication } => {
                    let outcome =
                        self.auth.authenticate(&info, authentication.as_ref(), hello.claimed());
                    self.broker.handle(Event::Authenticated { hello, outcome });
                }
                Effect::Mint { request, .. } => {
                    self.broker.handle(Event::Minted { request, outcome: Err("no".into()) });
                }
                Effect::Probe { .. } => {}
                Effect::Close { link, .. } => {
                    self.open.retain(|_, open| *open != link);
                    self.closed.insert(link);
                    self.broker.handle(Event::Closed { link });
                }
            }
        }
    }

    fn told(&mut self, link: LinkId, frame: &Value) {
        // What was under way when a link closed goes nowhere.
        if self.closed.contains(&link) {
            return;
        }
        let peer = frame["peer_id"].as_str().map(str::to_owned);
        for (letter, key) in [
            ('p', "peer_id"),
            ('r', "invocation_id"),
            ('r', "subscription_id"),
            ('c', "context_id"),
        ] {
            let heard = self.heard.entry(letter).or_default();
            if let Some(name) = frame[key].as_str()
                && !heard.iter().any(|known| known == name)
            {
                heard.push(name.to_owned());
            }
        }
        match (frame["type"].as_str().unwrap(), peer) {
            ("welcome", Some(peer)) => {
                assert!(self.owners.insert(peer, link).is_none(), "one name, one peer");
            }
            // Repeats whatever id the frame had that it answers.
            ("error", _) => {}
            (_, Some(peer)) => {
                assert_eq!(self.owners.get(&peer), Some(&link), "told somebody else: {frame}");
            }
            (_, None) => panic!("told nobody: {frame}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_broker_stands(steps in prop::collection::vec(step(), 1..250)) {
        let mut world = World::new();
        for link in 0..LINKS {
            world.take(Step::Open(link));
            // Somebody to begin with.
            world.take(Step::Say(link, json!({"type": "hello", "identity": {}})));
            let methods = json!([{"id": 1, "name": "M"}, {"id": "1", "name": "N"}]);
            world.take(Step::Say(
                link,
                json!({"domain": "agm", "type": "register", "methods": methods, "peer_id": "OWN"}),
            ));
            for destination in ["agm", "bus"] {
                let join = json!({"type": "join", "destination": destination, "peer_id": "OWN"});
                world.take(Step::Say(link, join));
            }
        }
        for step in steps {
            world.take(step);
        }
        for link in 0..LINKS {
            world.take(Step::Close(link));
        }
        let census = world.broker.census();
        prop_assert_eq!((census.peers, census.methods, census.calls), (0, 0, 0));
        prop_assert_eq!((census.subscriptions, census.state_bytes), (0, 0));
    }

    /// The door itself: any text decodes or is refused.
    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\":,a-z0-9\\\\]{0,80}") {
        let _ = ClientFrame::decode(&text);
    }
}
