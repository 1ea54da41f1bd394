//! Entering and leaving domains.

use deskwire_wire::{Domain, PeerId, ServerMessage, uri};

use super::event::Request;
use super::reply::{Refusal, deliver, named};
use super::session::Farewell;
use super::{Broker, PeerNo};
use crate::outbound::{Outbound, Snapshot};

impl Broker {
    /// The request comes in `global`; the answer goes out in the domain entered.
    pub(super) fn join(
        &mut self,
        no: PeerNo,
        request: &Request,
        destination: &str,
    ) -> Result<(), Refusal> {
        let domain = Domain::parse(destination).ok_or_else(|| {
            Refusal::new(
                uri::INVALID_DOMAIN,
                format!("Unable to join missing domain {}", named(destination)),
            )
        })?;
        match domain {
            Domain::Agm => self.join_agm(no),
            Domain::Bus => {
                if let Some(peer) = self.peers.get_mut(&no) {
                    peer.bus = true;
                }
            }
            Domain::Context => self.join_contexts(no),
            Domain::Global | Domain::Metrics => {}
        }
        self.done(&request.in_domain(domain));
        Ok(())
    }

    pub(super) fn leave(
        &mut self,
        no: PeerNo,
        request: &Request,
        destination: &str,
    ) -> Result<(), Refusal> {
        let domain = Domain::parse(destination).ok_or_else(|| {
            Refusal::new(
                uri::INVALID_DOMAIN,
                format!("Unable to leave missing domain {}", named(destination)),
            )
        })?;
        match domain {
            Domain::Agm => self.leave_agm(no, Farewell::LEFT),
            Domain::Context => self.leave_contexts(no, Farewell::LEFT),
            Domain::Bus => self.leave_bus(no),
            Domain::Global | Domain::Metrics => {}
        }
        self.done(&request.in_domain(domain));
        Ok(())
    }

    /// Has everybody in `agm` without telling each of the others, for tests of a
    /// newcomer to a crowd.
    #[cfg(test)]
    pub(crate) fn join_all_quietly(&mut self) {
        for (no, peer) in &mut self.peers {
            peer.agm = true;
            if let Some(member) = self.roster.edit(*no) {
                member.agm = true;
            }
        }
    }

    /// Tells the newcomer of everybody and everybody of the newcomer.
    fn join_agm(&mut self, no: PeerNo) {
        let Some(peer) = self.peers.get_mut(&no).filter(|peer| !peer.agm) else { return };
        peer.agm = true;
        let (id, link) = (peer.id.clone(), peer.link);
        let Some(member) = self.roster.edit(no) else { return };
        member.agm = true;
        let snapshot = self.members_for(id, no, Domain::Agm);
        deliver(&mut self.effects, link, snapshot);
        let Some(newcomer) = self.roster.get(no).cloned() else { return };
        let chunks = self.chunks(newcomer.methods.values().map(|method| &method.def));
        let methods = chunks.into_iter().map(|methods| newcomer.methods_added(methods));
        self.tell_agm(no, std::iter::once(newcomer.added()).chain(methods).collect());
    }

    /// Everybody else in a domain, as of now.
    pub(super) fn members_for(&self, to: PeerId, no: PeerNo, domain: Domain) -> Outbound {
        let (weight, chunk) = (self.roster_weight, self.limits.announcement_bytes);
        Snapshot::members(to, no, domain, &self.roster, weight, chunk).into()
    }

    /// Ends all that the peer has to do with others in `agm`: first what it
    /// subscribed to, then what others wait for, then its methods, then itself.
    pub(super) fn leave_agm(&mut self, no: PeerNo, farewell: Farewell) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        // From here on it is told nothing.
        let was_in = std::mem::take(&mut peer.agm);
        if let Some(member) = self.roster.edit(no) {
            member.agm = false;
        }
        self.end_subscriptions(no, farewell);
        self.end_calls(no);
        self.end_interests(no);
        let Some(member) = self.roster.edit(no) else { return };
        let methods = std::mem::take(&mut member.methods);
        let server_id = member.id.clone();
        let bytes = methods.values().map(|method| method.def.definition().len());
        self.roster_weight -= bytes.sum::<usize>();
        if !was_in {
            return;
        }
        let mut messages = Vec::new();
        if !methods.is_empty() {
            let methods = methods.into_keys().collect();
            messages.push(ServerMessage::MethodsRemoved { server_id: server_id.clone(), methods });
        }
        messages.push(ServerMessage::PeerRemoved {
            removed_id: server_id,
            reason_uri: farewell.uri.map(str::to_owned),
            reason: farewell.reason.map(str::to_owned),
        });
        self.tell_agm(no, messages);
    }
}
