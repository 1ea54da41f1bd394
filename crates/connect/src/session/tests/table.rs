//! A conversation as text: what happens to a session, and below each line what
//! the session does about it.
//!
//! Lines that happen:
//! - `up`, `down`, `end`, `ping`, `leave`: the link comes and goes, and so on;
//! - `ready`: the link comes, and the gateway takes us as peer `me`;
//! - `< {..}`: a frame of the gateway, in domain `agm` unless it says otherwise;
//! - `call A p-2 7 {..}`: a command of the application, whose answer is called
//!   `A`; the others are in [`Table::command`].
//!
//! Lines that are done about it:
//! - `> type #request {..}`: a frame to the gateway, without domain and peer;
//! - `run 0 ..`: a handler of the application is to run;
//! - `+ ..`, `- ..`: a change of the directory;
//! - `A: ..`: an answer, an event or an end for what is called `A`.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use deskwire_wire::{ClientFrame, Document, Id, Method, Payload, ServerFrame};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use crate::bus::{Publication, TopicEvent};
use crate::contexts::ContextChange;
use crate::directory::{InteropEvent, MethodKey};
use crate::handler::CallFailure;
use crate::mailbox::{Inlet, Received, mailbox};
use crate::session::{Effect, Job, Reply, Role, Route, Session, Wish, Write};
use crate::streams::{StreamEvent, SubscriptionRequest};
use crate::target::Target;
use crate::{Limits, Options, RequestError};

/// Runs a conversation and compares.
#[track_caller]
pub(super) fn check(conversation: &str) {
    check_with(Options::new("me"), conversation);
}

/// As [`check`], for a peer with other options.
#[track_caller]
pub(super) fn check_with(options: Options, conversation: &str) {
    let expected: Vec<&str> =
        conversation.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let happens = |line: &str| Table::happens(line).is_some();
    let mut table = Table::new(options);
    for line in expected.iter().filter(|line| happens(line)) {
        table.step(line);
    }
    let (expected, found) = (expected.join("\n"), table.transcript.join("\n"));
    assert!(expected == found, "expected:\n{expected}\n\nfound:\n{found}\n");
}

/// Bounds small enough to reach.
pub(super) fn limits(limits: Limits) -> Options {
    Options { limits, ..Options::new("me") }
}

type Outcomes = Box<dyn FnMut() -> Vec<String>>;

struct Table {
    session: Session,
    transcript: Vec<String>,
    /// What is called something, and how to ask whether there is news of it.
    called: BTreeMap<String, Outcomes>,
    keys: BTreeMap<String, u64>,
}

impl Table {
    fn new(options: Options) -> Self {
        Self {
            session: Session::new(&options),
            transcript: Vec::new(),
            called: BTreeMap::new(),
            keys: BTreeMap::new(),
        }
    }

    /// Splits a line that happens into its verb and the rest.
    fn happens(line: &str) -> Option<(&str, &str)> {
        const VERBS: [&str; 26] = [
            "<",
            "up",
            "down",
            "end",
            "ping",
            "leave",
            "ready",
            "call",
            "abandon",
            "register",
            "stream",
            "unregister",
            "finish",
            "fail",
            "accept",
            "reject",
            "drop",
            "push",
            "subscribe",
            "settle",
            "unsubscribe",
            "get",
            "write",
            "follow",
            "topic",
            "publish",
        ];
        const MORE: [&str; 5] = ["destroy", "unfollow", "untopic", "join-bus", "token"];
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        (VERBS.contains(&verb) || MORE.contains(&verb)).then_some((verb, rest))
    }

    fn step(&mut self, line: &str) {
        let (verb, rest) = Self::happens(line).unwrap();
        self.transcript.push(line.to_owned());
        match verb {
            "<" => self.hear(rest),
            "ready" => {
                self.session.link_up();
                let hello = self.next_request();
                let version = rest.parse().unwrap_or(2);
                self.hear(
                    &json!({"type": "welcome", "domain": "global", "request_id": hello, "peer_id": "me",
                            "resolved_identity": {"application": "me"},
                            "available_domains": [{"uri": "context", "version": version}, {"uri": "bus"}]})
                    .to_string(),
                );
                let join = self.next_request();
                self.hear(&json!({"type": "success", "request_id": join}).to_string());
                self.session.effects().for_each(drop);
            }
            _ => self.command(verb, rest),
        }
        self.observe();
    }

    fn hear(&mut self, frame: &str) {
        let mut frame: Value = serde_json::from_str(frame).unwrap();
        let fields = frame.as_object_mut().unwrap();
        fields.entry("domain").or_insert("agm".into());
        self.session.handle(ServerFrame::decode(&frame.to_string()).unwrap());
    }

    fn command(&mut self, verb: &str, rest: &str) {
        // The last word is JSON with its spaces.
        let words = |n: usize| -> Vec<String> { rest.splitn(n, ' ').map(str::to_owned).collect() };
        let name = words(2)[0].clone();
        let payload = |text: &str| Payload::parse(text).unwrap();
        match verb {
            "up" => self.session.link_up(),
            "down" => self.session.link_down(),
            "end" => self.session.end(&RequestError::Closed),
            "ping" => self.session.ping(),
            "leave" => self.session.leave(),
            "token" => {
                let reply = self.reply(&name);
                self.session.create_token(reply).unwrap();
            }
            "call" => {
                let [_, server, method, arguments] = &words(4)[..] else { panic!("{rest}") };
                let key = MethodKey { server: server.as_str().into(), method: id(method) };
                let reply = self.reply(&name);
                match self.session.call(&key, payload(arguments), reply) {
                    Ok(placed) => {
                        let Id::Text(request) = placed.request else { panic!("a request id") };
                        self.keys.insert(name, request.parse().unwrap());
                    }
                    Err(error) => self.refused(&name, &error),
                }
            }
            "abandon" => {
                let request = Id::from(self.keys[&name].to_string());
                self.session.abandon(&request);
                self.called.remove(&name);
            }
            "register" | "stream" => {
                let mut method = Method { name: words(2)[1].clone(), ..Method::default() };
                method.flags.streaming = verb == "stream";
                let role = if verb == "stream" {
                    Role::Stream(Arc::new(|_: SubscriptionRequest| async {}))
                } else {
                    Role::Method(Arc::new(|_| async { Err(CallFailure::new("not run here")) }))
                };
                let reply = self.reply(&name);
                match self.session.register(method, role, reply) {
                    Ok(key) => {
                        self.keys.insert(name, key);
                    }
                    Err(error) => self.refused(&name, &error),
                }
            }
            "unregister" => {
                let reply = self.reply(&name);
                self.session.unregister(self.keys[&name], Some(reply));
            }
            "finish" => {
                let run = name.parse().unwrap();
                self.session.finish(run, Ok(payload(&words(2)[1])));
            }
            "fail" => {
                let run = name.parse().unwrap();
                self.session.finish(run, Err(CallFailure::new(&words(2)[1])));
            }
            "accept" => {
                let branch = words(2).get(1).cloned().unwrap_or_default();
                let accepted = self.session.accept(name.parse().unwrap(), &branch);
                if !accepted {
                    self.refused(&name, &"has gone");
                }
                self.session.finish_silently();
            }
            "reject" => {
                self.session.reject(name.parse().unwrap(), words(2)[1].clone());
                self.session.finish_silently();
            }
            "drop" => self.session.drop_subscriber(name.parse().unwrap(), words(2)[1].clone()),
            "push" => {
                let [_, branch, data] = &words(3)[..] else { panic!("{rest}") };
                let route = if branch == "*" { Route::All } else { Route::Branch(branch.clone()) };
                let pushed = match name.parse() {
                    Ok(subscriber) => self.session.push_one(subscriber, payload(data)),
                    Err(_) => self.session.push(self.keys[&name], &route, &payload(data)),
                };
                if let Err(error) = pushed {
                    self.refused(&name, &error);
                }
            }
            "subscribe" => {
                let [_, stream, target] = &words(3)[..] else { panic!("{rest}") };
                let target = if target == "all" { Target::All } else { Target::Best };
                let limits = self.session.limits().clone();
                let (outlet, inlet) = mailbox(limits.queued_events, limits.queued_event_bytes);
                let reply = self.reply(&name);
                let wish = Wish {
                    name: stream.clone(),
                    target,
                    arguments: Payload::empty_object(),
                    outlet,
                    reply,
                };
                match self.session.subscribe(wish) {
                    Ok(key) => {
                        self.keys.insert(name.clone(), key);
                        self.read(&name, inlet, |event: StreamEvent| {
                            let oob = if event.out_of_band { " oob" } else { "" };
                            format!("{:?} from {}{oob}", event.data, event.server.peer_id)
                        });
                    }
                    Err(error) => self.refused(&name, &error),
                }
            }
            "settle" => {
                let stands = self.session.settle_subscription(self.keys[&name]);
                self.transcript.push(format!("{name}: stands: {stands}"));
            }
            "unsubscribe" => {
                self.session.unsubscribe(self.keys[&name]);
                self.called.remove(&name);
            }
            "get" => {
                let (reply, answer) = oneshot::channel();
                self.session.context_get(&words(2)[1], reply);
                self.await_answer(&name, answer, |data: Option<Arc<Document>>| {
                    data.map_or("none".into(), |data| format!("{:?}", data.to_payload()))
                });
            }
            "write" => {
                let [_, context, how, data] = &words(4)[..] else { panic!("{rest}") };
                let reply = self.reply(&name);
                let data = payload(data);
                let write = match how.as_str() {
                    "set" => Write::Reset(Document::parse(&data).unwrap()),
                    "update" => Write::Keys(data.read("keys").unwrap()),
                    _ => Write::Paths(
                        data.read::<Map<String, Value>>("paths")
                            .unwrap()
                            .into_iter()
                            .map(|(path, value)| (path, value.into()))
                            .collect(),
                    ),
                };
                self.session.context_write(context, write, reply);
            }
            "follow" => {
                let limits = self.session.limits().clone();
                let (outlet, inlet) = mailbox(limits.queued_events, limits.queued_event_bytes);
                let reply = self.reply(&name);
                let key = self.session.context_subscribe(&words(2)[1], outlet, reply);
                self.keys.insert(name.clone(), key);
                self.read(&name, inlet, |change: ContextChange| {
                    let updater = change.updater.map_or("nobody".into(), |peer| peer.to_string());
                    format!("{:?} by {updater}", change.data.to_payload())
                });
            }
            "unfollow" => {
                self.session.context_unsubscribe(&words(2)[1], self.keys[&name]);
                self.called.remove(&name);
            }
            "destroy" => {
                let reply = self.reply(&name);
                if let Err(error) = self.session.context_destroy(&words(2)[1], reply) {
                    self.refused(&name, &error);
                }
            }
            "join-bus" => {
                let reply = self.reply(&name);
                self.session.join_bus(reply);
            }
            "topic" => {
                let (outlet, inlet) = mailbox(9, 999);
                let reply = self.reply(&name);
                let key = self.session.subscribe_topic(words(2)[1].clone(), None, outlet, reply);
                self.keys.insert(name.clone(), key);
                self.read(&name, inlet, |event: TopicEvent| {
                    format!("{:?} from {:?}", event.data, event.publisher)
                });
            }
            "untopic" => {
                self.session.unsubscribe_topic(self.keys[&name]);
                self.called.remove(&name);
            }
            "publish" => {
                let [topic, data] = &words(2)[..] else { panic!("{rest}") };
                let publication = Publication::new(topic.as_str(), payload(data));
                if let Err(error) = self.session.publish_topic(publication) {
                    self.refused(topic, &error);
                }
            }
            other => panic!("{other}"),
        }
    }

    /// Writes down what the session has done.
    fn observe(&mut self) {
        for effect in self.session.effects() {
            let line = match effect {
                Effect::Run(run) => match run.job {
                    Job::Call { call, .. } => {
                        format!("run {} {} {:?}", run.id, call.method, call.arguments)
                    }
                    Job::Decide { key, interest, .. } => {
                        format!("decide {key} {} {:?}", interest.stream, interest.arguments)
                    }
                },
                Effect::Interop(event) => match event {
                    InteropEvent::PeerAdded { peer, .. } => format!("+ {peer}"),
                    InteropEvent::PeerRemoved { peer, .. } => format!("- {peer}"),
                    InteropEvent::MethodAdded(method) => {
                        format!("+ {} of {}", method.method.name, method.key.server)
                    }
                    InteropEvent::MethodRemoved(method) => {
                        format!("- {} of {}", method.method.name, method.key.server)
                    }
                },
                Effect::Discard(_) => continue,
            };
            self.transcript.push(line);
        }
        while let Some(frame) = self.session.next_frame() {
            self.transcript.push(written(&frame));
        }
        for (name, outcomes) in &mut self.called {
            for outcome in outcomes() {
                self.transcript.push(format!("{name}: {outcome}"));
            }
        }
    }

    fn next_request(&mut self) -> Id {
        let mut last = None;
        while let Some(frame) = self.session.next_frame() {
            last = frame.request_id;
        }
        last.unwrap()
    }

    fn refused(&mut self, name: &str, error: &dyn Display) {
        self.called.remove(name);
        self.transcript.push(format!("{name}: {error}"));
    }

    /// A reply whose answer is written down.
    fn reply<T: Debug + 'static, E: Display + 'static>(&mut self, name: &str) -> Reply<T, E> {
        let (reply, answer) = oneshot::channel();
        self.await_answer(name, answer, |value: T| format!("{value:?}"));
        reply
    }

    fn await_answer<T: 'static, E: Display + 'static>(
        &mut self,
        name: &str,
        mut answer: oneshot::Receiver<Result<T, E>>,
        write: impl Fn(T) -> String + 'static,
    ) {
        let outcomes = move || match answer.try_recv() {
            Ok(Ok(value)) => vec![write(value)],
            Ok(Err(error)) => vec![error.to_string()],
            Err(_) => Vec::new(),
        };
        self.called.insert(name.to_owned(), Box::new(outcomes));
    }

    /// Also writes down what arrives here.
    fn read<T: 'static, E: Display + Clone + 'static>(
        &mut self,
        name: &str,
        mut inlet: Inlet<T, E>,
        write: impl Fn(T) -> String + 'static,
    ) {
        let mut answer = self.called.remove(name).unwrap();
        let mut open = true;
        let outcomes = move || {
            let mut all = answer();
            let mut cx = Context::from_waker(Waker::noop());
            while open {
                match inlet.poll(&mut cx) {
                    Poll::Pending => break,
                    Poll::Ready(Some(Received { entry, missed: 0 })) => all.push(write(entry)),
                    Poll::Ready(Some(Received { entry, missed })) => {
                        all.push(format!("{} ({missed} missed)", write(entry)));
                    }
                    Poll::Ready(None) => {
                        open = false;
                        all.push(format!("ended: {}", inlet.ended().unwrap()));
                    }
                }
            }
            all
        };
        self.called.insert(name.to_owned(), Box::new(outcomes));
    }
}

/// A method id: a number or text.
fn id(text: &str) -> Id {
    text.parse::<i64>().map_or_else(|_| Id::from(text), Id::from)
}

fn written(frame: &ClientFrame) -> String {
    let mut fields: Map<String, Value> = serde_json::from_str(&frame.encode()).unwrap();
    for field in ["domain", "peer_id"] {
        fields.shift_remove(field);
    }
    let kind = fields.shift_remove("type").unwrap();
    let request = fields.shift_remove("request_id");
    if let Some(Value::Object(identity)) = fields.get_mut("identity") {
        identity.shift_remove("process");
    }
    let request = request.map(|request| format!(" #{}", request.as_str().unwrap()));
    let rest =
        if fields.is_empty() { String::new() } else { format!(" {}", Value::Object(fields)) };
    format!("> {}{}{rest}", kind.as_str().unwrap(), request.unwrap_or_default())
}
