//! Intents: what is to be done, without saying by whom.
//!
//! On this bus they are raised in the client: a handler that runs is a method
//! named `Tick42.FDC3.Intents.<intent>`, others are applications that are
//! defined to handle the intent and are started for it. Who could handle an
//! intent ([`handlers`](mod@handlers)) and who of them is meant
//! ([`choice`](mod@choice)) is decided without I/O; [`raise`](mod@raise) does it.

mod choice;
mod error;
mod handlers;
mod raise;
mod register;
mod resolver;

#[cfg(test)]
mod tests;

pub use choice::{IntentTarget, Prefer};
pub use error::RaiseError;
pub use handlers::{HandlerFilter, HandlerPlace, Intent, IntentHandler, handlers, method_name};
pub use raise::{Raise, Raised, WhenSeveral};
pub use register::IntentListener;
pub use resolver::{PlatformResolver, Question, Resolution, Resolver, ResolverError};

use super::ServiceError;
use super::apps::AppIntents;
use crate::{Client, Handler, RegisterError, Registration};

/// The intents of the desktop. See [`Client::intents`].
#[derive(Debug, Clone, Copy)]
pub struct Intents<'a> {
    client: &'a Client,
}

impl Client {
    /// The intents of the desktop.
    #[must_use]
    pub fn intents(&self) -> Intents<'_> {
        Intents { client: self }
    }
}

impl Intents<'_> {
    /// The intents with a handler that the filter admits, running or by
    /// definition, in the order of their names; handlers that are started
    /// first, then those that run. Without a platform these are the running ones.
    ///
    /// # Errors
    /// When there is a platform and it does not answer.
    pub async fn find(self, filter: &HandlerFilter) -> Result<Vec<Intent>, ServiceError> {
        let declared = self.declared().await?;
        let all = handlers(&self.client.directory(), &declared);
        Ok(handlers::by_intent(all.into_iter().filter(|handler| filter.admits(handler))))
    }

    /// Raises an intent, and returns what its handler returned.
    ///
    /// # Errors
    /// When nobody handles it, or whoever was chosen does not.
    pub async fn raise(self, raise: Raise) -> Result<Raised, RaiseError> {
        raise::raise(self.client, raise).await
    }

    /// Handles an intent from now on, reconnects included. `handler` gets the
    /// context as the arguments of the call.
    ///
    /// # Errors
    /// When the gateway refuses.
    pub async fn register(
        self,
        listener: IntentListener,
        handler: impl Handler,
    ) -> Result<Registration, RegisterError> {
        self.client.register(listener.into_method(), handler).await
    }

    /// What applications are defined to handle; nothing without a platform.
    async fn declared(self) -> Result<Vec<AppIntents>, ServiceError> {
        let apps = self.client.apps();
        if apps.available() { apps.intents().await } else { Ok(Vec::new()) }
    }
}
