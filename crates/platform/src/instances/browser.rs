//! Pages in the browser of the system, where no desk is open to show them.
//!
//! A tab gets no ticket: nothing that is ours shows it, so there is nobody to hand it a
//! token and its starting context. So it is not on the bus as its instance, is ready as
//! soon as the browser has the address, and cannot be closed, focused or heard of.
//! Stopping it ends what is known of it here.

use std::sync::Arc;

use deskwire_catalog::{Application, Kind};
use url::Url;

use super::error::StartError;
use super::handle::Instances;
use super::model::Instance;
use super::start::Start;
use crate::ports::Browser;

impl Instances {
    /// Opens the page of a window application in the system's browser.
    ///
    /// # Errors
    /// When it may not be started, or the browser does not take it.
    pub(crate) async fn open_in_browser(
        &self,
        start: Start,
        browser: Arc<dyn Browser>,
    ) -> Result<Arc<Instance>, StartError> {
        let url = url_of(&start.application)?.clone();
        let application = start.application.name.clone();
        let new = self.new_instance(start)?;
        let opened = tokio::task::spawn_blocking(move || browser.open(&url)).await;
        if let Err(reason) = opened.unwrap_or_else(|error| Err(error.to_string())) {
            return Err(StartError::NoBrowser { application, reason });
        }
        self.inner.change(|table| match table.hand_over(new) {
            Ok((instance, effects)) => (Ok(instance), effects),
            Err(error) => (Err(error), Vec::new()),
        })
    }
}

/// Where the page of a window application is.
pub(super) fn url_of(application: &Application) -> Result<&Url, StartError> {
    let Kind::Window(page) = &application.kind else {
        return Err(StartError::UnsupportedType {
            application: application.name.clone(),
            kind: application.kind.type_name().to_owned(),
        });
    };
    page.url.as_ref().map_err(|fault| StartError::Definition {
        application: application.name.clone(),
        reason: fault.to_string(),
    })
}
