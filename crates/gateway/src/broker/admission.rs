//! Who may have which identity.
//!
//! One identity has one live peer: one instance, where a token says which, else
//! one whole identity. Somebody who asks for what another holds waits until the
//! holder is found alive (and is refused) or silent (and takes its place).

use deskwire_wire::uri;

use super::event::{CloseReason, Effect, Hello, LinkKind, Login};
use super::number::PeerNo;
use super::reply::Refusal;
use super::session::Link;
use super::{Broker, LinkId, identity};

/// A hello that waits until the holder of its identity is found alive or silent.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) hello: Hello,
    pub(super) login: Login,
}

impl Broker {
    /// Lets a peer in, unless somebody has its identity already.
    pub(super) fn admit(&mut self, hello: Hello, login: Login) {
        let Some(link) = self.links.get(&hello.request.link) else { return };
        let (no, id) = PeerNo::next(&mut self.peer_names);
        let address = link.info.address;
        let instance = || self.instance_names.instance();
        let identity =
            identity::resolve(&hello.identity, &login, &self.user, address, &id, instance);
        let identity_key = identity::key_of(&identity);
        let holder = match login.grant.instance() {
            Some(instance) => self.by_instance.get(instance),
            None => self.by_identity.get(&identity_key),
        };
        match holder {
            Some(&holder) => self.contest(holder, Waiting { hello, login }),
            None => {
                if let Err(refusal) = self.enter(no, id, identity, identity_key, &hello, login) {
                    self.refuse(&hello.request, refusal);
                }
            }
        }
    }

    /// Somebody has the identity. If it could be dead, the newcomer waits until
    /// that is known.
    fn contest(&mut self, holder: PeerNo, newcomer: Waiting) {
        let own_link = newcomer.hello.request.link;
        let holder_link = self.peers.get(&holder).map(|peer| peer.link);
        let could_be_dead = holder_link.filter(|link| {
            *link != own_link
                && self.links.get(link).is_some_and(|link| link.info.kind == LinkKind::Socket)
        });
        let Some(holder_link) = could_be_dead else {
            return self.refuse(&newcomer.hello.request, already_seen());
        };
        let Some(link) = self.links.get_mut(&own_link) else { return };
        if link.waiting >= self.limits.waiting_hellos_per_link {
            let reason = format!("{} hellos of this link wait already", link.waiting);
            return self.refuse(&newcomer.hello.request, Refusal::limit(reason));
        }
        link.waiting += 1;
        let waiting = self.probes.entry(holder).or_default();
        waiting.push(newcomer);
        if waiting.len() == 1 {
            self.effects.push_back(Effect::Probe { link: holder_link });
        }
    }

    pub(super) fn probed(&mut self, link: LinkId, alive: bool) {
        let Some(Link { peers, .. }) = self.links.get(&link) else { return };
        let contested: Vec<PeerNo> =
            peers.iter().copied().filter(|peer| self.probes.contains_key(peer)).collect();
        if contested.is_empty() {
            return;
        }
        if !alive {
            // Its peers go, and who waited for them comes in.
            return self.close(link, CloseReason::Silent);
        }
        for holder in contested {
            for Waiting { hello, .. } in self.take_waiting(holder) {
                self.refuse(&hello.request, already_seen());
            }
        }
    }

    pub(super) fn take_waiting(&mut self, holder: PeerNo) -> Vec<Waiting> {
        let waiting = self.probes.remove(&holder).unwrap_or_default();
        for Waiting { hello, .. } in &waiting {
            if let Some(link) = self.links.get_mut(&hello.request.link) {
                link.waiting -= 1;
            }
        }
        waiting
    }

    /// An instance stopped: who came in as it goes, and who waits to does not come in.
    pub(super) fn revoked(&mut self, instance: &str) {
        let stopped = |login: &Login| login.grant.instance() == Some(instance);
        let mut denied = Vec::new();
        self.probes.retain(|_, hellos| {
            denied.extend(hellos.extract_if(.., |waiting| stopped(&waiting.login)));
            !hellos.is_empty()
        });
        for Waiting { hello, .. } in denied {
            if let Some(link) = self.links.get_mut(&hello.request.link) {
                link.waiting -= 1;
            }
            let reason = CloseReason::Revoked.to_string();
            self.refuse(&hello.request, Refusal::new(uri::AUTHENTICATION_FAILURE, reason));
        }
        let holder = self.by_instance.get(instance).and_then(|no| self.peers.get(no));
        if let Some(link) = holder.map(|peer| peer.link) {
            self.close(link, CloseReason::Revoked);
        }
    }
}

fn already_seen() -> Refusal {
    Refusal::new(
        uri::ALREADY_SEEN,
        "Hello already received once: another live peer has the same identity",
    )
}
