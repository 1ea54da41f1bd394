//! Streams that let others know when they end.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// A stream that keeps a guard until its end.
pub(super) struct Held<S, G> {
    stream: Pin<Box<S>>,
    guard: Option<G>,
}

impl<S, G> Held<S, G> {
    pub(super) fn new(stream: S, guard: G) -> Self {
        Self { stream: Box::pin(stream), guard: Some(guard) }
    }
}

impl<S: Stream, G: Unpin> Stream for Held<S, G> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let item = ready!(self.stream.as_mut().poll_next(cx));
        if item.is_none() {
            self.guard = None;
        }
        Poll::Ready(item)
    }
}

/// A reader that says when there is no more to read.
pub(super) struct UntilEnd<R> {
    reader: R,
    ended: CancellationToken,
}

impl<R> UntilEnd<R> {
    pub(super) fn new(reader: R, ended: CancellationToken) -> Self {
        Self { reader, ended }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.reader).poll_read(cx, buffer));
        if read.is_err() || (buffer.filled().len() == before && buffer.remaining() > 0) {
            self.ended.cancel();
        }
        Poll::Ready(read)
    }
}
