//! Applications of the desktop: what is defined, what runs, starting and
//! stopping.

mod events;
mod follow;
mod model;
mod start;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

pub use events::{AppEvent, AppEvents};
pub use follow::Declared;
pub use model::{AppIntents, Application, DeclaredIntent, Instance};
pub(crate) use start::{Ended, Launch};
pub use start::{StartError, StartOptions};

use super::ServiceError;
use super::lenient::list;
use super::platform::{self, ANSWERS_WITHIN};
use crate::Client;

pub(crate) const GET: &str = "T42.ACS.GetApplications";
const EVENTS: &str = "T42.ACS.OnEvent";
const STOP: &str = "T42.ACS.StopApplication";
const COMMAND: &str = "apps.command";
/// How long the stream of events may take to say what there is.
const SNAPSHOT_WITHIN: Duration = Duration::from_secs(5);

/// The applications of the desktop. See [`Client::apps`].
#[derive(Debug, Clone, Copy)]
pub struct Apps<'a> {
    client: &'a Client,
}

impl Client {
    /// The applications of the desktop.
    #[must_use]
    pub fn apps(&self) -> Apps<'_> {
        Apps { client: self }
    }
}

impl<'a> Apps<'a> {
    /// Whether a platform on the bus knows applications.
    #[must_use]
    pub fn available(self) -> bool {
        platform::offers(self.client, GET)
    }

    /// The applications that are defined, in the order of the platform.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn list(self) -> Result<Vec<Application>, ServiceError> {
        let answer = self.get(json!({ "skipIcon": true })).await?;
        Ok(list(answer.get("applications")).filter_map(Application::read).collect())
    }

    /// Whole definitions: those of these names, which exist, or all.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn definitions(self, names: Option<&[&str]>) -> Result<Vec<Value>, ServiceError> {
        let wanted = names.map_or_else(|| json!({}), |names| json!({ "apps": names }));
        let answer = self.get(json!({ "v2": wanted })).await?;
        Ok(list(answer.get("applications")).cloned().collect())
    }

    /// The intents that applications are defined to handle; applications
    /// without any are left out.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn intents(self) -> Result<Vec<AppIntents>, ServiceError> {
        let answer = self.get(json!({ "withIntentsInfo": true })).await?;
        Ok(list(answer.get("applications")).filter_map(AppIntents::read).collect())
    }

    /// The instances that run.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn instances(self) -> Result<Vec<Instance>, ServiceError> {
        if platform::offers(self.client, COMMAND) {
            let question = json!({ "command": "get-instances", "args": {} });
            let answer = platform::ask(self.client, COMMAND, question, ANSWERS_WITHIN).await?;
            let answer = answer.decoded();
            return Ok(list(answer.get("instances")).filter_map(Instance::read).collect());
        }
        // Older platforms tell of instances on the stream alone.
        let mut events = self.events().await?;
        let snapshot = timeout(SNAPSHOT_WITHIN, events.next_all()).await;
        let snapshot = snapshot.map_err(|_| ServiceError::TimedOut {
            method: EVENTS.into(),
            after: SNAPSHOT_WITHIN,
        })?;
        let started = snapshot.into_iter().flatten().filter_map(|event| match event {
            AppEvent::InstanceStarted(instance) => Some(instance),
            _ => None,
        });
        Ok(started.collect())
    }

    /// What there is, as `…Added` and `InstanceStarted`, and what changes from
    /// then on.
    ///
    /// # Errors
    /// When the platform does not tell.
    pub async fn events(self) -> Result<AppEvents, ServiceError> {
        let subscription =
            platform::follow(self.client, EVENTS, json!({ "skipIcon": true })).await?;
        Ok(AppEvents::new(subscription))
    }

    /// Starts an application, and waits until the instance is on the bus if
    /// the options say so.
    ///
    /// # Errors
    /// When it is not started, or not on the bus in time. In the latter case it runs.
    pub async fn start(
        self,
        application: &str,
        options: StartOptions,
    ) -> Result<Instance, StartError> {
        start::start(self.client, application, options).await
    }

    /// Stops an instance.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn stop(self, instance: &Instance) -> Result<(), ServiceError> {
        let question = json!({ "Name": instance.application, "Id": instance.id });
        platform::ask(self.client, STOP, question, ANSWERS_WITHIN).await?;
        Ok(())
    }

    async fn get(self, question: Value) -> Result<Value, ServiceError> {
        let answer = platform::ask(self.client, GET, question, ANSWERS_WITHIN).await?;
        Ok(answer.decoded())
    }
}
