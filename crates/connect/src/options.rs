//! How a peer presents itself and behaves.

use std::time::Duration;

use deskwire_wire::Identity;
use serde_json::{Map, Value};

use crate::{Credentials, Limits, Reconnect};

/// How a peer presents itself and behaves. `Options { credentials,
/// ..Options::new("orders") }` sets what differs.
#[derive(Debug, Clone)]
pub struct Options {
    /// Name of the application; `application` and `applicationName` of the identity.
    pub application: String,
    /// Further fields of the identity. With `instance` among them the peer is
    /// the same instance after every reconnect; without, the gateway makes one up.
    pub identity: Map<String, Value>,
    /// What to log in with.
    pub credentials: Credentials,
    /// Waits between attempts to connect.
    pub reconnect: Reconnect,
    /// How long a gateway may take to open a link, and again to answer hello and join.
    pub handshake_timeout: Duration,
    /// Bounds.
    pub limits: Limits,
}

impl Options {
    /// The defaults for an application of this name.
    #[must_use]
    pub fn new(application: impl Into<String>) -> Self {
        Self {
            application: application.into(),
            identity: Map::new(),
            credentials: Credentials::None,
            reconnect: Reconnect::default(),
            handshake_timeout: Duration::from_secs(10),
            limits: Limits::default(),
        }
    }

    /// The identity for a hello.
    pub(crate) fn to_identity(&self) -> Identity {
        let mut fields = Map::new();
        for key in ["application", "applicationName"] {
            fields.insert(key.to_owned(), Value::from(self.application.as_str()));
        }
        fields.insert("process".to_owned(), Value::from(std::process::id()));
        fields.extend(self.identity.clone());
        Identity::new(fields)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new("deskwire")
    }
}
