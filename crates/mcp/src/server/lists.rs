//! Lists of tools, on their way past the library.
//!
//! A list may be half a megabyte, and its text is the same until the tools
//! change. The library would write it anew for each answer. So it is handed a
//! list of one tool, which stands for all, and the text goes around it: from the
//! handler, which finds a [`Place`] in the request, to whoever writes the answer
//! out and holds the [`Gap`].
//!
//! ```text
//! request ──► library ──► handler ── stand-in ──► library ──► answer
//!    └ Place ──────────────► │                                  ▲
//!                            └── text of the list ──► Gap ──────┘
//! ```

use std::convert::Infallible;
use std::sync::{Arc, LazyLock, OnceLock, Weak};

use axum::body::{Body, Bytes, to_bytes};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use http::header::CONTENT_LENGTH;
use memchr::memmem;
use rmcp::model::{
    ErrorData, Extensions, JsonRpcMessage, ListToolsResult, ServerJsonRpcMessage, ServerResult,
    Tool,
};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

use super::http::is_stream;

/// No tool can have this name.
const STAND_IN: &str = "deskwire: the list of tools";

/// The list that stands for another, as it is in the text of an answer.
static MARK: LazyLock<String> =
    LazyLock::new(|| serde_json::to_string(&stand_in()).unwrap_or_default());

fn stand_in() -> Vec<Tool> {
    vec![Tool::new(STAND_IN, "", Arc::default())]
}

/// Held by whoever writes an answer out: where the text of a list goes in.
#[derive(Debug, Clone, Default)]
pub(super) struct Gap(Arc<OnceLock<Bytes>>);

/// Goes with the request to its handler, which may leave the text of a list for
/// whoever writes the answer out.
#[derive(Debug, Clone)]
pub(super) struct Place(Weak<OnceLock<Bytes>>);

impl Place {
    /// Leaves a text; false when nobody would write it out any more.
    fn fill(&self, text: Bytes) -> bool {
        self.0.upgrade().is_some_and(|place| place.set(text).is_ok())
    }
}

/// The answer to a request that came with these extensions; `None` where its
/// text has no way around the library.
pub(super) fn answer(extensions: &Extensions, text: Bytes) -> Option<ListToolsResult> {
    let parts = extensions.get::<http::request::Parts>();
    let place = extensions.get::<Place>().or_else(|| parts?.extensions.get());
    place?.fill(text).then(|| ListToolsResult::with_all_items(stand_in()))
}

impl Gap {
    /// What the handler gets.
    pub(super) fn place(&self) -> Place {
        Place(Arc::downgrade(&self.0))
    }

    /// A piece of an answer with the list in its place: in one, or in three.
    fn fill(&self, piece: Bytes) -> [Option<Bytes>; 3] {
        let mark = |text| Some((text, memmem::find(&piece, MARK.as_bytes())?));
        match self.0.get().and_then(mark) {
            Some((text, at)) => {
                let rest = piece.slice(at + MARK.len()..);
                [Some(piece.slice(..at)), Some(Bytes::clone(text)), Some(rest)]
            }
            None => [Some(piece), None, None],
        }
    }

    /// A line of JSON with the list in its place.
    pub(super) fn line(&self, line: String) -> String {
        let Some(text) = self.0.get().and_then(|text| std::str::from_utf8(text).ok()) else {
            return line;
        };
        line.replacen(&*MARK, text, 1)
    }

    /// A response with the list in its place. The text is not copied.
    pub(super) async fn response(self, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        if is_stream(&parts.headers) {
            let pieces = body.into_data_stream().flat_map(move |piece| {
                let pieces = match piece {
                    Ok(piece) => self.fill(piece).map(|piece| piece.map(Ok)),
                    Err(error) => [Some(Err(error)), None, None],
                };
                stream::iter(pieces.into_iter().flatten())
            });
            return Response::from_parts(parts, Body::from_stream(pieces));
        }
        // What is no stream is whole, and the handler done.
        if self.0.get().is_none() {
            return Response::from_parts(parts, body);
        }
        let body = match to_bytes(body, usize::MAX).await {
            Ok(whole) => {
                let pieces = self.fill(whole);
                let length: usize = pieces.iter().flatten().map(Bytes::len).sum();
                parts.headers.insert(CONTENT_LENGTH, length.into());
                let pieces = pieces.into_iter().flatten().map(Ok::<_, Infallible>);
                Body::from_stream(stream::iter(pieces))
            }
            Err(error) => Body::from_stream(stream::iter([Err::<Bytes, _>(error)])),
        };
        Response::from_parts(parts, body)
    }
}

/// Whether an answer is one to which the text of a list belongs.
pub(super) fn lacks_text(message: &ServerJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Response(response)
        if matches!(&response.result, ServerResult::ListToolsResult(list)
            if list.tools.first().is_some_and(|tool| tool.name == STAND_IN)))
}

/// What a session sends on a stream that is not the one of the request. A list
/// whose text went there is refused, so that its client asks again.
pub(super) fn elsewhere(mut sent: ServerSseMessage) -> ServerSseMessage {
    if let Some(message) = &sent.message
        && lacks_text(message)
        && let JsonRpcMessage::Response(response) = &**message
    {
        let error = ErrorData::internal_error("the list was cut off; ask for it again", None);
        sent.message = Some(Arc::new(JsonRpcMessage::error(error, Some(response.id.clone()))));
    }
    sent
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::*;

    /// The answer that the library is handed for a list, and whose text that is.
    fn answered(gap: &Gap) -> Option<ServerJsonRpcMessage> {
        let mut extensions = Extensions::new();
        extensions.insert(gap.place());
        let list = answer(&extensions, Bytes::from_static(br#"[{"name":"a"}]"#))?;
        let result = ServerResult::ListToolsResult(list);
        Some(JsonRpcMessage::response(result, RequestId::Number(7)))
    }

    #[test]
    fn the_text_takes_the_place_of_what_stands_for_it() {
        let gap = Gap::default();
        let message = answered(&gap).unwrap();
        assert!(lacks_text(&message));
        let written = serde_json::to_string(&message).unwrap();
        let whole = gap.line(written.clone());
        let list = serde_json::from_str::<serde_json::Value>(&whole).unwrap();
        assert_eq!(list["result"]["tools"], serde_json::json!([{"name": "a"}]));
        assert_eq!(list["id"], 7);

        let pieces = gap.fill(written.into());
        assert_eq!(pieces.into_iter().flatten().collect::<Vec<_>>().concat(), whole.as_bytes());
        let [other, None, None] = gap.fill(Bytes::from_static(b"data: {}")) else {
            panic!("there is nothing to fill");
        };
        assert_eq!(&*other.unwrap(), b"data: {}");
    }

    #[test]
    fn who_writes_no_more_gets_no_text() {
        let mut extensions = Extensions::new();
        extensions.insert(Gap::default().place());
        assert_eq!(answer(&extensions, Bytes::new()), None);
        assert_eq!(answer(&Extensions::new(), Bytes::new()), None);
    }

    #[test]
    fn on_another_stream_a_list_without_its_text_is_refused() {
        let gap = Gap::default();
        let sent = elsewhere(ServerSseMessage::new("0/1", answered(&gap).unwrap()));
        assert_eq!(sent.event_id.as_deref(), Some("0/1"));
        let JsonRpcMessage::Error(refused) = sent.message.as_deref().unwrap() else {
            panic!("{sent:?}");
        };
        assert_eq!(refused.id, Some(RequestId::Number(7)));
        assert!(refused.error.message.contains("ask for it again"));
    }
}
