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
    /// Definitions in `methods-added`, ids in `methods-removed`.
    #[serde(borrow)]
    methods: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) arguments_kv: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) data: Option<&'a RawValue>,
}

/// A method in `methods-added`.
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

    /// The methods that the frame announces; those of other frames are none.
    ///
    /// # Errors
    /// When they are no definitions.
    pub(super) fn announced(&self) -> Result<Vec<Method<'a>>, Failure> {
        let methods = self.methods.filter(|_| self.kind == "methods-added");
        methods.map_or(Ok(Vec::new()), |methods| {
            serde_json::from_str(methods.get())
                .map_err(|error| Failure::answer(&error.to_string(), methods.get().as_bytes()))
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_those_that_are_announced() {
        for (text, ids) in [
            (
                r#"{"type":"methods-added","methods":[{"id":7,"name":"a"},{"id":"0","name":"b"}]}"#,
                &["7", "\"0\""][..],
            ),
            (r#"{"type":"methods-removed","methods":["0",7]}"#, &[]),
            (r#"{"type":"event","data":{"methods":["0"]}}"#, &[]),
        ] {
            let methods = Frame::read(text).unwrap().announced().unwrap();
            let found: Vec<_> = methods.iter().map(|method| method.id.get()).collect();
            assert_eq!(found, ids, "{text}");
        }
        let odd = Frame::read(r#"{"type":"methods-added","methods":["0"]}"#).unwrap().announced();
        assert!(odd.unwrap_err().to_string().contains("expected struct Method"));
    }
}
