//! One form for schemas of every dialect.
//!
//! What is left is 2020-12, without `$schema`, ids, anchors and comments; every
//! reference points at an entry of `$defs` of the root. Checking and publishing
//! both start from here, so each of them knows one dialect and one kind of
//! reference.

use indexmap::IndexMap;
use jsonschema::Draft;
use serde_json::{Map, Value, json};

use super::error::SchemaError;
use super::keywords::{Holds, holds};
use super::levels;
use super::meter::FUEL;
use super::places::{Places, push_step, references};

/// A schema in normal form.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    root: Value,
    definitions: Map<String, Value>,
    around: usize,
}

impl Normal {
    /// The root schema. Its references read `#/$defs/<name>`.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    /// What a reference of this schema leads to.
    pub(crate) fn resolve(&self, reference: &str) -> Option<(&str, &Value)> {
        let name = reference.strip_prefix("#/$defs/")?;
        self.definitions.get_key_value(name).map(|(name, schema)| (name.as_str(), schema))
    }

    /// Schemas that stand inside each other in a cycle of references, once
    /// around; 0 without one.
    pub(crate) fn around(&self) -> usize {
        self.around
    }

    /// All that references lead to.
    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        &self.definitions
    }
}

/// Brings a valid schema of `draft` into normal form.
pub(super) fn normalize(schema: &Value, draft: Draft) -> Result<Normal, SchemaError> {
    let mut map = Places::of(schema, draft);
    let mut names = IndexMap::new();
    let mut next = 0;
    // Going where a reference leads may bring more of them.
    while let Some((reference, base)) = map.references.get(next).cloned() {
        let place = map.find(reference, &base)?;
        let name = names.len();
        names.entry(place).or_insert(name);
        next += 1;
    }
    let writer = Writer { draft, places: &map, names: &names };
    let mut definitions = Map::new();
    for (place, name) in &names {
        let target = schema.pointer(place).unwrap_or(&Value::Null);
        definitions.insert(name.to_string(), writer.schema(target, place, true)?);
    }
    let root = writer.schema(schema, "", false)?;
    let around = levels::around(&root, &definitions)?;
    Ok(Normal { root, definitions, around })
}

struct Writer<'a> {
    draft: Draft,
    places: &'a Places<'a>,
    names: &'a IndexMap<String, usize>,
}

impl Writer<'_> {
    /// The schema at `place`. A place that is referred to is written once, as a
    /// definition, and is a reference everywhere else.
    fn schema(&self, schema: &Value, place: &str, defining: bool) -> Result<Value, SchemaError> {
        if let (false, Some(name)) = (defining, self.names.get(place)) {
            return Ok(json!({"$ref": format!("#/$defs/{name}")}));
        }
        let Some(schema) = schema.as_object() else { return Ok(schema.clone()) };
        let mut written = Map::new();
        for reference in references(schema) {
            let target = self.places.resolve(reference, self.places.resource_of(place))?;
            let name = self.names.get(&target).copied().unwrap_or_default();
            let target = json!(format!("#/$defs/{name}"));
            if written.contains_key("$ref") {
                push_all_of(&mut written, json!({"$ref": target}));
            } else {
                written.insert("$ref".into(), target);
            }
        }
        let alone = ignores_siblings(self.draft) && written.contains_key("$ref");
        for (keyword, value) in schema {
            if !alone || matches!(keyword.as_str(), "title" | "description" | "default") {
                self.keyword(keyword, value, schema, place, &mut written)?;
            }
        }
        Ok(Value::Object(written))
    }

    fn keyword(
        &self,
        keyword: &str,
        value: &Value,
        schema: &Map<String, Value>,
        place: &str,
        written: &mut Map<String, Value>,
    ) -> Result<(), SchemaError> {
        let tuple = schema.get("items").is_some_and(Value::is_array);
        let here = |keyword: &str| format!("{place}/{keyword}");
        match keyword {
            "$schema" | "$id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$comment"
            | "$vocabulary" | "$defs" | "definitions" | "$ref" | "$dynamicRef"
            | "$recursiveRef" | FUEL => {}
            "id" if self.draft == Draft::Draft4 => {}
            "items" if tuple => {
                written.insert("prefixItems".into(), self.array(value, &here("items"))?);
            }
            "additionalItems" if tuple => {
                written
                    .insert("items".into(), self.schema(value, &here("additionalItems"), false)?);
            }
            "additionalItems" => {}
            "dependencies" => self.dependencies(value, &here("dependencies"), written)?,
            "minimum" if schema.get("exclusiveMinimum") == Some(&Value::Bool(true)) => {
                written.insert("exclusiveMinimum".into(), value.clone());
            }
            "maximum" if schema.get("exclusiveMaximum") == Some(&Value::Bool(true)) => {
                written.insert("exclusiveMaximum".into(), value.clone());
            }
            "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => {}
            "allOf" => {
                // A second reference may have made one already.
                let schemas = self.array(value, &here("allOf"))?;
                for schema in schemas.as_array().into_iter().flatten() {
                    push_all_of(written, schema.clone());
                }
            }
            _ => {
                let value = match holds(keyword) {
                    Holds::Schema => self.schema(value, &here(keyword), false)?,
                    Holds::SchemaOrArray if !value.is_array() => {
                        self.schema(value, &here(keyword), false)?
                    }
                    Holds::Array | Holds::SchemaOrArray => self.array(value, &here(keyword))?,
                    Holds::Map | Holds::MapOrNames => self.map(value, &here(keyword))?,
                    Holds::Data => value.clone(),
                };
                written.insert(keyword.into(), value);
            }
        }
        Ok(())
    }

    fn array(&self, schemas: &Value, place: &str) -> Result<Value, SchemaError> {
        let schemas = schemas.as_array().into_iter().flatten().enumerate();
        schemas
            .map(|(index, schema)| self.schema(schema, &format!("{place}/{index}"), false))
            .collect()
    }

    fn map(&self, schemas: &Value, place: &str) -> Result<Value, SchemaError> {
        let mut written = Map::new();
        for (name, schema) in schemas.as_object().into_iter().flatten() {
            let mut place = place.to_owned();
            push_step(&mut place, name);
            written.insert(name.clone(), self.schema(schema, &place, false)?);
        }
        Ok(Value::Object(written))
    }

    fn dependencies(
        &self,
        value: &Value,
        place: &str,
        written: &mut Map<String, Value>,
    ) -> Result<(), SchemaError> {
        let (mut required, mut schemas) = (Map::new(), Map::new());
        for (name, value) in value.as_object().into_iter().flatten() {
            if value.is_array() {
                required.insert(name.clone(), value.clone());
            } else {
                schemas.insert(name.clone(), value.clone());
            }
        }
        if !required.is_empty() {
            written.insert("dependentRequired".into(), Value::Object(required));
        }
        if !schemas.is_empty() {
            let schemas = self.map(&Value::Object(schemas), place)?;
            written.insert("dependentSchemas".into(), schemas);
        }
        Ok(())
    }
}

/// Before 2019-09 nothing beside a `$ref` counts.
pub(super) fn ignores_siblings(draft: Draft) -> bool {
    matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
}

fn push_all_of(schema: &mut Map<String, Value>, part: Value) {
    if let Value::Array(parts) = schema.entry("allOf").or_insert_with(|| json!([])) {
        parts.push(part);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::read_value;
    use super::*;

    #[track_caller]
    fn check(schema: Value, root: Value, definitions: Value) {
        let normal = read_value(&schema).unwrap();
        assert_eq!(normal.root, root, "{schema}");
        assert_eq!(Value::Object(normal.definitions), definitions, "{schema}");
    }

    #[test]
    fn references_of_every_kind_lead_to_definitions() {
        for reference in ["#/$defs/Q", "#q", "https://example.com/s#/$defs/Q", "#/%24defs/Q"] {
            check(
                json!({"$id": "https://example.com/s", "$ref": reference,
                       "$defs": {"Q": {"$anchor": "q", "type": "object"}}}),
                json!({"$ref": "#/$defs/0"}),
                json!({"0": {"type": "object"}}),
            );
        }
        check(
            json!({"type": "object", "properties": {"next": {"$ref": "#"}}}),
            json!({"$ref": "#/$defs/0"}),
            json!({"0": {"type": "object", "properties": {"next": {"$ref": "#/$defs/0"}}}}),
        );
        check(
            json!({"properties": {"a/b": {"type": "string"}, "c": {"$ref": "#/properties/a~1b"}}}),
            json!({"properties": {"a/b": {"$ref": "#/$defs/0"}, "c": {"$ref": "#/$defs/0"}}}),
            json!({"0": {"type": "string"}}),
        );
        check(
            json!({"$dynamicAnchor": "node", "properties": {"c": {"$dynamicRef": "#node"}}}),
            json!({"$ref": "#/$defs/0"}),
            json!({"0": {"properties": {"c": {"$ref": "#/$defs/0"}}}}),
        );
    }

    #[test]
    fn references_lead_beside_the_keywords_too() {
        check(
            json!({"properties": {"q": {"$ref": "#/components/schemas/Q"}},
                   "components": {"schemas": {
                       "Q": {"type": "object", "properties": {"r": {"$ref": "#/components/schemas/R"}}},
                       "R": {"type": "string"}}}}),
            json!({"properties": {"q": {"$ref": "#/$defs/0"}},
                   "components": {"schemas": {
                       "Q": {"type": "object", "properties": {"r": {"$ref": "#/components/schemas/R"}}},
                       "R": {"type": "string"}}}}),
            json!({"0": {"type": "object", "properties": {"r": {"$ref": "#/$defs/1"}}},
                   "1": {"type": "string"}}),
        );
    }

    #[test]
    fn a_part_may_have_an_identity_of_its_own() {
        let inner = json!({"$id": "item.json", "type": "object",
                           "properties": {"self": {"$ref": "#"}, "name": {"$ref": "#/$defs/N"}},
                           "$defs": {"N": {"$anchor": "n", "type": "string"}}});
        for (reference, name) in [
            ("item.json", "item.json#n"),
            ("https://example.com/item.json", "/item.json#/$defs/N"),
            ("#/$defs/Item", "https://example.com/item.json#n"),
        ] {
            check(
                json!({"$id": "https://example.com/list.json", "type": "object",
                       "properties": {"item": {"$ref": reference}, "name": {"$ref": name}},
                       "$defs": {"Item": inner, "N": {"type": "number"}}}),
                json!({"type": "object", "properties": {
                       "item": {"$ref": "#/$defs/0"}, "name": {"$ref": "#/$defs/1"}}}),
                json!({"0": {"type": "object", "properties": {
                               "self": {"$ref": "#/$defs/0"}, "name": {"$ref": "#/$defs/1"}}},
                       "1": {"type": "string"}}),
            );
        }
    }

    #[test]
    fn older_dialects_become_the_newest() {
        let draft7 = "http://json-schema.org/draft-07/schema#";
        let draft4 = "http://json-schema.org/draft-04/schema#";
        check(
            json!({"$schema": draft7, "type": "array", "items": [{"type": "string"}],
                   "additionalItems": false}),
            json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
            json!({}),
        );
        check(
            json!({"$schema": draft7, "additionalItems": false, "items": {}}),
            json!({"items": {}}),
            json!({}),
        );
        check(
            json!({"$schema": draft7, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}),
            json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
            json!({}),
        );
        check(
            json!({"$schema": draft7, "properties": {"a": {"$ref": "#/definitions/A",
                   "description": "kept", "type": "string"}}, "definitions": {"A": {"type": "number"}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/0", "description": "kept"}}}),
            json!({"0": {"type": "number"}}),
        );
        check(
            json!({"$schema": draft4, "id": "https://example.com/s", "minimum": 1,
                   "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}),
            json!({"exclusiveMinimum": 1, "maximum": 5}),
            json!({}),
        );
    }

    #[test]
    fn data_is_left_alone() {
        let schema = json!({"const": {"$ref": "x", "$schema": "y"}, "default": {"$id": "z"},
                            "properties": {"$ref": {"type": "string"}, "$schema": true}});
        check(schema.clone(), schema, json!({}));
    }
}
