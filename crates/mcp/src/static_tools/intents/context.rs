//! From the arguments of a call to the context of an intent.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// The context: its type is the argument `type` if that is text, else the one
/// that a handler declares; its data are the fields of the argument `data` if
/// that is an object, and all arguments, which win.
pub(super) fn context(arguments: &JsonObject, declared_type: Option<&str>) -> Value {
    let asked = arguments.get("type").and_then(Value::as_str);
    let mut data = match arguments.get("data") {
        Some(Value::Object(fields)) => fields.clone(),
        _ => JsonObject::new(),
    };
    data.extend(arguments.clone());
    match asked.or(declared_type) {
        Some(name) => json!({ "type": name, "data": data }),
        None => json!({ "data": data }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_a_context() {
        for (arguments, declared, expected) in [
            (json!({"type": "x"}), None, json!({"type": "x", "data": {"type": "x"}})),
            (
                json!({"type": "x", "data": {"a": 1, "type": "y"}}),
                Some("z"),
                json!({"type": "x", "data": {"a": 1, "type": "x", "data": {"a": 1, "type": "y"}}}),
            ),
            (json!({"id": 7}), Some("z"), json!({"type": "z", "data": {"id": 7}})),
            (json!({"type": 5}), Some("z"), json!({"type": "z", "data": {"type": 5}})),
            (json!({"data": [1]}), None, json!({"data": {"data": [1]}})),
            (json!({}), None, json!({"data": {}})),
        ] {
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            assert_eq!(context(&arguments, declared), expected);
        }
    }
}
