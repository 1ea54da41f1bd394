//! From what a method returned to what a client is answered.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::{Map, Value, json};

use crate::schema::{Checker, Enforced, Shape, Validators, Violation, kind_of};

/// The key under which servers send a result that is no object.
const BARE: &str = "_value";

/// What is known about the results of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    shape: Option<Shape>,
    /// Whether an object with only [`BARE`] may be meant as it stands.
    declares_bare: bool,
    enforced: Option<Enforced>,
}

impl Output {
    /// Clients were shown a schema.
    pub(crate) fn published(schema: &JsonObject, shape: Shape, enforced: Enforced) -> Self {
        let properties = schema.get("properties");
        let declares_bare = properties.is_some_and(|properties| properties.get(BARE).is_some());
        Self { shape: Some(shape), declares_bare, enforced: Some(enforced) }
    }

    /// Results have a schema that clients were not shown.
    pub(crate) fn unpublished(enforced: Enforced) -> Self {
        Self { shape: None, declares_bare: false, enforced: Some(enforced) }
    }

    /// Nothing is known.
    pub(crate) fn unknown() -> Self {
        Self { shape: None, declares_bare: false, enforced: None }
    }

    /// The answer to a client for what a method returned.
    ///
    /// With a published schema it is structured, and the same JSON stands in
    /// the text, since many clients read nothing else. Without one it is text: a
    /// string as it is, anything else as JSON.
    pub(crate) fn answer(
        &self,
        returned: Value,
        validators: &Validators,
    ) -> Result<CallToolResult, Vec<Violation>> {
        let mut result = self.result(returned);
        // It compiled when the tool was registered.
        if let Some(checker) = self.enforced.as_ref().and_then(|it| validators.get(it).ok()) {
            result = match (checker.check(&result), self.shape) {
                (Ok(()), _) => result,
                (Err(_), Some(Shape::Value)) if is_nothing(&result) => {
                    nothing(result, &checker).ok_or_else(nothing_came)?
                }
                (Err(violations), _) => return Err(violations),
            };
        }
        match self.shape {
            Some(Shape::Object) if !result.is_object() => {
                let message = format!("must be an object, not {}", kind_of(&result));
                Err(vec![Violation { path: String::new(), message }])
            }
            Some(Shape::Object) => Ok(CallToolResult::structured(result)),
            Some(Shape::Value) => Ok(CallToolResult::structured(json!({"value": result}))),
            None => {
                let text = match result {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
            }
        }
    }

    /// The result as the method meant it: bare where it came wrapped, `{}`
    /// where there is none and an object is wanted.
    fn result(&self, returned: Value) -> Value {
        match returned {
            Value::Object(mut fields) if is_bare(&fields) && !self.declares_bare => {
                fields.remove(BARE).unwrap_or_default()
            }
            Value::Null if self.shape != Some(Shape::Value) => json!({}),
            other => other,
        }
    }
}

/// Whether a method returned nothing. It may come as either.
fn is_nothing(result: &Value) -> bool {
    result.is_null() || result.as_object().is_some_and(Map::is_empty)
}

/// The other form of nothing, if that fits.
fn nothing(result: Value, checker: &Checker) -> Option<Value> {
    let other = if result.is_null() { json!({}) } else { Value::Null };
    checker.check(&other).is_ok().then_some(other)
}

fn nothing_came() -> Vec<Violation> {
    let message = "it is missing, the method returned nothing".into();
    vec![Violation { path: String::new(), message }]
}

fn is_bare(fields: &Map<String, Value>) -> bool {
    fields.len() == 1 && fields.contains_key(BARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{output, read_value};

    fn known(schema: &Value) -> Output {
        let normal = read_value(schema).unwrap();
        let enforced = Enforced::new(&normal);
        match output(&normal) {
            Ok((published, shape)) => Output::published(&published.schema, shape, enforced),
            Err(_) => Output::unpublished(enforced),
        }
    }

    #[test]
    fn results_become_answers() {
        let object = json!({"type": "object", "properties": {"greeting": {"type": "string"}},
                            "required": ["greeting"]});
        let anything = json!({"type": "object"});
        let string = json!({"type": "string"});
        let maybe = json!({"type": ["string", "null"]});
        let maybe_object = json!({"type": ["object", "null"]});
        let list = json!({"type": "array", "items": {"type": "integer"}});
        let bare = json!({"type": "object", "properties": {"_value": {"type": "integer"}}});
        let untyped = json!({"properties": {"a": {"type": "string"}}});
        let unpublished = json!({"description": "something"});
        let golden: Vec<_> = [
            (&object, json!({"greeting": "Hello"})),
            (&object, json!({"greeting": "Hello", "more": [1]})),
            (&object, json!({})),
            (&object, json!({"greeting": 7})),
            (&object, json!({"_value": "Hello"})),
            (&object, json!(null)),
            (&anything, json!({})),
            (&anything, json!({"_value": 1})),
            (&anything, json!({"_value": {"a": 1}})),
            (&string, json!({"_value": "Hello"})),
            (&string, json!({"_value": ["Hello"]})),
            (&string, json!({})),
            (&string, json!(null)),
            (&maybe, json!({"_value": null})),
            (&maybe, json!(null)),
            (&maybe, json!({})),
            (&maybe, json!({"_value": 7})),
            (&maybe_object, json!({})),
            (&maybe_object, json!(null)),
            (&list, json!({"_value": [1, 2]})),
            (&list, json!({"_value": [1, "2"]})),
            (&bare, json!({"_value": 1})),
            (&untyped, json!({"_value": "x"})),
            (&untyped, json!({"a": "x"})),
            (&unpublished, json!({"_value": "Hello"})),
            (&unpublished, json!({"_value": [1]})),
            (&unpublished, json!({"a": 1})),
            (&unpublished, json!({})),
        ]
        .into_iter()
        .map(|(schema, returned)| {
            let answer = match known(schema).answer(returned.clone(), &Validators::default()) {
                Ok(result) => serde_json::to_string(&result).unwrap(),
                Err(violations) => violations
                    .iter()
                    .fold("refused:".to_owned(), |text, violation| format!("{text} {violation}")),
            };
            format!("{schema}\n  {returned}\n  {answer}")
        })
        .collect();
        insta::assert_snapshot!(golden.join("\n"));
    }
}
