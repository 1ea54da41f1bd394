//! The platform's methods and streams on the bus, under the names that the
//! desktop's client libraries call.

pub(crate) mod acs;
pub(crate) mod apps_command;
pub(crate) mod channels;
pub(crate) mod frame;
pub(crate) mod layouts;
pub(crate) mod message;
pub(crate) mod news;
pub(crate) mod prefs;
pub(crate) mod save_context;
pub(crate) mod start;
pub(crate) mod stubs;
pub(crate) mod windows;
pub(crate) mod workspaces;

use deskwire_connect::{
    Call, CallFailure, Client, Handler, Publisher, RegisterError, Registration, StreamHandler,
};
use deskwire_wire::{Method, Payload};

/// What a method answers.
pub(crate) type Answer = Result<Payload, CallFailure>;

/// Registers the methods of the platform, and keeps them on the bus.
#[derive(Debug)]
pub(crate) struct Offer {
    bus: Client,
    registrations: Vec<Registration>,
}

impl Offer {
    pub(crate) fn new(bus: Client) -> Self {
        Self { bus, registrations: Vec::new() }
    }

    /// The bus.
    pub(crate) fn bus(&self) -> &Client {
        &self.bus
    }

    /// Offers a method.
    pub(crate) async fn method(
        &mut self,
        name: &str,
        handler: impl Handler,
    ) -> Result<(), RegisterError> {
        self.registrations.push(self.bus.register(named(name), handler).await?);
        Ok(())
    }

    /// Offers a method that answers from its arguments alone.
    pub(crate) async fn answer(
        &mut self,
        name: &str,
        answer: impl Fn(&Call) -> Answer + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        self.method(name, move |call: Call| std::future::ready(answer(&call))).await
    }

    /// Offers a stream.
    pub(crate) async fn stream(
        &mut self,
        name: &str,
        handler: impl StreamHandler,
    ) -> Result<Publisher, RegisterError> {
        self.bus.register_stream(named(name), handler).await
    }

    /// Withdraws the methods.
    pub(crate) async fn withdraw(self) {
        for registration in self.registrations {
            let name = registration.name().to_owned();
            if let Err(error) = registration.unregister().await {
                tracing::debug!(name, %error, "cannot withdraw a method");
            }
        }
    }
}

fn named(name: &str) -> Method {
    Method { name: name.to_owned(), ..Method::default() }
}
