//! Sessions and a broker without anything between them: links are queues, and
//! the test says which of them moves next. So every interleaving of frames,
//! changes and lost links can be played, and played again.

use std::collections::{BTreeMap, VecDeque};
use std::task::{Context, Poll, Waker};

use deskwire_gateway::LinkId;
use deskwire_gateway::broker::{Broker, Effect as Done, Event, Grant, LinkInfo, Login};
use deskwire_wire::{ClientFrame, Method, Payload, ServerFrame};
use indexmap::IndexMap;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::contexts::ContextChange;
use crate::directory::MethodKey;
use crate::mailbox::{Inlet, Received, mailbox};
use crate::session::{Effect, Job, Phase, Role, Session, Write};
use crate::{ContextError, InvokeError, Options};

/// A broker and its peers.
struct Bus {
    broker: Broker,
    peers: Vec<Peer>,
    links: u64,
}

struct Peer {
    session: Session,
    link: LinkId,
    to_broker: VecDeque<ClientFrame>,
    to_peer: VecDeque<ServerFrame>,
}

impl Bus {
    /// Peers that are ready.
    fn new(peers: usize) -> Self {
        let broker = Broker::new("n", "user", deskwire_gateway::Limits::default());
        let mut bus = Self { broker, peers: Vec::new(), links: 0 };
        for n in 0..peers {
            let session = Session::new(&Options::new(format!("peer-{n}")));
            let (to_broker, to_peer) = (VecDeque::new(), VecDeque::new());
            bus.peers.push(Peer { session, link: LinkId(0), to_broker, to_peer });
            bus.connect(n);
        }
        bus.settle();
        bus
    }

    fn connect(&mut self, peer: usize) {
        self.links += 1;
        let link = LinkId(self.links);
        self.peers[peer].link = link;
        self.peers[peer].session.link_up();
        let info = LinkInfo::socket(None, deskwire_gateway::Admission::Anonymous);
        self.event(Event::Opened { link, info });
    }

    /// Loses a link with all that is on its way, and makes another.
    fn cut(&mut self, peer: usize) {
        let link = self.peers[peer].link;
        self.peers[peer].to_broker.clear();
        self.peers[peer].to_peer.clear();
        self.peers[peer].session.link_down();
        self.event(Event::Closed { link });
        self.connect(peer);
    }

    fn event(&mut self, event: Event) {
        self.broker.handle(event);
        while let Some(effect) = self.broker.next_effect() {
            match effect {
                Done::Deliver { link, outbound } => {
                    let Some(peer) = self.peers.iter_mut().find(|peer| peer.link == link) else {
                        continue;
                    };
                    peer.to_peer.extend(outbound.frames());
                }
                Done::Authenticate { hello, .. } => {
                    let login = Login { login: None, access_token: None, grant: Grant::default() };
                    self.broker.handle(Event::Authenticated { hello, outcome: Ok(login) });
                }
                other => panic!("{other:?}"),
            }
        }
    }

    /// One frame of a peer reaches the broker. False when there is none.
    fn say(&mut self, peer: usize) -> bool {
        let Peer { session, link, to_broker, .. } = &mut self.peers[peer];
        while let Some(frame) = session.next_frame() {
            to_broker.push_back(frame);
        }
        let Some(frame) = to_broker.pop_front() else { return false };
        let event = Event::Frame { link: *link, frame };
        self.event(event);
        true
    }

    /// One frame of the broker reaches a peer. False when there is none.
    fn hear(&mut self, peer: usize) -> bool {
        let Peer { session, to_peer, .. } = &mut self.peers[peer];
        let frame = to_peer.pop_front();
        let heard = frame.is_some();
        frame.into_iter().for_each(|frame| session.handle(frame));
        heard
    }

    /// Until nothing is on its way.
    fn settle(&mut self) {
        loop {
            let mut moved = false;
            for peer in 0..self.peers.len() {
                moved |= self.say(peer) | self.hear(peer);
            }
            if !moved {
                return;
            }
        }
    }
}

fn answer<T>(reply: &mut oneshot::Receiver<T>) -> Option<T> {
    reply.try_recv().ok()
}

#[test]
fn a_call_goes_there_and_back_and_dies_with_either_end() {
    let mut bus = Bus::new(2);
    let (reply, _taken) = oneshot::channel();
    let method = Method { name: "Add".into(), ..Method::default() };
    let role = Role::Method(std::sync::Arc::new(|_| async { unreachable!("nothing runs it") }));
    bus.peers[0].session.register(method, role, reply).unwrap();
    bus.settle();

    let call = |bus: &mut Bus| {
        let key: MethodKey =
            bus.peers[1].session.directory().find("add").next().unwrap().1.key.clone();
        let (reply, answer) = oneshot::channel();
        bus.peers[1].session.call(&key, Payload::from(json!({"a": 1})), reply).unwrap();
        answer
    };
    let runs = |bus: &mut Bus| -> Vec<u64> {
        let effects = bus.peers[0].session.effects();
        let runs = effects.filter_map(|effect| match effect {
            Effect::Run(run) => {
                assert!(matches!(run.job, Job::Call { ref call, .. } if &*call.method == "Add"));
                Some(run.id)
            }
            _ => None,
        });
        runs.collect()
    };

    let mut first = call(&mut bus);
    bus.settle();
    let [run] = runs(&mut bus)[..] else { panic!("one run") };
    bus.peers[0].session.finish(run, Ok(Payload::from(json!({"sum": 1}))));
    bus.settle();
    assert_eq!(answer(&mut first).unwrap().unwrap().value(), &json!({"sum": 1}));

    // The server goes while it is being called, and comes back.
    let mut second = call(&mut bus);
    bus.settle();
    bus.cut(0);
    bus.settle();
    let gone = answer(&mut second).unwrap();
    assert!(
        matches!(gone, Err(InvokeError::ServerGone { application, .. }) if application == "peer-0")
    );
    let [late] = runs(&mut bus)[..] else { panic!("one run") };

    // The caller goes, and the answer of the life before reaches nobody.
    let mut third = call(&mut bus);
    bus.settle();
    bus.peers[0].session.finish(late, Ok(Payload::from(json!({"of": "before"}))));
    bus.cut(1);
    bus.settle();
    let lost = answer(&mut third).unwrap();
    assert!(
        matches!(lost, Err(InvokeError::ConnectionLost { application, .. }) if application == "peer-0")
    );
    for run in runs(&mut bus) {
        bus.peers[0].session.finish(run, Ok(Payload::from(json!({"late": true}))));
    }
    let mut fourth = call(&mut bus);
    bus.settle();
    let [run] = runs(&mut bus)[..] else { panic!("one run") };
    bus.peers[0].session.finish(run, Ok(Payload::from(json!({"of": "now"}))));
    bus.settle();
    assert_eq!(answer(&mut fourth).unwrap().unwrap().value(), &json!({"of": "now"}));
}

#[derive(Debug, Clone)]
enum Step {
    Say(usize),
    Hear(usize),
    Write { peer: usize, key: &'static str, value: Value },
    Cut(usize),
}

const PEERS: usize = 2;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let peer = 0..PEERS;
    let key = prop_oneof![Just("a"), Just("b"), Just("c")];
    let value =
        prop_oneof![Just(json!(null)), Just(json!(1)), Just(json!(2)), Just(json!({"o": 1}))];
    let step = prop_oneof![
        6 => peer.clone().prop_map(Step::Say),
        6 => peer.clone().prop_map(Step::Hear),
        4 => (peer.clone(), key, value).prop_map(|(peer, key, value)| Step::Write { peer, key, value }),
        1 => peer.prop_map(Step::Cut),
    ];
    prop::collection::vec(step, 0..60)
}

/// What a follower has seen last.
fn last(inlet: &mut Inlet<ContextChange, ContextError>) -> Option<Value> {
    let mut cx = Context::from_waker(Waker::noop());
    let mut last = None;
    while let Poll::Ready(Some(Received { entry, .. })) = inlet.poll(&mut cx) {
        last = Some(entry.data.to_payload().value().clone());
    }
    last
}

proptest! {
    /// Whatever overtakes what: in the end all copies are the same, and a key
    /// that one peer alone wrote has what was written to it last.
    #[test]
    fn copies_of_a_context_agree_in_the_end(steps in steps(), lone in 0..PEERS) {
        let mut bus = Bus::new(PEERS + 1);
        let mut followers = Vec::new();
        for peer in &mut bus.peers {
            let (outlet, inlet) = mailbox(1_000, 1_000_000);
            let (reply, _there) = oneshot::channel();
            peer.session.context_subscribe("shared", outlet, reply);
            followers.push(inlet);
        }
        let mut kept = BTreeMap::new();
        let mut replies = Vec::new();
        let mut was_cut = false;
        for step in steps {
            match step {
                Step::Say(peer) => {
                    bus.say(peer);
                }
                Step::Hear(peer) => {
                    bus.hear(peer);
                }
                Step::Write { peer, key, value } => {
                    // Each peer has keys of its own beside the shared ones.
                    let own = format!("{key} of {peer}");
                    let mut keys = IndexMap::new();
                    keys.insert(key.to_owned(), Payload::from(value.clone()));
                    keys.insert(own.clone(), Payload::from(value.clone()));
                    let (reply, done) = oneshot::channel();
                    bus.peers[peer].session.context_write("shared", Write::Keys(keys), reply);
                    if *bus.peers[peer].session.phase() == Phase::Ready {
                        kept.insert(own, value);
                        replies.push(done);
                    }
                }
                Step::Cut(peer) => {
                    was_cut = true;
                    bus.cut(peer);
                }
            }
        }
        bus.settle();
        let seen: Vec<Value> = followers.iter_mut().map(|inlet| last(inlet).unwrap()).collect();
        for other in &seen {
            prop_assert_eq!(other, &seen[0]);
        }
        for mut done in replies {
            let outcome = answer(&mut done);
            prop_assert!(outcome.is_some(), "every change is answered");
            prop_assert!(was_cut || outcome.unwrap().is_ok());
        }
        if !was_cut {
            for (key, value) in kept.iter().filter(|(key, _)| key.ends_with(&lone.to_string())) {
                prop_assert_eq!(seen[0].get(key).unwrap_or(&Value::Null), value);
            }
        }
    }
}
