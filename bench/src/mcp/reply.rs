//! Finds the reply in an HTTP answer, and reads it.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::http::Response;
use crate::failure::Failure;

/// A JSON-RPC message from the server.
#[derive(Deserialize)]
struct Message<'a, R> {
    id: Option<u64>,
    result: Option<R>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// The result of a `tools/call` of the echo tool.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Called<'a> {
    #[serde(default)]
    pub(crate) is_error: bool,
    #[serde(borrow)]
    pub(crate) structured_content: Option<Said<'a>>,
}

#[derive(Deserialize)]
pub(crate) struct Said<'a> {
    #[serde(borrow)]
    pub(crate) text: Cow<'a, str>,
}

/// One page of `tools/list`, names left out: reading them would be most of the work.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counted {
    pub(crate) tools: Vec<IgnoredAny>,
    pub(crate) next_cursor: Option<String>,
}

/// Any result.
#[derive(Deserialize)]
pub(crate) struct Anything {}

/// Reads the reply to request `id`.
///
/// # Errors
/// When the answer holds no such reply, or an error, or a result of another shape.
pub(crate) fn read<'a, R: Deserialize<'a>>(response: &'a Response, id: u64) -> Result<R, Failure> {
    let wrong = |what: &str| Failure::answer(what, &response.body);
    if response.status != 200 {
        return Err(wrong(&format!("HTTP {}", response.status)));
    }
    let body = std::str::from_utf8(&response.body).map_err(|_| wrong("not UTF-8"))?;
    let messages = if response.events { events(body) } else { vec![body] };
    for text in messages {
        if let Some(result) = find(text, id)? {
            return Ok(result);
        }
    }
    Err(wrong(&format!("no reply to request {id}")))
}

/// The result in `text`, if that is the reply to request `id`.
///
/// # Errors
/// When it is no message, or an error, or a result of another shape.
pub(crate) fn find<'a, R: Deserialize<'a>>(text: &'a str, id: u64) -> Result<Option<R>, Failure> {
    let wrong = |what: &str| Failure::answer(what, text.as_bytes());
    let message: Message<'a, R> =
        serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
    match message {
        Message { id: Some(found), result: Some(result), error: None } if found == id => {
            Ok(Some(result))
        }
        Message { error: Some(error), .. } => Err(wrong(error.get())),
        _ => Ok(None),
    }
}

/// The data of each server-sent event. Servers write a JSON message as one line of data.
fn events(body: &str) -> Vec<&str> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    data.filter(|data| !data.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, events: bool, body: &str) -> Response {
        Response { status, session: None, events, body: body.into() }
    }

    #[test]
    fn the_reply_is_found_in_both_forms() {
        let reply = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"text":"a\"b"}}}"#;
        let json = response(200, false, reply);
        let stream = response(
            200,
            true,
            &format!(
                "id: 0\nretry: 3000\ndata:\n\nevent: message\ndata: {}\n\ndata: {reply}\n\n",
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#
            ),
        );
        for response in [json, stream] {
            let called: Called<'_> = read(&response, 7).unwrap();
            assert!(!called.is_error);
            assert_eq!(called.structured_content.unwrap().text, "a\"b");
        }
    }

    #[test]
    fn everything_else_is_a_wrong_answer() {
        for (status, body, said) in [
            (404, "gone", "HTTP 404: gone"),
            (200, "gone", "expected value"),
            (200, r#"{"id":8,"result":{}}"#, "no reply to request 7"),
            (200, r#"{"id":7,"error":{"code":-32602}}"#, "-32602"),
            (200, r#"{"id":7}"#, "no reply to request 7"),
        ] {
            let response = response(status, false, body);
            let error = read::<Anything>(&response, 7).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn tools_are_counted() {
        let page = response(
            200,
            false,
            r#"{"id":1,"result":{"tools":[{"name":"a"},{"name":"b"}],"nextCursor":"c"}}"#,
        );
        let counted: Counted = read(&page, 1).unwrap();
        assert_eq!(counted.tools.len(), 2);
        assert_eq!(counted.next_cursor.as_deref(), Some("c"));
    }
}
