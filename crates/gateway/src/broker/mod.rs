//! The broker: who is there, who offers what, who waits for whom.
//!
//! A state machine without I/O, clock or randomness. [`Broker::handle`] takes
//! an [`Event`]; [`Broker::next_effect`] hands out what is to be done about it,
//! in order. Checking credentials, probing a link and minting a token are
//! effects whose outcome comes back as an event.

mod admission;
mod bus;
mod calls;
mod contexts;
mod dispatch;
mod domains;
mod event;
mod identity;
mod methods;
mod number;
mod peer;
mod reply;
mod roster;
mod session;
mod streams;
mod topics;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

pub(crate) use contexts::Listed;
pub use event::{
    Admission, CloseReason, Denial, Effect, Event, Grant, Hello, LinkInfo, LinkKind, Login,
    Request, Token,
};
pub use number::LinkId;
pub(crate) use number::{ContextNo, NumberMap, PeerNo};
pub(crate) use peer::Member;
pub(crate) use roster::Roster;

use crate::account::Account;
use crate::limits::Limits;
use admission::Waiting;
use bus::Bus;
use calls::PendingCall;
use contexts::Contexts;
use number::{CallNo, Counter};
use peer::Peer;
use session::Link;
use streams::Subscription;

/// Room for effects that is kept while there are none.
const IDLE_EFFECTS: usize = 1024;

/// See the [module](self).
#[derive(Debug)]
pub struct Broker {
    user: String,
    limits: Limits,
    /// One counter per sort of name, so that numbers of one sort lie close.
    peer_names: Counter,
    call_names: Counter,
    instance_names: Counter,
    links: NumberMap<LinkId, Link>,
    peers: NumberMap<PeerNo, Peer>,
    roster: Roster<PeerNo, Member>,
    /// About the bytes of the whole roster as text.
    roster_weight: usize,
    by_identity: HashMap<String, PeerNo>,
    by_instance: HashMap<String, PeerNo>,
    /// Hellos that wait until the holder of their identity is found alive or silent.
    probes: NumberMap<PeerNo, Vec<Waiting>>,
    calls: NumberMap<CallNo, PendingCall>,
    subscriptions: NumberMap<CallNo, Subscription>,
    contexts: Contexts,
    bus: Bus,
    account: Arc<Account>,
    /// The bytes of all that waits for links.
    waiting: Arc<Account>,
    effects: VecDeque<Effect>,
    /// Peers whose link is gone, still to be taken leave of.
    leaving: VecDeque<PeerNo>,
}

/// How much there is of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Census {
    /// Peers.
    pub peers: usize,
    /// Methods of all peers.
    pub methods: usize,
    /// Shared contexts.
    pub contexts: usize,
    /// Calls that wait for their result.
    pub calls: usize,
    /// Subscriptions to streams.
    pub subscriptions: usize,
    /// Bytes that peers make the gateway remember.
    pub state_bytes: usize,
    /// Bytes of the data of all shared contexts.
    pub context_bytes: usize,
    /// Bytes of what was to be delivered and is still there.
    pub waiting_bytes: usize,
}

impl Broker {
    /// A broker without anybody.
    ///
    /// `node` distinguishes the names it makes from those of any other broker;
    /// `user` is the one user that every login resolves to.
    #[must_use]
    pub fn new(node: &str, user: impl Into<String>, limits: Limits) -> Self {
        Self {
            user: user.into(),
            peer_names: Counter::new(node),
            call_names: Counter::new(node),
            instance_names: Counter::new(node),
            links: NumberMap::default(),
            peers: NumberMap::default(),
            roster: Roster::default(),
            roster_weight: 0,
            by_identity: HashMap::new(),
            by_instance: HashMap::new(),
            probes: NumberMap::default(),
            calls: NumberMap::default(),
            subscriptions: NumberMap::default(),
            contexts: Contexts::new(node, limits.context_bytes_total),
            bus: Bus::default(),
            account: Account::new(limits.state_bytes_total),
            waiting: Account::new(limits.queued_bytes_total),
            effects: VecDeque::new(),
            leaving: VecDeque::new(),
            limits,
        }
    }

    /// Takes what happened.
    pub fn handle(&mut self, event: Event) {
        while self.take_leave() {}
        match event {
            Event::Opened { link, info } => self.opened(link, info),
            Event::Closed { link } => self.closed(link),
            Event::Frame { link, frame } => self.frame(link, frame),
            Event::Unreadable { link, error } => self.unreadable(link, &error),
            Event::Authenticated { hello, outcome } => self.authenticated(*hello, outcome),
            Event::Minted { request, outcome } => self.minted(&request, outcome),
            Event::Probed { link, alive } => self.probed(link, alive),
            Event::Revoked { instance } => self.revoked(&instance),
        }
    }

    /// The next thing to be done, in order; `None` when all is done.
    pub fn next_effect(&mut self) -> Option<Effect> {
        while self.effects.is_empty() && self.take_leave() {}
        let effect = self.effects.pop_front();
        if effect.is_none() {
            self.effects.shrink_to(IDLE_EFFECTS);
        }
        effect
    }

    /// The account of all that waits for links. What waits for several is on
    /// it already; the shell adds what waits for one.
    pub(crate) fn waiting(&self) -> &Arc<Account> {
        &self.waiting
    }

    /// Whether a peer has come in over the link.
    pub(crate) fn has_peers(&self, link: LinkId) -> bool {
        self.links.get(&link).is_some_and(|link| !link.peers.is_empty())
    }

    /// How much there is of what.
    #[must_use]
    pub fn census(&self) -> Census {
        Census {
            peers: self.peers.len(),
            methods: self.roster.iter().map(|(_, member)| member.methods.len()).sum(),
            contexts: self.contexts.len(),
            calls: self.calls.len(),
            subscriptions: self.subscriptions.len(),
            state_bytes: self.account.used(),
            context_bytes: self.contexts.bytes(),
            waiting_bytes: self.waiting.used(),
        }
    }
}
