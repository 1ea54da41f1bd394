//! JSON-RPC over a pair of streams, one message a line.
//!
//! The library has such a transport, too. This one answers what is no message
//! as HTTP does, and takes a last line that has no end.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{Sink, SinkExt, StreamExt};
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, GetExtensions, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, FramedRead, FramedWrite, LinesCodec, LinesCodecError};

use super::flights::{Flight, Flights, Taken};
use super::lists::{self, Gap};
use super::message::{self, Refusal};

/// Longest line in bytes.
const MAX_LINE: usize = 16 * 1024 * 1024;
/// How long a client may take to read a refusal before it is not listened to any
/// more. Nothing else is read meanwhile, the end of its input included.
const REFUSAL_WAIT: Duration = Duration::from_secs(10);
/// Some editors write it at the beginning of what they pipe.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

type Writer<W> = FramedWrite<W, LinesCodec>;

/// One client.
pub(super) struct Lines<R, W> {
    reader: FramedRead<R, LineDecoder>,
    /// Absent once closed.
    writer: Arc<Mutex<Option<Writer<W>>>>,
    refusing: Refusing,
    flights: Flights,
    /// Requests whose answer is to come.
    unanswered: Arc<Unanswered>,
}

#[derive(Default)]
struct Unanswered(std::sync::Mutex<HashMap<RequestId, Open>>);

/// A request whose answer is to come.
struct Open {
    #[expect(dead_code, reason = "kept for its end")]
    flight: Flight,
    /// Where the text of a list goes into the answer.
    gap: Gap,
}

impl Unanswered {
    fn requests(&self) -> MutexGuard<'_, HashMap<RequestId, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn gap(&self, id: &RequestId) -> Option<Gap> {
        self.requests().get(id).map(|open| open.gap.clone())
    }
}

/// An answer that this side gives by itself. Receiving is given up and begun
/// again at any point, so it is kept how far that answer has come.
enum Refusing {
    Nothing,
    Queued(String),
    Unflushed,
}

impl<R: AsyncRead, W: AsyncWrite> Lines<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        let writer = FramedWrite::new(writer, LinesCodec::new());
        Self {
            reader: FramedRead::new(reader, LineDecoder::new(MAX_LINE)),
            writer: Arc::new(Mutex::new(Some(writer))),
            refusing: Refusing::Nothing,
            flights: Flights::default(),
            unanswered: Arc::default(),
        }
    }

    /// Lets a message in, unless its id is in use.
    fn admit(&self, message: &mut RxJsonRpcMessage<RoleServer>) -> Result<(), Refusal> {
        let refused =
            |taken: Taken| Refusal::invalid(&taken, Some(taken.0.clone().into_json_value()));
        let flight = self.flights.begin(message).map_err(refused)?;
        match message {
            JsonRpcMessage::Request(request) => {
                let gap = Gap::default();
                request.request.extensions_mut().insert(gap.place());
                let open = flight.map(|flight| (request.id.clone(), Open { flight, gap }));
                self.unanswered.requests().extend(open);
            }
            JsonRpcMessage::Notification(notification) => {
                // Cancelled requests are not answered.
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.unanswered.requests().remove(id);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    async fn next(&mut self) -> io::Result<Option<RxJsonRpcMessage<RoleServer>>> {
        loop {
            timeout(REFUSAL_WAIT, self.refuse()).await??;
            let refusal = match self.reader.next().await.transpose()? {
                None => return Ok(None),
                Some(Line::Whole(line)) => match message::read(&line) {
                    Ok(mut message) => match self.admit(&mut message) {
                        Ok(()) => return Ok(Some(message)),
                        Err(refusal) => Some(refusal),
                    },
                    Err(refusal) => refusal,
                },
                Some(Line::TooLong) => {
                    let why = format_args!("the message is longer than {MAX_LINE} bytes");
                    Some(Refusal::invalid(why, None))
                }
            };
            match refusal {
                Some(refusal) => self.refusing = Refusing::Queued(refusal.to_json().to_string()),
                None => tracing::debug!("a notification cannot be read"),
            }
        }
    }

    /// Sends the refusal there may be.
    async fn refuse(&mut self) -> io::Result<()> {
        if matches!(self.refusing, Refusing::Nothing) {
            return Ok(());
        }
        let mut writer = self.writer.lock().await;
        let writer = writer.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        if let Refusing::Queued(line) = &mut self.refusing {
            std::future::poll_fn(|cx| {
                Sink::<&str>::poll_ready(Pin::new(&mut *writer), cx).map_err(io_error)
            })
            .await?;
            Pin::new(&mut *writer).start_send(line.as_str()).map_err(io_error)?;
            self.refusing = Refusing::Unflushed;
        }
        SinkExt::<&str>::flush(writer).await.map_err(io_error)?;
        self.refusing = Refusing::Nothing;
        Ok(())
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (writer, unanswered) = (Arc::clone(&self.writer), Arc::clone(&self.unanswered));
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(&response.id),
                JsonRpcMessage::Error(error) => error.id.as_ref(),
                _ => None,
            };
            let line = serde_json::to_string(&message)?;
            let line = match answered.and_then(|id| unanswered.gap(id)) {
                Some(gap) => gap.line(line),
                // Cancelled meanwhile.
                None if lists::lacks_text(&message) => return Ok(()),
                None => line,
            };
            let mut writer = writer.lock().await;
            let writer = writer.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            writer.send(line).await.map_err(io_error)?;
            answered.and_then(|id| unanswered.requests().remove(id));
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.next().await.unwrap_or_else(|error| {
            tracing::debug!(%error, "the client broke off");
            None
        })
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.take();
        Ok(())
    }
}

fn io_error(error: LinesCodecError) -> io::Error {
    match error {
        LinesCodecError::Io(error) => error,
        LinesCodecError::MaxLineLengthExceeded => io::ErrorKind::InvalidData.into(),
    }
}

/// Something between two line ends.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// Not empty.
    Whole(BytesMut),
    /// Longer than allowed; it was not kept.
    TooLong,
}

/// Lines up to a length, and the last one also without its end. Lines need not
/// be UTF-8.
struct LineDecoder {
    limit: usize,
    /// Bytes of the buffer that hold no line end.
    searched: usize,
    /// The rest of a line that is too long.
    skipping: bool,
}

impl LineDecoder {
    fn new(limit: usize) -> Self {
        Self { limit, searched: 0, skipping: false }
    }

    fn whole(&self, mut line: BytesMut) -> Option<Line> {
        if line.len() > self.limit {
            return Some(Line::TooLong);
        }
        if line.ends_with(b"\r") {
            line.truncate(line.len() - 1);
        }
        if line.starts_with(BYTE_ORDER_MARK) {
            line.advance(BYTE_ORDER_MARK.len());
        }
        (!line.is_empty()).then_some(Line::Whole(line))
    }
}

impl Decoder for LineDecoder {
    type Item = Line;
    type Error = io::Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Line>> {
        loop {
            let unseen = buffer.get(self.searched..).unwrap_or_default();
            if let Some(at) = unseen.iter().position(|byte| *byte == b'\n') {
                let line = buffer.split_to(self.searched + at);
                buffer.advance(1);
                self.searched = 0;
                if !std::mem::take(&mut self.skipping)
                    && let Some(line) = self.whole(line)
                {
                    return Ok(Some(line));
                }
            } else if self.skipping || buffer.len() > self.limit {
                buffer.clear();
                self.searched = 0;
                let known = std::mem::replace(&mut self.skipping, true);
                return Ok((!known).then_some(Line::TooLong));
            } else {
                self.searched = buffer.len();
                return Ok(None);
            }
        }
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Line>> {
        if let Some(line) = self.decode(buffer)? {
            return Ok(Some(line));
        }
        self.searched = 0;
        let rest = buffer.split();
        Ok(self.whole(rest))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// What the decoder makes of pieces that come one by one.
    fn lines(pieces: &[&str]) -> Vec<String> {
        let mut decoder = LineDecoder::new(8);
        let mut buffer = BytesMut::new();
        let mut lines = Vec::new();
        let mut push = |line| match line {
            Line::Whole(line) => lines.push(String::from_utf8(line.to_vec()).unwrap()),
            Line::TooLong => lines.push("(too long)".into()),
        };
        for piece in pieces {
            buffer.extend_from_slice(piece.as_bytes());
            while let Some(line) = decoder.decode(&mut buffer).unwrap() {
                push(line);
            }
        }
        while let Some(line) = decoder.decode_eof(&mut buffer).unwrap() {
            push(line);
        }
        lines
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_no_refusal_is_not_listened_to() {
        let (mut client, server) = tokio::io::duplex(64);
        let (reader, writer) = tokio::io::split(server);
        let mut lines = Lines::new(reader, writer);
        let talking = tokio::spawn(async move {
            // Ends when the other side hangs up, which is what is waited for.
            while client.write_all(b"nonsense\n").await.is_ok() {}
        });
        assert!(lines.receive().await.is_none());
        drop(lines);
        talking.await.unwrap();
    }

    #[test]
    fn lines_are_taken_apart_however_they_come() {
        for (pieces, expected) in [
            (vec![], vec![]),
            (vec!["ab\ncd\r\n"], vec!["ab", "cd"]),
            (vec!["a", "b", "\n", "\n\r\n"], vec!["ab"]),
            (vec!["ab\ncd"], vec!["ab", "cd"]),
            (vec!["\u{feff}ab\n"], vec!["ab"]),
            (vec!["12345678\n"], vec!["12345678"]),
            (vec!["123456789\nab\n"], vec!["(too long)", "ab"]),
            (vec!["12345", "67890", "12345", "67890\nab"], vec!["(too long)", "ab"]),
            (vec!["1234567890"], vec!["(too long)"]),
        ] {
            assert_eq!(lines(&pieces), expected, "{pieces:?}");
        }
    }
}
