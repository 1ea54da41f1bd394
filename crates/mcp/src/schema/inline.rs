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

/// Keywords whose strings mean what they are, to the letter.
const LITERAL: [&str; 8] = [
    "const",
    "dependentRequired",
    "enum",
    "format",
    "pattern",
    "required",
    "type",
    super::headers::KEYWORD,
];

/// What stands where recursion is cut and no type is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// An object, if that is what it is about: a hint for whoever makes the value.
    Object,
    /// Anything: the promise to whoever reads the value must hold.
    Anything,
}

/// A schema without references.
#[derive(Debug)]
pub(super) struct Inlined {
    pub(super) schema: Value,
    pub(super) texts: Texts,
}

/// What its texts are like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Texts {
    /// One held what a reader cannot see. It was removed, except where it is part
    /// of a name or of a value.
    pub hidden: bool,
    /// One gives orders to the model.
    pub orders: bool,
    /// One was cut off.
    pub shortened: bool,
}

impl Texts {
    /// Whether someone should look at them before a model does.
    #[must_use]
    pub fn are_suspicious(&self) -> bool {
        self.hidden || self.orders
    }
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
                texts: Texts::default(),
            };
            let inlined = inliner.schema(schema.root())?;
            // What was counted on the way is an estimate. Readers of JSON give up
            // on what nests too deep, and with it on all tools.
            let fits =
                inlined.to_string().len() < MAX_BYTES && Extent::of(&inlined).levels <= MAX_DEPTH;
            fits.then_some(Inlined { schema: inlined, texts: inliner.texts })
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
    texts: Texts,
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
        // Clients take any reference for one of the schema, and cannot follow these.
        let is_astray = |keyword: &str, value: &Value| {
            holds(keyword) == Holds::Data
                && !LITERAL.contains(&keyword)
                && mentions_reference(value)
        };
        let keywords = schema
            .iter()
            .filter(|(keyword, value)| *keyword != "$ref" && !is_astray(keyword, value));
        for (keyword, value) in keywords {
            self.left = self.left.checked_sub(keyword.len() + 4)?;
            self.look_at(keyword);
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
                        self.look_at(name);
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
                (Holds::Data, value) => {
                    let value = if LITERAL.contains(&keyword.as_str()) {
                        self.look_into(value);
                        value.clone()
                    } else {
                        self.cleaned(value)
                    };
                    self.spend(value.to_string().len(), value)?
                }
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
        const OF_OBJECTS: [&str; 4] =
            ["properties", "required", "additionalProperties", "patternProperties"];
        match target.get("type") {
            Some(kind) if names_type(kind, "array") => json!({"type": kind, "items": {}}),
            Some(kind) => json!({"type": kind}),
            None if self.cut == Cut::Object
                && OF_OBJECTS.iter().any(|keyword| target.get(keyword).is_some()) =>
            {
                json!({"type": "object"})
            }
            None => json!({}),
        }
    }

    fn text(&mut self, text: &str, limit: usize) -> Option<Value> {
        let cleaned = self.clean(text, limit);
        self.spend(cleaned.len() + 2, Value::String(cleaned))
    }

    fn clean(&mut self, text: &str, limit: usize) -> String {
        let cleaned = text::clean(text, limit);
        self.texts.shortened |= cleaned.shortened;
        self.texts.hidden |= cleaned.hidden;
        self.texts.orders |= cleaned.orders;
        cleaned.text
    }

    /// Data whose strings are only read.
    fn cleaned(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.clean(text, MAX_DESCRIPTION)),
            Value::Array(items) => items.iter().map(|item| self.cleaned(item)).collect(),
            Value::Object(fields) => {
                let mut cleaned = Map::new();
                for (name, value) in fields {
                    self.look_at(name);
                    cleaned.insert(name.clone(), self.cleaned(value));
                }
                Value::Object(cleaned)
            }
            other => other.clone(),
        }
    }

    /// Data whose strings must stay as they are.
    fn look_into(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.look_at(text),
            Value::Array(items) => items.iter().for_each(|item| self.look_into(item)),
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                self.look_at(name);
                self.look_into(value);
            }),
            _ => {}
        }
    }

    fn look_at(&mut self, text: &str) {
        let cleaned = text::clean(text, MAX_DESCRIPTION);
        self.texts.hidden |= cleaned.hidden;
        self.texts.orders |= cleaned.orders;
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

/// Whether data has a reference in it.
fn mentions_reference(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(mentions_reference),
        Value::Object(fields) => {
            fields.contains_key("$ref") || fields.values().any(mentions_reference)
        }
        _ => false,
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
