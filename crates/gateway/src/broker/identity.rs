//! The identity of a peer, from what it claims and what is known.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use deskwire_wire::{Identity, PeerId};
use serde_json::Value;

use super::event::{LinkKind, Login};
use super::{Broker, LinkId, PeerNo};

/// The identity as everybody will see it.
///
/// What the client claims stands, but for the user, which is always the one of
/// this gateway, the login, which the authenticator saw, and what a token fixes.
/// `?` stands for the id of the peer.
pub(super) fn resolve(
    claimed: &Identity,
    login: &Login,
    user: &str,
    address: Option<IpAddr>,
    id: &PeerId,
    instance: impl FnOnce() -> String,
) -> Identity {
    let machine = address.unwrap_or(Ipv4Addr::LOCALHOST.into()).to_string();
    let mut fields = serde_json::Map::new();
    fields.insert("machine".into(), machine.into());
    fields.extend(claimed.to_fields());
    fields.insert("user".into(), user.into());
    fields.shift_remove("login");
    if let Some(name) = &login.login {
        fields.insert("login".into(), name.clone().into());
    }
    if let Some(application) = login.grant.application() {
        fields.insert("application".into(), application.into());
        fields.insert("applicationName".into(), application.into());
    }
    if let Some(instance) = login.grant.instance() {
        fields.insert("instance".into(), instance.into());
    }
    for value in fields.values_mut() {
        if value == "?" {
            *value = id.as_str().into();
        }
    }
    if fields.get("instance").is_none_or(Value::is_null) {
        fields.insert("instance".into(), instance().into());
    }
    Identity::new(fields)
}

impl Broker {
    /// Peers from outside this process that no credentials bind to the application
    /// they call themselves.
    pub fn unverified(&self) -> impl Iterator<Item = &Identity> {
        let is_unbound =
            |no: PeerNo| self.peers.get(&no).is_some_and(|peer| peer.application.is_none());
        let is_outside = |link: &LinkId| {
            self.links.get(link).is_some_and(|link| link.info.kind == LinkKind::Socket)
        };
        self.roster
            .iter()
            .filter(move |(no, member)| is_unbound(*no) && is_outside(&member.link))
            .map(|(_, member)| &member.identity)
    }
}

/// The same text for the same fields, in whatever order they came.
pub(super) fn key_of(identity: &Identity) -> String {
    let sorted: BTreeMap<_, _> = identity.fields().iter().collect();
    serde_json::to_string(&sorted).unwrap_or_default()
}
