//! Shared contexts: named objects that every peer may read, change and follow.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use deskwire_wire::{Delta, Document, Payload, PeerId};
use futures_util::Stream;
use tokio::sync::oneshot;

use crate::mailbox::{Inlet, Received, mailbox};
use crate::session::{ContextSubscriptionKey, Write};
use crate::shared::Shared;
use crate::{Client, ContextError, RequestError};

/// The shared contexts of the bus. See [`Client::contexts`].
#[derive(Debug, Clone, Copy)]
pub struct Contexts<'a> {
    shared: &'a Arc<Shared>,
}

/// A change of a context.
#[derive(Debug, Clone)]
pub struct ContextChange {
    /// All data, after the change.
    pub data: Arc<Document>,
    /// What changed. A [`Delta::Reset`] when it is not known in detail: at
    /// first, and after a reconnect.
    pub delta: Arc<Delta>,
    /// Who changed it, if a peer did.
    pub updater: Option<PeerId>,
    /// How many changes before this one were lost, because this subscription
    /// was not read and its queue was full. `data` is complete all the same.
    pub missed: u64,
}

/// Follows a context: a [`Stream`] of changes, the first of which is all of its
/// data. Dropping it stops following.
///
/// It survives a reconnect: the context is opened again, made anew if it is
/// gone, and a change follows if its data is another one. It ends when the
/// context is destroyed.
#[derive(Debug)]
pub struct ContextSubscription {
    shared: Arc<Shared>,
    name: String,
    key: ContextSubscriptionKey,
    changes: Inlet<ContextChange, ContextError>,
}

impl Client {
    /// The shared contexts of the bus.
    #[must_use]
    pub fn contexts(&self) -> Contexts<'_> {
        Contexts { shared: self.shared() }
    }
}

impl Contexts<'_> {
    /// The names of all contexts, sorted.
    #[must_use]
    pub fn all(self) -> Vec<String> {
        self.shared.with(|session| session.context_names())
    }

    /// The data of a context; `None` if there is none of this name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn get(self, name: &str) -> Result<Option<Arc<Document>>, ContextError> {
        let (reply, data) = oneshot::channel();
        self.shared.command(|session| session.context_get(name, reply)).await;
        data.await.unwrap_or_else(|_| Err(closed(name)))
    }

    /// Replaces all data of a context with `data`, an object. The context is
    /// created if there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn set(self, name: &str, data: Payload) -> Result<(), ContextError> {
        let data = Document::parse(&data);
        let data = data.map_err(|error| ContextError::Data { name: name.to_owned(), error })?;
        self.write(name, Write::Reset(data)).await
    }

    /// Sets the top-level keys of `changes`, an object; a key that is `null`
    /// there is removed. Values are replaced whole; what is so already is not
    /// sent. The context is created if there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn update(self, name: &str, changes: Payload) -> Result<(), ContextError> {
        let keys = changes.read("object of the keys to change");
        let keys = keys.map_err(|error| ContextError::Data { name: name.to_owned(), error })?;
        self.write(name, Write::Keys(keys)).await
    }

    /// Sets the value at a path of keys joined by `.`; `null` removes it.
    ///
    /// # Errors
    /// When it cannot be written, or the gateway cannot set by path.
    pub async fn set_path(
        self,
        name: &str,
        path: &str,
        value: Payload,
    ) -> Result<(), ContextError> {
        self.set_paths(name, [(path.to_owned(), value)]).await
    }

    /// As [`Contexts::set_path`] for several, in order, as one change.
    ///
    /// # Errors
    /// When it cannot be written, or the gateway cannot set by path.
    pub async fn set_paths(
        self,
        name: &str,
        values: impl IntoIterator<Item = (String, Payload)>,
    ) -> Result<(), ContextError> {
        self.write(name, Write::Paths(values.into_iter().collect())).await
    }

    /// Follows a context, which is created if there is none. Returns when its
    /// data is there.
    ///
    /// # Errors
    /// When it cannot be followed.
    pub async fn subscribe(self, name: &str) -> Result<ContextSubscription, ContextError> {
        let limits = self.shared.with(|session| session.limits().clone());
        let (outlet, changes) = mailbox(limits.queued_events, limits.queued_event_bytes);
        let (reply, there) = oneshot::channel();
        let key =
            self.shared.command(|session| session.context_subscribe(name, outlet, reply)).await;
        let shared = Arc::clone(self.shared);
        let subscription = ContextSubscription { shared, name: name.to_owned(), key, changes };
        there.await.unwrap_or_else(|_| Err(closed(name)))?;
        Ok(subscription)
    }

    /// Ends a context for everybody.
    ///
    /// # Errors
    /// When there is none, or it may not be.
    pub async fn destroy(self, name: &str) -> Result<(), ContextError> {
        let (reply, done) = oneshot::channel();
        self.shared.command(|session| session.context_destroy(name, reply)).await?;
        let result = done.await.unwrap_or(Err(RequestError::Closed));
        result.map_err(|error| ContextError::Request { name: name.to_owned(), error })
    }

    async fn write(self, name: &str, write: Write) -> Result<(), ContextError> {
        let (reply, done) = oneshot::channel();
        self.shared.command(|session| session.context_write(name, write, reply)).await;
        done.await.unwrap_or_else(|_| Err(closed(name)))
    }
}

impl ContextSubscription {
    /// Name of the context.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next change, or `None` when none will follow; then
    /// [`ContextSubscription::ended`] says why.
    pub async fn next(&mut self) -> Option<ContextChange> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    /// Why no change will follow; `None` while some may.
    #[must_use]
    pub fn ended(&self) -> Option<ContextError> {
        self.changes.ended()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<ContextChange>> {
        self.changes.poll(cx).map(|received| {
            received.map(|Received { entry, missed }| ContextChange { missed, ..entry })
        })
    }
}

impl Stream for ContextSubscription {
    type Item = ContextChange;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ContextChange>> {
        self.poll(cx)
    }
}

impl Drop for ContextSubscription {
    fn drop(&mut self) {
        self.shared.with(|session| session.context_unsubscribe(&self.name, self.key));
    }
}

fn closed(name: &str) -> ContextError {
    ContextError::Request { name: name.to_owned(), error: RequestError::Closed }
}
