//! What the broker knows of a peer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use deskwire_wire::{Domain, Id, Identity, MethodDef, Payload, PeerId, ServerMessage};
use indexmap::IndexMap;

use super::LinkId;
use super::number::{CallNo, ContextNo, PeerNo};
use crate::account::{Account, Held};
use crate::outbound::{Content, Shared};

/// The private half: what only the broker needs.
///
/// Everything the peer takes part in is listed here, so that its leaving costs
/// what it touched and no more.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(super) id: PeerId,
    pub(super) link: LinkId,
    /// The instance its token is bound to.
    pub(super) instance: Option<String>,
    /// The application its token is bound to.
    pub(super) application: Option<String>,
    /// Its whole identity as a key.
    pub(super) identity_key: String,
    pub(super) agm: bool,
    pub(super) bus: bool,
    /// What the gateway remembers for it.
    pub(super) account: Arc<Account>,
    /// Calls that wait for a result, by caller and by callee.
    pub(super) calls_made: BTreeSet<CallNo>,
    pub(super) calls_taken: BTreeSet<CallNo>,
    /// Stream subscriptions as a subscriber.
    pub(super) subscriptions: BTreeSet<CallNo>,
    /// Stream subscriptions as a publisher, by method.
    pub(super) interests: HashMap<Id, BTreeSet<CallNo>>,
    /// Accepted ones of them, by branch.
    pub(super) branches: HashMap<Id, BTreeSet<CallNo>>,
    /// Contexts it is a member of.
    pub(super) contexts: BTreeMap<ContextNo, Held>,
    /// Contexts that live as long as it.
    pub(super) owned: BTreeSet<ContextNo>,
    pub(super) topics: BTreeSet<CallNo>,
}

/// In which domain a peer speaks of contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `global`: every client that never joined `context`.
    Global,
    /// `context`: after an explicit join.
    Context,
    /// None: after an explicit leave.
    Silent,
}

impl Peer {
    /// On whose quota it is what outlives it: its instance, where a token says
    /// which, else its whole identity. Neither can be claimed while it lives.
    pub(super) fn quota(&self) -> &str {
        self.instance.as_deref().unwrap_or(&self.identity_key)
    }
}

impl Dialect {
    pub(super) fn domain(self) -> Option<Domain> {
        match self {
            Self::Global => Some(Domain::Global),
            Self::Context => Some(Domain::Context),
            Self::Silent => None,
        }
    }
}

/// The public half: what other peers are told.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) no: PeerNo,
    pub(crate) id: PeerId,
    pub(super) link: LinkId,
    pub(super) identity: Identity,
    pub(super) agm: bool,
    pub(super) dialect: Dialect,
    /// In order of registration.
    pub(crate) methods: IndexMap<Id, Arc<Registered>>,
    /// The identity's bytes.
    pub(super) _held: Arc<Held>,
}

/// A method, and the bytes it takes for as long as anybody still has to be told of it.
#[derive(Debug)]
pub(crate) struct Registered {
    pub(crate) def: MethodDef,
    pub(super) _held: Held,
}

impl Member {
    pub(crate) fn is_in(&self, domain: Domain) -> bool {
        match domain {
            Domain::Agm => self.agm,
            Domain::Context => self.dialect != Dialect::Silent,
            Domain::Global | Domain::Bus | Domain::Metrics => false,
        }
    }

    /// A frame to this peer.
    pub(super) fn told(&self, domain: Domain, content: &Arc<Content>) -> Shared {
        Shared::new(self.id.clone(), domain, content.clone())
    }

    pub(crate) fn added(&self) -> ServerMessage {
        ServerMessage::PeerAdded {
            new_peer_id: self.id.clone(),
            identity: self.identity.clone(),
            meta: Some(local()),
        }
    }

    pub(crate) fn methods_added(&self, methods: Vec<MethodDef>) -> ServerMessage {
        ServerMessage::MethodsAdded {
            source_type: deskwire_wire::SourceType::Local,
            server_id: self.id.clone(),
            methods,
        }
    }
}

/// `{"local":true}`: every peer is one of this gateway.
fn local() -> Payload {
    static LOCAL: std::sync::LazyLock<Payload> =
        std::sync::LazyLock::new(|| serde_json::json!({"local": true}).into());
    LOCAL.clone()
}
