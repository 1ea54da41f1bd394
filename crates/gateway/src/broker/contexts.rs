//! Shared contexts: one store, told of in two dialects.
//!
//! A peer that never joins the domain `context` hears of contexts in `global`;
//! one that joins it, in `context`. Requests are answered in the domain they
//! came in.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use deskwire_wire::{
    ContextId, Delta, Document, Domain, Lifetime, Payload, PeerId, ServerMessage, shown_name, uri,
};

use super::event::Request;
use super::number::{ContextNo, Counter, NumberMap};
use super::peer::Dialect;
use super::reply::{Refusal, deliver, named};
use super::roster::Roster;
use super::session::Farewell;
use super::{Broker, PeerNo};
use crate::account::{Account, Full, Held};
use crate::outbound::Snapshot;

/// All contexts.
#[derive(Debug)]
pub(super) struct Contexts {
    names: Counter,
    all: NumberMap<ContextNo, SharedContext>,
    by_name: HashMap<Arc<str>, ContextNo>,
    /// As newcomers are told of them.
    roster: Roster<ContextNo, Listed>,
    /// About the bytes of the roster as text.
    weight: usize,
    /// How many retained ones there are, by who created them.
    retained: HashMap<Arc<str>, usize>,
    /// The bytes of all their data.
    account: Arc<Account>,
    /// Peers that joined the domain explicitly.
    joined: BTreeSet<PeerNo>,
}

/// A context as newcomers are told of it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) id: ContextId,
    pub(crate) name: Arc<str>,
    /// The peer it lives as long as.
    pub(crate) owner: Option<PeerId>,
    /// For as long as a slow newcomer has yet to be told of it, too.
    _held: Held,
}

#[derive(Debug)]
struct SharedContext {
    id: ContextId,
    name: Arc<str>,
    lifetime: Lifetime,
    creator: PeerNo,
    /// Who created it, over all its sessions; of retained ones alone.
    quota: Option<Arc<str>>,
    document: Document,
    members: BTreeSet<PeerNo>,
    held: Held,
}

/// What a context takes besides its data, its name being there four times.
const CONTEXT_BYTES: usize = size_of::<SharedContext>() + size_of::<Listed>() + 256;
/// What a membership takes.
const MEMBERSHIP_BYTES: usize = 192;
/// About what telling a newcomer of a context takes besides the name.
const LISTING_BYTES: usize = 250;
/// Why a context ends.
#[derive(Debug, Clone, Copy)]
struct End {
    uri: &'static str,
    reason: &'static str,
}

const DESTROYED: End = End { uri: uri::CONTEXT_DESTROYED, reason: "Context destroyed explicitly" };
const DESERTED: End = End {
    uri: uri::CONTEXT_PEER_LEFT,
    reason: "Context destroyed because its owner/last peer left",
};

impl Contexts {
    pub(super) fn new(node: &str, bytes_total: usize) -> Self {
        Self {
            names: Counter::new(node),
            all: NumberMap::default(),
            by_name: HashMap::new(),
            roster: Roster::default(),
            weight: 0,
            retained: HashMap::new(),
            account: Account::new(bytes_total),
            joined: BTreeSet::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.account.used()
    }

    /// Whether `who` may create one more retained context.
    fn check_quota(&self, who: Option<&str>, bound: usize) -> Result<(), Refusal> {
        let used = who.and_then(|who| self.retained.get(who)).copied().unwrap_or(0);
        if who.is_some() && used >= bound {
            return Err(Refusal::limit(format!(
                "this application instance has created {used} contexts with the lifetime \
                 `retained` that are still there, the limit; destroy some of them, or create \
                 contexts with the lifetime `ownership` or `ref-counted`"
            )));
        }
        Ok(())
    }

    fn use_quota(&mut self, who: &str) -> Arc<str> {
        let who = match self.retained.get_key_value(who) {
            Some((known, _)) => known.clone(),
            None => who.into(),
        };
        *self.retained.entry(who.clone()).or_default() += 1;
        who
    }

    fn free_quota(&mut self, who: &Arc<str>) {
        if let Some(used) = self.retained.get_mut(who) {
            *used -= 1;
            if *used == 0 {
                self.retained.remove(who);
            }
        }
    }

    fn find(&mut self, id: &ContextId, request: &Request) -> Result<ContextNo, Refusal> {
        let known = self.names.context(id.as_str()).filter(|number| self.all.contains_key(number));
        known.ok_or_else(|| {
            // Clients recognise this text.
            let reason = format!("Unable to find context with id {}", named(id));
            Refusal::new(uri::failure(request.domain), reason)
        })
    }
}

impl Broker {
    /// A new context; or, where the name exists, membership in what is there.
    pub(super) fn create_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        name: &str,
        data: &Payload,
        lifetime: Option<&str>,
    ) -> Result<(), Refusal> {
        self.short_text(name, "the name of a context")?;
        let Some(kind) = Lifetime::parse(lifetime) else {
            return Err(Refusal::new(
                uri::BAD_LIFETIME,
                format!(
                    "Bad lifetime value {}; known are retained, ownership and ref-counted",
                    shown_name(lifetime.unwrap_or_default())
                ),
            ));
        };
        if let Some(&existing) = self.contexts.by_name.get(name) {
            return self.enter_context(no, request, existing);
        }
        let document = Document::parse(data)
            .map_err(|error| Refusal::new(uri::failure(request.domain), error.to_string()))?;
        check_data(document.len(), self.limits.context_bytes)?;
        if self.contexts.len() >= self.limits.contexts {
            let bound = self.limits.contexts;
            return Err(Refusal::limit(format!("there are {bound} contexts, the limit")));
        }
        let Some(creator) = self.peers.get_mut(&no) else { return Ok(()) };
        let quota = (kind == Lifetime::Retained).then(|| creator.quota());
        self.contexts.check_quota(quota, self.limits.retained_contexts_per_instance)?;
        let account = &self.contexts.account;
        let bytes = CONTEXT_BYTES + 4 * name.len() + quota.map_or(0, str::len);
        let listed = account.hold(bytes).map_err(full)?;
        let held = account.hold(document.footprint()).map_err(full)?;
        let membership = creator.account.hold(MEMBERSHIP_BYTES)?;
        let quota = quota.map(|quota| self.contexts.use_quota(quota));
        let (number, id) = ContextNo::next(&mut self.contexts.names);
        creator.contexts.insert(number, membership);
        let owner = match kind {
            Lifetime::Ownership => {
                creator.owned.insert(number);
                Some(creator.id.clone())
            }
            Lifetime::Retained | Lifetime::RefCounted => None,
        };
        let creator_id = creator.id.clone();
        let name: Arc<str> = name.into();
        self.contexts.by_name.insert(name.clone(), number);
        self.contexts.weight += name.len() + LISTING_BYTES;
        let listing = Listed { id: id.clone(), name: name.clone(), owner, _held: listed };
        self.contexts.roster.push(number, listing);
        self.contexts.all.insert(
            number,
            SharedContext {
                id: id.clone(),
                name: name.clone(),
                lifetime: kind,
                creator: no,
                quota,
                document,
                members: BTreeSet::from([no]),
                held,
            },
        );
        self.tell_dialects(ServerMessage::ContextAdded {
            creator_id: Some(creator_id),
            context_id: id.clone(),
            name: name.to_string(),
        });
        self.reply(request, ServerMessage::ContextCreated { context_id: id });
        Ok(())
    }

    pub(super) fn subscribe_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        id: &ContextId,
    ) -> Result<(), Refusal> {
        let number = self.contexts.find(id, request)?;
        self.enter_context(no, request, number)
    }

    /// Makes the peer a member and tells it all the data.
    fn enter_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        number: ContextNo,
    ) -> Result<(), Refusal> {
        let (Some(peer), Some(context)) =
            (self.peers.get_mut(&no), self.contexts.all.get_mut(&number))
        else {
            return Ok(());
        };
        if context.members.insert(no) {
            match peer.account.hold(MEMBERSHIP_BYTES) {
                Ok(membership) => {
                    peer.contexts.insert(number, membership);
                }
                Err(full) => {
                    context.members.remove(&no);
                    return Err(full.into());
                }
            }
        }
        let context_id = context.id.clone();
        let data = context.document.to_payload();
        self.reply(request, ServerMessage::SubscribedContext { context_id, data });
        Ok(())
    }

    pub(super) fn unsubscribe_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        id: &ContextId,
    ) -> Result<(), Refusal> {
        let number = self.contexts.find(id, request)?;
        self.leave_context(no, number);
        self.done(request);
        Ok(())
    }

    /// Changes the data, for which one need not be a member.
    pub(super) fn update_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        id: &ContextId,
        delta: &Payload,
    ) -> Result<(), Refusal> {
        let number = self.contexts.find(id, request)?;
        let change = Delta::parse(delta)
            .map_err(|error| Refusal::new(uri::failure(request.domain), error.to_string()))?;
        self.change(number, &change)?;
        let Some(context) = self.contexts.all.get(&number) else { return Ok(()) };
        let content = self.content(ServerMessage::ContextUpdated {
            context_id: context.id.clone(),
            updater_id: self.peers.get(&no).map(|peer| peer.id.clone()),
            delta: delta.clone(),
        });
        for member in context.members.iter().filter(|member| **member != no) {
            let Some(member) = self.roster.get(*member) else { continue };
            let Some(domain) = member.dialect.domain() else { continue };
            deliver(&mut self.effects, member.link, member.told(domain, &content));
        }
        self.done(request);
        Ok(())
    }

    pub(super) fn destroy_context(
        &mut self,
        no: PeerNo,
        request: &Request,
        id: &ContextId,
    ) -> Result<(), Refusal> {
        let number = self.contexts.find(id, request)?;
        let owned_by_other = self.contexts.all.get(&number).is_some_and(|context| {
            context.lifetime == Lifetime::Ownership && context.creator != no
        });
        if owned_by_other {
            return Err(Refusal::new(
                uri::not_authorized(request.domain),
                "Not authorized to destroy context: only its owner may",
            ));
        }
        self.end_context(number, DESTROYED);
        self.done(request);
        Ok(())
    }

    /// Tells a newcomer of all contexts.
    pub(super) fn list_contexts(&mut self, no: PeerNo, domain: Domain) {
        let Some(peer) = self.peers.get(&no) else { return };
        let Contexts { roster, weight, .. } = &self.contexts;
        if roster.len() > 0 {
            let snapshot = Snapshot::contexts(peer.id.clone(), domain, roster, *weight);
            deliver(&mut self.effects, peer.link, snapshot);
        }
    }

    /// From now on the peer hears of contexts in the domain `context`, and of peers, too.
    pub(super) fn join_contexts(&mut self, no: PeerNo) {
        if !self.contexts.joined.insert(no) {
            return;
        }
        let Some(member) = self.roster.edit(no) else { return };
        let was_silent = member.dialect == Dialect::Silent;
        member.dialect = Dialect::Context;
        let (id, link) = (member.id.clone(), member.link);
        let snapshot = self.members_for(id, no, Domain::Context);
        deliver(&mut self.effects, link, snapshot);
        if was_silent {
            self.list_contexts(no, Domain::Context);
            self.tell_context_peers(no);
        }
    }

    /// Tells those who joined the domain `context` of a peer that speaks of contexts.
    pub(super) fn tell_context_peers(&mut self, no: PeerNo) {
        if let Some(newcomer) = self.roster.get(no) {
            self.tell_joined(no, newcomer.added());
        }
    }

    /// Tells those who joined the domain `context`, but for one.
    fn tell_joined(&mut self, except: PeerNo, message: ServerMessage) {
        if self.contexts.joined.is_empty() {
            return;
        }
        let content = self.content(message);
        for other in self.contexts.joined.iter().filter(|other| **other != except) {
            if let Some(member) = self.roster.get(*other) {
                let told = member.told(Domain::Context, &content);
                deliver(&mut self.effects, member.link, told);
            }
        }
    }

    /// Ends all that the peer has to do with contexts.
    pub(super) fn leave_contexts(&mut self, no: PeerNo, farewell: Farewell) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        let owned = std::mem::take(&mut peer.owned);
        let contexts = std::mem::take(&mut peer.contexts);
        self.contexts.joined.remove(&no);
        let Some(member) = self.roster.edit(no) else { return };
        if member.dialect == Dialect::Silent {
            return;
        }
        member.dialect = Dialect::Silent;
        let id = member.id.clone();
        for number in owned {
            self.end_context(number, DESERTED);
        }
        for number in contexts.into_keys() {
            self.leave_context(no, number);
        }
        let removed = ServerMessage::PeerRemoved {
            removed_id: id,
            reason_uri: farewell.uri.map(|_| uri::CONTEXT_PEER_REMOVED.to_owned()),
            reason: farewell.reason.map(str::to_owned),
        };
        self.tell_joined(no, removed);
    }

    /// Applies a change wholly or not at all.
    fn change(&mut self, number: ContextNo, change: &Delta) -> Result<(), Refusal> {
        let Some(context) = self.contexts.all.get_mut(&number) else { return Ok(()) };
        let SharedContext { document, held, .. } = context;
        let growth = change.growth();
        let before = held.bytes();
        held.resize(before + growth.footprint).map_err(full)?;
        if document.len() + growth.text <= self.limits.context_bytes {
            // Delta::parse refused what could fail here.
            let _ = document.apply(change);
        } else {
            let mut changed = document.clone();
            let _ = changed.apply(change);
            if let Err(refusal) = check_data(changed.len(), self.limits.context_bytes) {
                let _ = held.resize(before);
                return Err(refusal);
            }
            *document = changed;
        }
        // What the change opened may take more memory than there is; closed
        // again it takes no more than was asked for above.
        if held.resize(document.footprint()).is_err() {
            document.compact();
            let _ = held.resize(document.footprint());
        }
        Ok(())
    }

    fn leave_context(&mut self, no: PeerNo, number: ContextNo) {
        if let Some(peer) = self.peers.get_mut(&no) {
            peer.contexts.remove(&number);
        }
        let Some(context) = self.contexts.all.get_mut(&number) else { return };
        context.members.remove(&no);
        if context.lifetime == Lifetime::RefCounted && context.members.is_empty() {
            self.end_context(number, DESERTED);
        }
    }

    /// Takes a context away and tells everybody.
    fn end_context(&mut self, number: ContextNo, end: End) {
        let Some(context) = self.contexts.all.remove(&number) else { return };
        self.contexts.by_name.remove(&context.name);
        if let Some(quota) = &context.quota {
            self.contexts.free_quota(quota);
        }
        self.contexts.roster.remove(number);
        self.contexts.weight -= context.name.len() + LISTING_BYTES;
        for member in &context.members {
            if let Some(peer) = self.peers.get_mut(member) {
                peer.contexts.remove(&number);
            }
        }
        if let Some(creator) = self.peers.get_mut(&context.creator) {
            creator.owned.remove(&number);
        }
        self.tell_dialects(ServerMessage::ContextDestroyed {
            context_id: context.id,
            reason_uri: Some(end.uri.to_owned()),
            reason: Some(end.reason.to_owned()),
        });
    }

    /// Tells every peer, each in its dialect.
    fn tell_dialects(&mut self, message: ServerMessage) {
        let content = self.content(message);
        for (_, member) in self.roster.iter() {
            if let Some(domain) = member.dialect.domain() {
                deliver(&mut self.effects, member.link, member.told(domain, &content));
            }
        }
    }
}

fn check_data(bytes: usize, bound: usize) -> Result<(), Refusal> {
    if bytes > bound {
        let reason =
            format!("the data of the context would have {bytes} bytes; {bound} are allowed");
        return Err(Refusal::limit(reason));
    }
    Ok(())
}

fn full(Full { bound, .. }: Full) -> Refusal {
    Refusal::limit(format!("the data of all contexts would exceed {bound} bytes"))
}
