//! Reading what platforms answer: in either spelling, lists in either form,
//! and one odd record never hides the others.

use serde_json::{Map, Value};

/// The value of the first of these keys that holds one.
pub(crate) fn field<'a>(record: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().filter_map(|key| record.get(*key)).find(|value| !value.is_null())
}

/// The text under the first of these keys that holds text that is not blank.
pub(crate) fn text(record: &Value, keys: &[&str]) -> Option<String> {
    let texts = keys.iter().filter_map(|key| record.get(*key)).filter_map(Value::as_str);
    texts.filter(|text| !text.trim().is_empty()).map(str::to_owned).next()
}

/// The truth under the first of these keys that holds one.
pub(crate) fn flag(record: &Value, keys: &[&str]) -> Option<bool> {
    keys.iter().filter_map(|key| record.get(*key)).find_map(Value::as_bool)
}

/// The entries of a list, which is an array or an object with its indexes as keys.
pub(crate) fn list(value: Option<&Value>) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Some(Value::Array(entries)) => Box::new(entries.iter()),
        Some(Value::Object(entries)) => Box::new(entries.values()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The texts of a list.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    list(value).filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The fields of an object; none of anything else.
pub(crate) fn fields(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}
