//! The live directory: who is on the bus, by order, id and method name.
//!
//! Every change costs the same however many peers there are; snapshots are made
//! when somebody asks for one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use deskwire_wire::{Id, Identity, MethodDef, Payload, PeerId};
use indexmap::map::Entry;

use super::line::Line;
use super::{Effect, Session};
use crate::directory::{Directory, InteropEvent, MethodKey, RegisteredMethod, Server, name_key};
use crate::target::Target;

/// A server's place in the order of announcement.
type Place = u64;

/// The live directory.
#[derive(Debug, Default)]
pub(super) struct Peers {
    servers: BTreeMap<Place, Arc<Server>>,
    places: HashMap<PeerId, Place>,
    /// Who has a method of a name, in order of announcement. Mostly that is one.
    names: HashMap<String, Vec<(Place, Id)>>,
    next: Place,
    generation: u64,
}

impl Peers {
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn snapshot(&self) -> Directory {
        Directory::new(self.servers.values().cloned().collect())
    }

    pub(super) fn server(&self, peer: &PeerId) -> Option<&Arc<Server>> {
        self.servers.get(self.places.get(peer)?)
    }

    /// The methods of this name that a target picks, in order of announcement.
    pub(super) fn select(
        &self,
        name: &str,
        target: &Target,
        streaming: Option<bool>,
    ) -> Vec<(Arc<Server>, Arc<RegisteredMethod>)> {
        let places = self.names.get(&name_key(name));
        let all = places.into_iter().flatten().filter_map(|(place, id)| {
            let server = self.servers.get(place)?;
            let method = server.method(id)?;
            let kind = streaming.is_none_or(|wanted| method.method.flags.streaming == wanted);
            kind.then_some((server, method))
        });
        target.pick(all)
    }

    pub(super) fn add(&mut self, server: Server, line: &mut Line) {
        if self.places.contains_key(&server.peer_id) {
            tracing::debug!(peer = %server.peer_id, "announced twice, ignored");
            return;
        }
        if self.servers.len() >= line.limits.peers {
            tracing::warn!(peer = %server.peer_id, "more peers than the directory holds, ignored");
            return;
        }
        line.effects.push(Effect::Interop(InteropEvent::PeerAdded {
            peer: server.peer_id.clone(),
            identity: server.identity.clone(),
        }));
        self.places.insert(server.peer_id.clone(), self.next);
        self.servers.insert(self.next, Arc::new(server));
        self.next += 1;
        self.generation += 1;
    }

    pub(super) fn remove(&mut self, peer: &PeerId, line: &mut Line) -> Option<Arc<Server>> {
        let place = self.places.remove(peer)?;
        let server = self.servers.remove(&place)?;
        for method in server.methods() {
            self.forget(place, method);
            line.effects.push(Effect::Interop(InteropEvent::MethodRemoved(Arc::clone(method))));
        }
        line.effects.push(Effect::Interop(InteropEvent::PeerRemoved {
            peer: peer.clone(),
            identity: server.identity.clone(),
        }));
        self.generation += 1;
        Some(server)
    }

    /// Adds methods; one announced before with the same definition stays as it is.
    pub(super) fn add_methods(
        &mut self,
        peer: &PeerId,
        defs: Vec<MethodDef>,
        line: &mut Line,
    ) -> Vec<Arc<RegisteredMethod>> {
        let Some((place, server)) = self.server_mut(peer) else {
            tracing::warn!(%peer, "methods of an unknown peer, ignored");
            return Vec::new();
        };
        let mut added = Vec::new();
        let mut replaced = Vec::new();
        let methods = Arc::make_mut(server).methods_mut();
        for def in defs {
            let method = match def.method() {
                Ok(method) => method,
                Err(error) => {
                    tracing::warn!(%peer, %error, "definition cannot be read, ignored");
                    continue;
                }
            };
            if methods.len() >= line.limits.methods_per_peer && !methods.contains_key(def.id()) {
                tracing::warn!(%peer, "more methods than the directory holds, ignored");
                break;
            }
            let key = MethodKey { server: peer.clone(), method: def.id().clone() };
            let method = Arc::new(RegisteredMethod { key, method, def });
            match methods.entry(method.key.method.clone()) {
                Entry::Occupied(known) if known.get().def == method.def => continue,
                Entry::Occupied(mut known) => replaced.push(known.insert(Arc::clone(&method))),
                Entry::Vacant(free) => {
                    free.insert(Arc::clone(&method));
                }
            }
            added.push(method);
        }
        for method in replaced {
            self.forget(place, &method);
            line.effects.push(Effect::Interop(InteropEvent::MethodRemoved(method)));
        }
        for method in &added {
            let name = name_key(&method.method.name);
            let places = self.names.entry(name).or_insert_with(|| Vec::with_capacity(1));
            let place = (place, method.key.method.clone());
            if let Err(at) = places.binary_search(&place) {
                places.insert(at, place);
            }
            line.effects.push(Effect::Interop(InteropEvent::MethodAdded(Arc::clone(method))));
        }
        self.generation += u64::from(!added.is_empty());
        added
    }

    pub(super) fn remove_methods(&mut self, peer: &PeerId, ids: &[Id], line: &mut Line) {
        let Some((place, server)) = self.server_mut(peer) else { return };
        let methods = Arc::make_mut(server).methods_mut();
        // One by one while that is cheap; the order of the others stays.
        let removed: Vec<_> = if let [id] = ids {
            methods.shift_remove(id).into_iter().collect()
        } else {
            let ids: BTreeSet<&Id> = ids.iter().collect();
            methods.extract_if(.., |id, _| ids.contains(id)).map(|(_, method)| method).collect()
        };
        self.generation += u64::from(!removed.is_empty());
        for method in removed {
            self.forget(place, &method);
            line.effects.push(Effect::Interop(InteropEvent::MethodRemoved(method)));
        }
    }

    pub(super) fn clear(&mut self, line: &mut Line) {
        let peers: Vec<PeerId> =
            self.servers.values().map(|server| server.peer_id.clone()).collect();
        for peer in peers {
            self.remove(&peer, line);
        }
    }

    fn server_mut(&mut self, peer: &PeerId) -> Option<(Place, &mut Arc<Server>)> {
        let place = *self.places.get(peer)?;
        Some((place, self.servers.get_mut(&place)?))
    }

    fn forget(&mut self, place: Place, method: &RegisteredMethod) {
        let name = name_key(&method.method.name);
        if let Some(places) = self.names.get_mut(&name) {
            if let Ok(at) = places.binary_search(&(place, method.key.method.clone())) {
                places.remove(at);
            }
            if places.is_empty() {
                self.names.remove(&name);
            }
        }
    }
}

impl Session {
    pub(super) fn peer_added(&mut self, peer: PeerId, identity: Identity, meta: Option<&Payload>) {
        if self.line.me.as_ref() == Some(&peer) {
            tracing::debug!("we were announced to ourselves, ignored");
            return;
        }
        let local = meta.is_none_or(|meta| meta.value()["local"] != serde_json::Value::Bool(false));
        self.peers.add(Server::new(peer, identity, local, false), &mut self.line);
    }

    pub(super) fn peer_removed(&mut self, peer: &PeerId) {
        if self.line.me.as_ref() == Some(peer) {
            tracing::warn!("the gateway says that we have left, ignored");
            return;
        }
        let Some(server) = self.peers.remove(peer, &mut self.line) else {
            tracing::debug!(%peer, "an unknown peer left, ignored");
            return;
        };
        self.fail_calls_to(&server);
        self.end_legs_of(&server);
    }

    pub(super) fn methods_added(&mut self, peer: &PeerId, defs: Vec<MethodDef>) {
        let added = self.peers.add_methods(peer, defs, &mut self.line);
        self.restore_subscriptions(&added);
    }
}
