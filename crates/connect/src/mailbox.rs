//! A bounded queue between the session and one reader.
//!
//! The session must never wait for a reader, so a full queue loses its oldest
//! entry, and the reader is told how many it lost.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The session's end.
#[derive(Debug)]
pub(crate) struct Outlet<T, E>(Arc<Mutex<Queue<T, E>>>);

/// The reader's end.
#[derive(Debug)]
pub(crate) struct Inlet<T, E>(Arc<Mutex<Queue<T, E>>>);

/// An entry, and how many before it were lost since the one read last.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Received<T> {
    pub(crate) entry: T,
    pub(crate) missed: u64,
}

#[derive(Debug)]
struct Queue<T, E> {
    entries: VecDeque<(T, usize)>,
    bytes: usize,
    missed: u64,
    ended: Option<E>,
    reader: Option<Waker>,
    most: usize,
    most_bytes: usize,
}

/// A queue of at most so many entries and bytes. It always takes one entry,
/// however large. `E` says why there will be no more.
pub(crate) fn mailbox<T, E>(most: usize, most_bytes: usize) -> (Outlet<T, E>, Inlet<T, E>) {
    let queue = Arc::new(Mutex::new(Queue {
        entries: VecDeque::new(),
        bytes: 0,
        missed: 0,
        ended: None,
        reader: None,
        most,
        most_bytes,
    }));
    (Outlet(Arc::clone(&queue)), Inlet(queue))
}

fn lock<T, E>(queue: &Mutex<Queue<T, E>>) -> MutexGuard<'_, Queue<T, E>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T, E> Outlet<T, E> {
    /// Adds an entry of so many bytes.
    pub(crate) fn push(&self, entry: T, bytes: usize) {
        let mut queue = lock(&self.0);
        if queue.ended.is_some() {
            return;
        }
        while queue.entries.len() >= queue.most || queue.bytes + bytes > queue.most_bytes {
            let Some((_, freed)) = queue.entries.pop_front() else { break };
            queue.bytes -= freed;
            queue.missed += 1;
        }
        queue.bytes += bytes;
        queue.entries.push_back((entry, bytes));
        let reader = queue.reader.take();
        drop(queue);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// No entry will follow. Those in the queue are still read.
    pub(crate) fn end(&self, why: E) {
        let mut queue = lock(&self.0);
        if queue.ended.is_none() {
            queue.ended = Some(why);
        }
        let reader = queue.reader.take();
        drop(queue);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl<T, E: Clone> Inlet<T, E> {
    /// The next entry, or `None` when none will follow.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Received<T>>> {
        let mut queue = lock(&self.0);
        if let Some((entry, bytes)) = queue.entries.pop_front() {
            queue.bytes -= bytes;
            let missed = std::mem::take(&mut queue.missed);
            return Poll::Ready(Some(Received { entry, missed }));
        }
        if queue.ended.is_some() {
            return Poll::Ready(None);
        }
        queue.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Why no entry will follow; `None` while some may.
    pub(crate) fn ended(&self) -> Option<E> {
        lock(&self.0).ended.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(inlet: &mut Inlet<u8, &'static str>) -> Vec<(u8, u64)> {
        let mut cx = Context::from_waker(Waker::noop());
        let mut all = Vec::new();
        while let Poll::Ready(Some(Received { entry, missed })) = inlet.poll(&mut cx) {
            all.push((entry, missed));
        }
        all
    }

    #[test]
    fn a_full_queue_loses_its_oldest_and_says_so() {
        let (outlet, mut inlet) = mailbox(3, 100);
        (0..5).for_each(|entry| outlet.push(entry, 1));
        assert_eq!(read(&mut inlet), [(2, 2), (3, 0), (4, 0)]);
        outlet.push(9, 1);
        assert_eq!(read(&mut inlet), [(9, 0)]);
    }

    #[test]
    fn bytes_count_too_and_one_entry_always_fits() {
        let (outlet, mut inlet) = mailbox(9, 10);
        for (entry, bytes) in [(0, 4), (1, 4), (2, 4), (3, 50)] {
            outlet.push(entry, bytes);
        }
        assert_eq!(read(&mut inlet), [(3, 3)]);
        outlet.push(4, 10);
        assert_eq!(read(&mut inlet), [(4, 0)]);
    }

    #[test]
    fn what_is_queued_is_read_before_the_end() {
        let (outlet, mut inlet) = mailbox(9, 10);
        outlet.push(1, 1);
        outlet.end("closed");
        outlet.end("again");
        outlet.push(2, 1);
        assert_eq!(read(&mut inlet), [(1, 0)]);
        assert_eq!(inlet.ended(), Some("closed"));
    }
}
