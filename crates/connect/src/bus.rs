//! Topics: data for whoever subscribes to them, without servers or answers.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use deskwire_wire::{Identity, Payload};
use futures_util::Stream;
use tokio::sync::oneshot;

use crate::mailbox::{Inlet, Received, mailbox};
use crate::session::TopicKey;
use crate::shared::Shared;
use crate::{Client, RequestError};

/// The topics of the bus. See [`Client::topics`].
#[derive(Debug, Clone, Copy)]
pub struct Topics<'a> {
    shared: &'a Arc<Shared>,
}

/// What to publish, where, and to whom.
#[derive(Debug, Clone)]
pub struct Publication {
    /// The topic; segments are separated by `.`.
    pub topic: String,
    /// The data.
    pub data: Payload,
    /// Reaches subscribers with the same key, or without one; absent reaches all.
    pub routing_key: Option<String>,
    /// Reaches peers whose identity has these fields with these values; absent reaches all.
    pub target: Option<Identity>,
}

/// Data of a topic.
#[derive(Debug, Clone)]
pub struct TopicEvent {
    /// Who published it.
    pub publisher: Identity,
    /// What it published.
    pub data: Payload,
    /// How many events before this one were lost, because this subscription was
    /// not read and its queue was full.
    pub missed: u64,
}

/// An open topic subscription: a [`Stream`] of events. Dropping it
/// unsubscribes. It survives a reconnect; events in between are lost.
#[derive(Debug)]
pub struct TopicSubscription {
    shared: Arc<Shared>,
    key: TopicKey,
    events: Inlet<TopicEvent, RequestError>,
}

impl Publication {
    /// Data for all subscribers of a topic.
    #[must_use]
    pub fn new(topic: impl Into<String>, data: Payload) -> Self {
        Self { topic: topic.into(), data, routing_key: None, target: None }
    }
}

impl Client {
    /// The topics of the bus. The domain is joined when it is used first.
    #[must_use]
    pub fn topics(&self) -> Topics<'_> {
        Topics { shared: self.shared() }
    }
}

impl Topics<'_> {
    /// Publishes data. Returns when it is on its way; nobody confirms it.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub async fn publish(self, publication: Publication) -> Result<(), RequestError> {
        self.join().await?;
        self.shared.command(|session| session.publish_topic(publication)).await
    }

    /// Subscribes to the topics of a pattern: `*` is one segment, `>` the rest.
    /// With a routing key, what was published with another one does not come.
    ///
    /// # Errors
    /// When the gateway does not offer topics, or refuses.
    pub async fn subscribe(
        self,
        pattern: &str,
        routing_key: Option<&str>,
    ) -> Result<TopicSubscription, RequestError> {
        self.join().await?;
        let limits = self.shared.with(|session| session.limits().clone());
        let (outlet, events) = mailbox(limits.queued_events, limits.queued_event_bytes);
        let (reply, open) = oneshot::channel();
        let (pattern, routing_key) = (pattern.to_owned(), routing_key.map(str::to_owned));
        let subscribing = self
            .shared
            .command(|session| session.subscribe_topic(pattern, routing_key, outlet, reply));
        let key = subscribing.await;
        let subscription = TopicSubscription { shared: Arc::clone(self.shared), key, events };
        open.await.unwrap_or(Err(RequestError::Closed))?;
        Ok(subscription)
    }

    async fn join(self) -> Result<(), RequestError> {
        let (reply, joined) = oneshot::channel();
        self.shared.command(|session| session.join_bus(reply)).await;
        joined.await.unwrap_or(Err(RequestError::Closed))
    }
}

impl TopicSubscription {
    /// The next event, or `None` when none will follow; then
    /// [`TopicSubscription::ended`] says why.
    pub async fn next(&mut self) -> Option<TopicEvent> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    /// Why no event will follow; `None` while some may.
    #[must_use]
    pub fn ended(&self) -> Option<RequestError> {
        self.events.ended()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<TopicEvent>> {
        self.events.poll(cx).map(|received| {
            received.map(|Received { entry, missed }| TopicEvent { missed, ..entry })
        })
    }
}

impl Stream for TopicSubscription {
    type Item = TopicEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<TopicEvent>> {
        self.poll(cx)
    }
}

impl Drop for TopicSubscription {
    fn drop(&mut self) {
        self.shared.with(|session| session.unsubscribe_topic(self.key));
    }
}
