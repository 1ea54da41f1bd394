//! Which servers of a method are meant.

use std::sync::Arc;

use deskwire_wire::Identity;

use crate::directory::{RegisteredMethod, Server};

/// Which servers of a method are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Target {
    /// The first on our own gateway in order of announcement, else the first.
    #[default]
    Best,
    /// Every one.
    All,
    /// Every one but this client itself.
    SkipMine,
    /// Every one whose identity has these fields with these values.
    Instance(Identity),
}

impl Target {
    /// Whether a server is meant, others aside.
    pub(crate) fn admits(&self, server: &Server) -> bool {
        match self {
            Self::Best | Self::All => true,
            Self::SkipMine => !server.is_self,
            Self::Instance(filter) => server.identity.matches(filter),
        }
    }

    /// Those that are meant, in order; one method of each server.
    pub(crate) fn pick<'a>(
        &self,
        all: impl Iterator<Item = (&'a Arc<Server>, &'a Arc<RegisteredMethod>)>,
    ) -> Vec<(Arc<Server>, Arc<RegisteredMethod>)> {
        let mut picked: Vec<(Arc<Server>, Arc<RegisteredMethod>)> = Vec::new();
        for (server, method) in all.filter(|(server, _)| self.admits(server)) {
            if picked.last().is_some_and(|(last, _)| last.peer_id == server.peer_id) {
                continue;
            }
            picked.push((Arc::clone(server), Arc::clone(method)));
            if *self == Self::Best && server.local {
                return picked.split_off(picked.len() - 1);
            }
        }
        if *self == Self::Best {
            picked.truncate(1);
        }
        picked
    }
}
