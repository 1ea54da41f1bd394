//! The author's text, up to the normal form.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::error::{SchemaError, kind_of};
use super::extent::Extent;
use super::normal::{self, Normal};
use super::violation::Violation;

/// Longest schema text in bytes.
pub(super) const MAX_TEXT: usize = 128 * 1024;
/// How deep the JSON of a schema may nest.
pub(super) const MAX_DEPTH: usize = 64;

/// Reads a schema from its JSON text.
///
/// # Errors
/// When the text is too long, too deep, no JSON, no valid schema of its
/// dialect, or refers to something outside itself.
pub fn read(text: &str) -> Result<Normal, SchemaError> {
    if text.len() > MAX_TEXT {
        return Err(SchemaError::TooLong { bytes: text.len(), limit: MAX_TEXT });
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        // The parser gives up far below what is allowed here.
        if is_too_deep(&error) {
            SchemaError::TooDeep { limit: MAX_DEPTH }
        } else {
            SchemaError::NotJson(error.to_string())
        }
    })?;
    if let Value::String(inner) = &value
        && serde_json::from_str::<Map<String, Value>>(inner).is_ok()
    {
        return Err(SchemaError::WrittenTwice);
    }
    read_parsed(&value)
}

/// Whether the parser stopped since its own bound on nesting was reached.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.is_syntax() && error.to_string().starts_with("recursion limit exceeded")
}

/// Reads a schema that is parsed already.
///
/// # Errors
/// As [`read`].
pub fn read_value(value: &Value) -> Result<Normal, SchemaError> {
    let bytes = value.to_string().len();
    if bytes > MAX_TEXT {
        return Err(SchemaError::TooLong { bytes, limit: MAX_TEXT });
    }
    read_parsed(value)
}

fn read_parsed(value: &Value) -> Result<Normal, SchemaError> {
    if Extent::of(value).levels > MAX_DEPTH {
        return Err(SchemaError::TooDeep { limit: MAX_DEPTH });
    }
    if !matches!(value, Value::Object(_) | Value::Bool(_)) {
        return Err(SchemaError::NotASchema { found: kind_of(value) });
    }
    let draft = dialect(value);
    check_against_dialect(draft, value)?;
    normal::normalize(value, draft)
}

/// The dialect that `$schema` names. Absent and unknown ones are 2020-12;
/// spellings that are off (scheme, trailing `#`) count as what they mean.
fn dialect(schema: &Value) -> Draft {
    let named = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    [
        ("draft-04", Draft::Draft4),
        ("draft-06", Draft::Draft6),
        ("draft-07", Draft::Draft7),
        ("2019-09", Draft::Draft201909),
    ]
    .into_iter()
    .find_map(|(part, draft)| named.contains(part).then_some(draft))
    .unwrap_or(Draft::Draft202012)
}

pub(super) fn check_against_dialect(draft: Draft, schema: &Value) -> Result<(), SchemaError> {
    let checked = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validate(schema),
        Draft::Draft6 => jsonschema::draft6::meta::validate(schema),
        Draft::Draft7 => jsonschema::draft7::meta::validate(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::validate(schema),
        _ => jsonschema::draft202012::meta::validate(schema),
    };
    checked.map_err(|error| {
        let Violation { path, message } = Violation::new(&error);
        let dialect = match draft {
            Draft::Draft4 => "draft-04",
            Draft::Draft6 => "draft-06",
            Draft::Draft7 => "draft-07",
            Draft::Draft201909 => "2019-09",
            _ => "2020-12",
        };
        SchemaError::Invalid { path, reason: message, dialect }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use deskwire_wire::excerpt;

    #[test]
    fn a_dialect_is_known_by_its_name_however_spelt() {
        for (schema, draft) in [
            (json!({"$schema": "https://json-schema.org/draft-07/schema"}), Draft::Draft7),
            (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), Draft::Draft7),
            (json!({"$schema": "http://json-schema.org/draft-04/schema#"}), Draft::Draft4),
            (json!({"$schema": "http://json-schema.org/draft-06/schema#"}), Draft::Draft6),
            (
                json!({"$schema": "https://json-schema.org/draft/2019-09/schema"}),
                Draft::Draft201909,
            ),
            (
                json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
                Draft::Draft202012,
            ),
            (json!({"$schema": "https://example.com/own"}), Draft::Draft202012),
            (json!({"$schema": 7}), Draft::Draft202012),
            (json!({}), Draft::Draft202012),
        ] {
            assert_eq!(dialect(&schema), draft, "{schema}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_why_and_what_would_be_right() {
        let deep = format!("{}{}", r#"{"not":"#.repeat(100), "{}".to_owned() + &"}".repeat(100));
        let deeper = format!("{}{}", r#"{"not":"#.repeat(200), "{}".to_owned() + &"}".repeat(200));
        let long = format!(r#"{{"description":"{}"}}"#, "x".repeat(MAX_TEXT));
        let problems: Vec<_> = [
            "",
            "{type: object}",
            "[]",
            r#""object""#,
            r#""{\"type\":\"object\"}""#,
            r#"{"type":"objekt"}"#,
            r#"{"properties":{"a":{"type":"string","minLength":-1}}}"#,
            r#"{"type":"array","items":[{"type":"string"}]}"#,
            r#"{"$ref":"https://example.com/other.json"}"#,
            r##"{"$ref":"#/$defs/Missing"}"##,
            r##"{"$ref":"#/const","const":{}}"##,
            r##"{"$ref":"#/components/Q","components":{"Q":{"type":7}}}"##,
            &deep,
            &deeper,
            &long,
        ]
        .into_iter()
        .map(|text| match read(text) {
            Ok(_) => format!("{} is taken", excerpt(text, 60)),
            Err(error) => format!("{} -> {error}; {}", excerpt(text, 60), error.fix()),
        })
        .collect();
        insta::assert_snapshot!(problems.join("\n"));
    }
}
