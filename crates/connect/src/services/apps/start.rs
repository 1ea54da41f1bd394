//! Starting an application, and what becomes of it.

use std::time::Duration;

use deskwire_wire::Payload;
use serde_json::{Map, Value, json};
use tokio::time::{Instant as Moment, sleep_until};

use super::super::lenient::text;
use super::super::platform::{self, ServiceError};
use super::EVENTS;
use super::events::{AppEvent, AppEvents};
use super::model::Instance;
use crate::{Client, Directory};

const START: &str = "T42.ACS.StartApplication";
/// How long a platform may take to start an application, which may mean to
/// load a page or a program.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// How to start an application.
#[derive(Debug, Clone)]
pub struct StartOptions {
    /// What the instance is started with, an object.
    pub context: Payload,
    /// Options of the platform, such as `top`, `left`, `width`, `height`, `channelId`.
    pub options: Map<String, Value>,
    /// How long the instance may take to be on the bus; not waited for where
    /// there is none.
    pub ready_within: Option<Duration>,
}

/// Why an application was not started, or not as it should be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// There is no application of this name.
    #[error("there is no application `{application}`{}", similar.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default())]
    AppNotFound {
        /// The name asked for.
        application: String,
        /// One whose name differs by case alone.
        similar: Option<String>,
    },
    /// It could not be started, or ended before it was on the bus.
    #[error("`{application}` could not be started: {reason}")]
    AppLaunchFailed {
        /// Its name.
        application: String,
        /// Why, in the words of the platform.
        reason: String,
    },
    /// It runs, and was not on the bus in time.
    #[error("`{application}` runs as {instance}, but did not join the bus within {after:?}")]
    AppTimeout {
        /// Its name.
        application: String,
        /// Its instance.
        instance: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The platform did not answer.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl Default for StartOptions {
    /// No context, no options, 15 s to be on the bus.
    fn default() -> Self {
        Self {
            context: Payload::empty_object(),
            options: Map::new(),
            ready_within: Some(Duration::from_secs(15)),
        }
    }
}

pub(super) async fn start(
    client: &Client,
    application: &str,
    options: StartOptions,
) -> Result<Instance, StartError> {
    let StartOptions { context, options, ready_within } = options;
    let question = json!({ "Name": application, "Context": context.value(), "Options": options });
    let mut launch = Launch::begin(client, application, question).await?;
    let Some(after) = ready_within else { return Ok(launch.into_instance()) };
    let id = launch.id.clone();
    let joined = |directory: &Directory| {
        let on_bus = |server: &_| is_instance(server, &id);
        directory.servers().any(|server| on_bus(server)).then_some(())
    };
    match launch.until(client, Moment::now() + after, joined).await {
        Ok(()) => Ok(launch.into_instance()),
        Err(Ended::TimedOut) => Err(StartError::AppTimeout {
            application: application.to_owned(),
            instance: launch.id,
            after,
        }),
        Err(Ended::Stopped { reason }) => {
            Err(StartError::AppLaunchFailed { application: application.to_owned(), reason })
        }
    }
}

fn is_instance(server: &crate::Server, id: &str) -> bool {
    server.identity.instance() == Some(id)
}

/// An instance that was started, and what is told of it.
pub(crate) struct Launch {
    pub(crate) id: String,
    application: String,
    /// Where the platform says if it ends; not every platform does.
    events: Option<AppEvents>,
}

/// Why a launched instance is not waited for any longer.
#[derive(Debug, PartialEq)]
pub(crate) enum Ended {
    /// The time is over.
    TimedOut,
    /// The instance has ended.
    Stopped {
        /// Why, in words.
        reason: String,
    },
}

impl Launch {
    /// Starts an application: `question` is what the platform is asked.
    pub(crate) async fn begin(
        client: &Client,
        application: &str,
        question: Value,
    ) -> Result<Self, StartError> {
        // Before it is started, so that nothing is missed.
        let events = match platform::offers(client, EVENTS) {
            true => client.apps().events().await.ok(),
            false => None,
        };
        let answer = match platform::ask(client, START, question, STARTS_WITHIN).await {
            Ok(answer) => answer.decoded(),
            Err(ServiceError::Refused { reason, .. }) => {
                return Err(refused(client, application, reason).await);
            }
            Err(error) => return Err(error.into()),
        };
        let id = text(&answer, &["Id", "id"]).ok_or_else(|| ServiceError::Answer {
            method: START.into(),
            expected: "the id of an instance",
        })?;
        Ok(Self { id, application: application.to_owned(), events })
    }

    pub(crate) fn into_instance(self) -> Instance {
        Instance::new(self.id, self.application)
    }

    /// Waits until the directory has what `found` looks for, the instance has
    /// ended, or the time is over.
    pub(crate) async fn until<T>(
        &mut self,
        client: &Client,
        deadline: Moment,
        mut found: impl FnMut(&Directory) -> Option<T>,
    ) -> Result<T, Ended> {
        let mut changes = client.directory_changes();
        loop {
            changes.mark_unchanged();
            if let Some(found) = found(&client.directory()) {
                return Ok(found);
            }
            tokio::select! {
                biased;
                changed = changes.changed() => if changed.is_err() {
                    return Err(Ended::Stopped { reason: "this client left the bus".into() });
                },
                reason = stopped(&mut self.events, &self.id) => {
                    return Err(Ended::Stopped { reason });
                }
                () = sleep_until(deadline) => return Err(Ended::TimedOut),
            }
        }
    }
}

/// Returns when the instance has ended, with the reason; never if nobody tells.
async fn stopped(events: &mut Option<AppEvents>, id: &str) -> String {
    if let Some(told) = events {
        while let Some(event) = told.next().await {
            match event {
                AppEvent::InstanceFailed { instance, reason } if instance.id == id => {
                    return reason.unwrap_or_else(|| "the platform gives no reason".into());
                }
                AppEvent::InstanceStopped(instance) if instance.id == id => {
                    return "it ended at once".into();
                }
                _ => {}
            }
        }
        *events = None;
    }
    std::future::pending().await
}

/// What a refusal means: is there no such application, or did something else go wrong?
async fn refused(client: &Client, application: &str, reason: String) -> StartError {
    let failed = |reason| StartError::AppLaunchFailed { application: application.into(), reason };
    let Ok(all) = client.apps().list().await else { return failed(reason) };
    if all.iter().any(|app| app.name == application) {
        return failed(reason);
    }
    let similar = all.into_iter().find(|app| app.name.eq_ignore_ascii_case(application));
    StartError::AppNotFound {
        application: application.into(),
        similar: similar.map(|app| app.name),
    }
}
