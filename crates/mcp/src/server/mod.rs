//! Clients of MCP: sessions, streams, standard input and output.

mod answered;
mod asking;
mod client;
mod flights;
mod handler;
mod held;
mod http;
mod lines;
mod lists;
mod message;
mod progress;
mod report;
mod sessions;
mod stdio;
mod watch;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use deskwire_connect::Client;
use rmcp::model::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

pub use self::http::{Doors, HttpOptions};
pub use sessions::SessionLimits;
pub use stdio::ServeError;

use crate::Config;
use crate::bus::BusSource;
use crate::dynamic::{DynamicSource, Settings};
use crate::observe::CallObserver;
use crate::profile::Profile;
use crate::questions::Steps;
use crate::static_tools::{IntentSource, StaticSource};
use crate::surface::{Found, Rules, Source, Surface, Withheld};
use crate::system::SystemSource;
use asking::Questions;
pub use watch::SurfaceChanges;
use watch::{Changes, Known, Moment, Surfaces};

/// How long a request waits for the surface to catch up with the bus.
const CATCH_UP: Duration = Duration::from_secs(1);
/// How long a call waits for what its tool goes by.
const READY_WAIT: Duration = Duration::from_secs(3);
/// How long calls may go on at shutdown, and how long what is cut off may take
/// to end.
const DRAIN: Duration = Duration::from_millis(1500);
const CLOSE: Duration = Duration::from_millis(1000);

/// An MCP server whose tools come from a bus. Clones are handles of the same
/// server.
#[derive(Clone)]
pub struct McpServer {
    inner: Arc<Inner>,
}

struct Inner {
    config: Config,
    info: ServerConfig,
    bus: Client,
    directory: tokio::sync::watch::Receiver<u64>,
    surfaces: Surfaces,
    /// Whether the first request has waited for the bus.
    joined: AtomicBool,
    listeners: Semaphore,
    /// What clients of 2026-07-28 are asked.
    questions: Questions,
    /// Calls, and answers on their way.
    work: TaskTracker,
    /// Clients on pipes.
    clients: TaskTracker,
    /// No more news; what is begun goes on.
    draining: CancellationToken,
    /// The end of everything.
    closing: CancellationToken,
}

impl McpServer {
    /// A server of the tools that applications register on `bus`. One that is
    /// idle is woken by the first request that needs to know what is there:
    /// a list, a call, a subscription to changes.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn new(bus: Client, config: Config) -> Self {
        Self::with_sources(bus, config, Vec::new())
    }

    /// The same, with more sources of tools.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn with_sources(bus: Client, config: Config, sources: Vec<Box<dyn Source>>) -> Self {
        let mut sources = sources;
        if let Some(system) = &config.system {
            sources.push(Box::new(SystemSource::new(&bus, system)));
        }
        sources.push(Box::new(BusSource::new(&bus, config.bus_address.clone())));
        sources.push(Box::new(StaticSource::new(
            bus.clone(),
            &config.static_tools,
            config.response_timeout,
            config.bus_address.clone(),
        )));
        sources.push(Box::new(IntentSource::new(bus.clone(), &config)));
        sources.push(Box::new(DynamicSource::new(
            bus.clone(),
            Settings {
                enabled: config.dynamic.enabled,
                guard: config.dynamic.guard.clone(),
                response_timeout: config.response_timeout,
            },
        )));
        report::about_name(&config.name);
        let closing = CancellationToken::new();
        let rules = Rules { server_name: config.name.clone(), limit: config.tool_limit };
        let surfaces = Surfaces::watch(&bus, sources, rules, config.debounce, closing.clone());
        let inner = Inner {
            info: handler::info(&config),
            directory: bus.directory_changes(),
            surfaces,
            joined: AtomicBool::new(false),
            listeners: Semaphore::new(config.max_listeners),
            questions: Questions::new(),
            work: TaskTracker::new(),
            clients: TaskTracker::new(),
            draining: CancellationToken::new(),
            closing,
            bus,
            config,
        };
        Self { inner: Arc::new(inner) }
    }

    /// The tools of this moment, and why others are not among them.
    #[must_use]
    pub fn surface(&self) -> Arc<Surface> {
        self.inner.surfaces.present().surface
    }

    /// Waits until the tools are as `condition` says.
    pub async fn surface_when(&self, mut condition: impl FnMut(&Surface) -> bool) -> Arc<Surface> {
        self.inner.surfaces.when(|moment| condition(&moment.surface)).await.surface
    }

    /// Changes of the tools, and of why others are not among them, from now on.
    #[must_use]
    pub fn surface_changes(&self) -> SurfaceChanges {
        self.inner.surfaces.all_changes()
    }

    /// Serves Streamable HTTP on `/`: sessions of 2024-11-05 to 2025-11-25, and
    /// single requests of 2026-07-28.
    ///
    /// Answers on streams are several small writes, so the listener must set
    /// `TCP_NODELAY`, or each costs a client some 40 ms.
    pub fn http(&self, options: HttpOptions) -> axum::Router {
        http::router(self, options)
    }

    /// Serves one client on standard input and output, until it closes the
    /// former; what it asked before that is still answered, within 3 s.
    /// Nothing else may write to standard output.
    ///
    /// A read of a terminal or a file cannot be called off: end the process
    /// with `Runtime::shutdown_background` or `exit` after [`McpServer::shutdown`].
    ///
    /// # Errors
    /// When the client begins no session, or serving it fails.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let (read, write) = rmcp::transport::stdio_pipes();
        self.serve(read, write).await
    }

    /// Serves one client on a pair of streams, one JSON-RPC message a line.
    ///
    /// # Errors
    /// As [`McpServer::serve_stdio`].
    pub async fn serve<R, W>(&self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        stdio::serve(self, read, write).await
    }

    /// Takes no more requests, ends the streams that wait for news, lets calls
    /// go on for a moment, then ends everything. Takes less than 3 s.
    pub async fn shutdown(&self) {
        let Inner { work, clients, draining, closing, .. } = &*self.inner;
        draining.cancel();
        work.close();
        clients.close();
        if timeout(DRAIN, work.wait()).await.is_err() {
            tracing::warn!(left = work.len(), "calls are given up at shutdown");
        }
        closing.cancel();
        let ended = async { tokio::join!(work.wait(), clients.wait()) };
        if timeout(CLOSE, ended).await.is_err() {
            tracing::warn!(left = work.len() + clients.len(), "clients do not take their answers");
        }
    }

    /// The surface of the bus as this process knows it now. The first request
    /// waits a moment for the bus to be joined.
    async fn present(&self) -> Moment {
        let inner = &self.inner;
        if inner.joined.load(Ordering::Acquire) {
            return self.caught_up().await;
        }
        if let Ok(Err(_refused)) = timeout(inner.config.join_wait, inner.bus.ready()).await {
            // The surface says why.
            let decided = inner.surfaces.when(|moment| !moment.joining);
            let _late = timeout(CATCH_UP, decided).await.is_err();
        }
        let moment = self.caught_up().await;
        if !inner.joined.swap(true, Ordering::AcqRel)
            && let Some(bus) = moment.surface.missing_bus()
        {
            let Withheld { reason, fix, .. } = bus;
            tracing::warn!(reason, fix, "tools of applications are missing");
        }
        moment
    }

    /// The surface of everything that the bus has told so far.
    async fn caught_up(&self) -> Moment {
        let inner = &self.inner;
        let directory = *inner.directory.borrow();
        let caught_up = |moment: &Moment| moment.directory.is_some_and(|it| it >= directory);
        let moment = inner.surfaces.present();
        if caught_up(&moment) {
            return moment;
        }
        timeout(CATCH_UP, inner.surfaces.when(caught_up)).await.unwrap_or(moment)
    }

    /// The surface in which the tool of this name has what it goes by, if that comes
    /// in a moment.
    async fn ready(&self, moment: Moment, profile: Profile, name: &str) -> Moment {
        let is_ready = |moment: &Moment| match moment.surface.find(profile, name) {
            Found::Tool(tool) => tool.steps().is_none_or(Steps::is_ready),
            _ => true,
        };
        if is_ready(&moment) {
            return moment;
        }
        timeout(READY_WAIT, self.inner.surfaces.when(is_ready)).await.unwrap_or(moment)
    }

    fn surfaces(&self) -> &Surfaces {
        &self.inner.surfaces
    }

    /// The changes a client of this profile is to be told from now on.
    fn changes(&self, profile: Profile, known: Known) -> Changes {
        self.inner.surfaces.changes(profile, known)
    }

    /// Joins the bus, if no request has had it joined yet.
    fn wake(&self) {
        self.inner.bus.wake();
    }

    fn info(&self) -> &ServerConfig {
        &self.inner.info
    }

    fn take_listener_place(&self) -> Option<SemaphorePermit<'_>> {
        self.inner.listeners.try_acquire().ok()
    }

    fn questions(&self) -> &Questions {
        &self.inner.questions
    }

    fn observer(&self) -> Option<&dyn CallObserver> {
        self.inner.config.observer.get()
    }

    /// Held while a call runs or an answer is on its way.
    fn working(&self) -> TaskTrackerToken {
        self.inner.work.token()
    }

    /// Held while a client on pipes is served.
    fn serving(&self) -> TaskTrackerToken {
        self.inner.clients.token()
    }

    fn is_draining(&self) -> bool {
        self.inner.draining.is_cancelled()
    }

    async fn draining(&self) {
        self.inner.draining.cancelled().await;
    }

    fn draining_token(&self) -> &CancellationToken {
        &self.inner.draining
    }

    fn closing_token(&self) -> CancellationToken {
        self.inner.closing.child_token()
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("name", &self.inner.config.name).finish_non_exhaustive()
    }
}
