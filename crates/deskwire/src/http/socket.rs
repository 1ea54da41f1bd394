//! A connection that lets its last words arrive.
//!
//! Whoever closes a socket with unread bytes in it resets the connection, and a
//! reset can overtake what was written just before: a client that sends too
//! much would see its connection break instead of the reason. So what is closed
//! early is first read to its end, for a moment.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

/// How long the rest of what a client sends is read after we closed.
const MOMENT: Duration = Duration::from_secs(1);

/// A TCP connection, and its place among those that may be open.
pub(super) struct Socket {
    /// Absent once dropped.
    stream: Option<TcpStream>,
    permit: Option<OwnedSemaphorePermit>,
    /// The client closed first, or the connection broke.
    ended: bool,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, permit: Option<OwnedSemaphorePermit>) -> Self {
        Self { stream: Some(stream), permit, ended: false }
    }

    fn poll<T>(
        &mut self,
        step: impl FnOnce(Pin<&mut TcpStream>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let Some(stream) = &mut self.stream else {
            return Poll::Ready(Err(io::ErrorKind::NotConnected.into()));
        };
        let polled = step(Pin::new(stream));
        self.ended |= matches!(polled, Poll::Ready(Err(_)));
        polled
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let (Some(stream), permit) = (self.stream.take(), self.permit.take()) else { return };
        // Without a runtime the process ends anyway.
        if let (false, Ok(runtime)) = (self.ended, tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                // It ends by itself in time, or is cut off; both are the end.
                let _ = tokio::time::timeout(MOMENT, read_out(stream)).await;
                drop(permit);
            });
        }
    }
}

async fn read_out(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut unread = [0; 16 * 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = self.poll(|stream| stream.poll_read(cx, buffer));
        self.ended |=
            polled.is_ready() && buffer.filled().len() == before && buffer.remaining() > 0;
        polled
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll(|stream| stream.poll_write(cx, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(|stream| stream.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(|stream| stream.poll_shutdown(cx))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll(|stream| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
