//! JSON of definitions, fit for a model to read.

use serde_json::{Map, Value};

use crate::text::{MAX_DESCRIPTION, clean};

/// How deep it may nest; what is deeper is left out.
const MAX_DEPTH: usize = 24;

/// The value with every text cleaned and bounded.
pub(super) fn tidy(value: &Value) -> Value {
    at_depth(value, MAX_DEPTH)
}

fn at_depth(value: &Value, depth: usize) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text, MAX_DESCRIPTION).text),
        Value::Array(_) | Value::Object(_) if depth == 0 => Value::Null,
        Value::Array(items) => items.iter().map(|item| at_depth(item, depth - 1)).collect(),
        Value::Object(fields) => {
            let tidied = |(name, value): (&String, &Value)| {
                (clean(name, MAX_DESCRIPTION).text, at_depth(value, depth - 1))
            };
            Value::Object(fields.iter().map(tidied).collect())
        }
        other => other.clone(),
    }
}

/// `customProperties.interop` without schemas, where the whole is too long.
pub(super) fn without_schemas(interop: &Value) -> Value {
    let Value::Object(fields) = interop else { return interop.clone() };
    let bare = |value: &Value| match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| {
                !matches!(name.as_str(), "inputSchema" | "outputSchema" | "schema")
            });
            Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        other => other.clone(),
    };
    let fields = fields.iter().map(|(name, value)| {
        let value = match value {
            Value::Array(items) => items.iter().map(bare).collect(),
            other => bare(other),
        };
        (name.clone(), value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}
