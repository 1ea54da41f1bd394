//! WebSocket links: one JSON object per text message.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use deskwire_wire::{ClientFrame, DecodeError, excerpt};
use futures_util::future::poll_immediate;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite;

use crate::broker::{Event, LinkId, LinkInfo};
use crate::gateway::{Gateway, Inner};
use crate::outbox::{Closing, KEPT, Outbox, Size, Turn};

/// About how many bytes are gathered before the socket must have taken them.
const UNIT_BYTES: usize = 64 * 1024;
/// A single frame gets the stall time once more for each of these it has.
const LARGE_BYTES: usize = 1024 * 1024;
/// How long a goodbye may take, and how long its reader has to read it.
const GOODBYE: Duration = Duration::from_secs(1);
/// Longest reason in the log, in characters.
const MAX_REASON: usize = 200;

impl Gateway {
    /// Serves one WebSocket until it ends.
    pub async fn serve(&self, socket: WebSocket, link: LinkInfo) {
        self.inner.tasks.track_future(serve(&self.inner, socket, link)).await;
    }
}

async fn serve(inner: &Arc<Inner>, socket: WebSocket, info: LinkInfo) {
    let (mut sink, mut stream) = socket.split();
    let closing = match inner.open(info) {
        Some((link, outbox)) => {
            let socket = Socket {
                inner,
                link,
                outbox: &outbox,
                heard: Notify::new(),
                listening: AtomicBool::new(false),
                paused: AtomicBool::new(false),
            };
            let closing = socket.run(&mut sink, &mut stream).await;
            // Nobody waits for the goodbye.
            inner.closed(link);
            closing
        }
        None => Some(Closing::new(1001, "the gateway is shutting down")),
    };
    if let Some(closing) = closing {
        goodbye(sink, stream, closing).await;
    }
}

/// What the halves of one socket share.
struct Socket<'a> {
    inner: &'a Inner,
    link: LinkId,
    outbox: &'a Outbox,
    /// Something came in while somebody was listening for a sign of life.
    heard: Notify,
    listening: AtomicBool,
    /// Reading waits for a congested link.
    paused: AtomicBool,
}

impl Socket<'_> {
    /// Until either side ends it; how to say goodbye, if that is for us to do.
    async fn run(
        &self,
        sink: &mut SplitSink<WebSocket, Message>,
        stream: &mut SplitStream<WebSocket>,
    ) -> Option<Closing> {
        let closing = tokio::select! {
            closing = self.outbox.closed() => Some(closing),
            closing = self.read(stream) => closing,
            closing = self.write(sink) => closing,
            never = self.answer_probes() => match never {},
            closing = self.nobody_came() => Some(closing),
        };
        if let Some(Closing { code, reason }) = &closing {
            let reason = excerpt(reason, MAX_REASON);
            tracing::info!(link = self.link.0, code, %reason, "closing a socket");
        }
        closing
    }

    /// Reads until the other end closes or sends what cannot be answered.
    async fn read(&self, stream: &mut SplitStream<WebSocket>) -> Option<Closing> {
        while let Some(message) = stream.next().await {
            if self.listening.load(Ordering::Relaxed) {
                self.heard.notify_one();
            }
            let text = match message {
                Ok(Message::Text(text)) => text,
                Ok(Message::Binary(_)) => {
                    return Some(Closing::new(1003, "frames are text messages, not binary ones"));
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => continue,
                Ok(Message::Close(_)) => return None,
                Err(error) => return self.broken(error),
            };
            let event = match ClientFrame::decode(&text) {
                Ok(frame) => Event::Frame { link: self.link, frame },
                Err(error @ (DecodeError::NotJson(_) | DecodeError::TooDeep)) => {
                    return Some(Closing::new(1007, error.to_string()));
                }
                Err(error) => Event::Unreadable { link: self.link, error },
            };
            // Not kept while waiting.
            drop(text);
            for congested in self.inner.received(self.link, event) {
                self.paused.store(true, Ordering::Relaxed);
                congested.relieved().await;
                self.paused.store(false, Ordering::Relaxed);
            }
        }
        None
    }

    fn broken(&self, error: axum::Error) -> Option<Closing> {
        let error = error.into_inner();
        match error.downcast_ref::<tungstenite::Error>() {
            Some(tungstenite::Error::Capacity(_)) => {
                let bound = self.inner.limits.inbound_frame_bytes;
                Some(Closing::new(1009, format!("a frame may have {bound} bytes")))
            }
            Some(tungstenite::Error::Utf8(_)) => Some(Closing::new(1007, "a frame is not UTF-8")),
            _ => {
                tracing::debug!(link = self.link.0, %error, "a socket broke");
                None
            }
        }
    }

    /// Writes what waits, as the socket takes it.
    async fn write(&self, sink: &mut SplitSink<WebSocket, Message>) -> Option<Closing> {
        let mut writer = Writer { sink, stall: self.inner.limits.stall, unflushed: 0 };
        match self.write_all(&mut writer).await {
            Ok(never) => match never {},
            Err(Stop::Broken) => None,
            Err(Stop::Stalled(time)) => {
                Some(Closing::new(1013, format!("nothing was read for {} s", time.as_secs())))
            }
        }
    }

    async fn write_all(&self, writer: &mut Writer<'_>) -> Result<Infallible, Stop> {
        let mut batch = Vec::new();
        loop {
            let turn = match self.outbox.try_next(&mut batch) {
                Some(turn) => turn,
                // Several frames, one flush.
                None => {
                    writer.flush().await?;
                    self.outbox.next(&mut batch).await
                }
            };
            match turn {
                Turn::Ping => writer.put(Message::Ping(axum::body::Bytes::new()), 0).await?,
                Turn::Write => {}
            }
            for outbound in batch.drain(..) {
                let size = Size::of(&outbound);
                for text in outbound.texts() {
                    let bytes = text.len();
                    writer.put(Message::Text(text.into()), bytes).await?;
                }
                self.outbox.written(size);
            }
            batch.shrink_to(KEPT);
        }
    }

    /// Ends when no peer has come in in time; never, if one has.
    async fn nobody_came(&self) -> Closing {
        let limit = self.inner.limits.hello;
        sleep(limit).await;
        if self.inner.has_peers(self.link) {
            std::future::pending::<()>().await;
        }
        Closing::new(1008, format!("no peer said hello and was let in within {limit:?}"))
    }

    /// Pings when asked to, and reports whether anything came in soon after.
    async fn answer_probes(&self) -> Infallible {
        loop {
            self.outbox.probed().await;
            // Not what was heard too late the last time.
            let _ = poll_immediate(self.heard.notified()).await;
            self.listening.store(true, Ordering::Relaxed);
            self.outbox.ping();
            let heard = timeout(self.inner.limits.probe, self.heard.notified()).await.is_ok();
            self.listening.store(false, Ordering::Relaxed);
            // What it says may wait unread because we wait for others.
            let alive = heard || self.paused.load(Ordering::Relaxed);
            self.inner.dispatch(Event::Probed { link: self.link, alive });
        }
    }
}

/// Why writing ends.
enum Stop {
    /// The other end is gone.
    Broken,
    /// The other end took nothing for this long.
    Stalled(Duration),
}

struct Writer<'a> {
    sink: &'a mut SplitSink<WebSocket, Message>,
    stall: Duration,
    /// Bytes that the socket may not have taken yet.
    unflushed: usize,
}

impl Writer<'_> {
    async fn put(&mut self, message: Message, bytes: usize) -> Result<(), Stop> {
        in_time(self.stall, self.unflushed, self.sink.feed(message)).await?;
        self.unflushed += bytes;
        if self.unflushed >= UNIT_BYTES { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> Result<(), Stop> {
        in_time(self.stall, self.unflushed, self.sink.flush()).await?;
        self.unflushed = 0;
        Ok(())
    }
}

/// Has the socket take these bytes before it counts as stalled. What is
/// gathered is taken as a whole, so a large frame gets more time.
async fn in_time(
    stall: Duration,
    bytes: usize,
    taking: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), Stop> {
    let mut taking = pin!(taking);
    let taken = match poll_immediate(taking.as_mut()).await {
        Some(taken) => taken,
        None => {
            let times = u32::try_from(1 + bytes / LARGE_BYTES).unwrap_or(u32::MAX);
            let stall = stall.saturating_mul(times);
            timeout(stall, taking).await.map_err(|_| Stop::Stalled(stall))?
        }
    };
    taken.map_err(|_| Stop::Broken)
}

/// Says why, and gives the other end the time to read it: closing at once
/// while it still sends would throw the reason away on its side.
async fn goodbye(
    mut sink: SplitSink<WebSocket, Message>,
    mut stream: SplitStream<WebSocket>,
    closing: Closing,
) {
    let Closing { code, reason } = closing;
    let mut reason = reason.into_owned();
    // The bound of a control frame.
    reason.truncate(reason.floor_char_boundary(123));
    let frame = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    if !matches!(timeout(GOODBYE, sink.send(frame)).await, Ok(Ok(()))) {
        return;
    }
    let _ = timeout(GOODBYE, async {
        loop {
            match stream.next().await {
                Some(Ok(_)) => {}
                // It goes on sending what we do not read.
                Some(Err(_)) => sleep(GOODBYE).await,
                None => return,
            }
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::net::{TcpSocket, TcpStream};
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message as Told;

    use super::*;
    use crate::broker::{Broker, Effect, Login};
    use crate::{Config, Limits, Tokens, router};

    const CROWD: usize = 5_000;

    /// A broker with a crowd of peers, each with a method, on a link whose
    /// frames go nowhere.
    fn crowded(limits: Limits) -> Broker {
        let mut broker = Broker::new("n", "me", limits);
        let link = LinkId(0);
        let mut handle = |event| {
            broker.handle(event);
            while let Some(effect) = broker.next_effect() {
                if let Effect::Authenticate { hello, .. } = effect {
                    let outcome = Ok(Login::default());
                    broker.handle(Event::Authenticated { hello, outcome });
                }
            }
        };
        handle(Event::Opened { link, info: LinkInfo::in_process() });
        let description = "d".repeat(1_000);
        for number in 1..=CROWD {
            let id = format!("p-n-{number}");
            for frame in [
                json!({"type": "hello", "identity": {"application": "app", "instance": id}}),
                json!({"type": "register", "domain": "agm", "peer_id": id,
                       "methods": [{"id": 1, "name": "Method", "description": description}]}),
            ] {
                let frame = ClientFrame::decode(&frame.to_string()).unwrap();
                handle(Event::Frame { link, frame });
            }
        }
        broker.join_all_quietly();
        broker
    }

    async fn told(joiner: &mut WebSocketStream<TcpStream>) -> String {
        let message = timeout(Duration::from_secs(30), joiner.next()).await.unwrap();
        message.unwrap().unwrap().to_text().unwrap().to_owned()
    }

    #[tokio::test]
    async fn a_joiner_among_five_thousand_peers_gets_in_over_a_slow_socket() {
        let limits = Limits {
            // Far less than what a joiner is told.
            queued_bytes_per_peer: 100_000,
            queued_bytes_total: 1_000_000,
            stall: Duration::from_secs(2),
            ..Limits::default()
        };
        let config = Config { user: "me".into(), secret: None, limits: limits.clone() };
        let gateway = Gateway::around(crowded(limits), config, Tokens::new(&[7; 32]).unwrap());
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_send_buffer_size(32 * 1024).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(16).unwrap();
        let address = listener.local_addr().unwrap();
        let app = router(gateway.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });

        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(8 * 1024).unwrap();
        let stream = socket.connect(address).await.unwrap();
        let url = format!("ws://{address}/gw");
        let (mut joiner, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        joiner
            .send(Told::text(r#"{"type":"hello","identity":{"application":"late"}}"#))
            .await
            .unwrap();
        let welcome = told(&mut joiner).await;
        let welcome: Value = serde_json::from_str(&welcome).unwrap();
        let join = json!({"type": "join", "destination": "agm", "peer_id": welcome["peer_id"]});
        joiner.send(Told::text(join.to_string())).await.unwrap();
        let mut frames = 0_usize;
        let mut bytes = 0;
        loop {
            if frames % 1_000 == 999 {
                // Slow: it lets everything on the way fill up.
                sleep(Duration::from_millis(100)).await;
                assert!(gateway.stats().queued_bytes < 100_000, "it is not copied to the queue");
            }
            let text = told(&mut joiner).await;
            let frame: Value = serde_json::from_str(&text).unwrap();
            if frame["type"] == "success" {
                break;
            }
            // Each peer, and then its method.
            let (kind, key) = match frames % 2 {
                0 => ("peer-added", "new_peer_id"),
                _ => ("methods-added", "server_id"),
            };
            assert_eq!(frame["type"], kind);
            assert_eq!(frame[key], format!("p-n-{}", frames / 2 + 1));
            frames += 1;
            bytes += text.len();
        }
        assert_eq!(frames, 2 * CROWD);
        assert!(bytes > 50 * 100_000, "{bytes}");
    }
}
