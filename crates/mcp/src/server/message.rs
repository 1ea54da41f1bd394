//! What came in and is no message: how JSON-RPC wants it answered.

use rmcp::model::ClientJsonRpcMessage;
use serde::Deserialize;
use serde_json::{Value, json};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

/// A refusal of something that reached no handler.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    /// The id of what is refused, where that can be read.
    pub(super) id: Option<Value>,
}

impl Refusal {
    /// Something that is no request, or none that can be served now.
    pub(super) fn invalid(why: impl std::fmt::Display, id: Option<Value>) -> Self {
        Self { code: INVALID_REQUEST, message: format!("Invalid Request: {why}"), id }
    }

    /// As it goes over the wire; `id` is always there.
    pub(super) fn to_json(&self) -> Value {
        let Self { code, message, id } = self;
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
    }
}

/// Reads one message.
///
/// # Errors
/// The answer to what is none; `None` where that is a notification, which is
/// never answered.
pub(super) fn read(text: &[u8]) -> Result<ClientJsonRpcMessage, Option<Refusal>> {
    if let Some(refusal) = odd_cursor(text) {
        return Err(Some(refusal));
    }
    serde_json::from_slice(text).map_err(|_| why_unreadable(text))
}

/// The answer to a request for a list with a cursor that is no text. The
/// library reads such parameters as none.
pub(super) fn odd_cursor(text: &[u8]) -> Option<Refusal> {
    #[derive(Deserialize)]
    struct Probe {
        id: Value,
        method: String,
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        cursor: Value,
    }
    const KEY: &[u8] = b"\"cursor\"";
    if !text.windows(KEY.len()).any(|window| window == KEY) {
        return None;
    }
    let Probe { id, method, params: Params { cursor } } = serde_json::from_slice(text).ok()?;
    let is_odd = method == "tools/list" && is_id(&id) && !cursor.is_string() && !cursor.is_null();
    let message = "the parameters of tools/list cannot be read: `cursor` must be a string";
    is_odd.then(|| Refusal { code: INVALID_PARAMS, message: message.into(), id: Some(id) })
}

/// The answer to text that is no message, whoever found that; `None` where it
/// is a notification.
pub(super) fn why_unreadable(text: &[u8]) -> Option<Refusal> {
    let value = match serde_json::from_slice::<Value>(text) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("Parse error: {error}");
            return Some(Refusal { code: PARSE_ERROR, message, id: None });
        }
    };
    let why = match &value {
        Value::Array(_) => "batches are not served, send one message each",
        Value::Object(fields) if fields.get("jsonrpc") != Some(&json!("2.0")) => {
            "`jsonrpc` must be \"2.0\""
        }
        Value::Object(fields) => match (fields.get("method"), fields.get("id")) {
            (None, _) => {
                "a message has a `method`, or the `id` and `result` or `error` of an answer"
            }
            (Some(Value::String(_)), None) => return None,
            (Some(Value::String(_)), Some(id)) if !is_id(id) => {
                "`id` must be a string or a whole number of at most 64 bits"
            }
            (Some(Value::String(_)), _) => "`params` must be an object",
            (Some(_), _) => "`method` must be a string",
        },
        _ => "a message is a JSON object",
    };
    Some(Refusal::invalid(why, value.get("id").filter(|id| is_id(id)).cloned()))
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_told_why() {
        let cases = [
            "",
            "ready!",
            r#"{"jsonrpc":"2.0","id":1,"#,
            "[]",
            "7",
            r#"{"id":3,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":3}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":5}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"no/such","params":5}"#,
        ];
        let answers = cases.map(|text| match read(text.as_bytes()) {
            Ok(message) => format!("{text}\n  is read as {message:?}"),
            Err(Some(refusal)) => format!("{text}\n  {}", refusal.to_json()),
            Err(None) => format!("{text}\n  is not answered"),
        });
        insta::assert_snapshot!(answers.join("\n"));
    }
}
