//! Where a schema holds other schemas.
//!
//! Everything that walks a schema goes through this table, so that data under
//! `const`, `enum`, `default` and `examples`, and names under `properties`, are
//! never taken for keywords.

use serde_json::{Map, Value};

/// What stands at a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One schema.
    Schema,
    /// An array of schemas.
    Array,
    /// An object whose values are schemas.
    Map,
    /// One schema, or an array of them (`items` before 2020-12).
    SchemaOrArray,
    /// An object whose values are schemas or arrays of names (`dependencies`).
    MapOrNames,
    /// No schema.
    Data,
}

/// What stands at `keyword`, in any dialect.
pub(crate) fn holds(keyword: &str) -> Holds {
    match keyword {
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Array,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Holds::Map
        }
        "items" => Holds::SchemaOrArray,
        "dependencies" => Holds::MapOrNames,
        _ => Holds::Data,
    }
}

/// Calls `visit` for every schema directly below `schema`, with the steps that
/// lead to it: the keyword and, below arrays and maps, the index or name.
pub(crate) fn each_subschema<'a>(
    schema: &'a Map<String, Value>,
    mut visit: impl FnMut(&'a str, Option<&str>, &'a Value),
) {
    for (keyword, value) in schema {
        match (holds(keyword), value) {
            (Holds::Schema | Holds::SchemaOrArray, Value::Object(_) | Value::Bool(_)) => {
                visit(keyword, None, value);
            }
            (Holds::Array | Holds::SchemaOrArray, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    visit(keyword, Some(&index.to_string()), schema);
                }
            }
            (Holds::Map, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    visit(keyword, Some(name), schema);
                }
            }
            (Holds::MapOrNames, Value::Object(schemas)) => {
                for (name, schema) in schemas.iter().filter(|(_, schema)| !schema.is_array()) {
                    visit(keyword, Some(name), schema);
                }
            }
            _ => {}
        }
    }
}
