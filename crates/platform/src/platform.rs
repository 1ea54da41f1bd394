//! The whole of it: what is started, in which order, and ended.

use std::sync::Arc;

use deskwire_catalog::{Catalog, Diagnostic};
use deskwire_connect::{Client, ContextError, Publisher, RegisterError, SubscriptionRequest};
use deskwire_store::{Store, StoreError};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::apps::{Apps, Registry};
use crate::channels::Channels;
use crate::config::Config;
use crate::instances::{Instances, Surroundings, WindowsOfWorkspaces};
use crate::launch::Launcher;
use crate::layouts::{Keeper, LayoutError, Layouts};
use crate::ports::InstanceTokens;
use crate::preferences::Preferences;
use crate::running::InstanceCommands;
use crate::serve::news::{self, Interested, Streams};
use crate::serve::{self, Offer};
use crate::sources::{SourceError, Sources};
use crate::workspaces::{Desk, Workspaces, WorkspacesStartError};

/// Why the platform does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A source that cannot be used as it is configured.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The saved layouts cannot be read.
    #[error(transparent)]
    Layouts(#[from] LayoutError),
    /// The bus does not take a method.
    #[error("a method of the platform cannot be offered: {0}")]
    Register(#[from] RegisterError),
    /// Workspaces cannot be served.
    #[error(transparent)]
    Workspaces(#[from] WorkspacesStartError),
    /// The bus does not take the channels.
    #[error("the channels cannot be made: {0}")]
    Channels(#[from] ContextError),
}

/// A platform at work. Clones are handles of the same.
#[derive(Clone, Debug)]
pub struct Platform {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    apps: Apps,
    layouts: Layouts,
    sources: Sources,
    launcher: Launcher,
    workspaces: Workspaces,
    stop: CancellationToken,
    tasks: TaskTracker,
    _silent: Vec<Publisher>,
    offer: std::sync::Mutex<Option<Offer>>,
}

impl Platform {
    /// Starts it as a peer of the bus. Returns when every file source has been read
    /// once and every method is on the bus; so it has to be started before others
    /// are let in.
    ///
    /// # Errors
    /// When a source cannot be used, the store cannot be read, or the bus refuses.
    pub async fn start(
        bus: Client,
        store: Store,
        tokens: Arc<dyn InstanceTokens>,
        config: Config,
    ) -> Result<Self, StartError> {
        let limits = config.limits.clone();
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let registry =
            Registry::new(config.sources.len(), config.app_stores.clone(), limits.clone());
        let apps = Apps::new(registry);
        let (keeper, layouts) = Keeper::new(store.layouts(), apps.clone(), &limits).await?;
        let sources = Sources::start(&config, &apps).await?;
        let instances = Instances::new(&bus, tokens, &config, Surroundings::of_this_process());
        let launcher = Launcher::new(instances, Arc::new(apps.clone()))
            .with_browser(config.system_browser.clone());
        let instances: Arc<dyn InstanceCommands> = Arc::new(launcher.clone());
        let preferences = Preferences::new(
            store.preferences(),
            &config.user,
            bus.clone(),
            limits.clone(),
            stop.clone(),
        );
        let channels = Channels::new(bus.clone(), limits.clone());
        let catalog = apps.catalog();
        channels.start(&config.channels, &catalog).await?;

        let windows =
            WindowsOfWorkspaces::new(launcher.instances().clone(), Arc::new(apps.clone()));
        let workspaces = Workspaces::start(
            bus.clone(),
            store.workspaces(),
            Arc::new(windows),
            Arc::new(layouts.clone()),
        )
        .await?;
        launcher.show_windows_in(Arc::new(workspaces.clone()));

        let mut offer = Offer::new(bus);
        let all = layouts.clone();
        let followed = move |request: SubscriptionRequest| {
            let all = all.clone();
            async move { all.subscribe(request).await }
        };
        let layout_events = offer.stream("T42.ACS.OnLayoutEvent", followed).await?;
        let (interested, requests) = mpsc::channel(limits.queued_requests);
        let streams = Streams {
            acs: offer.stream("T42.ACS.OnEvent", hand_on(&interested, Interested::Acs)).await?,
            apps: offer.stream("apps.event", hand_on(&interested, Interested::Apps)).await?,
        };
        let bytes = limits.event_bytes;
        let told = news::tell(apps.clone(), Arc::clone(&instances), streams, requests, bytes);
        let windows = serve::windows::offer(&mut offer, &launcher, limits.queued_requests).await?;
        for work in [
            windows,
            Box::pin(keeper.run(layout_events)),
            Box::pin(told),
            Box::pin(channels.clone().follow(apps.clone(), config.channels.clone(), catalog)),
        ] {
            let stop = stop.clone();
            tasks.spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = work => {}
                }
            });
        }
        tasks.close();

        serve::acs::offer(&mut offer, &apps, &instances, &config.user, &config.region).await?;
        serve::apps_command::offer(&mut offer, &apps, &instances).await?;
        serve::start::offer(&mut offer, &launcher).await?;
        serve::layouts::offer(&mut offer, &layouts, &instances, &limits).await?;
        serve::prefs::offer(&mut offer, &preferences).await?;
        serve::channels::offer(&mut offer, &channels).await?;
        let silent = serve::stubs::offer(&mut offer, &preferences).await?;
        let inner = Inner {
            apps,
            layouts,
            sources,
            launcher,
            workspaces,
            stop,
            tasks,
            _silent: silent,
            offer: std::sync::Mutex::new(Some(offer)),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Starts the applications that are started with the desktop. Call it once others
    /// are let in on the bus. Returns when each has been started, or has failed, which
    /// is told in the log. Windows are started when the first desk page is there.
    pub async fn start_applications(&self) {
        let (launcher, workspaces) = (self.inner.launcher.clone(), self.inner.workspaces.clone());
        let stop = self.inner.stop.clone();
        self.inner.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = start_windows(&launcher, &workspaces) => {}
            }
        });
        self.inner.launcher.start_with_desktop().await;
    }

    /// Ends it: the applications that it has started are ended, then its methods leave
    /// the bus, its sources are left alone.
    pub async fn stop(&self) {
        // First, so that windows which end with the platform stay in their workspaces.
        self.inner.workspaces.stop().await;
        self.inner.launcher.instances().stop_all().await;
        self.inner.stop.cancel();
        let taken = self.inner.offer.lock().map(|mut offer| offer.take());
        if let Ok(Some(offer)) = taken {
            offer.withdraw().await;
        }
        self.inner.sources.stop().await;
        self.inner.tasks.wait().await;
    }

    /// The definitions and layouts in force. Cheap; while nothing changes, records
    /// keep their `Arc`s.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        self.inner.apps.catalog()
    }

    /// A number that moves whenever [`Platform::catalog`] would differ.
    #[must_use]
    pub fn catalog_changes(&self) -> watch::Receiver<u64> {
        self.inner.apps.changes()
    }

    /// Everything that is not as it should be in the sources, and names that the
    /// in-memory store refused.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.catalog().diagnostics().to_vec()
    }

    /// The definitions, and those registered at run time.
    #[must_use]
    pub fn apps(&self) -> &Apps {
        &self.inner.apps
    }

    /// The running applications.
    #[must_use]
    pub fn instances(&self) -> &Instances {
        self.inner.launcher.instances()
    }

    /// What starts and ends applications.
    #[must_use]
    pub fn launcher(&self) -> &Launcher {
        &self.inner.launcher
    }

    /// The workspaces.
    #[must_use]
    pub fn workspaces(&self) -> &Workspaces {
        &self.inner.workspaces
    }

    /// The layouts.
    #[must_use]
    pub fn layouts(&self) -> &Layouts {
        &self.inner.layouts
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Starts what is to be started with the desktop and needs a page to show it.
async fn start_windows(launcher: &Launcher, workspaces: &Workspaces) {
    let mut changes = workspaces.changes();
    let has_page = |desk: &Arc<Desk>| desk.frames.values().any(|frame| frame.is_attached());
    let desk = match changes.wait_for(has_page).await {
        Ok(desk) => Arc::clone(&desk),
        // The workspaces have ended.
        Err(_) => return,
    };
    launcher.start_windows(|application| desk.has_window_of(application)).await;
}

fn hand_on(
    interested: &mpsc::Sender<Interested>,
    what: fn(SubscriptionRequest) -> Interested,
) -> impl Fn(SubscriptionRequest) -> futures_util::future::BoxFuture<'static, ()> + use<> {
    let interested = interested.clone();
    move |request| {
        let interested = interested.clone();
        Box::pin(async move {
            // A request that is dropped has been refused.
            let _stopping = interested.send(what(request)).await;
        })
    }
}
