//! Checking values against a schema, within bounds.
//!
//! A schema and the value it is put to both come from outside. What keeps a
//! check short: the product of their sizes is bounded, and each reference the
//! checker follows burns fuel, since only references make the work grow faster
//! than that product. What keeps it shallow: the levels of a recursive schema
//! times the depth of the value are bounded, since that is how deep it recurses.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deskwire_wire::excerpt;
use jsonschema::{Draft, Keyword, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::Normal;
use super::error::SchemaError;
use super::extent::Extent;
use super::keywords::{Holds, holds};
use super::violation::Violation;

/// The keyword that burns fuel. The normal form never holds it.
pub(super) const FUEL: &str = "deskwire:fuel";
/// Longest compiled form of one regular expression, in bytes.
const PATTERN_BYTES: usize = 1024 * 1024;
/// Most nodes of a schema times nodes of a value.
const MAX_WORK: usize = 500_000_000;
/// Most levels of a recursive schema times levels of a value.
const MAX_DEPTH: usize = 1000;
/// References followed at least, and for each node of the value.
const FUEL_FLAT: u64 = 10_000;
const FUEL_PER_NODE: u64 = 64;
/// Violations that are reported at most.
const MAX_VIOLATIONS: usize = 5;

thread_local! {
    static TANK: Cell<u64> = const { Cell::new(0) };
}

/// A schema values are checked against. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Enforced {
    pub(super) id: u64,
    metered: Arc<Value>,
    nodes: usize,
    around: usize,
}

impl Enforced {
    /// Prepares a schema for checking. Whether it compiles shows when it is
    /// first asked for; see [`super::Validators`].
    #[must_use]
    pub fn new(schema: &Normal) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut root = metered(schema.root());
        if !schema.definitions().is_empty() {
            let definitions = schema.definitions().iter();
            let definitions: Map<_, _> =
                definitions.map(|(name, schema)| (name.clone(), metered(schema))).collect();
            // A boolean root has no references, so no definitions either.
            if let Value::Object(root) = &mut root {
                root.insert("$defs".into(), Value::Object(definitions));
            }
        }
        let Extent { nodes, .. } = Extent::of(&root);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, metered: Arc::new(root), nodes, around: schema.around() }
    }

    pub(super) fn compile(&self) -> Result<Checker, SchemaError> {
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(
                PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES),
            )
            .should_validate_formats(false)
            .with_keyword(FUEL, |_, _, _| Ok(Box::new(Burn)))
            .offline()
            .build(&self.metered)
            .map(|validator| Checker { validator, nodes: self.nodes, around: self.around })
            .map_err(|error| SchemaError::NotCheckable {
                path: error.instance_path().to_string(),
                reason: excerpt(&error.to_string(), 200),
            })
    }
}

/// The compiled form of a schema.
#[derive(Debug)]
pub struct Checker {
    validator: Validator,
    nodes: usize,
    around: usize,
}

impl Checker {
    /// Checks `value`.
    ///
    /// # Errors
    /// The first few violations, in the order of the schema. A check that grows
    /// beyond all proportion is given up and counts as a violation.
    pub fn check(&self, value: &Value) -> Result<(), Vec<Violation>> {
        let Extent { nodes, levels } = Extent::of(value);
        if nodes.saturating_mul(self.nodes) > MAX_WORK || levels * self.around > MAX_DEPTH {
            return Err(vec![Violation::too_costly()]);
        }
        let tank = FUEL_FLAT + FUEL_PER_NODE * nodes as u64;
        TANK.set(tank);
        if self.validator.is_valid(value) {
            return Ok(());
        }
        TANK.set(tank);
        let found = self.validator.iter_errors(value).take(MAX_VIOLATIONS);
        let violations: Vec<_> = found.map(|error| Violation::new(&error)).collect();
        Err(if TANK.get() == 0 { vec![Violation::too_costly()] } else { violations })
    }
}

struct Burn;

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

/// The schema with each reference behind a condition that burns fuel.
fn metered(schema: &Value) -> Value {
    let Some(schema) = schema.as_object() else { return schema.clone() };
    let mut written = Map::new();
    for (keyword, value) in schema {
        let value = match (holds(keyword), value) {
            (Holds::Array | Holds::SchemaOrArray, Value::Array(schemas)) => {
                schemas.iter().map(metered).collect()
            }
            (Holds::Map | Holds::MapOrNames, Value::Object(schemas)) => Value::Object(
                schemas.iter().map(|(name, schema)| (name.clone(), metered(schema))).collect(),
            ),
            (Holds::Data, _) => value.clone(),
            _ => metered(value),
        };
        written.insert(keyword.clone(), value);
    }
    if let Some(reference) = written.shift_remove("$ref")
        && let Value::Array(parts) = written.entry("allOf").or_insert_with(|| json!([]))
    {
        // A condition, since that is what stops the checker from going on even
        // where it collects every violation it finds.
        parts.push(json!({"if": {FUEL: true}, "then": {"$ref": reference}, "else": false}));
    }
    Value::Object(written)
}
