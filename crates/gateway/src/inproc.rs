//! Links within the process: a pair of bounded channels.

use deskwire_wire::{ClientFrame, ServerFrame};
use tokio::sync::mpsc;

use crate::broker::{Event, LinkId, LinkInfo};
use crate::gateway::{Gateway, Inner};
use crate::outbox::{Outbox, Size};

impl Gateway {
    /// Opens an in-process link. Dropping either end closes it.
    ///
    /// Frames go in and come out in order, over channels of
    /// [`inproc_channel_frames`](crate::Limits::inproc_channel_frames) each.
    /// Whoever holds the receiver must go on taking, whatever else it waits for:
    /// sockets that feed the link are not read while too much waits for it.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn connect(&self) -> (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>) {
        let capacity = self.inner.limits.inproc_channel_frames.max(1);
        let (to_gateway, mut from_peer) = mpsc::channel(capacity);
        let (to_peer, from_gateway) = mpsc::channel(capacity);
        // While shutting down both ends are dropped: the link is closed at once.
        if let Some((link, outbox)) = self.inner.open(LinkInfo::in_process()) {
            let inner = self.inner.clone();
            self.inner.tasks.spawn(async move {
                tokio::select! {
                    () = inward(&inner, link, &mut from_peer) => {}
                    () = outward(&outbox, &to_peer) => {}
                    () = to_peer.closed() => {
                        // What was said before the end still counts.
                        while let Ok(frame) = from_peer.try_recv() {
                            inner.received(link, Event::Frame { link, frame });
                        }
                    }
                    closing = outbox.closed() => {
                        tracing::warn!(link = link.0, reason = %closing.reason, "closing an in-process link");
                    }
                }
                inner.closed(link);
            });
        }
        (to_gateway, from_gateway)
    }
}

/// Never waits for any queue, so that two in-process links cannot wait for
/// each other.
async fn inward(inner: &Inner, link: LinkId, frames: &mut mpsc::Receiver<ClientFrame>) {
    while let Some(frame) = frames.recv().await {
        inner.received(link, Event::Frame { link, frame });
    }
}

async fn outward(outbox: &Outbox, frames: &mpsc::Sender<ServerFrame>) {
    let mut batch = Vec::new();
    loop {
        // Nobody pings an in-process link: it is always alive.
        outbox.next(&mut batch).await;
        for outbound in batch.drain(..) {
            let size = Size::of(&outbound);
            for frame in outbound.frames() {
                if frames.send(frame).await.is_err() {
                    return;
                }
            }
            outbox.written(size);
        }
    }
}
