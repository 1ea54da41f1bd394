//! The root of a published schema: one object, without alternatives.
//!
//! Alternatives become one object that allows what each of them allows. For
//! arguments the result is a guide, since calls are checked against the
//! author's schema anyway. For results it is a promise, so it may be wider than
//! the author's, never narrower.

use indexmap::IndexSet;
use serde_json::{Map, Value, json};

use super::error::Unpublishable;
use super::inline::names_type;

/// What the schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Arguments: they are always an object.
    Arguments,
    /// Results.
    Results,
}

/// The schema as one object with `type` and `properties`.
pub(super) fn as_object(schema: Value, purpose: Use) -> Result<Map<String, Value>, Unpublishable> {
    let mut schema = flattened(schema, purpose)?;
    let mut object = Map::new();
    object.insert("type".into(), json!("object"));
    let mut properties = take_map(&mut schema, "properties");
    let required: IndexSet<_> = take_names(&mut schema, "required").into_iter().collect();
    for name in &required {
        if !properties.contains_key(name) {
            properties.insert(name.clone(), json!({}));
        }
    }
    object.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        object.insert("required".into(), json!(required));
    }
    schema.shift_remove("type");
    object.extend(schema);
    Ok(object)
}

/// The schema without `allOf`, `anyOf`, `oneOf`, `not` and `if` at its root.
fn flattened(schema: Value, purpose: Use) -> Result<Map<String, Value>, Unpublishable> {
    let Value::Object(mut schema) = schema else { return Ok(Map::new()) };
    let is_object = match (schema.get("type"), purpose) {
        (None, _) => true,
        (Some(kind), Use::Arguments) => names_type(kind, "object"),
        (Some(kind), Use::Results) => *kind == "object" || *kind == json!(["object"]),
    };
    if !is_object {
        let found = schema.get("type").map(Value::to_string).unwrap_or_default();
        return Err(Unpublishable::NotAnObject { found });
    }
    if is_never(&schema) {
        return Err(Unpublishable::NotAnObject { found: "nothing at all".into() });
    }
    schema.shift_remove("not");
    narrowed_to_objects(&mut schema, purpose)?;
    let condition = schema.shift_remove("if").is_some();
    let branches = [schema.shift_remove("then"), schema.shift_remove("else")];
    let parts = take_array(&mut schema, "allOf");
    let mut merged_any = condition || !parts.is_empty();
    for part in parts {
        schema = both(schema, flattened(part, purpose)?);
    }
    for keyword in ["anyOf", "oneOf"] {
        let alternatives = take_array(&mut schema, keyword);
        if alternatives.is_empty() {
            continue;
        }
        merged_any = true;
        let flat = alternatives.into_iter().map(|alternative| flattened(alternative, purpose));
        let flat: Vec<_> = match purpose {
            // What is no object cannot be meant by arguments.
            Use::Arguments => flat.filter_map(Result::ok).collect(),
            Use::Results => flat.collect::<Result<_, _>>()?,
        };
        if flat.is_empty() {
            return Err(Unpublishable::NoObjectAlternative { keyword });
        }
        schema = both(schema, either(flat, purpose));
    }
    if condition && purpose == Use::Arguments {
        let branches = branches.into_iter().flatten();
        let mut flat: Vec<_> =
            branches.filter_map(|branch| flattened(branch, purpose).ok()).collect();
        flat.push(Map::new());
        schema = both(schema, either(flat, purpose));
    }
    if merged_any {
        schema.shift_remove("unevaluatedProperties");
    }
    Ok(schema)
}

/// Takes away a choice of values, of which those that count must be objects.
fn narrowed_to_objects(schema: &mut Map<String, Value>, purpose: Use) -> Result<(), Unpublishable> {
    let values = take_array(schema, "enum").into_iter().chain(schema.shift_remove("const"));
    let values: Vec<_> = values.map(|value| value.is_object()).collect();
    let fits = match purpose {
        _ if values.is_empty() => true,
        // What is no object cannot be meant by arguments.
        Use::Arguments => values.contains(&true),
        // With a type only objects are left anyway.
        Use::Results => schema.contains_key("type") || !values.contains(&false),
    };
    if fits { Ok(()) } else { Err(Unpublishable::NotAnObject { found: "certain values".into() }) }
}

/// One object that is what both say.
fn both(mut one: Map<String, Value>, mut other: Map<String, Value>) -> Map<String, Value> {
    let open = |schema: &Map<String, Value>| {
        schema.get("properties").is_none() && schema.get("patternProperties").is_none()
    };
    let (one_open, other_open) = (open(&one), open(&other));
    let [properties, patterns] = ["properties", "patternProperties"].map(|keyword| {
        let mut joined = take_map(&mut one, keyword);
        for (name, schema) in take_map(&mut other, keyword) {
            let both = match joined.get(&name) {
                Some(present) if *present != schema => json!({"allOf": [present, schema]}),
                _ => schema,
            };
            joined.insert(name, both);
        }
        joined
    });
    let mut required = take_names(&mut one, "required");
    for name in take_names(&mut other, "required") {
        if !required.contains(&name) {
            required.push(name);
        }
    }
    // Closed to other properties is closed to those of the other half too,
    // which is seldom meant and never wanted in a guide.
    let closed =
        (one.shift_remove("additionalProperties"), other.shift_remove("additionalProperties"));
    let additional = match closed {
        (Some(one), Some(other)) if one == other => Some(one),
        (Some(one), None) if other_open => Some(one),
        (None, Some(other)) if one_open => Some(other),
        _ => None,
    };
    for (keyword, value) in other {
        one.entry(keyword).or_insert(value);
    }
    for (keyword, schemas) in [("properties", properties), ("patternProperties", patterns)] {
        if !schemas.is_empty() {
            one.insert(keyword.into(), Value::Object(schemas));
        }
    }
    if !required.is_empty() {
        one.insert("required".into(), json!(required));
    }
    if let Some(additional) = additional {
        one.insert("additionalProperties".into(), additional);
    }
    one
}

/// One object that allows what any of `alternatives` allows.
fn either(mut alternatives: Vec<Map<String, Value>>, purpose: Use) -> Map<String, Value> {
    let closed = |schema: &Map<String, Value>| {
        schema.get("additionalProperties") == Some(&json!(false))
            && schema.get("patternProperties").is_none()
    };
    let all_closed = alternatives.iter().all(closed);
    let mut required: Option<Vec<String>> = None;
    let mut properties: Map<String, Value> = Map::new();
    let mut names = Vec::new();
    for alternative in &mut alternatives {
        let mine = take_names(alternative, "required");
        required = Some(match required {
            Some(others) => others.into_iter().filter(|name| mine.contains(name)).collect(),
            None => mine,
        });
        if let Some(properties) = alternative.get("properties").and_then(Value::as_object) {
            names.extend(properties.keys().cloned());
        }
    }
    names.sort_unstable();
    names.dedup();
    // In the order in which they first appear.
    let order = |name: &String| {
        alternatives.iter().enumerate().find_map(|(at, alternative)| {
            let properties = alternative.get("properties")?.as_object()?;
            Some((at, properties.keys().position(|key| key == name)?))
        })
    };
    names.sort_by_key(order);
    for name in names {
        let mut schemas: Vec<&Value> = Vec::new();
        let mut anything = false;
        for alternative in &alternatives {
            match alternative.get("properties").and_then(|properties| properties.get(&name)) {
                Some(schema) if !schemas.contains(&schema) => schemas.push(schema),
                Some(_) => {}
                None => anything |= !closed(alternative),
            }
        }
        let schema = match schemas.as_slice() {
            _ if anything && purpose == Use::Results => json!({}),
            [schema] => (*schema).clone(),
            schemas => json!({"anyOf": schemas}),
        };
        properties.insert(name, schema);
    }
    let mut object = Map::new();
    object.insert("properties".into(), Value::Object(properties));
    if let Some(required) = required.filter(|required| !required.is_empty()) {
        object.insert("required".into(), json!(required));
    }
    if all_closed {
        object.insert("additionalProperties".into(), json!(false));
    }
    object
}

/// Whether no object fits: `{"not": {}}`, `{"not": {"type": "object"}}`.
fn is_never(schema: &Map<String, Value>) -> bool {
    const NOTES: [&str; 3] = ["title", "description", "default"];
    schema.get("not").and_then(Value::as_object).is_some_and(|not| {
        not.iter().all(|(keyword, value)| {
            NOTES.contains(&keyword.as_str()) || (keyword == "type" && names_type(value, "object"))
        })
    })
}

fn take_map(schema: &mut Map<String, Value>, keyword: &str) -> Map<String, Value> {
    match schema.shift_remove(keyword) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn take_array(schema: &mut Map<String, Value>, keyword: &str) -> Vec<Value> {
    match schema.shift_remove(keyword) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

fn take_names(schema: &mut Map<String, Value>, keyword: &str) -> Vec<String> {
    let names = take_array(schema, keyword);
    names.into_iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}
