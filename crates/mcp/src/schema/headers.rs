//! The keyword by which an argument is repeated in an HTTP header.
//!
//! Clients refuse a whole tool for one annotation that is not as it must be: a
//! token, unlike all others in the schema, at a string, integer or boolean that
//! is reached by `properties` alone. What they would refuse is left out.

use std::collections::HashSet;

use deskwire_wire::excerpt;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The keyword.
pub(crate) const KEYWORD: &str = "x-mcp-header";
/// Annotations that are reported as left out.
const MAX_REPORTED: usize = 10;

/// Leaves out the annotations that clients refuse; says which, and why.
pub(super) fn keep_usable(schema: &mut JsonObject) -> Vec<String> {
    let mut visit = Visit { taken: HashSet::new(), left_out: Vec::new() };
    if schema.shift_remove(KEYWORD).is_some() {
        visit.leave_out("", "it stands at no property");
    }
    visit.reached(schema, "");
    visit.left_out
}

struct Visit {
    /// Header names in small letters.
    taken: HashSet<String>,
    left_out: Vec<String>,
}

impl Visit {
    /// A schema that is reached by `properties` alone.
    fn reached(&mut self, schema: &mut JsonObject, path: &str) {
        for (keyword, value) in schema.iter_mut() {
            let (true, Value::Object(properties)) = (keyword == "properties", &mut *value) else {
                self.below(keyword, value, path);
                continue;
            };
            for (name, property) in properties {
                let Value::Object(property) = property else { continue };
                let path = format!("{path}/{name}");
                if let Some(annotation) = property.get(KEYWORD)
                    && let Err(why) = self.judge(annotation, property.get("type"))
                {
                    property.shift_remove(KEYWORD);
                    self.leave_out(&path, why);
                }
                self.reached(property, &path);
            }
        }
    }

    fn judge(&mut self, annotation: &Value, kind: Option<&Value>) -> Result<(), &'static str> {
        let Value::String(header) = annotation else { return Err("it is no string") };
        if header.is_empty() || !header.bytes().all(is_token) {
            return Err("it is no name of a header");
        }
        if !matches!(kind.and_then(Value::as_str), Some("string" | "integer" | "boolean")) {
            return Err("the property is no string, integer or boolean");
        }
        if !self.taken.insert(header.to_ascii_lowercase()) {
            return Err("another property has the same");
        }
        Ok(())
    }

    /// What stands at another keyword of a schema.
    fn below(&mut self, keyword: &str, value: &mut Value, path: &str) {
        match (keyword, value) {
            ("default" | "const" | "enum" | "examples" | "dependentRequired", _) => {}
            (
                "properties" | "$defs" | "definitions" | "dependencies" | "dependentSchemas"
                | "patternProperties",
                Value::Object(schemas),
            ) => schemas.values_mut().for_each(|schema| self.astray(schema, path)),
            (_, value) => self.astray(value, path),
        }
    }

    /// A schema, or a list of them, that is not reached by `properties` alone.
    fn astray(&mut self, value: &mut Value, path: &str) {
        match value {
            Value::Object(schema) => {
                if schema.shift_remove(KEYWORD).is_some() {
                    self.leave_out(path, "it is not reached by `properties` alone");
                }
                for (keyword, value) in schema {
                    self.below(keyword, value, path);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.astray(item, path)),
            _ => {}
        }
    }

    fn leave_out(&mut self, path: &str, why: &str) {
        if self.left_out.len() < MAX_REPORTED {
            let path = if path.is_empty() { "/" } else { path };
            self.left_out.push(format!("`{KEYWORD}` at `{}`: {why}", excerpt(path, 80)));
        }
    }
}

/// Whether a byte may stand in the name of a header.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotations_that_clients_refuse_are_left_out() {
        let kind = |kind: Value, header: Value| json!({"type": kind, "x-mcp-header": header});
        let string = |header: &str| kind(json!("string"), json!(header));
        let good = json!({
            "type": "object",
            "properties": {
                "region": string("Region"),
                "count": kind(json!("integer"), json!("X-Count")),
                "deep": {"type": "object", "properties": {"flag": kind(json!("boolean"), json!("Flag"))}},
                "x-mcp-header": {"type": "string", "default": {"x-mcp-header": 7}},
            },
        });
        let mut schema = good.as_object().unwrap().clone();
        assert_eq!(keep_usable(&mut schema), Vec::<String>::new());
        assert_eq!(Value::Object(schema), good);

        let bad = json!({
            "type": "object",
            "x-mcp-header": "Root",
            "properties": {
                "a": string("Region"),
                "b": string("region"),
                "c": string(""),
                "d": string("bad name"),
                "e": kind(json!("string"), json!(7)),
                "f": kind(json!("number"), json!("F")),
                "g": kind(json!(["string", "null"]), json!("G")),
                "h": {"type": "array", "items": string("H")},
                "i": {"anyOf": [string("I"), {"type": "string"}]},
            },
            "patternProperties": {"^x": string("X")},
        });
        let Value::Object(mut schema) = bad else { panic!() };
        insta::assert_snapshot!(keep_usable(&mut schema).join("\n"), @r"
        `x-mcp-header` at `/`: it stands at no property
        `x-mcp-header` at `/b`: another property has the same
        `x-mcp-header` at `/c`: it is no name of a header
        `x-mcp-header` at `/d`: it is no name of a header
        `x-mcp-header` at `/e`: it is no string
        `x-mcp-header` at `/f`: the property is no string, integer or boolean
        `x-mcp-header` at `/g`: the property is no string, integer or boolean
        `x-mcp-header` at `/h`: it is not reached by `properties` alone
        `x-mcp-header` at `/i`: it is not reached by `properties` alone
        `x-mcp-header` at `/`: it is not reached by `properties` alone
        ");
        assert_eq!(Value::Object(schema).to_string().matches(KEYWORD).count(), 1);
    }
}
