//! Application data in transit.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// A JSON value an application put into a frame: shared, and held as text, as
/// parsed value, or both. Each form is made at most once.
///
/// Relaying a payload never parses it, so what arrives is what was sent, byte
/// for byte.
#[derive(Clone)]
pub struct Payload(Arc<Forms>);

struct Forms {
    raw: OnceLock<Box<RawValue>>,
    value: OnceLock<Value>,
}

/// A payload that is not what its reader needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a JSON {expected}: {reason}")]
pub struct PayloadError {
    expected: &'static str,
    reason: String,
}

impl PayloadError {
    pub(crate) fn new(expected: &'static str, reason: impl fmt::Display) -> Self {
        Self { expected, reason: reason.to_string() }
    }
}

impl Payload {
    /// The payload `null`.
    #[must_use]
    pub fn null() -> Self {
        Self::from(Value::Null)
    }

    /// The payload `{}`.
    #[must_use]
    pub fn empty_object() -> Self {
        Self::from(Value::Object(serde_json::Map::new()))
    }

    /// Reads JSON text.
    ///
    /// # Errors
    /// When `text` is not one JSON value.
    pub fn parse(text: &str) -> Result<Self, PayloadError> {
        serde_json::from_str(text).map_err(|error| PayloadError::new("value", error))
    }

    /// The text, made on first use when the payload was built from a value.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        self.0.raw.get_or_init(|| {
            self.0
                .value
                .get()
                .and_then(|value| serde_json::value::to_raw_value(value).ok())
                .unwrap_or_else(|| RawValue::NULL.to_owned())
        })
    }

    /// The text; see [`Payload::raw`].
    #[must_use]
    pub fn text(&self) -> &str {
        self.raw().get()
    }

    /// The parsed value, made on first use. Text that nests deeper than the
    /// parser goes reads as `null`; the door of the gateway refuses such frames.
    #[must_use]
    pub fn value(&self) -> &Value {
        self.0.value.get_or_init(|| {
            self.0
                .raw
                .get()
                .and_then(|raw| serde_json::from_str(raw.get()).ok())
                .unwrap_or_default()
        })
    }

    /// Reads the payload as `T`, straight from its text.
    ///
    /// # Errors
    /// When the payload has another shape; `expected` names the shape in the error.
    pub fn read<'a, T: Deserialize<'a>>(
        &'a self,
        expected: &'static str,
    ) -> Result<T, PayloadError> {
        serde_json::from_str(self.text()).map_err(|error| PayloadError::new(expected, error))
    }

    /// The value as an application means it: protocol dates as RFC 3339 text,
    /// without trace propagation data. See [`crate::date_to_millis`].
    #[must_use]
    pub fn decoded(&self) -> Value {
        crate::date::decode(self)
    }

    /// Length of the text in bytes. Makes the text if need be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text().len()
    }

    /// Whether arrays and objects nest deeper than this many levels.
    #[must_use]
    pub fn is_deeper_than(&self, levels: usize) -> bool {
        crate::depth::deeper_than(self.text(), levels)
    }

    /// Whether the payload is an object. Looks at no more than its first character.
    #[must_use]
    pub fn is_object(&self) -> bool {
        match self.0.value.get() {
            Some(value) => value.is_object(),
            None => self.text().trim_start().starts_with('{'),
        }
    }

    /// Whether the payload is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        match self.0.value.get() {
            Some(value) => value.is_null(),
            None => self.text().trim() == "null",
        }
    }

    /// Whether the payload is one of `null`, `{}` and `[]`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut bytes = self.text().bytes().filter(|byte| !byte.is_ascii_whitespace());
        matches!(
            (bytes.next(), bytes.next()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')) | (Some(b'n'), _)
        )
    }
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        Self(Arc::new(Forms { raw: OnceLock::new(), value: OnceLock::from(value) }))
    }
}

impl From<Box<RawValue>> for Payload {
    fn from(raw: Box<RawValue>) -> Self {
        Self(Arc::new(Forms { raw: OnceLock::from(raw), value: OnceLock::new() }))
    }
}

impl From<&RawValue> for Payload {
    fn from(raw: &RawValue) -> Self {
        Self::from(raw.to_owned())
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Payloads are equal when their values are; spacing and key order do not count.
impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.value() == other.value()
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_untouched() {
        for text in [
            r#"{"n": 1.0, "big":123456789012345678901234567890,"e":1e2 }"#,
            "[1,  2]",
            "\"\\u0041\"",
        ] {
            let payload = Payload::parse(text).unwrap();
            let _ = payload.value();
            assert_eq!(payload.text(), text);
            assert_eq!(serde_json::to_string(&payload).unwrap(), text);
        }
    }

    #[test]
    fn kinds_are_told_from_text_and_from_value_alike() {
        for (text, object, null) in [
            (r#" {"a":1}"#, true, false),
            ("null", false, true),
            ("[{}]", false, false),
            ("\"{\"", false, false),
        ] {
            let parsed = Payload::parse(text).unwrap();
            let built = Payload::from(parsed.value().clone());
            for payload in [Payload::parse(text).unwrap(), built] {
                assert_eq!((payload.is_object(), payload.is_null()), (object, null), "{text}");
            }
        }
    }

    #[test]
    fn empty_is_null_object_or_array() {
        for (text, empty) in [
            ("null", true),
            ("{}", true),
            ("{ }", true),
            ("[]", true),
            ("0", false),
            (r#"{"a":1}"#, false),
            ("[0]", false),
            (r#""""#, false),
        ] {
            assert_eq!(Payload::parse(text).unwrap().is_empty(), empty, "{text}");
        }
    }
}
