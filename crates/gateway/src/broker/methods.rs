//! Methods: registering and withdrawing them.

use std::collections::HashSet;
use std::sync::Arc;

use deskwire_wire::{Domain, Id, MethodDef, ServerMessage, uri};

use super::event::Request;
use super::peer::{Member, Registered};
use super::reply::{Refusal, named};
use super::{Broker, PeerNo};
use crate::outbound::first_chunk;

/// What a method takes besides the text of its definition.
const METHOD_BYTES: usize = size_of::<Registered>() + 128;

impl Broker {
    /// All of `methods` or none.
    pub(super) fn register(
        &mut self,
        no: PeerNo,
        request: &Request,
        methods: Vec<MethodDef>,
    ) -> Result<(), Refusal> {
        let refused = |reason| Refusal::new(uri::REGISTRATION_FAILURE, reason);
        let Some(peer) = self.peers.get(&no) else { return Ok(()) };
        let mut registered = Vec::with_capacity(methods.len());
        for method in methods {
            self.short(method.id(), "the id of a method")?;
            let def = method.checked().map_err(|error| refused(error.to_string()))?;
            let held = peer.account.hold(def.definition().len() + METHOD_BYTES)?;
            registered.push(Arc::new(Registered { def, _held: held }));
        }
        let Some(member) = self.roster.edit(no) else { return Ok(()) };
        let known = &member.methods;
        let new = registered.iter().filter(|method| !known.contains_key(method.def.id())).count();
        let bound = self.limits.methods_per_peer;
        if known.len() + new > bound {
            return Err(Refusal::limit(format!("a peer may have {bound} methods")));
        }
        for method in &registered {
            self.roster_weight += method.def.definition().len();
            let replaced = member.methods.insert(method.def.id().clone(), method.clone());
            if let Some(replaced) = replaced {
                self.roster_weight -= replaced.def.definition().len();
            }
        }
        let chunks = self.chunks(registered.iter().map(|method| &method.def));
        self.announce(no, |member| {
            chunks.into_iter().map(|methods| member.methods_added(methods)).collect()
        });
        self.done(request);
        Ok(())
    }

    /// All of `methods` or none.
    pub(super) fn unregister(
        &mut self,
        no: PeerNo,
        request: &Request,
        methods: Vec<Id>,
    ) -> Result<(), Refusal> {
        let Some(member) = self.roster.edit(no) else { return Ok(()) };
        if let Some(missing) = methods.iter().find(|id| !member.methods.contains_key(*id)) {
            return Err(Refusal::new(
                uri::UNREGISTRATION_FAILURE,
                format!("Unable to unregister missing method {}", named(missing)),
            ));
        }
        for id in &methods {
            self.end_interests_in(no, id);
        }
        let Some(member) = self.roster.edit(no) else { return Ok(()) };
        let gone: HashSet<&Id> = methods.iter().collect();
        member.methods.retain(|id, method| {
            let stays = !gone.contains(id);
            if !stays {
                self.roster_weight -= method.def.definition().len();
            }
            stays
        });
        self.announce(no, |member| {
            vec![ServerMessage::MethodsRemoved { server_id: member.id.clone(), methods }]
        });
        self.done(request);
        Ok(())
    }

    /// Tells the others, where the peer is announced at all, and then itself:
    /// a peer learns from its own announcement that it can call itself.
    fn announce(&mut self, no: PeerNo, messages: impl FnOnce(&Member) -> Vec<ServerMessage>) {
        let Some(server) = self.roster.get(no) else { return };
        let messages = messages(server);
        if server.agm {
            self.tell_agm(no, messages.clone());
        }
        for message in messages {
            self.tell(no, Domain::Agm, None, message);
        }
    }

    /// Definitions as they go into frames.
    pub(super) fn chunks<'a>(
        &self,
        methods: impl Iterator<Item = &'a MethodDef> + Clone,
    ) -> Vec<Vec<MethodDef>> {
        let mut chunks = Vec::new();
        let mut rest = methods;
        loop {
            let chunk = first_chunk(rest.clone(), self.limits.announcement_bytes);
            if chunk.is_empty() {
                return chunks;
            }
            for _ in &chunk {
                rest.next();
            }
            chunks.push(chunk);
        }
    }

    /// A name or id that a client chose is not longer than allowed.
    pub(super) fn short(&self, id: &Id, what: &str) -> Result<(), Refusal> {
        match id {
            Id::Text(text) => self.short_text(text, what),
            Id::Int(_) => Ok(()),
        }
    }

    /// As [`Broker::short`].
    pub(super) fn short_text(&self, text: &str, what: &str) -> Result<(), Refusal> {
        let (len, bound) = (text.len(), self.limits.name_bytes);
        if len > bound {
            return Err(Refusal::limit(format!("{what} has {len} bytes; {bound} are allowed")));
        }
        Ok(())
    }
}
