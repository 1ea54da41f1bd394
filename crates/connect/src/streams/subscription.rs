//! The reading end of a stream.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use deskwire_wire::Payload;
use futures_util::Stream;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::directory::Server;
use crate::mailbox::{Inlet, Received, mailbox};
use crate::session::{SubscriptionKey, Wish};
use crate::shared::Shared;
use crate::target::Target;
use crate::{Client, RequestError, SubscribeError};

/// How to subscribe.
#[derive(Debug, Clone)]
pub struct SubscribeOptions {
    /// Which publishers.
    pub target: Target,
    /// How long publishers may take to decide. Those that have not are left
    /// out; if none has accepted, the subscription fails.
    pub decision_timeout: Duration,
    /// How long to wait for a publisher when there is none yet.
    pub wait_for_stream: Duration,
}

impl Default for SubscribeOptions {
    /// The best publisher, 10 s for its decision, no wait for it to appear.
    fn default() -> Self {
        Self {
            target: Target::Best,
            decision_timeout: Duration::from_secs(10),
            wait_for_stream: Duration::ZERO,
        }
    }
}

/// Data of a stream.
#[derive(Debug, Clone)]
pub struct StreamEvent {
    /// The publisher.
    pub server: Arc<Server>,
    /// What it published.
    pub data: Payload,
    /// Whether it was sent to this subscriber alone.
    pub out_of_band: bool,
    /// How many events before this one were lost, because this subscription was
    /// not read and its queue was full.
    pub missed: u64,
}

/// An open subscription: a [`Stream`] of events. Dropping it unsubscribes.
///
/// It survives a reconnect of this client: publishers that match its target are
/// subscribed again as they come back. Events in between are not replayed, and
/// a publisher that sends a snapshot to newcomers does so again. It ends when
/// the last publisher has ended it or left.
#[derive(Debug)]
pub struct Subscription {
    shared: Arc<Shared>,
    key: SubscriptionKey,
    events: Inlet<StreamEvent, SubscribeError>,
}

impl Client {
    /// Subscribes to a stream by name.
    ///
    /// # Errors
    /// When there is no publisher, or none accepts in time.
    pub async fn subscribe(
        &self,
        name: &str,
        arguments: Payload,
        options: SubscribeOptions,
    ) -> Result<Subscription, SubscribeError> {
        let SubscribeOptions { target, decision_timeout, wait_for_stream } = options;
        // What it finds is looked up again under the lock that subscribes.
        self.wait_for_servers(name, &target, Some(true), wait_for_stream).await;
        let shared = self.shared();
        let limits = shared.with(|session| session.limits().clone());
        let (outlet, events) = mailbox(limits.queued_events, limits.queued_event_bytes);
        let (reply, decided) = oneshot::channel();
        let wish = Wish { name: name.to_owned(), target, arguments, outlet, reply };
        let key = shared.command(|session| session.subscribe(wish)).await?;
        let subscription = Subscription { shared: Arc::clone(shared), key, events };
        match timeout(decision_timeout, decided).await {
            Ok(decision) => decision.unwrap_or(Err(RequestError::Closed.into()))?,
            Err(_) => {
                if !shared.with(|session| session.settle_subscription(key)) {
                    let after = decision_timeout;
                    return Err(SubscribeError::TimedOut { name: name.to_owned(), after });
                }
            }
        }
        Ok(subscription)
    }
}

impl Subscription {
    /// The next event, or `None` when none will follow; then
    /// [`Subscription::ended`] says why.
    pub async fn next(&mut self) -> Option<StreamEvent> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    /// Why no event will follow; `None` while some may.
    #[must_use]
    pub fn ended(&self) -> Option<SubscribeError> {
        self.events.ended()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        self.events.poll(cx).map(|received| {
            received.map(|Received { entry, missed }| StreamEvent { missed, ..entry })
        })
    }
}

impl Stream for Subscription {
    type Item = StreamEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        self.poll(cx)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.shared.with(|session| session.unsubscribe(self.key));
    }
}
