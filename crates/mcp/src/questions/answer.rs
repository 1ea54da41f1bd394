//! What a client answered, read leniently.

use std::time::Duration;

use rmcp::model::JsonObject;
use serde_json::Value;

use super::Asked;
use crate::text::clean;

/// Longest reason of a client that is passed on, in characters.
const MAX_REASON: usize = 400;
/// Longest text of a model that is read, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// What the model wrote.
    Text(String),
    /// The person agreed; with what is in the form.
    Accepted(JsonObject),
    /// The person said no.
    Declined,
    /// The person did not decide.
    Dismissed,
    /// The client refused, or answered something else: in words.
    Failed(String),
    /// Nothing came in time.
    Late(Duration),
}

impl Answer {
    /// The answer in the result that a client sent for a question.
    pub(crate) fn read(asked: &Asked, result: &Value) -> Self {
        match asked {
            Asked::Model { .. } => text_of(result),
            Asked::Person { .. } => match result.get("action").and_then(Value::as_str) {
                Some("accept") => {
                    let content = result.get("content").and_then(Value::as_object);
                    Self::Accepted(content.cloned().unwrap_or_default())
                }
                Some("decline") => Self::Declined,
                Some("cancel") => Self::Dismissed,
                _ => Self::Failed("the client answered without accept, decline or cancel".into()),
            },
        }
    }

    /// The client refused, with these words.
    pub(crate) fn failed(reason: &str) -> Self {
        let reason = clean(reason, MAX_REASON).text;
        Self::Failed(if reason.is_empty() { "the client refused".into() } else { reason })
    }
}

/// The text of a message: one block, or several.
fn text_of(result: &Value) -> Answer {
    let content = result.get("content");
    let blocks = match content {
        Some(Value::Array(blocks)) => blocks.as_slice(),
        Some(block) => std::slice::from_ref(block),
        None => &[],
    };
    let texts: Vec<_> = blocks
        .iter()
        .filter_map(|block| block.get("text").unwrap_or(block).as_str())
        .filter(|text| !text.trim().is_empty())
        .collect();
    let length: usize = texts.iter().map(|text| text.len()).sum();
    match length {
        0 => Answer::Failed("the client's model answered without text".into()),
        length if length > MAX_TEXT => {
            Answer::Failed(format!("the client's model answered more than {MAX_TEXT} bytes"))
        }
        _ => Answer::Text(texts.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_in_every_form() {
        let model = Asked::Model {
            system: "".into(),
            text: "".into(),
            answer: JsonObject::new(),
            max_tokens: 1,
        };
        let long = "x".repeat(MAX_TEXT + 1);
        for (result, text) in [
            (
                json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "a"}}),
                Some("a"),
            ),
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]}),
                Some("a\nb"),
            ),
            (json!({"content": "a"}), Some("a")),
            (json!({"content": {"type": "image", "data": ""}}), None),
            (json!({"content": {"type": "text", "text": " "}}), None),
            (json!({"content": {"type": "text", "text": long}}), None),
            (json!({}), None),
            (json!([1]), None),
        ] {
            match (Answer::read(&model, &result), text) {
                (Answer::Text(read), Some(text)) => assert_eq!(read, text, "{result}"),
                (Answer::Failed(_), None) => {}
                (other, _) => panic!("{result}: {other:?}"),
            }
        }
    }

    #[test]
    fn forms_are_accepted_declined_or_dismissed() {
        let person = Asked::Person {
            message: "".into(),
            form: rmcp::model::ElicitationSchema::new(Default::default()),
        };
        let read = |result| Answer::read(&person, &result);
        assert_eq!(read(json!({"action": "accept"})), Answer::Accepted(JsonObject::new()));
        let filled = JsonObject::from_iter([("id".to_owned(), json!(1))]);
        assert_eq!(
            read(json!({"action": "accept", "content": {"id": 1}})),
            Answer::Accepted(filled)
        );
        assert_eq!(read(json!({"action": "decline"})), Answer::Declined);
        assert_eq!(read(json!({"action": "cancel"})), Answer::Dismissed);
        assert!(matches!(read(json!({"action": "yes"})), Answer::Failed(_)));
        assert_eq!(Answer::failed("no\u{200b}"), Answer::Failed("no".into()));
    }
}
