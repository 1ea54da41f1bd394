//! Links and sessions: hello, welcome, farewell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use deskwire_wire::{
    Authentication, AvailableDomain, Domain, Identity, PeerId, ServerMessage, WelcomeOptions, uri,
};
use indexmap::IndexMap;

use super::admission::Waiting;
use super::event::{CloseReason, Denial, Effect, Hello, LinkInfo, Login, Request};
use super::peer::{Dialect, Member, Peer};
use super::reply::Refusal;
use super::{Broker, LinkId, PeerNo};
use crate::outbound::identity_weight;

/// What the domains of this gateway are called and can do. From `context` 2 on
/// clients send changes as commands.
const DOMAINS: [(&str, u32); 5] =
    [("agm", 1), ("global", 1), ("bus", 1), ("context", 2), ("metrics", 1)];

/// An open link.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) info: LinkInfo,
    pub(super) peers: BTreeSet<PeerNo>,
    /// Hellos that wait for a probe.
    pub(super) waiting: usize,
}

/// Why a peer goes, as the others are told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Farewell {
    pub(super) uri: Option<&'static str>,
    pub(super) reason: Option<&'static str>,
}

impl Farewell {
    /// It left by itself.
    pub(super) const LEFT: Self = Self { uri: None, reason: None };
    /// Its link is gone.
    pub(super) const REMOVED: Self =
        Self { uri: Some(uri::PEER_REMOVED), reason: Some("Peer has been removed") };
}

impl Broker {
    pub(super) fn opened(&mut self, link: LinkId, info: LinkInfo) {
        self.links.insert(link, Link { info, peers: BTreeSet::new(), waiting: 0 });
    }

    pub(super) fn closed(&mut self, link: LinkId) {
        let Some(Link { peers, waiting, .. }) = self.links.remove(&link) else { return };
        if waiting > 0 {
            self.probes.retain(|_, hellos| {
                hellos.retain(|waiting| waiting.hello.request.link != link);
                !hellos.is_empty()
            });
        }
        self.leaving.extend(peers);
    }

    /// Takes leave of one peer whose link is gone. A link may have thousands, of
    /// each of which thousands are told, so it is done one at a time.
    pub(super) fn take_leave(&mut self) -> bool {
        let leaving = self.leaving.pop_front();
        if let Some(peer) = leaving {
            self.forget(peer);
        }
        leaving.is_some()
    }

    /// Closes a link of our own accord.
    pub(super) fn close(&mut self, link: LinkId, reason: CloseReason) {
        self.effects.push_back(Effect::Close { link, reason });
        self.closed(link);
    }

    pub(super) fn hello(
        &mut self,
        request: Request,
        identity: Identity,
        authentication: Option<Authentication>,
    ) {
        let Some(link) = self.links.get(&request.link) else { return };
        let info = link.info;
        if let Err(refusal) = self.check_id(&request) {
            return self.refuse(&request, refusal);
        }
        let bytes = identity_weight(&identity);
        if bytes > self.limits.identity_bytes {
            let bound = self.limits.identity_bytes;
            let reason = format!("the identity has {bytes} bytes; {bound} are allowed");
            return self.refuse(&request, Refusal::limit(reason));
        }
        let hello = Box::new(Hello { request, identity });
        self.effects.push_back(Effect::Authenticate { hello, info, authentication });
    }

    pub(super) fn authenticated(&mut self, hello: Hello, outcome: Result<Login, Denial>) {
        match outcome {
            Ok(login) => self.admit(hello, login),
            Err(Denial { reason_uri, reason }) => {
                self.refuse(&hello.request, Refusal::new(reason_uri, reason));
            }
        }
    }

    /// Lets a peer in.
    pub(super) fn enter(
        &mut self,
        no: PeerNo,
        id: PeerId,
        identity: Identity,
        identity_key: String,
        hello: &Hello,
        login: Login,
    ) -> Result<(), Refusal> {
        let link = hello.request.link;
        if self.peers.len() >= self.limits.peers {
            let bound = self.limits.peers;
            return Err(Refusal::limit(format!("the gateway has {bound} peers, its limit")));
        }
        let account = self.account.child(self.limits.state_bytes_per_peer);
        let weight = identity_weight(&identity);
        // Twice: parsed, and as the key.
        let held = account.hold(size_of::<Peer>() + size_of::<Member>() + 2 * weight)?;
        let instance = login.grant.instance().map(str::to_owned);
        let application = login.grant.application().map(str::to_owned);
        if let Some(instance) = &instance {
            self.by_instance.insert(instance.clone(), no);
        }
        self.by_identity.insert(identity_key.clone(), no);
        if let Some(link) = self.links.get_mut(&link) {
            link.peers.insert(no);
        }
        self.roster_weight += weight;
        self.roster.push(
            no,
            Member {
                no,
                id: id.clone(),
                link,
                identity: identity.clone(),
                agm: false,
                dialect: Dialect::Global,
                methods: IndexMap::new(),
                _held: held.into(),
            },
        );
        let peer = Peer {
            id: id.clone(),
            link,
            instance,
            application,
            identity_key,
            agm: false,
            bus: false,
            account,
            calls_made: BTreeSet::new(),
            calls_taken: BTreeSet::new(),
            subscriptions: BTreeSet::new(),
            interests: HashMap::new(),
            branches: HashMap::new(),
            contexts: BTreeMap::new(),
            owned: BTreeSet::new(),
            topics: BTreeSet::new(),
        };
        self.peers.insert(no, peer);
        let options =
            login.access_token.map(|token| WelcomeOptions { access_token: Some(token.0) });
        let welcome = ServerMessage::Welcome {
            available_domains: DOMAINS.iter().map(available).collect(),
            resolved_identity: identity,
            options,
        };
        self.reply(&Request { peer: Some(id), ..hello.request.clone() }, welcome);
        self.list_contexts(no, Domain::Global);
        self.tell_context_peers(no);
        Ok(())
    }

    /// A peer is gone without a word; then whoever waited for its identity has it.
    fn forget(&mut self, no: PeerNo) {
        self.leave_agm(no, Farewell::REMOVED);
        self.leave_contexts(no, Farewell::REMOVED);
        self.leave_bus(no);
        if let Some(peer) = self.peers.remove(&no) {
            if self.by_identity.get(&peer.identity_key) == Some(&no) {
                self.by_identity.remove(&peer.identity_key);
            }
            if let Some(instance) = &peer.instance {
                self.by_instance.remove(instance);
            }
            if let Some(link) = self.links.get_mut(&peer.link) {
                link.peers.remove(&no);
            }
        }
        if let Some(member) = self.roster.remove(no) {
            self.roster_weight -= identity_weight(&member.identity);
        }
        for Waiting { hello, login } in self.take_waiting(no) {
            self.admit(hello, login);
        }
    }

    pub(super) fn create_token(&mut self, no: PeerNo, request: &Request) -> Result<(), Refusal> {
        let application = self.peers.get(&no).and_then(|peer| peer.application.clone());
        self.effects.push_back(Effect::Mint { request: request.clone(), application });
        Ok(())
    }

    pub(super) fn minted(&mut self, request: &Request, outcome: Result<String, String>) {
        match outcome {
            Ok(token) => self.reply(request, ServerMessage::Token { token }),
            Err(reason) => {
                self.refuse(request, Refusal::new(uri::failure(Domain::Global), reason));
            }
        }
    }
}

fn available((uri, version): &(&str, u32)) -> AvailableDomain {
    AvailableDomain { uri: (*uri).to_owned(), description: String::new(), version: *version }
}
