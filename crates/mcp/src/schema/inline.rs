//! A schema without references, as clients are shown it.
//!
//! Clients differ in what they can read, so what is shown is the part all of
//! them take: no references, no booleans where an object can stand, `items` at
//! every array, cleaned texts. Recursion is cut. The length is bounded while it
//! grows: a few references can stand for more text than there is memory.

use serde_json::{Map, Value, json};

use super::Normal;
use super::error::Unpublishable;
use super::extent::Extent;
use super::keywords::{Holds, holds};
use super::read::MAX_DEPTH;
use crate::text::{self, MAX_DESCRIPTION, MAX_TITLE};

/// Longest published schema in bytes of JSON.
pub(super) const MAX_BYTES: usize = 64 * 1000;

/// How often a definition is entered inside itself, and how deep definitions
/// are entered inside each other. Tried in turn until the result is short
/// enough.
const ATTEMPTS: [(usize, usize); 6] =
    [(2, usize::MAX), (1, usize::MAX), (1, 4), (1, 2), (1, 1), (0, 0)];

/// What stands where recursion is cut and the type is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// An object: a hint for whoever makes the value.
    Object,
    /// Anything: the promise to whoever reads the value must hold.
    Anything,
}

/// A schema without references.
#[derive(Debug)]
pub(super) struct Inlined {
    pub(super) schema: Value,
    /// A text in it hid something or gives orders.
    pub(super) suspicious: bool,
}

/// Replaces each reference by what it leads to.
pub(super) fn inline(schema: &Normal, cut: Cut) -> Result<Inlined, Unpublishable> {
    ATTEMPTS
        .iter()
        .find_map(|&(unroll, depth)| {
            let mut inliner = Inliner {
                schema,
                cut,
                unroll,
                depth,
                entered: Vec::new(),
                left: MAX_BYTES,
                suspicious: false,
            };
            let inlined = inliner.schema(schema.root())?;
            // What was counted on the way is an estimate. Readers of JSON give up
            // on what nests too deep, and with it on all tools.
            let fits =
                inlined.to_string().len() < MAX_BYTES && Extent::of(&inlined).levels <= MAX_DEPTH;
            fits.then_some(Inlined { schema: inlined, suspicious: inliner.suspicious })
        })
        .ok_or(Unpublishable::TooLarge { limit: MAX_BYTES })
}

struct Inliner<'a> {
    schema: &'a Normal,
    cut: Cut,
    unroll: usize,
    depth: usize,
    entered: Vec<&'a str>,
    left: usize,
    suspicious: bool,
}

/// `None` everywhere below means: too long.
impl<'a> Inliner<'a> {
    fn schema(&mut self, schema: &'a Value) -> Option<Value> {
        match schema {
            Value::Object(schema) => self.object(schema),
            Value::Bool(true) => self.spend(2, json!({})),
            _ => self.spend(10, json!({"not": {}})),
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>) -> Option<Value> {
        let mut written = Map::new();
        for (keyword, value) in schema.iter().filter(|(keyword, _)| *keyword != "$ref") {
            self.left = self.left.checked_sub(keyword.len() + 4)?;
            let value = match (holds(keyword), value) {
                (Holds::Schema, Value::Bool(allowed))
                    if keyword.ends_with("Properties") || keyword.ends_with("Items") =>
                {
                    self.spend(5, json!(allowed))?
                }
                (Holds::Array | Holds::SchemaOrArray, Value::Array(schemas)) => {
                    schemas.iter().map(|schema| self.schema(schema)).collect::<Option<_>>()?
                }
                (Holds::Map | Holds::MapOrNames, Value::Object(schemas)) => {
                    let mut written = Map::new();
                    for (name, schema) in schemas {
                        self.left = self.left.checked_sub(name.len() + 4)?;
                        written.insert(name.clone(), self.schema(schema)?);
                    }
                    Value::Object(written)
                }
                (Holds::Data, Value::String(text)) if keyword == "description" => {
                    self.text(text, MAX_DESCRIPTION)?
                }
                (Holds::Data, Value::String(text)) if keyword == "title" => {
                    self.text(text, MAX_TITLE)?
                }
                (Holds::Data, value) => self.spend(value.to_string().len(), value.clone())?,
                (_, value) => self.schema(value)?,
            };
            written.insert(keyword.clone(), value);
        }
        let is_array = written.get("type").is_some_and(|kind| names_type(kind, "array"));
        if is_array && !written.contains_key("items") {
            written.insert("items".into(), self.spend(12, json!({}))?);
        }
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let target = self.reference(reference)?;
                Some(joined(written, target))
            }
            None => Some(Value::Object(written)),
        }
    }

    fn reference(&mut self, reference: &str) -> Option<Value> {
        let Some((name, target)) = self.schema.resolve(reference) else {
            return self.spend(2, json!({}));
        };
        let inside = self.entered.iter().filter(|entered| **entered == name).count();
        if inside >= self.unroll || self.entered.len() >= self.depth {
            let cut = self.cut(target);
            return self.spend(30, cut);
        }
        self.entered.push(name);
        let written = self.schema(target);
        self.entered.pop();
        written
    }

    /// What stands for `target` where it is not entered.
    fn cut(&self, target: &Value) -> Value {
        match target.get("type") {
            Some(Value::String(kind)) if kind == "array" => json!({"type": kind, "items": {}}),
            Some(Value::String(kind)) => json!({"type": kind}),
            _ if self.cut == Cut::Object => json!({"type": "object"}),
            _ => json!({}),
        }
    }

    fn text(&mut self, text: &str, limit: usize) -> Option<Value> {
        let cleaned = text::clean(text, limit);
        self.suspicious |= cleaned.is_suspicious();
        self.spend(cleaned.text.len() + 2, Value::String(cleaned.text))
    }

    fn spend(&mut self, bytes: usize, value: Value) -> Option<Value> {
        self.left = self.left.checked_sub(bytes)?;
        Some(value)
    }
}

/// What stood beside a reference, and what the reference led to, as one schema.
fn joined(mut beside: Map<String, Value>, target: Value) -> Value {
    const NOTES: [&str; 6] =
        ["title", "description", "default", "examples", "deprecated", "readOnly"];
    match target {
        target if beside.is_empty() => target,
        Value::Object(mut target) if beside.keys().all(|key| NOTES.contains(&key.as_str())) => {
            target.extend(beside);
            Value::Object(target)
        }
        target => {
            if let Value::Array(parts) = beside.entry("allOf").or_insert_with(|| json!([])) {
                parts.push(target);
            }
            Value::Object(beside)
        }
    }
}

/// Whether `type` is, or lists, `name`.
pub(super) fn names_type(kind: &Value, name: &str) -> bool {
    match kind {
        Value::String(kind) => kind == name,
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}
