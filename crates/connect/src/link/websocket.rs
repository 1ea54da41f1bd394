//! A gateway behind a WebSocket: one text frame per frame of the protocol.

use std::time::Duration;

use deskwire_wire::{ClientFrame, DecodeError, Head, ServerFrame, ServerMessage, uri};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use tokio_util::sync::CancellationToken;

use super::{Connector, Link};
use crate::{ConnectError, Limits};

/// Frames in each direction between the socket and the session.
const QUEUE: usize = 256;
/// Most links are idle most of the time; small buffers keep thousands cheap.
const READ_BUFFER: usize = 4 << 10;
/// How often the other end is asked for a sign of life, and how long it may
/// give none. A socket whose other end vanished reports nothing by itself.
const HEARTBEAT: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_secs(75);

type Socket = WebSocketStream<TcpStream>;

/// Connects over a WebSocket. See [`websocket`].
#[derive(Debug, Clone)]
pub struct WebSocketConnector {
    url: String,
    host: String,
    port: u16,
}

/// Connects to the gateway at a `ws://` URL.
///
/// # Errors
/// [`ConnectError::Url`] when `url` is none.
pub fn websocket(url: &str) -> Result<WebSocketConnector, ConnectError> {
    let wrong = |reason: String| ConnectError::Url { url: url.to_owned(), reason };
    let uri: Uri = url.parse().map_err(|error| wrong(format!("{error}")))?;
    match uri.scheme_str() {
        Some("ws") => {}
        Some("wss") => return Err(wrong("TLS is not supported".to_owned())),
        _ => return Err(wrong("the scheme is not `ws`".to_owned())),
    }
    let host = uri.host().ok_or_else(|| wrong("it has no host".to_owned()))?;
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    Ok(WebSocketConnector { url: url.to_owned(), host, port: uri.port_u16().unwrap_or(80) })
}

impl Connector for WebSocketConnector {
    async fn connect(&self, limits: &Limits) -> Result<Link, ConnectError> {
        let unreachable =
            |reason: String| ConnectError::Unreachable { target: self.url.clone(), reason };
        let stream = TcpStream::connect((self.host.as_str(), self.port))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        stream.set_nodelay(true).map_err(|error| unreachable(error.to_string()))?;
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(READ_BUFFER)
            .max_message_size(Some(limits.incoming_frame_bytes))
            .max_frame_size(Some(limits.incoming_frame_bytes));
        let (socket, _) = client_async_with_config(self.url.as_str(), stream, Some(config))
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let (sink, stream) = socket.split();
        let (frames, outgoing) = mpsc::channel(QUEUE);
        let (to_session, incoming) = mpsc::channel(QUEUE);
        let stalled = CancellationToken::new();
        tokio::spawn(write(sink, outgoing, stalled.clone()));
        tokio::spawn(read(stream, to_session, stalled, self.url.clone()));
        Ok(Link { frames, incoming })
    }

    fn describe(&self) -> String {
        self.url.clone()
    }
}

/// Writes until the session drops its end. Flushes whenever nothing more waits.
async fn write(
    mut sink: SplitSink<Socket, Message>,
    mut outgoing: mpsc::Receiver<ClientFrame>,
    stalled: CancellationToken,
) {
    let mut heartbeat = interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat.tick().await;
    loop {
        let frame = tokio::select! {
            frame = outgoing.recv() => match frame {
                Some(frame) => Some(frame),
                None => break,
            },
            _ = heartbeat.tick() => None,
        };
        let writing = async {
            match frame {
                Some(frame) => write_burst(&mut sink, &mut outgoing, &frame).await,
                None => sink.send(Message::Ping(tungstenite::Bytes::new())).await,
            }
        };
        match timeout(SILENCE, writing).await {
            Ok(Ok(())) => {}
            // The reading half sees the same end and tells the session.
            Ok(Err(error)) => return tracing::debug!(%error, "the socket takes no more"),
            Err(_) => {
                stalled.cancel();
                return tracing::warn!("the gateway has not read for {SILENCE:?}");
            }
        }
    }
    match timeout(SILENCE, sink.close()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "the socket was gone before it was closed"),
        Err(_) => tracing::debug!("the socket could not be closed"),
    }
}

async fn write_burst(
    sink: &mut SplitSink<Socket, Message>,
    outgoing: &mut mpsc::Receiver<ClientFrame>,
    first: &ClientFrame,
) -> Result<(), tungstenite::Error> {
    sink.feed(Message::text(first.encode())).await?;
    while let Ok(frame) = outgoing.try_recv() {
        sink.feed(Message::text(frame.encode())).await?;
    }
    sink.flush().await
}

/// Reads until the socket ends or the session drops its end.
async fn read(
    mut stream: SplitStream<Socket>,
    session: mpsc::Sender<ServerFrame>,
    stalled: CancellationToken,
    url: String,
) {
    loop {
        let message = tokio::select! {
            // First: how a connection ends that we have ended is no news.
            biased;
            () = session.closed() => return,
            () = stalled.cancelled() => return,
            message = timeout(SILENCE, stream.next()) => message,
        };
        let text = match message {
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(Message::Close(frame)))) => {
                let reason = frame.map(|frame| frame.to_string()).unwrap_or_default();
                return tracing::info!(url, reason, "the gateway closed the connection");
            }
            Ok(Some(Ok(Message::Binary(_)))) => {
                tracing::warn!(url, "binary frame from the gateway, skipped");
                continue;
            }
            Ok(Some(Ok(_))) => continue,
            Ok(Some(Err(error))) => {
                return tracing::warn!(url, %error, "the connection to the gateway broke");
            }
            Ok(None) => return tracing::info!(url, "the gateway is gone"),
            Err(_) => return tracing::warn!(url, "the gateway gives no sign of life"),
        };
        let frame = ServerFrame::decode(&text).or_else(|error| unreadable(error, &url));
        if let Ok(frame) = frame
            && session.send(frame).await.is_err()
        {
            return;
        }
    }
}

/// A frame that cannot be read is skipped; but if it answers a request, that
/// request has failed, and whoever made it should not wait in vain.
fn unreadable(error: DecodeError, url: &str) -> Result<ServerFrame, ()> {
    tracing::warn!(url, %error, "frame from the gateway cannot be read");
    let Some(Head { domain, request_id: Some(request_id), peer_id, .. }) = error.head().cloned()
    else {
        return Err(());
    };
    let message = ServerMessage::Error {
        reason_uri: uri::failure(deskwire_wire::Domain::Global).to_owned(),
        reason: format!("the gateway's answer cannot be read: {error}"),
        context: None,
    };
    Ok(ServerFrame { domain, request_id: Some(request_id), peer_id, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let target = |url: &str| websocket(url).map(|found| (found.host, found.port));
        assert_eq!(target("ws://localhost:8385/gw"), Ok(("localhost".to_owned(), 8385)));
        assert_eq!(target("ws://[::1]:9/"), Ok(("::1".to_owned(), 9)));
        assert_eq!(target("ws://host"), Ok(("host".to_owned(), 80)));
        for (url, reason) in [
            ("wss://host/", "TLS is not supported"),
            ("http://host/", "the scheme is not `ws`"),
            ("host:80", "the scheme is not `ws`"),
            ("", "empty string"),
        ] {
            let error = target(url).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.contains("use ws://host:port/path"), "{error}");
        }
    }

    #[test]
    fn an_answer_that_cannot_be_read_fails_its_request() {
        let text = r#"{"domain":"agm","type":"subscribed","request_id":"7","peer_id":"p"}"#;
        let frame = unreadable(ServerFrame::decode(text).unwrap_err(), "ws://h").unwrap();
        assert_eq!(frame.request_id, Some("7".into()));
        assert!(matches!(frame.message, ServerMessage::Error { .. }));
        let text = r#"{"domain":"agm","type":"invoke"}"#;
        assert_eq!(unreadable(ServerFrame::decode(text).unwrap_err(), "ws://h"), Err(()));
    }
}
