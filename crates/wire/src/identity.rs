//! Who a peer is.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An open map that names a peer. Known keys: `application`,
/// `applicationName`, `instance`, `process`, `windowId`, `machine`, `user`,
/// `login`, `environment`, `region`, `api`, `service`, `pid`; clients may add any.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity(Arc<Map<String, Value>>);

impl Identity {
    /// An identity with these fields.
    #[must_use]
    pub fn new(fields: Map<String, Value>) -> Self {
        Self(Arc::new(fields))
    }

    /// All fields.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A copy of all fields, to be changed.
    #[must_use]
    pub fn to_fields(&self) -> Map<String, Value> {
        Map::clone(&self.0)
    }

    /// A field that holds text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str)
    }

    /// The name of the application: `applicationName`, else `application`.
    #[must_use]
    pub fn application(&self) -> Option<&str> {
        self.text("applicationName").or_else(|| self.text("application"))
    }

    /// The id of the running instance.
    #[must_use]
    pub fn instance(&self) -> Option<&str> {
        self.text("instance")
    }

    /// The user the peer is logged in as.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.text("user")
    }

    /// Whether every field of `filter` stands here with the same value.
    #[must_use]
    pub fn matches(&self, filter: &Self) -> bool {
        filter.0.iter().all(|(key, wanted)| self.0.get(key) == Some(wanted))
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter()).finish()
    }
}
