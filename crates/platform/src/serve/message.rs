//! Reading what clients ask, and writing what they are answered.

use deskwire_connect::CallFailure;
use deskwire_wire::Payload;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

/// A value as a payload, written once.
pub(crate) fn payload(value: &impl Serialize) -> Payload {
    // What is written here are JSON values, which always can be.
    to_raw_value(value).map_or_else(|_| Payload::null(), Payload::from)
}

/// A value as text, to be put into a payload later.
pub(crate) fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The answer `{}`.
pub(crate) fn done() -> Payload {
    json!({}).into()
}

/// Puts records into parts that are no larger than `most`, a single record aside.
pub(crate) fn batches<T>(records: Vec<T>, most: usize, size: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let mut parts: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for record in records {
        let bytes = size(&record);
        match parts.last_mut() {
            Some(part) if bytes <= room => {
                room -= bytes;
                part.push(record);
            }
            _ => {
                room = most.saturating_sub(bytes);
                parts.push(vec![record]);
            }
        }
    }
    parts
}

/// The object that a client sent; an empty one for nothing.
pub(crate) fn object(value: &Value) -> Result<&Map<String, Value>, CallFailure> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(&EMPTY),
        _ => Err(CallFailure::new("the arguments must be an object")),
    }
}

/// A text that has to be there.
pub(crate) fn text<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<&'a str, CallFailure> {
    match fields.get(key).and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Ok(text),
        _ => Err(CallFailure::new(format!("`{key}` must be a text that is not blank"))),
    }
}

/// A text that may be there.
pub(crate) fn maybe_text<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

/// An object that may be there.
pub(crate) fn maybe_object(
    fields: &Map<String, Value>,
    key: &str,
) -> Result<Map<String, Value>, CallFailure> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(_) => Err(CallFailure::new(format!("`{key}` must be an object"))),
    }
}

/// A list, as clients write it: an array, or an object that is one.
pub(crate) fn list(fields: &Map<String, Value>, key: &str) -> Result<Vec<Value>, CallFailure> {
    match fields.get(key) {
        Some(Value::Array(all)) => Ok(all.clone()),
        _ => Err(CallFailure::new(format!("`{key}` must be an array"))),
    }
}

/// Texts of a list; or one text alone.
pub(crate) fn texts(fields: &Map<String, Value>, key: &str) -> Result<Vec<String>, CallFailure> {
    let wrong = || CallFailure::new(format!("`{key}` must be a text, or an array of texts"));
    match fields.get(key) {
        Some(Value::String(one)) => Ok(vec![one.clone()]),
        Some(Value::Array(all)) => {
            all.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_the_order_and_the_bound() {
        let parts = |sizes: &[usize]| batches(sizes.to_vec(), 10, |size| *size);
        assert_eq!(parts(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(parts(&[4, 6, 1]), [vec![4, 6], vec![1]]);
        assert_eq!(parts(&[20, 3, 3]), [vec![20], vec![3, 3]]);
        assert_eq!(parts(&[3, 20, 3]), [vec![3], vec![20], vec![3]]);
    }
}
