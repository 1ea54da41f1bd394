//! Streams that keep something until their end.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;

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
