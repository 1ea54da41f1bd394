//! Windows: instances whose pages some desk page loads, or has loaded before.

use std::sync::Arc;

use deskwire_catalog::Kind;

use super::browser::url_of;
use super::error::StartError;
use super::handle::Instances;
use super::model::InstanceId;
use super::start::{Secret, Start, WindowTicket};
use super::table::{Effect, Event, New};

impl Instances {
    /// Makes an instance for a window, whose page some desk page will load. Where that page
    /// runs already, `former` says as which instance, and has the token to prove it: the page
    /// stays that instance, and its token is good again. If it proves nothing, or the id is in
    /// use, the window gets an instance as if nothing had been said.
    ///
    /// # Errors
    /// When it may not be started, or gets no token.
    pub fn open_window(
        &self,
        start: Start,
        window: impl Into<Arc<str>>,
        former: Option<(InstanceId, Secret)>,
    ) -> Result<WindowTicket, StartError> {
        let application = Arc::clone(&start.application);
        let url = url_of(&application)?;
        if self.inner.place.is_own(url) {
            let reason = format!(
                "`{url}` is an address of this server itself, where a page could do all that the \
                 desk may; serve it under another host name or port"
            );
            return Err(StartError::Definition { application: application.name.clone(), reason });
        }
        let new = self.new_instance(start)?;
        let (id, token) = match former.and_then(|former| self.adopt(former, &application.name)) {
            Some(former) => former,
            None => (new.id.clone(), self.mint(&new.id, &application.name)?),
        };
        let new = New { id: id.clone(), ..new };
        self.inner.state().tickets.insert(id.clone(), token);
        let opened = self.inner.change(|table| match table.open(new, window.into()) {
            Ok((_, effects)) => (Ok(()), effects),
            // The token is that of whoever has the id.
            Err(error @ StartError::IdInUse { .. }) => (Err(error), Vec::new()),
            Err(error) => (Err(error), vec![Effect::Revoke(id.clone())]),
        });
        opened?;
        let gone = || StartError::NoInstance { instance: id.clone() };
        self.ticket(id.as_str()).ok_or_else(gone)
    }

    /// The ticket of a window that runs.
    #[must_use]
    pub fn ticket(&self, id: &str) -> Option<WindowTicket> {
        let state = self.inner.state();
        let instance = state.table.get(id)?;
        let Kind::Window(page) = &instance.application.kind else { return None };
        Some(WindowTicket {
            instance: instance.id.clone(),
            application: instance.application.name.clone(),
            url: page.url.as_ref().ok()?.clone(),
            gateway_url: self.inner.place.gateway_url.clone(),
            gateway_token: state.tickets.get(id)?.clone(),
            starting_context: instance.context.value().clone(),
            defined_at: instance.application.origin.to_string(),
        })
    }

    /// The page of a window did not load.
    pub fn window_failed(&self, id: &str, reason: &str) {
        self.inner.apply(Event::PageFailed { id: id.into(), reason: reason.to_owned() });
    }

    /// A window was closed.
    pub fn window_closed(&self, id: &str) {
        self.inner.apply(Event::WindowClosed { id: id.into() });
    }

    fn mint(&self, id: &InstanceId, application: &str) -> Result<Secret, StartError> {
        let minted = self.inner.tokens.mint(id.as_str(), application);
        minted.map(Secret::new).map_err(|error| StartError::token(application, &error))
    }

    /// The id and token of a page that lives on, if it may.
    fn adopt(
        &self,
        former: (InstanceId, Secret),
        application: &str,
    ) -> Option<(InstanceId, Secret)> {
        let (id, token) = &former;
        if self.inner.state().table.is_known(id.as_str()) {
            tracing::warn!(instance = %id, "a page that lives on is not adopted: its id is in use");
            return None;
        }
        match self.inner.tokens.adopt(token.reveal(), id.as_str(), application) {
            Ok(()) => Some(former),
            Err(error) => {
                tracing::warn!(%error, "a page that lives on is not adopted");
                None
            }
        }
    }
}
