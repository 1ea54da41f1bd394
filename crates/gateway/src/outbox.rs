//! What waits for one link.
//!
//! The broker's side pushes and never waits; the link's side takes. A link that
//! lets too much pile up is told to close, and what waits for it is dropped.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::account::{Account, Held};
use crate::outbound::Outbound;

/// Why and how a link is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The WebSocket close code.
    pub(crate) code: u16,
    /// For people.
    pub(crate) reason: Cow<'static, str>,
}

impl Closing {
    pub(crate) fn new(code: u16, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { code, reason: reason.into() }
    }
}

#[derive(Debug)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    bound: usize,
    high_water: usize,
    /// Something waits, or a ping is asked for.
    ready: Notify,
    /// The load fell to half the high-water mark, or the link is to close.
    relieved: Notify,
    /// A sign of life is asked for.
    probe: Notify,
    closed: CancellationToken,
}

#[derive(Debug)]
struct Queue {
    waiting: VecDeque<Outbound>,
    /// Bytes of text of all that waits or is being written.
    weight: usize,
    /// Of each snapshot among that, oldest first.
    snapshots: VecDeque<usize>,
    /// Bytes of memory of the same, on the account of all links.
    held: Held,
    ping: bool,
    closing: Option<Closing>,
}

/// What one thing that waits takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    weight: usize,
    footprint: usize,
    snapshot: bool,
}

impl Size {
    pub(crate) fn of(outbound: &Outbound) -> Self {
        Self {
            weight: outbound.weight(),
            footprint: outbound.footprint(),
            snapshot: matches!(outbound, Outbound::Snapshot(_)),
        }
    }
}

/// What the link is to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Write the batch, and report each part of it as written.
    Write,
    /// Send a ping.
    Ping,
}

/// At most about this many bytes are taken at once: what is taken cannot be
/// dropped any more when the link is to close.
const TAKE_BYTES: usize = 256 * 1024;

/// Places of a queue that are kept when it is empty: a link that is idle after a
/// crowd has come should not go on paying for it.
pub(crate) const KEPT: usize = 16;

impl Outbox {
    /// A link that may have `bound` bytes waiting, and whose feeders should
    /// pause above `high_water`.
    pub(crate) fn new(bound: usize, high_water: usize, waiting: &Arc<Account>) -> Self {
        let queue = Queue {
            waiting: VecDeque::new(),
            weight: 0,
            snapshots: VecDeque::new(),
            held: waiting.hold_anyway(0),
            ping: false,
            closing: None,
        };
        Self {
            queue: Mutex::new(queue),
            bound,
            high_water,
            ready: Notify::new(),
            relieved: Notify::new(),
            probe: Notify::new(),
            closed: CancellationToken::new(),
        }
    }

    /// Queues something; closes the link if that is too much. Returns whether
    /// whoever feeds the link should pause.
    pub(crate) fn push(&self, outbound: Outbound) -> bool {
        let size = Size::of(&outbound);
        let mut queue = self.lock();
        if queue.closing.is_some() {
            return false;
        }
        let idle = queue.waiting.is_empty();
        queue.waiting.push_back(outbound);
        queue.add(size);
        let load = queue.load();
        drop(queue);
        if load > self.bound {
            let reason = format!("more than {} bytes wait to be read", self.bound);
            self.close(Closing::new(1013, reason));
        } else if idle {
            self.ready.notify_one();
        }
        load > self.high_water
    }

    /// Has the link say goodbye, and drops what waits. The first reason counts.
    pub(crate) fn close(&self, closing: Closing) {
        let mut queue = self.lock();
        if queue.closing.is_some() {
            return;
        }
        queue.closing = Some(closing);
        let dropped = std::mem::take(&mut queue.waiting);
        queue.held.set(0);
        drop(queue);
        // Not under the lock: there may be much of it.
        drop(dropped);
        self.closed.cancel();
        self.relieved.notify_waiters();
    }

    /// Waits until the link is to close.
    pub(crate) async fn closed(&self) -> Closing {
        self.closed.cancelled().await;
        let closing = self.lock().closing.clone();
        closing.unwrap_or_else(|| Closing::new(1000, ""))
    }

    /// Waits for something to do.
    pub(crate) async fn next(&self, batch: &mut Vec<Outbound>) -> Turn {
        loop {
            if let Some(turn) = self.try_next(batch) {
                return turn;
            }
            self.ready.notified().await;
        }
    }

    /// As [`Outbox::next`], if there is something to do just now.
    pub(crate) fn try_next(&self, batch: &mut Vec<Outbound>) -> Option<Turn> {
        let mut queue = self.lock();
        if std::mem::take(&mut queue.ping) {
            return Some(Turn::Ping);
        }
        let mut bytes = 0;
        while bytes < TAKE_BYTES
            && let Some(outbound) = queue.waiting.pop_front()
        {
            bytes += outbound.weight();
            batch.push(outbound);
        }
        if queue.waiting.is_empty() {
            queue.waiting.shrink_to(KEPT);
        }
        (!batch.is_empty()).then_some(Turn::Write)
    }

    /// Something was written.
    pub(crate) fn written(&self, size: Size) {
        let mut queue = self.lock();
        if queue.closing.is_some() {
            return;
        }
        let before = queue.load();
        queue.subtract(size);
        let mark = self.high_water / 2;
        let relieved = before > mark && queue.load() <= mark;
        drop(queue);
        if relieved {
            self.relieved.notify_waiters();
        }
    }

    /// Waits until whoever feeds the link may go on.
    pub(crate) async fn relieved(&self) {
        loop {
            let relieved = self.relieved.notified();
            tokio::pin!(relieved);
            // From here on nothing is missed.
            relieved.as_mut().enable();
            {
                let queue = self.lock();
                if queue.closing.is_some() || queue.load() <= self.high_water / 2 {
                    return;
                }
            }
            relieved.await;
        }
    }

    /// Asks for a sign of life.
    pub(crate) fn probe(&self) {
        self.probe.notify_one();
    }

    /// Waits until a sign of life is asked for.
    pub(crate) async fn probed(&self) {
        self.probe.notified().await;
    }

    /// Has the link send a ping.
    pub(crate) fn ping(&self) {
        self.lock().ping = true;
        self.ready.notify_one();
    }

    /// Bytes of text that wait.
    pub(crate) fn weight(&self) -> usize {
        let queue = self.lock();
        if queue.closing.is_some() { 0 } else { queue.weight }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn add(&mut self, Size { weight, footprint, snapshot }: Size) {
        self.weight += weight;
        self.held.set(self.held.bytes() + footprint);
        if snapshot {
            self.snapshots.push_back(weight);
        }
    }

    fn subtract(&mut self, Size { weight, footprint, snapshot }: Size) {
        self.weight = self.weight.saturating_sub(weight);
        self.held.set(self.held.bytes().saturating_sub(footprint));
        if snapshot {
            self.snapshots.pop_front();
        }
    }

    /// What counts against the bounds. A newcomer is told of all that is there,
    /// however much that is, at its own pace; so the largest snapshot is free.
    fn load(&self) -> usize {
        self.weight.saturating_sub(self.snapshots.iter().max().copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use deskwire_wire::{ServerFrame, ServerMessage};

    use super::*;

    fn frame(bytes: usize) -> Outbound {
        let message = ServerMessage::Token { token: "x".repeat(bytes) };
        ServerFrame { domain: None, request_id: None, peer_id: None, message }.into()
    }

    fn outbox(bound: usize, high_water: usize) -> (Outbox, Arc<Account>) {
        let waiting = Account::new(usize::MAX);
        (Outbox::new(bound, high_water, &waiting), waiting)
    }

    #[tokio::test]
    async fn what_waits_is_counted_until_it_is_written() {
        let (outbox, waiting) = outbox(10_000, 10_000);
        outbox.push(frame(1_000));
        outbox.push(frame(2_000));
        assert!(waiting.used() > 3_000);
        let mut batch = Vec::new();
        assert_eq!(outbox.next(&mut batch).await, Turn::Write);
        assert_eq!(batch.len(), 2);
        assert!(outbox.weight() > 3_000, "taken is not yet written");
        for outbound in batch {
            outbox.written(Size::of(&outbound));
        }
        assert_eq!((outbox.weight(), waiting.used()), (0, 0));
    }

    #[tokio::test]
    async fn too_much_closes_and_drops_it() {
        let (outbox, waiting) = outbox(10_000, usize::MAX);
        for _ in 0..20 {
            outbox.push(frame(1_000));
        }
        let closing = outbox.closed().await;
        assert_eq!(closing, Closing::new(1013, "more than 10000 bytes wait to be read"));
        assert_eq!(waiting.used(), 0);
        outbox.close(Closing::new(1000, "later"));
        assert_eq!(outbox.closed().await.code, 1013);
    }

    #[tokio::test]
    async fn feeders_pause_above_the_mark_and_go_on_below_half_of_it() {
        let (outbox, _) = outbox(usize::MAX, 3_000);
        let pauses: Vec<bool> = (0..4).map(|_| outbox.push(frame(1_000))).collect();
        assert_eq!(pauses, [false, false, true, true]);
        let mut batch = Vec::new();
        outbox.next(&mut batch).await;
        let mut relieved = tokio_test_poll(outbox.relieved());
        assert!(!relieved.poll());
        for outbound in batch.drain(..3) {
            outbox.written(Size::of(&outbound));
        }
        assert!(relieved.poll());
    }

    /// Polls a future by hand.
    fn tokio_test_poll<F: Future>(future: F) -> Polled<F> {
        Polled(Box::pin(future))
    }

    struct Polled<F>(std::pin::Pin<Box<F>>);

    impl<F: Future> Polled<F> {
        fn poll(&mut self) -> bool {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            self.0.as_mut().poll(&mut context).is_ready()
        }
    }
}
