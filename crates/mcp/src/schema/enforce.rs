//! Checking values against a schema, within bounds.
//!
//! A schema and the value it is put to both come from outside. What keeps a
//! check short: the product of their sizes is bounded, and where the work could
//! grow faster than that product it burns fuel (see [`super::meter`]). What keeps
//! it shallow: the levels of a recursive schema times the depth of the value are
//! bounded, since that is how deep it recurses.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deskwire_wire::excerpt;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::Normal;
use super::error::SchemaError;
use super::extent::Extent;
use super::meter::{self, Burn, FUEL, Metered};
use super::patterns::{self, Unusable};
use super::violation::Violation;

/// Most nodes of a schema times nodes of a value.
const MAX_WORK: usize = 500_000_000;
/// Most levels of a recursive schema times levels of a value.
const MAX_DEPTH: usize = 1000;
/// Bytes that a byte of a schema takes once it is compiled, roughly.
const ROOM: usize = 16;
/// Violations that are reported at most.
const MAX_VIOLATIONS: usize = 5;

/// A schema values are checked against. Cheap to clone, and to keep: a desktop
/// has thousands of them and checks by few.
#[derive(Debug, Clone)]
pub struct Enforced {
    pub(super) id: u64,
    /// As JSON, which takes a fifth of the room of its value.
    metered: Arc<str>,
    /// Different regular expressions in it.
    patterns: usize,
    nodes: usize,
    around: usize,
}

impl Enforced {
    /// Prepares a schema for checking. Whether that will do, [`Enforced::try_out`]
    /// finds out.
    #[must_use]
    pub fn new(schema: &Normal) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Metered { root, around } = meter::metered(schema);
        let Extent { nodes, .. } = Extent::of(&root);
        let patterns = patterns::of(schema).len();
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, metered: root.to_string().into(), patterns, nodes, around }
    }

    /// Compiles the schema, and keeps nothing.
    ///
    /// # Errors
    /// When it holds something that cannot be checked with, such as a regular
    /// expression with look-around, or regular expressions that take too much
    /// room.
    pub fn try_out(&self) -> Result<(), SchemaError> {
        self.compile().map(|_| ())
    }

    pub(super) fn compile(&self) -> Result<Checker, SchemaError> {
        // It was written from a value.
        let metered: Value = serde_json::from_str(&self.metered)
            .map_err(|error| SchemaError::NotJson(error.to_string()))?;
        let mut refused = None;
        for bytes in patterns::rooms(self.patterns) {
            let kept = patterns::kept(bytes);
            let built = jsonschema::options()
                .with_draft(Draft::Draft202012)
                .with_pattern_options(
                    PatternOptions::regex().size_limit(bytes).dfa_size_limit(kept),
                )
                .should_validate_formats(false)
                .with_keyword(FUEL, |_, _, _| Ok(Box::new(Burn)))
                .offline()
                .build(&metered);
            match built {
                Ok(validator) => {
                    let room = self.metered.len() * ROOM + self.patterns * (bytes + kept);
                    return Ok(Checker { validator, nodes: self.nodes, around: self.around, room });
                }
                Err(error) => {
                    let place = meter::authors_path(&metered, error.schema_path().as_str());
                    let pattern = error.instance().as_str().map(patterns::unusable);
                    refused = Some((place, pattern, excerpt(&error.to_string(), 200)));
                }
            }
        }
        Err(match refused {
            None => SchemaError::ManyPatterns { patterns: self.patterns },
            Some((path, Some(Unusable::TooLarge), _)) => SchemaError::LargePattern { path },
            Some((path, _, reason)) => SchemaError::NotCheckable { path, reason },
        })
    }
}

/// The compiled form of a schema.
#[derive(Debug)]
pub struct Checker {
    validator: Validator,
    nodes: usize,
    around: usize,
    /// Bytes it may take, roughly.
    pub(super) room: usize,
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
        meter::fill(nodes);
        let fits = self.validator.is_valid(value);
        // Giving up is no verdict: under a `not` or an `if` it looks like a fit.
        if meter::is_empty() {
            return Err(vec![Violation::too_costly()]);
        }
        if fits {
            return Ok(());
        }
        meter::fill(nodes);
        let found = self.validator.iter_errors(value).take(MAX_VIOLATIONS);
        let violations: Vec<_> = found.map(|error| Violation::new(&error)).collect();
        Err(if meter::is_empty() { vec![Violation::too_costly()] } else { violations })
    }
}
