//! A broker, its links by name, and a protocol of all that is said.
//!
//! `a > …` is what link `a` says, `a < …` what it is told, `a !` what is done to
//! it. Request ids, `null` members and texts that only people read are kept;
//! the node is called `n`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use deskwire_gateway::auth::Authenticator;
use deskwire_gateway::broker::{Broker, Census, Effect, Event, LinkInfo};
use deskwire_gateway::{Admission, InstanceGrant, Limits, LinkId, Tokens};
use deskwire_wire::{ClientFrame, ServerFrame};
use serde_json::{Map, Value, json};

pub struct Desk {
    pub broker: Broker,
    pub tokens: Tokens,
    auth: Authenticator,
    links: BTreeMap<LinkId, String>,
    /// The last peer welcomed on each link.
    peers: BTreeMap<String, String>,
    /// What each link was told since it was last asked.
    told: BTreeMap<String, Vec<Value>>,
    pub log: String,
}

impl Desk {
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    pub fn with_limits(limits: Limits) -> Self {
        Self::with_secret(limits, None)
    }

    pub fn with_secret(limits: Limits, secret: Option<&str>) -> Self {
        let tokens = Tokens::new(&[7; 32]).unwrap();
        Self {
            broker: Broker::new("n", "me", limits),
            auth: Authenticator::new(secret.map(str::to_owned), tokens.clone()),
            tokens,
            links: BTreeMap::new(),
            peers: BTreeMap::new(),
            told: BTreeMap::new(),
            log: String::new(),
        }
    }

    /// A desk whose peers said hello and joined `agm`, with an empty protocol.
    pub fn joined(names: &[&str]) -> Self {
        let mut desk = Self::new();
        for name in names {
            desk.enter(name);
        }
        desk.hush();
        desk
    }

    /// Opens a link, says hello and joins `agm`.
    pub fn enter(&mut self, name: &str) {
        self.open(name);
        self.hello(name, json!({"application": name}));
        self.says(name, json!({"type": "join", "destination": "agm", "request_id": "join"}));
    }

    pub fn open(&mut self, name: &str) {
        self.open_as(name, LinkInfo::socket(Some([127, 0, 0, 1].into()), Admission::Anonymous));
    }

    pub fn open_as(&mut self, name: &str, info: LinkInfo) {
        let link = LinkId(self.links.keys().last().map_or(1, |link| link.0 + 1));
        self.links.insert(link, name.to_owned());
        self.handle(Event::Opened { link, info });
    }

    pub fn close(&mut self, name: &str) {
        let _ = writeln!(self.log, "{name} ! closes");
        let link = self.link(name);
        self.handle(Event::Closed { link });
        self.links.remove(&link);
    }

    pub fn hello(&mut self, name: &str, identity: Value) {
        self.says(name, json!({"type": "hello", "request_id": "hello", "identity": identity}));
    }

    pub fn hello_with(&mut self, name: &str, identity: Value, authentication: Value) {
        self.says(
            name,
            json!({"type": "hello", "request_id": "hello", "identity": identity,
                   "authentication": authentication}),
        );
    }

    /// Says a frame as the link's last peer.
    pub fn says(&mut self, name: &str, mut frame: Value) {
        let fields = frame.as_object_mut().unwrap();
        if !matches!(fields["type"].as_str(), Some("hello" | "ping"))
            && !fields.contains_key("peer_id")
        {
            fields.insert("peer_id".into(), json!(self.peers.get(name)));
        }
        self.says_text(name, &frame.to_string());
    }

    pub fn says_text(&mut self, name: &str, text: &str) {
        let _ = writeln!(
            self.log,
            "{name} > {}",
            shown(serde_json::from_str(text).unwrap_or(json!(text)))
        );
        let link = self.link(name);
        self.handle(match ClientFrame::decode(text) {
            Ok(frame) => Event::Frame { link, frame },
            Err(error) => Event::Unreadable { link, error },
        });
    }

    pub fn agm(&mut self, name: &str, mut frame: Value) {
        frame.as_object_mut().unwrap().insert("domain".into(), json!("agm"));
        self.says(name, frame);
    }

    pub fn register(&mut self, name: &str, methods: Value) {
        self.agm(name, json!({"type": "register", "request_id": "reg", "methods": methods}));
    }

    pub fn probed(&mut self, name: &str, alive: bool) {
        let _ = writeln!(self.log, "{name} ! {}", if alive { "is alive" } else { "is silent" });
        let link = self.link(name);
        self.handle(Event::Probed { link, alive });
    }

    /// Keeps these names for who has a token that fixes them.
    pub fn keep_names(&self, names: &'static [&'static str]) {
        self.auth.keep_names(|name| names.contains(&name));
    }

    pub fn token(&self, instance: &str, application: &str) -> String {
        let grant =
            InstanceGrant { instance: instance.to_owned(), application: application.to_owned() };
        self.tokens.mint_instance(grant).unwrap()
    }

    pub fn revoke(&mut self, instance: &str) {
        let _ = writeln!(self.log, "  ! {instance} stops");
        self.tokens.revoke_instance(instance);
        self.handle(Event::Revoked { instance: instance.to_owned() });
    }

    /// The id of the link's last peer.
    pub fn peer(&self, name: &str) -> String {
        self.peers[name].clone()
    }

    pub fn census(&self) -> Census {
        self.broker.census()
    }

    /// Forgets what was said so far.
    pub fn hush(&mut self) {
        self.log.clear();
        self.told.clear();
    }

    /// What was said since the last time.
    pub fn protocol(&mut self) -> String {
        std::mem::take(&mut self.log)
    }

    /// What a link was told since the last time.
    pub fn told(&mut self, name: &str) -> Vec<Value> {
        self.told.remove(name).unwrap_or_default()
    }

    /// The types of the frames that a link was told.
    pub fn told_types(&mut self, name: &str) -> Vec<String> {
        let frames = self.told(name);
        frames.iter().map(|frame| frame["type"].as_str().unwrap().to_owned()).collect()
    }

    /// The last thing that a link was told, which is an error.
    pub fn error(&mut self, name: &str) -> (String, String) {
        let last = self.told(name).pop().unwrap();
        assert_eq!(last["type"], "error", "{last}");
        let text = |key: &str| last[key].as_str().unwrap().to_owned();
        (text("reason_uri"), text("reason"))
    }

    pub fn link(&self, name: &str) -> LinkId {
        let found = self.links.iter().rev().find(|(_, known)| *known == name);
        *found.unwrap_or_else(|| panic!("no link {name}")).0
    }

    pub fn handle(&mut self, event: Event) {
        self.broker.handle(event);
        while let Some(effect) = self.broker.next_effect() {
            match effect {
                Effect::Deliver { link, outbound } => {
                    outbound.frames().for_each(|frame| self.tell(link, &frame));
                }
                Effect::Authenticate { hello, info, authentication } => {
                    let outcome =
                        self.auth.authenticate(&info, authentication.as_ref(), hello.claimed());
                    self.broker.handle(Event::Authenticated { hello, outcome });
                }
                Effect::Mint { request, application } => {
                    let outcome = self.tokens.mint_user("me", application);
                    let outcome = outcome.map_err(|error| error.to_string());
                    self.broker.handle(Event::Minted { request, outcome });
                }
                Effect::Probe { link } => {
                    let _ = writeln!(self.log, "  {} ! is probed", self.links[&link]);
                }
                Effect::Close { link, reason } => {
                    let _ = writeln!(self.log, "  {} ! is closed: {reason}", self.links[&link]);
                }
            }
        }
    }

    fn tell(&mut self, link: LinkId, frame: &ServerFrame) {
        let frame: Value = serde_json::from_str(&frame.encode()).unwrap();
        let Some(name) = self.links.get(&link) else { panic!("told a closed link {frame}") };
        if frame["type"] == "welcome" {
            self.peers.insert(name.clone(), frame["peer_id"].as_str().unwrap().to_owned());
        }
        let _ = writeln!(self.log, "  {name} < {}", shown(frame.clone()));
        self.told.entry(name.clone()).or_default().push(frame);
    }
}

/// Domain and type first, the rest in order, without what says nothing.
fn shown(frame: Value) -> String {
    let Value::Object(mut fields) = frame else { return frame.to_string() };
    let domain = fields.shift_remove("domain").unwrap_or(json!("global"));
    let kind = fields.shift_remove("type").unwrap_or_default();
    fields.shift_remove("available_domains");
    let mut fields: Map<_, _> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
    for key in ["authentication", "options", "token"] {
        if let Some(secret) = fields.get_mut(key) {
            *secret = json!("…");
        }
    }
    let domain = domain.as_str().unwrap_or("(no domain)");
    format!("{domain} {} {}", kind.as_str().unwrap_or_default(), Value::Object(fields))
}
