//! Fuel: what keeps a check from growing out of all proportion.
//!
//! Most schemas are done with each part of a value once for each of their own
//! parts. Two things make the work grow faster. A reference makes a few bytes
//! stand for much, so each that is followed burns fuel. And `unevaluated…` makes
//! the checker go through all that stands in place again to find out what was
//! evaluated, doubling the work with each one inside another: in a schema that
//! has one, every schema that is entered burns fuel.

use std::cell::Cell;

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value, json};

use super::Normal;
use super::keywords::{Holds, each_subschema, holds};

/// The keyword that burns fuel. The normal form never holds it.
pub(super) const FUEL: &str = "deskwire:fuel";
/// What may be entered at least, and for each node of the value.
const FLAT: u64 = 20_000;
const PER_NODE: u64 = 64;

thread_local! {
    static TANK: Cell<u64> = const { Cell::new(0) };
}

/// Fills the tank of this thread for the check of a value of so many nodes.
pub(super) fn fill(nodes: usize) {
    TANK.set(FLAT + PER_NODE * nodes as u64);
}

/// Whether the check since the last [`fill`] was given up.
pub(super) fn is_empty() -> bool {
    TANK.get() == 0
}

/// The meaning of [`FUEL`].
pub(super) struct Burn;

impl<'i> Keyword<'i> for Burn {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("out of fuel")) }
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        let left = TANK.get().saturating_sub(1);
        TANK.set(left);
        left > 0
    }
}

/// A schema that burns fuel.
pub(super) struct Metered {
    pub(super) root: Value,
    /// How deep the checker goes for one round of a recursive schema.
    pub(super) around: usize,
}

/// The schema with what burns fuel in it.
pub(super) fn metered(schema: &Normal) -> Metered {
    let definitions = schema.definitions();
    let everywhere = is_unevaluated(schema.root()) || definitions.values().any(is_unevaluated);
    let writer = Writer { everywhere };
    let mut root = writer.schema(schema.root());
    if !definitions.is_empty() {
        let definitions: Map<_, _> = definitions
            .iter()
            .map(|(name, schema)| (name.clone(), writer.schema(schema)))
            .collect();
        // A boolean root has no references, so no definitions either.
        if let Value::Object(root) = &mut root {
            root.insert("$defs".into(), Value::Object(definitions));
        }
    }
    Metered { root, around: schema.around() * if everywhere { 2 } else { 1 } }
}

/// Whether `unevaluatedItems` or `unevaluatedProperties` stands somewhere in it.
fn is_unevaluated(schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    let mut found = schema.keys().any(|keyword| keyword.starts_with("unevaluated"));
    each_subschema(schema, |_, _, below| found = found || is_unevaluated(below));
    found
}

struct Writer {
    /// Whether every schema burns fuel, not only references.
    everywhere: bool,
}

impl Writer {
    fn schema(&self, schema: &Value) -> Value {
        let Some(schema) = schema.as_object() else { return schema.clone() };
        let mut written = Map::new();
        for (keyword, value) in schema {
            let value = match (holds(keyword), value) {
                (Holds::Array | Holds::SchemaOrArray, Value::Array(schemas)) => {
                    schemas.iter().map(|schema| self.schema(schema)).collect()
                }
                (Holds::Map | Holds::MapOrNames, Value::Object(schemas)) => Value::Object(
                    schemas
                        .iter()
                        .map(|(name, schema)| (name.clone(), self.schema(schema)))
                        .collect(),
                ),
                (Holds::Data, _) => value.clone(),
                _ => self.schema(value),
            };
            written.insert(keyword.clone(), value);
        }
        if let Some(reference) = written.shift_remove("$ref")
            && let Value::Array(parts) = written.entry("allOf").or_insert_with(|| json!([]))
        {
            parts.push(guarded(json!({"$ref": reference})));
        }
        if self.everywhere && !written.is_empty() {
            guarded(Value::Object(written))
        } else {
            Value::Object(written)
        }
    }
}

/// The schema behind a condition that burns fuel. A condition, since that is what
/// stops the checker from going on even where it collects every violation it
/// finds.
fn guarded(schema: Value) -> Value {
    json!({"if": {FUEL: true}, "then": schema, "else": false})
}

/// The path in the author's schema of what stands at `path` in the metered one.
pub(super) fn authors_path(metered: &Value, path: &str) -> String {
    let mut written = String::new();
    let mut at = metered;
    for step in path.split('/').skip(1) {
        let is_guard = at.get("if").is_some_and(|condition| condition.get(FUEL).is_some());
        let name = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            Value::Array(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
            other => other.get(&name),
        }
        .unwrap_or(&Value::Null);
        if !(is_guard && step == "then") {
            written.push('/');
            written.push_str(step);
        }
    }
    written
}
