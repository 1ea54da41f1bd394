//! Offering methods of our own.

use std::sync::Arc;

use deskwire_wire::Method;
use tokio::sync::oneshot;

use crate::directory::MethodKey;
use crate::handler::Handler;
use crate::session::{RegistrationKey, Role};
use crate::shared::Shared;
use crate::{Client, RegisterError, RequestError};

/// A method of ours on the bus. Dropping it withdraws the method.
#[derive(Debug)]
#[must_use = "dropping the registration withdraws the method"]
pub struct Registration {
    shared: Arc<Shared>,
    key: RegistrationKey,
    name: String,
    kept: bool,
}

impl Client {
    /// Offers a method from now on, reconnects included. Returns when the
    /// gateway has taken it, which may be after the next connect.
    ///
    /// # Errors
    /// When the definition cannot be used or the gateway refuses it.
    pub async fn register(
        &self,
        method: Method,
        handler: impl Handler,
    ) -> Result<Registration, RegisterError> {
        self.offer(method, Role::Method(Arc::new(handler))).await
    }

    pub(crate) async fn offer(
        &self,
        method: Method,
        role: Role,
    ) -> Result<Registration, RegisterError> {
        let name = method.name.clone();
        let (reply, taken) = oneshot::channel();
        let key = self.shared().command(|session| session.register(method, role, reply)).await?;
        let shared = Arc::clone(self.shared());
        let registration = Registration { shared, key, name, kept: false };
        match taken.await.unwrap_or(Err(RequestError::Closed)) {
            Ok(()) => Ok(registration),
            Err(error) => Err(RegisterError::Request { name: registration.name.clone(), error }),
        }
    }
}

impl Registration {
    /// Name of the method.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the method is called by on the present connection, if there is one.
    #[must_use]
    pub fn method_key(&self) -> Option<MethodKey> {
        self.shared.with(|session| session.method_key(self.key))
    }

    /// Withdraws the method. Returns when the gateway has done so.
    ///
    /// # Errors
    /// When the gateway refuses; the method is gone from this client all the same.
    pub async fn unregister(mut self) -> Result<(), RegisterError> {
        self.kept = true;
        let (reply, done) = oneshot::channel();
        let key = self.key;
        self.shared.command(|session| session.unregister(key, Some(reply))).await;
        done.await
            .unwrap_or(Ok(()))
            .map_err(|error| RegisterError::Request { name: self.name.clone(), error })
    }

    /// Leaves the method on the bus until the client leaves it.
    pub fn keep(mut self) {
        self.kept = true;
    }

    pub(crate) fn key(&self) -> RegistrationKey {
        self.key
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if !self.kept {
            self.shared.with(|session| session.unregister(self.key, None));
        }
    }
}
