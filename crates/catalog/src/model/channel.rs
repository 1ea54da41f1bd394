//! A channel: a context that applications share by colour.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::same_value;
use crate::source::Origin;

/// The definition of a channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Its name; unique in a [`crate::Catalog`].
    pub name: String,
    /// Its colour, as the author writes it.
    pub color: Option<String>,
    /// Everything the author says of it.
    pub meta: Map<String, Value>,
    /// The definition as it came.
    pub raw: Arc<Value>,
    /// Where it stands.
    pub origin: Origin,
}

impl Channel {
    /// Whether both say the same; where they stand does not matter.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        same_value(&self.raw, &other.raw)
    }
}
