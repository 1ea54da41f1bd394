//! The writing end of a stream.

use std::sync::Arc;

use deskwire_wire::{Identity, Method, Payload, PeerId};
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::register::Registration;
use crate::session::{InterestKey, Role, Route};
use crate::shared::Shared;
use crate::{Client, RegisterError, RequestError};

/// Somebody who subscribes, as the session knows it.
#[derive(Debug, Clone)]
pub(crate) struct Interest {
    pub(crate) stream: Arc<str>,
    pub(crate) arguments: Payload,
    pub(crate) caller: PeerId,
    pub(crate) caller_identity: Option<Identity>,
    pub(crate) gone: CancellationToken,
}

/// Decides on the subscribers of one stream.
///
/// Every `async Fn(SubscriptionRequest)` is one. It should return once it has
/// decided: the number of handlers that run at once is bounded. A handler that
/// returns or panics without a decision has refused.
pub trait StreamHandler: Send + Sync + 'static {
    /// Decides on one subscriber.
    fn decide(&self, request: SubscriptionRequest) -> BoxFuture<'static, ()>;
}

impl<F, A> StreamHandler for F
where
    F: Fn(SubscriptionRequest) -> A + Send + Sync + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    fn decide(&self, request: SubscriptionRequest) -> BoxFuture<'static, ()> {
        Box::pin(self(request))
    }
}

/// Somebody wants to subscribe.
#[derive(Debug)]
pub struct SubscriptionRequest {
    subscriber: Subscriber,
    decided: bool,
}

/// A subscriber of a stream of ours.
#[derive(Debug, Clone)]
pub struct Subscriber {
    shared: Arc<Shared>,
    key: InterestKey,
    interest: Interest,
    branch: String,
}

/// A stream of ours on the bus. Dropping it ends the stream.
#[derive(Debug)]
#[must_use = "dropping the publisher ends the stream"]
pub struct Publisher {
    registration: Registration,
}

impl Client {
    /// Offers a stream from now on, reconnects included; subscribers of a lost
    /// connection have to subscribe again. Returns when the gateway has taken
    /// it, which may be after the next connect.
    ///
    /// # Errors
    /// When the definition cannot be used or the gateway refuses it.
    pub async fn register_stream(
        &self,
        mut method: Method,
        handler: impl StreamHandler,
    ) -> Result<Publisher, RegisterError> {
        method.flags.streaming = true;
        let registration = self.offer(method, Role::Stream(Arc::new(handler))).await?;
        Ok(Publisher { registration })
    }
}

impl SubscriptionRequest {
    pub(crate) fn new(shared: Arc<Shared>, key: InterestKey, interest: Interest) -> Self {
        let subscriber = Subscriber { shared, key, interest, branch: String::new() };
        Self { subscriber, decided: false }
    }

    /// Arguments by name; `{}` when the subscriber gave none.
    #[must_use]
    pub fn arguments(&self) -> &Payload {
        self.subscriber.arguments()
    }

    /// The peer that wants to subscribe.
    #[must_use]
    pub fn caller(&self) -> &PeerId {
        self.subscriber.caller()
    }

    /// Who it is, if it is in the directory.
    #[must_use]
    pub fn caller_identity(&self) -> Option<&Identity> {
        self.subscriber.caller_identity()
    }

    /// Accepts, on the branch that is called `""`. `None` when the subscriber
    /// has left meanwhile.
    pub async fn accept(self) -> Option<Subscriber> {
        self.accept_on("").await
    }

    /// Accepts on a branch. `None` when the subscriber has left meanwhile.
    pub async fn accept_on(mut self, branch: &str) -> Option<Subscriber> {
        self.decided = true;
        branch.clone_into(&mut self.subscriber.branch);
        let key = self.subscriber.key;
        let accepted = self.subscriber.shared.command(|session| session.accept(key, branch)).await;
        accepted.then(|| self.subscriber.clone())
    }

    /// Refuses, in these words.
    pub async fn reject(mut self, reason: impl Into<String>) {
        self.decided = true;
        let (key, reason) = (self.subscriber.key, reason.into());
        self.subscriber.shared.command(|session| session.reject(key, reason)).await;
    }
}

impl Drop for SubscriptionRequest {
    fn drop(&mut self) {
        if !self.decided {
            let reason = "the publisher did not decide".to_owned();
            let key = self.subscriber.key;
            self.subscriber.shared.with(|session| session.reject(key, reason));
        }
    }
}

impl Subscriber {
    /// The arguments it subscribed with.
    #[must_use]
    pub fn arguments(&self) -> &Payload {
        &self.interest.arguments
    }

    /// Its peer.
    #[must_use]
    pub fn caller(&self) -> &PeerId {
        &self.interest.caller
    }

    /// Who it is, if it was in the directory when it asked.
    #[must_use]
    pub fn caller_identity(&self) -> Option<&Identity> {
        self.interest.caller_identity.as_ref()
    }

    /// The branch it was accepted on.
    #[must_use]
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// Sends data to this subscriber alone. One that has left gets nothing.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub async fn push(&self, data: Payload) -> Result<(), RequestError> {
        self.shared.command(|session| session.push_one(self.key, data)).await
    }

    /// Ends its subscription, in these words.
    pub async fn close(&self, reason: impl Into<String>) {
        let (key, reason) = (self.key, reason.into());
        self.shared.command(|session| session.drop_subscriber(key, reason)).await;
    }

    /// Returns when it has left, for whatever reason.
    pub async fn left(&self) {
        self.interest.gone.cancelled().await;
    }

    /// Whether it has left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.interest.gone.is_cancelled()
    }
}

impl Publisher {
    /// Sends data to every subscriber.
    ///
    /// # Errors
    /// When it cannot be sent. That nobody subscribes is no error.
    pub async fn push(&self, data: Payload) -> Result<(), RequestError> {
        self.push_by(&Route::All, &data).await
    }

    /// Sends data to the subscribers on one branch.
    ///
    /// # Errors
    /// When it cannot be sent. That nobody is on the branch is no error.
    pub async fn push_to(&self, branch: &str, data: Payload) -> Result<(), RequestError> {
        self.push_by(&Route::Branch(branch.to_owned()), &data).await
    }

    /// The accepted subscribers, in the order they asked.
    #[must_use]
    pub fn subscribers(&self) -> Vec<Subscriber> {
        let shared = self.registration.shared();
        let all = shared.with(|session| session.subscribers(self.registration.key()));
        all.into_iter()
            .map(|(key, interest, branch)| Subscriber {
                shared: Arc::clone(shared),
                key,
                interest,
                branch,
            })
            .collect()
    }

    /// The registration of the stream's method.
    pub fn registration(&self) -> &Registration {
        &self.registration
    }

    /// Ends the stream for everybody. Returns when the gateway has done so.
    ///
    /// # Errors
    /// When the gateway refuses; the stream is gone from this client all the same.
    pub async fn close(self) -> Result<(), RegisterError> {
        self.registration.unregister().await
    }

    /// Leaves the stream on the bus until the client leaves it; its subscribers
    /// can then only be reached one by one.
    pub fn keep(self) {
        self.registration.keep();
    }

    async fn push_by(&self, route: &Route, data: &Payload) -> Result<(), RequestError> {
        let key = self.registration.key();
        self.registration.shared().command(|session| session.push(key, route, data)).await
    }
}
