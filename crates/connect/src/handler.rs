//! The side of an application that is called.

use std::sync::Arc;

use deskwire_wire::{Identity, Payload, PeerId};
use futures_util::future::BoxFuture;

/// An invocation to be answered.
#[derive(Debug, Clone)]
pub struct Call {
    /// Name of the method, as it was registered.
    pub method: Arc<str>,
    /// Arguments by name; `{}` when the caller gave none.
    pub arguments: Payload,
    /// Arguments by position, from callers that use them.
    pub positional: Option<Payload>,
    /// The caller.
    pub caller: PeerId,
    /// Who the caller is, if it is in the directory.
    pub caller_identity: Option<Identity>,
}

/// A handler's refusal, sent to the caller in these words.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// The reason, for people.
    pub reason: String,
    /// Anything more, for programs.
    pub context: Option<Payload>,
}

/// Answers the invocations of one method.
///
/// Every `async Fn(Call) -> Result<Payload, CallFailure>` is one. Invocations
/// run concurrently, up to a bound; a handler that panics fails its invocation
/// and nothing else. Results reach JavaScript callers as those expect them: an
/// object as it is, `null` as `{}`, anything else `x` as `{"_value": x}`.
///
/// A handler that holds a [`Client`](crate::Client) keeps that client's session
/// alive until the client is closed or the method unregistered.
pub trait Handler: Send + Sync + 'static {
    /// Answers one invocation.
    fn call(&self, call: Call) -> BoxFuture<'static, Result<Payload, CallFailure>>;
}

impl<F, A> Handler for F
where
    F: Fn(Call) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Payload, CallFailure>> + Send + 'static,
{
    fn call(&self, call: Call) -> BoxFuture<'static, Result<Payload, CallFailure>> {
        Box::pin(self(call))
    }
}

impl CallFailure {
    /// A failure with this reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), context: None }
    }
}

impl<T: std::fmt::Display> From<T> for CallFailure {
    fn from(reason: T) -> Self {
        Self::new(reason.to_string())
    }
}
