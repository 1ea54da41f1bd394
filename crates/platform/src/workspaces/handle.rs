//! The handle of workspaces.

use std::sync::Arc;

use deskwire_connect::wire::PeerId;
use deskwire_connect::{Client, RegisterError, SubscriptionRequest};
use deskwire_layout::Object;
use deskwire_store::{OpenWorkspaces, StoreError};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};

use super::actor::{Actor, Completion, Job, Request};
use super::core::{Moment, Turn};
use super::ids::{FrameId, InstanceRef, WindowId, WorkspaceId};
use super::keeper::NotCommitted;
use super::limits::QUEUED_REQUESTS;
use super::model::{ADDRESS, Desk, Window};
use super::ports::{WindowInstances, WorkspaceLayouts};
use super::refused::Refused;
use super::view::record;
use crate::probe::Probe;
use crate::serve;

/// All workspaces of the desktop. Clones are handles of the same ones.
#[derive(Clone)]
pub struct Workspaces {
    requests: Requests,
    desk: watch::Receiver<Arc<Desk>>,
    bus: Client,
    instances: Arc<dyn WindowInstances>,
    layouts: Arc<dyn WorkspaceLayouts>,
    probe: Probe,
}

/// The way to the actor.
#[derive(Debug, Clone)]
pub(crate) struct Requests(mpsc::Sender<Request>);

/// Why workspaces cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum WorkspacesStartError {
    /// The open workspaces of before cannot be read.
    #[error("cannot read the open workspaces: {0}")]
    Store(#[from] StoreError),
    /// A method cannot be registered.
    #[error("cannot serve workspaces on the bus: {0}")]
    Register(#[from] RegisterError),
}

/// Why something about workspaces is not done, or not for sure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorkspaceError {
    /// It was refused; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It was done, and a crash would undo it.
    #[error(transparent)]
    NotCommitted(#[from] NotCommitted),
    /// The platform is being stopped.
    #[error("the platform is being stopped")]
    Stopped,
}

impl WorkspaceError {
    /// A name for programs; it never changes, the message may.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refused.code(),
            Self::NotCommitted(_) => "not-committed",
            Self::Stopped => "stopped",
        }
    }
}

/// An application to be shown in a window.
#[derive(Debug, Clone)]
pub struct ShowWindow {
    /// The application.
    pub application: String,
    /// What it is started with.
    pub context: Object,
    /// The title of the window, where it is not the application's.
    pub title: Option<String>,
    /// The address of a page without a definition. It is kept with the window.
    pub address: Option<String>,
    /// Anything more, for the keeper of instances: it comes with the start of exactly this window.
    pub options: Option<Arc<Value>>,
}

/// Why an application is not shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShowError {
    /// No desk page is open.
    #[error("no desk is open to show it in; open the desk page and try again")]
    NoDesk,
    /// It cannot be started.
    #[error("{reason}")]
    NotStarted {
        /// Why not.
        reason: String,
    },
    /// There is no place for it.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl std::fmt::Debug for Workspaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let desk = self.desk();
        f.debug_struct("Workspaces")
            .field("frames", &desk.frames.len())
            .field("workspaces", &desk.workspaces.len())
            .finish_non_exhaustive()
    }
}

impl Workspaces {
    /// Reads the open workspaces of before, and serves them on the bus. Returns when every method is
    /// registered.
    ///
    /// # Errors
    /// When the store cannot be read or the gateway refuses a method.
    pub async fn start(
        bus: Client,
        store: OpenWorkspaces,
        instances: Arc<dyn WindowInstances>,
        layouts: Arc<dyn WorkspaceLayouts>,
    ) -> Result<Self, WorkspacesStartError> {
        let records = store.all().await?.into_iter().map(|open| (open.id, open.document));
        let mut ids = random_id;
        let (desk, errors) = record::restore(records, &mut ids);
        for error in errors {
            tracing::error!(%error, "a workspace cannot be opened again");
        }
        let (sender, queue) = mpsc::channel(QUEUED_REQUESTS);
        let requests = Requests(sender);
        let streams = serve::workspaces::streams::register(&bus).await?;
        let pages = serve::frame::register_events(&bus, requests.clone()).await?;
        let (actor, desk) =
            Actor::new(bus.clone(), store, Arc::clone(&instances), desk, requests.clone());
        tokio::spawn(actor.run(queue, streams, pages));
        let workspaces = Self { requests, desk, bus, instances, layouts, probe: Probe::default() };
        serve::frame::register(&workspaces).await?;
        serve::workspaces::register(&workspaces).await?;
        Ok(workspaces)
    }

    /// Stops. Instances stay as they are; everything is stored when this returns.
    pub async fn stop(&self) {
        let (done, stopped) = oneshot::channel();
        if self.requests.0.send(Request::Stop(done)).await.is_ok() {
            // An error means that it has stopped.
            let _stopped = stopped.await;
        }
    }

    /// All frames and workspaces as they are now.
    #[must_use]
    pub fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.desk.borrow())
    }

    /// All frames and workspaces, as they change.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<Arc<Desk>> {
        self.desk.clone()
    }

    /// Makes one change, all of it or nothing. Returns when it is committed.
    ///
    /// # Errors
    /// When it is refused, or not committed.
    pub async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        self.requests.change(None, change).await
    }

    /// Shows an application in a window of the selected workspace of the desk page that was used last,
    /// or in a new workspace there. Gives window and instance.
    ///
    /// # Errors
    /// When no desk is open, or the application cannot be started.
    pub async fn show(&self, show: ShowWindow) -> Result<(WindowId, InstanceRef), ShowError> {
        let ShowWindow { application, context, title, address, options } = show;
        let mut definition =
            json!({ "type": "window", "appName": application, "context": context });
        for (key, text) in [("title", title), (ADDRESS, address)] {
            if let Some(text) = text {
                definition["config"][key] = text.into();
            }
        }
        let show = move |turn: &mut Turn<'_>| turn.show(&definition);
        let shown = self.requests.change(options, show).await;
        let (workspace, item) = shown.map_err(|error| match error {
            WorkspaceError::Refused(Refused::NoPage { .. }) => ShowError::NoDesk,
            error => error.into(),
        })?;
        let desk = self.desk();
        let window = desk.workspaces.get(&workspace).and_then(|found| found.windows.get(&item));
        let reason = match window {
            Some(Window { id, instance: Some(instance), .. }) => {
                return Ok((id.clone(), instance.clone()));
            }
            Some(window) => window.state.reason(),
            None => None,
        };
        let reason = reason.unwrap_or("its window was closed at once").to_owned();
        if window.is_some() {
            // The caller hears why; a window that says it too would be in the way.
            let close = super::core::Target::Item(workspace, item);
            self.change(move |turn| turn.close(&close)).await?;
        }
        Err(ShowError::NotStarted { reason })
    }

    /// Closes the window of an instance. `false` if it is in none.
    ///
    /// # Errors
    /// When it is not committed.
    pub async fn close(&self, instance: &InstanceRef) -> Result<bool, WorkspaceError> {
        let instance = instance.clone();
        self.change(move |turn| {
            let is_there = turn.desk().instance(&instance).is_some();
            turn.instance_stopped(&instance)?;
            Ok(is_there)
        })
        .await
    }

    pub(crate) fn bus(&self) -> &Client {
        &self.bus
    }

    pub(crate) fn instances(&self) -> &dyn WindowInstances {
        &*self.instances
    }

    pub(crate) fn probe(&self) -> &Probe {
        &self.probe
    }

    pub(crate) fn layouts(&self) -> &dyn WorkspaceLayouts {
        &*self.layouts
    }

    /// As [`Workspaces::change`], by a peer that must still be there.
    pub(crate) async fn change_by<T: Send + 'static>(
        &self,
        peer: &PeerId,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let (bus, peer) = (self.bus.clone(), peer.clone());
        self.change(move |turn| {
            // It may have left while its call waited here.
            if bus.directory().server(&peer).is_none() {
                return Err(Refused::NotAttached);
            }
            change(turn)
        })
        .await
    }
}

impl Requests {
    pub(super) async fn change<T: Send + 'static>(
        &self,
        options: Option<Arc<Value>>,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |desk: &mut Desk, moment: Moment<'_>| {
            let (result, changes) = desk.turn(moment, change);
            let completion: Completion = Box::new(move |committed| {
                let result = match (result, committed) {
                    (Ok(_), Err(error)) => Err(error.into()),
                    (result, _) => result.map_err(WorkspaceError::from),
                };
                // Whoever asked may have stopped waiting.
                let _unheard = reply.send(result);
            });
            (changes, completion)
        });
        let sent = self.0.send(Request::Change { job, options }).await;
        sent.map_err(|_| WorkspaceError::Stopped)?;
        answer.await.unwrap_or(Err(WorkspaceError::Stopped))
    }

    /// Notes what is in a context. `false` when nobody is there to note it.
    pub(super) async fn context_changed(&self, id: &WorkspaceId, data: Object) -> bool {
        self.0.send(Request::Context { workspace: id.clone(), data }).await.is_ok()
    }

    /// A page wants to hear of everything.
    pub(crate) async fn listen(&self, frame: FrameId, subscription: SubscriptionRequest) {
        // If it fails, the subscription is dropped, and with that refused.
        let _stopped = self.0.send(Request::Listen { frame, subscription }).await;
    }
}

/// Text that no other id has.
pub(super) fn random_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut random = rand::random::<u64>();
    (0..12)
        .map(|_| {
            let letter = LETTERS.get((random & 31) as usize).copied().unwrap_or(b'a');
            random >>= 5;
            char::from(letter)
        })
        .collect()
}
