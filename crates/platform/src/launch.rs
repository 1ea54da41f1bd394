//! Starts applications of every kind, by name, and ends what runs.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use deskwire_catalog::{Application, Kind};
use deskwire_wire::Payload;

use crate::apps::Apps;
use crate::instances::{
    Host, Instance, Instances, Start, StartError, StartOptions, StartedBy, StopError,
};
use crate::ports::Browser;

/// The definitions in force.
pub trait Definitions: Send + Sync + 'static {
    /// The one of this name.
    fn application(&self, name: &str) -> Option<Arc<Application>>;

    /// All of them.
    fn applications(&self) -> Vec<Arc<Application>>;
}

impl Definitions for Apps {
    fn application(&self, name: &str) -> Option<Arc<Application>> {
        self.catalog().application(name).cloned()
    }

    fn applications(&self) -> Vec<Arc<Application>> {
        self.catalog().applications().to_vec()
    }
}

/// Where window applications are shown.
#[async_trait]
pub trait WindowHost: Send + Sync + 'static {
    /// Makes a window for it. Gives the id of its instance.
    ///
    /// # Errors
    /// When no desk is open, or it cannot be shown.
    async fn show(&self, start: Start) -> Result<Arc<str>, StartError>;

    /// Closes the window of an instance that has ended, if it is there still.
    ///
    /// # Errors
    /// Why not, in words.
    async fn close(&self, instance: &Instance) -> Result<(), String>;

    /// Brings the window of an instance to the front.
    ///
    /// # Errors
    /// Why not, in words.
    async fn focus(&self, instance: &Instance) -> Result<(), String>;
}

/// Why an instance is not brought to the front.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FocusError {
    /// There is no such instance.
    #[error("there is no running instance `{instance}`")]
    NoInstance {
        /// The id that was asked for.
        instance: String,
    },
    /// It has no window that the desk shows.
    #[error(
        "instance {instance} of `{application}` is a program of its own; the desk shows no \
         window of it to bring to the front"
    )]
    NoWindow {
        /// Its id.
        instance: String,
        /// Its application.
        application: String,
    },
    /// The desk does not do it.
    #[error("`{application}` is not brought to the front: {reason}")]
    Refused {
        /// Its application.
        application: String,
        /// Why not.
        reason: String,
    },
}

/// Starts and ends instances of every kind. Clones are handles of the same.
#[derive(Clone)]
pub struct Launcher {
    instances: Instances,
    definitions: Arc<dyn Definitions>,
    windows: Arc<OnceLock<Arc<dyn WindowHost>>>,
    browser: Option<Arc<dyn Browser>>,
}

impl std::fmt::Debug for Launcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launcher").field("instances", &self.instances).finish_non_exhaustive()
    }
}

impl Launcher {
    /// Starts what `definitions` name. Until there is a host, no windows are shown.
    #[must_use]
    pub fn new(instances: Instances, definitions: Arc<dyn Definitions>) -> Self {
        Self { instances, definitions, windows: Arc::default(), browser: None }
    }

    /// Opens pages here while no desk is open.
    #[must_use]
    pub fn with_browser(self, browser: Option<Arc<dyn Browser>>) -> Self {
        Self { browser, ..self }
    }

    /// Windows are shown here from now on. Only the first host counts.
    pub fn show_windows_in(&self, host: Arc<dyn WindowHost>) {
        // A second host would be a fault of the wiring; the first one stays.
        let _second = self.windows.set(host);
    }

    /// The instances.
    #[must_use]
    pub const fn instances(&self) -> &Instances {
        &self.instances
    }

    /// The definitions.
    #[must_use]
    pub fn definitions(&self) -> &dyn Definitions {
        &*self.definitions
    }

    /// Starts an application. A process is waited for until it is on the bus, has
    /// failed, or has lived for a second; a window until it exists.
    ///
    /// # Errors
    /// Why it is not started.
    pub async fn start(
        &self,
        name: &str,
        context: Payload,
        options: StartOptions,
        by: StartedBy,
    ) -> Result<Arc<Instance>, StartError> {
        let Some(application) = self.definitions.application(name) else {
            return Err(StartError::NotFound { application: name.to_owned() });
        };
        let start = Start { application, context, options, by };
        let Some(browser) = self.browser.clone() else { return self.launch(start).await };
        match self.launch(start.clone()).await {
            Err(StartError::NoDesk { .. }) => self.instances.open_in_browser(start, browser).await,
            launched => launched,
        }
    }

    /// Starts what need not be among the definitions.
    pub(crate) async fn launch(&self, start: Start) -> Result<Arc<Instance>, StartError> {
        let name = start.application.name.clone();
        match &start.application.kind {
            Kind::Exe(_) | Kind::Node(_) => {
                let instance = self.instances.spawn(start).await?;
                self.instances.settled(instance).await
            }
            Kind::Window(_) => {
                // What is refused here has a name; from behind the desk come words.
                self.instances.check(&start)?;
                let Some(host) = self.windows.get() else {
                    return Err(StartError::NoDesk { application: name });
                };
                let id = host.show(start).await?;
                let gone = || StartError::NoInstance { instance: (&*id).into() };
                self.instances.get(&id).ok_or_else(gone)
            }
            kind @ (Kind::Workspaces | Kind::Other(_)) => Err(StartError::UnsupportedType {
                application: name,
                kind: kind.type_name().to_owned(),
            }),
        }
    }

    /// Ends an instance, and closes its window. Returns when both is done.
    ///
    /// # Errors
    /// When there is no such instance, it is none of ours, or cannot be killed.
    pub async fn stop(&self, id: &str) -> Result<(), StopError> {
        let instance = self.instances.get(id);
        self.instances.stop(id).await?;
        if let (Some(instance), Some(host)) = (instance, self.windows.get())
            && matches!(instance.host, Host::Window { .. })
            && let Err(reason) = host.close(&instance).await
        {
            // The instance has ended all the same.
            tracing::warn!(instance = id, reason, "the window of a stopped instance stays");
        }
        Ok(())
    }

    /// Brings an instance to the front.
    ///
    /// # Errors
    /// Why not.
    pub async fn focus(&self, id: &str) -> Result<(), FocusError> {
        let instance = self.instances.get(id).filter(|one| !one.state.is_over());
        let Some(instance) = instance else {
            return Err(FocusError::NoInstance { instance: id.to_owned() });
        };
        let application = instance.application.name.clone();
        match (&instance.host, self.windows.get()) {
            (Host::Window { .. }, Some(host)) => host
                .focus(&instance)
                .await
                .map_err(|reason| FocusError::Refused { application, reason }),
            _ => Err(FocusError::NoWindow { instance: id.to_owned(), application }),
        }
    }

    /// Starts the programs that are to be started with the desktop, and tells what is not
    /// in the log. Windows wait for a desk page.
    pub async fn start_with_desktop(&self) {
        let to_start = self.definitions.applications().into_iter().filter(|application| {
            application.auto_start && matches!(application.kind, Kind::Exe(_) | Kind::Node(_))
        });
        let starting = to_start.map(|application| self.start_by_itself(application));
        futures_util::future::join_all(starting).await;
    }

    /// Starts the windows that are to be started with the desktop, one beside the other,
    /// but for those that workspaces of before show again.
    pub(crate) async fn start_windows(&self, is_shown: impl Fn(&str) -> bool) {
        for application in self.definitions.applications() {
            let is_window = matches!(application.kind, Kind::Window(_));
            if application.auto_start && is_window && !is_shown(&application.name) {
                self.start_by_itself(application).await;
            }
        }
    }

    async fn start_by_itself(&self, application: Arc<Application>) {
        let start = Start {
            application,
            context: Payload::empty_object(),
            options: StartOptions::default(),
            by: StartedBy::the_desktop(),
        };
        if let Err(error) = self.launch(start).await {
            tracing::warn!(%error, "an application is not started with the desktop");
        }
    }
}
