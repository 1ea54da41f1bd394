//! Which peers of the bus are which instances.

use std::sync::Weak;

use deskwire_connect::{Client, InteropEvent};
use deskwire_wire::{Identity, PeerId};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::handle::Inner;
use super::table::Event;

/// Takes in the comings and goings of peers, as long as anybody keeps instances.
/// `events` is older than the first look at the directory.
pub(super) async fn follow(bus: Client, mut events: Receiver<InteropEvent>, inner: Weak<Inner>) {
    let Some(first) = inner.upgrade() else { return };
    look(&bus, &first);
    drop(first);
    loop {
        let event = events.recv().await;
        let Some(inner) = inner.upgrade() else { return };
        match event {
            Ok(InteropEvent::PeerAdded { peer, identity }) => joined(&inner, peer, identity),
            Ok(InteropEvent::PeerRemoved { peer, .. }) => inner.apply(Event::PeerLeft { peer }),
            Ok(InteropEvent::MethodAdded(_) | InteropEvent::MethodRemoved(_)) => {}
            Err(RecvError::Lagged(_)) => look(&bus, &inner),
            Err(RecvError::Closed) => return,
        }
    }
}

/// Takes in the directory as it is.
fn look(bus: &Client, inner: &Inner) {
    let directory = bus.directory();
    for peer in inner.peers() {
        if directory.server(&peer).is_none() {
            inner.apply(Event::PeerLeft { peer });
        }
    }
    for server in directory.servers() {
        joined(inner, server.peer_id.clone(), server.identity.clone());
    }
}

fn joined(inner: &Inner, peer: PeerId, identity: Identity) {
    if let Some(instance) = identity.instance().map(Into::into) {
        inner.apply(Event::PeerJoined { peer, instance, identity });
    }
}
