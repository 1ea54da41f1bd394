//! What workspaces need of others.

use std::fmt;
use std::sync::Arc;

use deskwire_layout::Object;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::ids::{InstanceRef, WindowId, WorkspaceId};
use super::resume::Resume;

/// The keeper of instances, as far as windows of workspaces need it. Nothing here waits.
pub trait WindowInstances: Send + Sync + 'static {
    /// An instance for a window; its page is to be loaded by a frame. Where the page lives on, the
    /// instance that it was, if its token proves that and nobody else is that instance; else a new
    /// one.
    ///
    /// # Errors
    /// When there is no such application, it is not one for a window, or it cannot be started.
    fn open_window(&self, window: WindowStart) -> Result<InstanceRef, WindowRefused>;

    /// What a page needs to load the page of an instance. `None` when there is no such instance, or
    /// it has ended.
    fn ticket(&self, instance: &InstanceRef) -> Option<WindowTicket>;

    /// How an instance stands.
    fn standing(&self, instance: &InstanceRef) -> Standing;

    /// The page of an instance did not load. What is said of one that has ended is ignored.
    fn window_failed(&self, instance: &InstanceRef, reason: &str);

    /// The window of an instance was closed. What is said of one that has ended is ignored.
    fn window_closed(&self, instance: &InstanceRef);

    /// Ends an instance whose window stays: it may get another one later.
    fn stop(&self, instance: &InstanceRef);

    /// What happens to instances, in order.
    fn events(&self) -> broadcast::Receiver<WindowEvent>;
}

/// A window that needs an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowStart {
    /// The window.
    pub window: WindowId,
    /// The workspace that it is in.
    pub workspace: WorkspaceId,
    /// The application to show.
    pub application: String,
    /// What it is started with.
    pub context: Object,
    /// The title it had.
    pub title: Option<String>,
    /// The address of a page that was opened without a definition.
    pub address: Option<String>,
    /// What whoever asked for exactly this window said besides; see [`super::Workspaces::show`].
    pub options: Option<Arc<Value>>,
    /// What its page was before, where it lives on.
    pub resume: Option<Resume>,
}

/// Why a window gets no instance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WindowRefused {
    /// There is nothing to show: no such application, or none for a window.
    #[error("{0}")]
    Missing(String),
    /// It cannot be started now.
    #[error("{0}")]
    Failed(String),
}

/// How an instance stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is not on the bus yet.
    Starting,
    /// It is on the bus.
    Ready,
    /// It has failed, for this reason.
    Failed(String),
    /// It has ended, or never was.
    Gone,
}

/// Something that happened to an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowEvent {
    /// It is on the bus.
    Ready(InstanceRef),
    /// It has ended.
    Stopped(InstanceRef),
    /// It has failed, for this reason.
    Failed(InstanceRef, String),
    /// It has another title.
    Title(InstanceRef, String),
    /// The context that it would be started with is another one.
    Context(InstanceRef, Object),
}

/// What a page needs to load the page of a window.
#[derive(Clone, PartialEq)]
pub struct WindowTicket {
    /// The instance.
    pub instance: InstanceRef,
    /// Name of its application.
    pub application: String,
    /// Address of its page.
    pub url: String,
    /// Where the page finds the gateway.
    pub gateway_url: String,
    /// What it logs in with. It fixes who it is on the bus.
    pub gateway_token: String,
    /// What it is started with.
    pub starting_context: Value,
    /// Where its application is defined, as `apps.json:12`; pages are not told.
    pub defined_at: String,
}

impl WindowTicket {
    /// The ticket as pages get it.
    pub(crate) fn to_json(&self, workspace: &WorkspaceId) -> Value {
        json!({
            "workspaceId": workspace,
            "instanceId": self.instance.as_str(),
            "application": self.application,
            "url": self.url,
            "gatewayUrl": self.gateway_url,
            "gatewayToken": self.gateway_token,
            "startingContext": self.starting_context,
        })
    }
}

impl fmt::Debug for WindowTicket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowTicket")
            .field("instance", &self.instance)
            .field("application", &self.application)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// The saved layouts of workspaces.
pub trait WorkspaceLayouts: Send + Sync + 'static {
    /// All that can be opened, in their order.
    fn all(&self) -> Vec<SavedLayout>;

    /// The one of this name.
    fn get(&self, name: &str) -> Option<SavedLayout>;

    /// Keeps a layout, in the place of one of its name. Returns when it is committed.
    fn save(&self, layout: SavedLayout) -> BoxFuture<'_, Result<(), LayoutFailure>>;

    /// Keeps several; with `replace`, instead of all that are kept now. All or none. Returns when it
    /// is committed.
    fn import(
        &self,
        layouts: Vec<SavedLayout>,
        replace: bool,
    ) -> BoxFuture<'_, Result<(), LayoutFailure>>;

    /// Forgets a layout. Returns when it is committed.
    fn remove(&self, name: &str) -> BoxFuture<'_, Result<(), LayoutFailure>>;
}

/// A saved layout of a workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedLayout {
    /// Its name.
    pub name: String,
    /// The layout document: `{name, type: "Workspace", metadata, components}`.
    pub document: Arc<Value>,
}

/// Why nothing was done about a layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct LayoutFailure {
    /// What went wrong, and what would be right.
    pub reason: String,
}
