//! What a client of 2026-07-28 carries from a question to its answer: a handle of
//! what is kept here, and what the question is about, sealed for one tool and its
//! arguments, for a time.

use std::time::Duration;

use rmcp::model::{JsonObject, RequestStateCodec, RequestStateError, SealOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a client carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    /// Which round it is the answer of.
    pub(crate) handle: String,
    /// What the question is about.
    pub(crate) about: u64,
}

/// Seals tickets, and opens those that it sealed.
#[derive(Debug)]
pub(crate) struct Tickets(RequestStateCodec);

impl Tickets {
    /// Tickets of this key.
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(RequestStateCodec::new_unchecked(key))
    }

    /// Seals a ticket for a call of this tool with these arguments.
    pub(crate) fn seal(
        &self,
        ticket: &Ticket,
        tool: &str,
        arguments: &JsonObject,
        lives: Duration,
    ) -> String {
        // A ticket is JSON, and JSON can be written.
        let text = serde_json::to_vec(ticket).unwrap_or_default();
        let bound = bound_to(tool, arguments);
        self.0.seal_with(&text, &SealOptions::new().associated_data(&bound).ttl(lives))
    }

    /// Opens a ticket that was sealed for such a call.
    ///
    /// # Errors
    /// When it is foreign, altered, too old, or of another call.
    pub(crate) fn open(
        &self,
        sealed: &str,
        tool: &str,
        arguments: &JsonObject,
    ) -> Result<Ticket, RequestStateError> {
        self.0.open_json_with(sealed, &bound_to(tool, arguments))
    }
}

/// Tool and arguments as bytes; the order of fields does not matter.
fn bound_to(tool: &str, arguments: &JsonObject) -> Vec<u8> {
    let mut bytes = tool.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend(sorted(&Value::Object(arguments.clone())).to_string().into_bytes());
    bytes
}

/// The value with the fields of every object in the order of their names.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            fields.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> JsonObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_ticket_opens_for_its_call_alone() {
        let tickets = Tickets::new([7; 32]);
        let ticket = Ticket { handle: "h".into(), about: u64::MAX };
        let call = object(json!({"a": {"x": 1, "y": [2]}, "b": 2}));
        let sealed = tickets.seal(&ticket, "find", &call, Duration::from_secs(60));
        assert_eq!(tickets.open(&sealed, "find", &call).unwrap(), ticket);
        let turned = object(json!({"b": 2, "a": {"y": [2], "x": 1}}));
        assert_eq!(tickets.open(&sealed, "find", &turned).unwrap(), ticket);

        let other = object(json!({"a": {"x": 1, "y": [2]}, "b": 3}));
        assert!(tickets.open(&sealed, "find", &other).is_err(), "other arguments");
        assert!(tickets.open(&sealed, "start", &call).is_err(), "another tool");
        assert!(Tickets::new([8; 32]).open(&sealed, "find", &call).is_err(), "foreign");
        let altered = sealed.replacen(['A', 'B', 'C', 'e', 'I', 'y'], "x", 1);
        assert_ne!(altered, sealed);
        assert!(tickets.open(&altered, "find", &call).is_err(), "altered");
        let old = tickets.seal(&ticket, "find", &call, Duration::ZERO);
        // The codec has a clock of its own, in milliseconds.
        let too_old = (0..1_000_000).any(|_| tickets.open(&old, "find", &call).is_err());
        assert!(too_old);
        assert!(tickets.open("", "find", &call).is_err());
    }
}
