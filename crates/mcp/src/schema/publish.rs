//! What clients are shown of a schema.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::json;

use super::Normal;
use super::error::Unpublishable;
use super::headers;
use super::inline::{Cut, Inlined, MAX_BYTES, Texts, inline};
use super::object::{Use, as_object};

/// A schema in the form clients are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// An object schema without references; shorter than 64 kB.
    pub schema: Arc<JsonObject>,
    /// What its texts are like.
    pub texts: Texts,
    /// What clients would have refused the schema for, and was left out.
    pub left_out: Vec<String>,
}

/// How results become what the published output schema promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The result is the object.
    Object,
    /// The result stands under `value`, since clients want an object.
    Value,
}

/// The form of an input schema that clients are shown.
///
/// # Errors
/// When it does not describe an object, or is too long.
pub fn input(schema: &Normal) -> Result<Published, Unpublishable> {
    let Inlined { schema, texts } = inline(schema, Cut::Object)?;
    finish(as_object(schema, Use::Arguments)?, texts)
}

/// The form of an output schema that clients are shown.
///
/// # Errors
/// When it says neither what type a result is nor what properties it has, or is
/// too long.
pub fn output(schema: &Normal) -> Result<(Published, Shape), Unpublishable> {
    let Inlined { schema, texts } = inline(schema, Cut::Anything)?;
    let kind = schema.get("type");
    if kind.is_some_and(|kind| *kind != "object" && *kind != json!(["object"])) {
        let wrapped = json!({
            "type": "object",
            "properties": {"value": schema},
            "required": ["value"],
        });
        let object = as_object(wrapped, Use::Results)?;
        return Ok((finish(object, texts)?, Shape::Value));
    }
    let says_object = kind.is_some();
    let object = as_object(schema, Use::Results)?;
    let has_properties = object
        .get("properties")
        .and_then(serde_json::Value::as_object)
        .is_some_and(|it| !it.is_empty());
    if !says_object && !has_properties {
        return Err(Unpublishable::SaysNothing);
    }
    Ok((finish(object, texts)?, Shape::Object))
}

fn finish(mut schema: JsonObject, texts: Texts) -> Result<Published, Unpublishable> {
    let left_out = headers::keep_usable(&mut schema);
    // Merging alternatives may have made it longer again.
    if serde_json::to_string(&schema).map_or(usize::MAX, |text| text.len()) >= MAX_BYTES {
        return Err(Unpublishable::TooLarge { limit: MAX_BYTES });
    }
    Ok(Published { schema: Arc::new(schema), texts, left_out })
}
