//! Whether this server is on its bus, and why it is not.

use std::sync::Arc;

use deskwire_connect::{Client, ConnectError, Directory, Status};
use tokio::sync::watch;

use crate::surface::{Kind, Offer, Origin, Source, Stage, Withheld};
use deskwire_wire::excerpt;

/// Longest reason of a gateway that is passed on, in characters.
const MAX_REASON: usize = 400;

/// Offers nothing, and says why the bus offers nothing while that is so.
pub(crate) struct BusSource {
    status: watch::Receiver<Status>,
    /// Where the bus is, for people.
    address: Option<String>,
}

impl BusSource {
    pub(crate) fn new(bus: &Client, address: Option<String>) -> Self {
        Self { status: bus.status(), address }
    }
}

impl Source for BusSource {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn offer(&mut self, directory: &Directory) -> Offer {
        let mut offer = Offer::default();
        if !directory.servers().any(|server| server.is_self) {
            let absence = absence(&self.status.borrow(), self.address.as_deref());
            offer.withheld.push(Arc::new(absence));
        }
        offer
    }
}

/// Whether nothing was decided yet about being on the bus.
pub(crate) fn is_joining(status: &Status) -> bool {
    matches!(status, Status::Idle | Status::Connecting { .. })
}

/// Why this server is not on its bus, as its status shows it.
fn absence(status: &Status, address: Option<&str>) -> Withheld {
    const GATEWAY: &str = "start the gateway, or correct where this server looks for it";
    let bus = match address {
        Some(address) => format!("its bus at {address}"),
        None => "its bus".into(),
    };
    let off = |error: &ConnectError| {
        let error_text = excerpt(&error.to_string(), MAX_REASON);
        match error {
            // It names the address itself.
            ConnectError::Unreachable { .. } => {
                format!("this server is not on its bus: {error_text}")
            }
            _ => format!("this server is not on {bus}: {error_text}"),
        }
    };
    let (reason, fix) = match status {
        Status::Idle => {
            (format!("this server joins {bus} at the first request for tools"), "list tools")
        }
        Status::Connecting { last_error: None, .. } => {
            (format!("this server is still joining {bus}"), "see that the gateway there answers")
        }
        Status::Connecting { last_error: Some(error), .. } => (off(error), GATEWAY),
        Status::Ready { .. } => (off(&ConnectError::Lost), GATEWAY),
        Status::Refused(error) => {
            (off(error), "correct what this server logs in with, and start it again")
        }
        Status::Closed => (format!("this server has left {bus}"), "start it again"),
    };
    Withheld {
        kind: Kind::Bus,
        name: address.unwrap_or("bus").into(),
        application: None,
        method: None,
        stage: Stage::Bus,
        reason,
        fix: fix.into(),
    }
}

#[cfg(test)]
mod tests {
    use deskwire_connect::wire::Identity;

    use super::*;

    #[test]
    fn every_status_says_what_is_missing_and_what_to_do() {
        let address = "ws://127.0.0.1:4111/gw";
        let unreachable = ConnectError::Unreachable {
            target: address.into(),
            reason: "Connection refused (os error 111)".into(),
        };
        let connecting = |last_error| Status::Connecting { attempt: 3, last_error };
        let statuses = [
            Status::Idle,
            connecting(None),
            connecting(Some(unreachable)),
            connecting(Some(ConnectError::Lost)),
            Status::Ready { peer_id: "me".into(), identity: Identity::default() },
            Status::Refused(ConnectError::Credentials { reason: "wrong\npassword".into() }),
            Status::Closed,
        ];
        let texts: Vec<_> = statuses
            .iter()
            .map(|status| absence(status, Some(address)))
            .map(|absence| format!("{}; {}", absence.reason, absence.fix))
            .collect();
        insta::assert_snapshot!(texts.join("\n"));
        let nowhere = absence(&connecting(Some(ConnectError::Lost)), None);
        assert_eq!(nowhere.name, "bus");
        assert!(nowhere.reason.starts_with("this server is not on its bus: "));
    }
}
