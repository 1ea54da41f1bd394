//! The frames a peer of the benchmark reads and writes.
//!
//! The same text goes to every gateway. `deskwire-wire` is not used here: what is measured should not also be
//! the ruler.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// A frame from a gateway, as far as the benchmark looks. Both gateways write ids without escapes.
#[derive(Debug, Deserialize)]
pub(super) struct Frame<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    pub(super) domain: Option<&'a str>,
    #[serde(borrow)]
    pub(super) request_id: Option<&'a RawValue>,
    pub(super) peer_id: Option<&'a str>,
    pub(super) server_id: Option<&'a str>,
    pub(super) invocation_id: Option<&'a str>,
    pub(super) subscription_id: Option<&'a str>,
    #[serde(borrow)]
    pub(super) methods: Option<Vec<Method<'a>>>,
    #[serde(borrow)]
    pub(super) arguments_kv: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) data: Option<&'a RawValue>,
}

/// A method in `methods-added`, or its id in `methods-removed`.
#[derive(Debug, Deserialize)]
pub(super) struct Method<'a> {
    #[serde(borrow)]
    pub(super) id: &'a RawValue,
    pub(super) name: std::borrow::Cow<'a, str>,
}

impl<'a> Frame<'a> {
    /// Reads a frame.
    ///
    /// # Errors
    /// When the text is none, and when the gateway reports an error.
    pub(super) fn read(text: &'a str) -> Result<Self, Failure> {
        let frame: Self = serde_json::from_str(text)
            .map_err(|error| Failure::answer(&error.to_string(), text.as_bytes()))?;
        if frame.kind == "error" {
            return Err(Failure::answer("the gateway refused", text.as_bytes()));
        }
        Ok(frame)
    }

    /// Whether the frame answers the request with this id.
    pub(super) fn answers(&self, request: &str) -> bool {
        let id = self.request_id.map(RawValue::get).and_then(unquoted);
        id == Some(request)
    }
}

/// The text of a JSON string without escapes.
pub(super) fn unquoted(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}
