//! Who is on the bus, and what they offer: immutable snapshots.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use deskwire_wire::{Id, Identity, Method, MethodDef, PeerId};
use indexmap::IndexMap;

/// Names one method of one peer for as long as both live.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodKey {
    /// The peer that serves it.
    pub server: PeerId,
    /// Its id there.
    pub method: Id,
}

/// A method that a server offers. The `Arc` around it stays the same as long as
/// the method is registered, so readers may key caches by its pointer.
#[derive(Debug)]
pub struct RegisteredMethod {
    /// What to call it by.
    pub key: MethodKey,
    /// The known fields of its definition.
    pub method: Arc<Method>,
    /// The whole definition.
    pub def: MethodDef,
}

/// A peer and its methods.
#[derive(Debug, Clone)]
pub struct Server {
    /// The gateway's name for it; another one after each of its reconnects.
    pub peer_id: PeerId,
    /// Who it is.
    pub identity: Identity,
    /// Whether it is on the same gateway, not behind another one.
    pub local: bool,
    /// Whether it is this client itself.
    pub is_self: bool,
    methods: IndexMap<Id, Arc<RegisteredMethod>>,
}

/// Who is on the bus: an immutable snapshot.
#[derive(Debug, Default)]
pub struct Directory {
    servers: Vec<Arc<Server>>,
    index: OnceLock<Index>,
}

/// Built by the first reader that looks something up.
#[derive(Debug)]
struct Index {
    places: HashMap<PeerId, usize>,
    names: HashMap<String, Vec<(usize, usize)>>,
}

/// A change of the directory, in the order of the bus.
#[derive(Debug, Clone)]
pub enum InteropEvent {
    /// A peer joined.
    PeerAdded {
        /// Its id.
        peer: PeerId,
        /// Who it is.
        identity: Identity,
    },
    /// A peer left. Its methods were removed before.
    PeerRemoved {
        /// Its id.
        peer: PeerId,
        /// Who it was.
        identity: Identity,
    },
    /// A peer registered a method.
    MethodAdded(Arc<RegisteredMethod>),
    /// A method is gone.
    MethodRemoved(Arc<RegisteredMethod>),
}

impl Server {
    pub(crate) fn new(peer_id: PeerId, identity: Identity, local: bool, is_self: bool) -> Self {
        Self { peer_id, identity, local, is_self, methods: IndexMap::new() }
    }

    /// Its methods, in order of registration.
    pub fn methods(&self) -> impl Iterator<Item = &Arc<RegisteredMethod>> {
        self.methods.values()
    }

    /// The method with this id.
    #[must_use]
    pub fn method(&self, id: &Id) -> Option<&Arc<RegisteredMethod>> {
        self.methods.get(id)
    }

    /// Name of the application, for people.
    #[must_use]
    pub fn application(&self) -> &str {
        self.identity.application().unwrap_or("an unnamed application")
    }

    /// The instance, for people; the peer id where it has none.
    #[must_use]
    pub fn instance(&self) -> &str {
        self.identity.instance().unwrap_or(self.peer_id.as_str())
    }

    pub(crate) fn methods_mut(&mut self) -> &mut IndexMap<Id, Arc<RegisteredMethod>> {
        &mut self.methods
    }
}

impl Directory {
    pub(crate) fn new(servers: Vec<Arc<Server>>) -> Self {
        Self { servers, index: OnceLock::new() }
    }

    /// The servers, in order of announcement.
    pub fn servers(&self) -> impl Iterator<Item = &Arc<Server>> {
        self.servers.iter()
    }

    /// The server with this id.
    #[must_use]
    pub fn server(&self, peer: &PeerId) -> Option<&Arc<Server>> {
        self.servers.get(*self.index().places.get(peer)?)
    }

    /// The methods of this name with their servers, in order of announcement.
    /// As everywhere on the bus, case does not matter.
    pub fn find<'a>(
        &'a self,
        name: &str,
    ) -> impl Iterator<Item = (&'a Arc<Server>, &'a Arc<RegisteredMethod>)> {
        let places = self.index().names.get(&name_key(name)).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|&(server, method)| {
            let server = self.servers.get(server)?;
            let (_, method) = server.methods.get_index(method)?;
            Some((server, method))
        })
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut places = HashMap::with_capacity(self.servers.len());
            let mut names: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
            for (at, server) in self.servers.iter().enumerate() {
                places.insert(server.peer_id.clone(), at);
                for (place, method) in server.methods().enumerate() {
                    names.entry(name_key(&method.method.name)).or_default().push((at, place));
                }
            }
            Index { places, names }
        })
    }
}

/// What a method is found by.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}
