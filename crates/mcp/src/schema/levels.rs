//! How deep whoever follows a schema goes.
//!
//! Checkers and compilers recurse from schema to schema and through references.
//! A hundred references in a row are a few kilobytes of text and more stack
//! than a thread has, so the depth is worked out before anyone goes there.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::error::SchemaError;
use super::keywords::each_subschema;

/// Most schemas that references lead to.
const MAX_DEFINITIONS: usize = 256;
/// Most schemas that stand inside each other, references followed.
const MAX_LEVELS: usize = 128;
/// Schemas that a reference stands for while it is followed.
const REFERENCE: usize = 3;

/// Works out how many schemas stand inside each other in a cycle of references,
/// once around: 0 without a cycle.
///
/// # Errors
/// When too many stand inside each other altogether.
pub(super) fn around(root: &Value, definitions: &Map<String, Value>) -> Result<usize, SchemaError> {
    let entangled = || SchemaError::Entangled { definitions: definitions.len() };
    if definitions.len() > MAX_DEFINITIONS {
        return Err(entangled());
    }
    let mut graph = Graph::default();
    for schema in definitions.values().chain([root]) {
        let mut next = BTreeSet::new();
        let own = levels(schema, definitions, &mut next);
        graph.nodes.push(Node { own, next });
    }
    graph.close();
    let mut longest = vec![None; graph.nodes.len()];
    let root = graph.nodes.len() - 1;
    if graph.longest(root, &mut longest) > MAX_LEVELS {
        return Err(entangled());
    }
    let rings = (0..graph.nodes.len()).filter(|&at| graph.reaches(at, at));
    Ok(rings.map(|at| graph.ring(at).map(|at| graph.nodes[at].own).sum()).max().unwrap_or(0))
}

/// How many schemas of one definition stand inside each other, and which other
/// definitions they refer to.
fn levels(schema: &Value, definitions: &Map<String, Value>, next: &mut BTreeSet<usize>) -> usize {
    let Some(schema) = schema.as_object() else { return 1 };
    let mut below = 0;
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.strip_prefix("#/$defs/").unwrap_or_default();
        next.extend(definitions.keys().position(|key| key == name));
        below = REFERENCE;
    }
    each_subschema(schema, |_, _, schema| {
        below = below.max(levels(schema, definitions, next));
    });
    1 + below
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    reached: Vec<Vec<bool>>,
}

struct Node {
    own: usize,
    next: BTreeSet<usize>,
}

impl Graph {
    /// Works out what each node reaches.
    fn close(&mut self) {
        for at in 0..self.nodes.len() {
            let mut reached = vec![false; self.nodes.len()];
            let mut open: Vec<usize> = self.nodes[at].next.iter().copied().collect();
            while let Some(next) = open.pop() {
                if !std::mem::replace(&mut reached[next], true) {
                    open.extend(&self.nodes[next].next);
                }
            }
            self.reached.push(reached);
        }
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        self.reached[from][to]
    }

    /// The nodes that lead to `at` and back, and `at`.
    fn ring(&self, at: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(move |&other| {
            other == at || (self.reaches(at, other) && self.reaches(other, at))
        })
    }

    /// Levels from `at` on down, each ring counted whole and once.
    fn longest(&self, at: usize, known: &mut [Option<usize>]) -> usize {
        if let Some(longest) = known[at] {
            return longest;
        }
        let ring: BTreeSet<_> = self.ring(at).collect();
        let own: usize = ring.iter().map(|&at| self.nodes[at].own).sum();
        let outside =
            ring.iter().flat_map(|&at| &self.nodes[at].next).filter(|at| !ring.contains(at));
        let below = outside.map(|&at| self.longest(at, known)).max().unwrap_or(0);
        for at in ring {
            known[at] = Some(own + below);
        }
        own + below
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::read_value;
    use super::*;

    fn chain(length: usize, end: &Value) -> Value {
        let definitions = (0..length).map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            (format!("d{at}"), json!({"anyOf": [next, {"type": "string"}]}))
        });
        let last = (format!("d{length}"), end.clone());
        let definitions: Map<_, _> = definitions.chain([last]).collect();
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    }

    #[test]
    fn chains_and_rings_are_measured() {
        let around = |schema: &Value| read_value(schema).map(|normal| normal.around());
        let object = json!({"type": "object"});
        assert_eq!(around(&object), Ok(0));
        assert_eq!(around(&chain(20, &object)), Ok(0));
        assert!(matches!(around(&chain(40, &object)), Err(SchemaError::Entangled { .. })));
        assert!(matches!(around(&chain(300, &object)), Err(SchemaError::Entangled { .. })));
        assert_eq!(around(&json!({"properties": {"p": {"$ref": "#"}}})), Ok(5));
        let ring = chain(10, &json!({"properties": {"p": {"$ref": "#/$defs/d0"}}}));
        assert_eq!(around(&ring), Ok(55));
        // Two rings, one after the other, and one that is not reached.
        let two = json!({"$ref": "#/$defs/a", "$defs": {
            "a": {"items": {"$ref": "#/$defs/a"}, "contains": {"$ref": "#/$defs/b"}},
            "b": {"items": {"items": {"$ref": "#/$defs/b"}}}}});
        assert_eq!(around(&two), Ok(6));
    }
}
