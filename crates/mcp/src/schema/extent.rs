//! The size of JSON values.

use serde_json::Value;

/// How much there is of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// Values in it, itself included.
    pub(super) nodes: usize,
    /// How deep they nest; 1 for a value without any inside.
    pub(super) levels: usize,
}

impl Extent {
    pub(super) fn of(value: &Value) -> Self {
        let mut extent = Self { nodes: 1, levels: 0 };
        let mut add = |value| {
            let Self { nodes, levels } = Self::of(value);
            extent.nodes += nodes;
            extent.levels = extent.levels.max(levels);
        };
        match value {
            Value::Array(items) => items.iter().for_each(&mut add),
            Value::Object(fields) => fields.values().for_each(&mut add),
            _ => {}
        }
        extent.levels += 1;
        extent
    }
}
