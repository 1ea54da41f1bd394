//! Dates and trace data inside payloads.
//!
//! The JavaScript clients write a date as the string `#T42_DATE#<epoch ms>`
//! anywhere in a payload and turn it back into a date on the other side, and
//! may add [`TRACE_KEY`] to objects. Neither is meant for the application.

use chrono::{DateTime, SecondsFormat};
use serde_json::Value;

use crate::Payload;

const DATE_PREFIX: &str = "#T42_DATE#";
const TRACE_KEY: &str = "__interopIOTracePropagationInfo";

/// The wire form of a date: epoch milliseconds as a tagged string.
#[must_use]
pub fn date_from_millis(millis: i64) -> Value {
    Value::String(format!("{DATE_PREFIX}{millis}"))
}

/// Epoch milliseconds of a date in wire form, or `None` for any other text.
#[must_use]
pub fn date_to_millis(text: &str) -> Option<i64> {
    text.strip_prefix(DATE_PREFIX)?.parse().ok()
}

/// See [`Payload::decoded`].
pub(crate) fn decode(payload: &Payload) -> Value {
    let mut value = payload.value().clone();
    let text = payload.text().as_bytes();
    let holds = |needle: &str| memchr::memmem::find(text, needle.as_bytes()).is_some();
    if holds(DATE_PREFIX) || holds(TRACE_KEY) {
        walk(&mut value);
    }
    value
}

fn walk(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(date) = date_to_millis(text).and_then(DateTime::from_timestamp_millis) {
                *text = date.to_rfc3339_opts(SecondsFormat::Millis, true);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(walk),
        Value::Object(fields) => {
            fields.shift_remove(TRACE_KEY);
            fields.values_mut().for_each(walk);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_become_text_and_trace_data_goes() {
        let payload = Payload::from(json!({
            "when": date_from_millis(1_700_000_000_000),
            "list": [date_from_millis(0), "#T42_DATE#soon", "plain"],
            TRACE_KEY: {"traceparent": "00-1"},
            "inner": {TRACE_KEY: 1, "kept": true},
        }));
        assert_eq!(
            payload.decoded(),
            json!({
                "when": "2023-11-14T22:13:20.000Z",
                "list": ["1970-01-01T00:00:00.000Z", "#T42_DATE#soon", "plain"],
                "inner": {"kept": true},
            })
        );
    }

    #[test]
    fn a_date_out_of_range_stays_as_it_is() {
        let value = json!("#T42_DATE#9223372036854775807");
        assert_eq!(Payload::from(value.clone()).decoded(), value);
    }
}
