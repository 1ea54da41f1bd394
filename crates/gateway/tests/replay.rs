//! Recorded sessions of the original gateway, replayed against the broker.
//!
//! `traces/*.jsonl` hold what the JavaScript clients and the original gateway
//! said to each other, one frame per line, with node ids and tokens replaced by
//! placeholders. What the clients said is fed to the broker in the recorded
//! order; what the broker says must be what the original said, on each
//! connection in the same order, up to a one-to-one renaming of ids.
//! Tokens and texts for people are not compared, nor the order of methods
//! within one frame; `null` is the same as absent.
//!
//! Where we differ on purpose, `traces/deviations.jsonl` says frame by frame
//! how, and [`WHY`] says why. `line` is a line of the trace:
//! - `extra`: we say this, too, before the recorded line is due (or, with
//!   `line` one past the end, at the end);
//! - `missing`: we do not say the recorded line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeSet, HashMap, VecDeque};

use deskwire_gateway::auth::Authenticator;
use deskwire_gateway::broker::{Broker, Effect, Event, LinkInfo};
use deskwire_gateway::{Admission, Limits, LinkId, Tokens};
use deskwire_wire::ClientFrame;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Why we differ. The first three apply wherever their case occurs, and are
/// spelled out in [`expected`]; the others are listed frame by frame.
const WHY: [(&str, &str); 6] = [
    ("one-user", "whoever logs in is the one user of this desktop, so everybody sees everybody"),
    ("no-activity", "the domain `activity` served a container that is gone; no client joins it"),
    ("flags", "one method without `flags` breaks the method list of every other client"),
    (
        "early-methods",
        "what a peer registers before it joins is announced when it joins, not never",
    ),
    (
        "no-expressions",
        "no client sends permission expressions; a single user needs no protection from itself",
    ),
    ("order-of-peers", "what is said to different peers of one socket has no order among itself"),
];

#[derive(Deserialize)]
struct Line {
    conn: String,
    dir: String,
    msg: Value,
}

#[derive(Deserialize)]
struct Deviation {
    trace: String,
    line: usize,
    why: String,
    conn: String,
    extra: Option<Value>,
    #[serde(default)]
    missing: bool,
}

fn deviations(trace: &str) -> Vec<Deviation> {
    let all: Vec<Deviation> = include_str!("traces/deviations.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for deviation in &all {
        assert!(WHY.iter().any(|(why, _)| *why == deviation.why), "no reason: {}", deviation.why);
    }
    all.into_iter().filter(|deviation| deviation.trace == trace).collect()
}

/// The broker, with every effect carried out at once.
struct Harness {
    broker: Broker,
    auth: Authenticator,
    tokens: Tokens,
    user: String,
    conns: HashMap<String, LinkId>,
    said: HashMap<LinkId, VecDeque<Value>>,
}

impl Harness {
    fn new(user: &str) -> Self {
        let tokens = Tokens::new(&[7; 32]).unwrap();
        Self {
            broker: Broker::new("ours", user, Limits::default()),
            auth: Authenticator::new(None, tokens.clone()),
            tokens,
            user: user.to_owned(),
            conns: HashMap::new(),
            said: HashMap::new(),
        }
    }

    fn link(&mut self, conn: &str) -> LinkId {
        if let Some(link) = self.conns.get(conn) {
            return *link;
        }
        let link = LinkId(self.conns.len() as u64 + 1);
        self.conns.insert(conn.to_owned(), link);
        let address = Some([127, 0, 0, 1].into());
        let info = LinkInfo::socket(address, Admission::Anonymous);
        self.handle(Event::Opened { link, info });
        link
    }

    fn handle(&mut self, event: Event) {
        self.broker.handle(event);
        while let Some(effect) = self.broker.next_effect() {
            match effect {
                Effect::Deliver { link, outbound } => {
                    let said = self.said.entry(link).or_default();
                    let texts = outbound.frames().map(|frame| frame.encode());
                    said.extend(texts.map(|text| serde_json::from_str::<Value>(&text).unwrap()));
                }
                Effect::Authenticate { hello, info, authentication } => {
                    let outcome =
                        self.auth.authenticate(&info, authentication.as_ref(), hello.claimed());
                    self.broker.handle(Event::Authenticated { hello, outcome });
                }
                Effect::Mint { request, application } => {
                    let outcome = self.tokens.mint_user(&self.user, application);
                    let outcome = outcome.map_err(|error| error.to_string());
                    self.broker.handle(Event::Minted { request, outcome });
                }
                Effect::Probe { link } => self.broker.handle(Event::Probed { link, alive: true }),
                Effect::Close { link, reason } => panic!("closes {link:?}: {reason}"),
            }
        }
    }
}

/// Recorded names to ours, one to one.
#[derive(Default)]
struct Names {
    ours: HashMap<String, String>,
    taken: BTreeSet<String>,
}

impl Names {
    fn is_name(text: &str) -> bool {
        let id = |letter: &str| {
            text.strip_prefix(letter).and_then(|rest| rest.strip_prefix("-N-")).is_some()
        };
        ["p", "i", "c", "r"].into_iter().any(id)
    }

    /// A recorded frame as our client would have said it.
    fn translate(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match self.ours.get(text) {
                Some(ours) => json!(ours),
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.translate(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (key.clone(), self.translate(value)))
                .collect::<Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    /// Whether two frames are the same up to names, which are bound on the way.
    fn same(&mut self, recorded: &Value, ours: &Value) -> bool {
        match (recorded, ours) {
            // One token is as good as another: the last one serves.
            (Value::String(recorded), Value::String(ours)) if recorded.starts_with("token-") => {
                self.ours.insert(recorded.clone(), ours.clone());
                true
            }
            (Value::String(recorded), Value::String(ours)) if Self::is_name(recorded) => {
                match self.ours.get(recorded) {
                    Some(bound) => bound == ours,
                    None => {
                        self.ours.insert(recorded.clone(), ours.clone());
                        self.taken.insert(ours.clone())
                    }
                }
            }
            (Value::Array(recorded), Value::Array(ours)) => {
                recorded.len() == ours.len()
                    && recorded.iter().zip(ours).all(|(recorded, ours)| self.same(recorded, ours))
            }
            (Value::Object(recorded), Value::Object(ours)) => {
                let keys: BTreeSet<_> = recorded.keys().chain(ours.keys()).collect();
                keys.into_iter().all(|key| {
                    let (recorded, ours) = (recorded.get(key), ours.get(key));
                    self.same(recorded.unwrap_or(&Value::Null), ours.unwrap_or(&Value::Null))
                })
            }
            (recorded, ours) => recorded == ours,
        }
    }
}

/// A recorded frame as we would say it, where we differ everywhere alike.
fn expected(mut frame: Value, user: &str) -> Value {
    normalise(&mut frame);
    for identity in ["resolved_identity", "identity", "publisher-identity"] {
        if let Some(recorded) =
            frame.get_mut(identity).and_then(|identity| identity.get_mut("user"))
        {
            *recorded = json!(user);
        }
    }
    if let Some(domains) = frame.get_mut("available_domains").and_then(Value::as_array_mut) {
        domains.retain(|domain| domain["uri"] != "activity");
    }
    if frame["type"] == "methods-added" {
        for method in frame["methods"].as_array_mut().unwrap() {
            let flags = method.as_object_mut().unwrap().entry("flags").or_insert(json!({}));
            let flags = flags.as_object_mut().unwrap();
            flags.entry("metadata").or_insert(json!({}));
            flags.entry("streaming").or_insert(json!(false));
        }
    }
    frame
}

/// What is not compared, of either side.
fn normalise(frame: &mut Value) {
    if matches!(frame["type"].as_str(), Some("error" | "peer-removed" | "context-destroyed"))
        && let Some(frame) = frame.as_object_mut()
    {
        frame.remove("reason");
    }
    // The original lists them in the order of a hash map.
    if matches!(frame["type"].as_str(), Some("methods-added" | "methods-removed")) {
        let methods = frame["methods"].as_array_mut().unwrap();
        methods.sort_by_key(Value::to_string);
    }
}

fn replay(trace: &str, user: &str, text: &str) {
    let mut deviations: VecDeque<_> = deviations(trace).into();
    let mut names = Names::default();
    let mut harness = Harness::new(user);
    let lines: Vec<Line> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let due = |harness: &mut Harness, names: &mut Names, at: usize, conn: &str, frame: &Value| {
        let link = harness.link(conn);
        let said = harness.said.entry(link).or_default().pop_front();
        let Some(mut ours) = said else {
            panic!("{trace}:{at}: {conn} should hear\n  {frame}\nbut hears nothing");
        };
        normalise(&mut ours);
        assert!(
            names.same(frame, &ours),
            "{trace}:{at}: {conn} should hear\n  {}\nbut hears\n  {ours}",
            names.translate(frame),
        );
    };
    for (at, line) in (1..).zip(&lines) {
        let mut missing = false;
        while let Some(deviation) = deviations.pop_front_if(|deviation| deviation.line == at) {
            if deviation.missing {
                missing = true;
                assert_eq!((line.dir.as_str(), &line.conn), ("s->c", &deviation.conn), "line {at}");
            }
            if let Some(extra) = deviation.extra {
                due(&mut harness, &mut names, at, &deviation.conn, &expected(extra, user));
            }
        }
        match line.dir.as_str() {
            "c->s" => {
                let link = harness.link(&line.conn);
                let text = names.translate(&line.msg).to_string();
                harness.handle(match ClientFrame::decode(&text) {
                    Ok(frame) => Event::Frame { link, frame },
                    Err(error) => Event::Unreadable { link, error },
                });
            }
            "close" => {
                let link = harness.link(&line.conn);
                harness.handle(Event::Closed { link });
            }
            _ if missing => {}
            _ => {
                let frame = expected(line.msg.clone(), user);
                due(&mut harness, &mut names, at, &line.conn, &frame);
            }
        }
    }
    while let Some(deviation) = deviations.pop_front() {
        assert_eq!(deviation.line, lines.len() + 1, "no such line");
        let extra = expected(deviation.extra.unwrap(), user);
        due(&mut harness, &mut names, deviation.line, &deviation.conn, &extra);
    }
    for (conn, link) in &harness.conns {
        let more = harness.said.remove(link).unwrap_or_default();
        assert!(more.is_empty(), "{trace}: {conn} hears more than it should:\n{more:#?}");
    }
}

#[test]
fn core_clients() {
    replay("core", "alice", include_str!("traces/core.jsonl"));
}

#[test]
fn raw_frames() {
    replay("raw", "u", include_str!("traces/raw.jsonl"));
}

#[test]
fn desktop_clients() {
    replay("desktop", "u", include_str!("traces/desktop.jsonl"));
}

#[test]
fn intents() {
    replay("intents", "u", include_str!("traces/intents.jsonl"));
}
