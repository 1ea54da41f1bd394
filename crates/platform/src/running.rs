//! What the definitions' side needs of running instances: the seam between
//! `apps.command`, the application streams and layouts here, and whoever
//! starts and stops things.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deskwire_wire::{Identity, Payload};
use serde_json::{Map, Value};
use tokio::sync::broadcast;

/// An instance of an application, as clients are told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// Its id.
    pub id: String,
    /// Name of its application.
    pub application: String,
    /// Its title, if it has one of its own.
    pub title: Option<String>,
    /// What it was started with.
    pub context: Payload,
    /// Whether it is on the bus.
    pub ready: bool,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: u64,
    /// Who started it: `{startedBy, applicationName, instanceID}`.
    pub started_by: Option<Value>,
    /// Its process, if it has one of its own.
    pub process: Option<u32>,
    /// Its peers on the bus.
    pub peers: Vec<Identity>,
}

/// News of an instance, in the order of what happens.
#[derive(Debug, Clone, PartialEq)]
pub enum RunningNews {
    /// It exists.
    Started(Arc<Running>),
    /// It is on the bus.
    Ready(Arc<Running>),
    /// Its title, context or peers are others.
    Updated(Arc<Running>),
    /// It has ended.
    Stopped {
        /// As it was.
        instance: Arc<Running>,
        /// Why, for people.
        reason: Option<String>,
    },
    /// It could not be started.
    Failed {
        /// As it was to be.
        instance: Arc<Running>,
        /// Why, for people.
        reason: String,
    },
}

/// What is to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct StartCommand {
    /// Name of the application.
    pub application: String,
    /// What it is started with.
    pub context: Payload,
    /// Options as clients write them.
    pub options: Map<String, Value>,
    /// The peer that asks, if one does.
    pub caller: Option<Identity>,
}

/// Keeps the running instances.
#[async_trait]
pub trait InstanceCommands: Send + Sync + 'static {
    /// The instances that run, in order of their start.
    fn running(&self) -> Vec<Arc<Running>>;

    /// What happens from now on. A receiver that lags finds the truth in
    /// [`InstanceCommands::running`].
    fn news(&self) -> broadcast::Receiver<RunningNews>;

    /// Starts an application. Returns when the instance exists.
    ///
    /// # Errors
    /// Why not, in words.
    async fn start(&self, start: StartCommand) -> Result<Arc<Running>, String>;

    /// Stops an instance. Returns when it has ended.
    ///
    /// # Errors
    /// Why not, in words.
    async fn stop(&self, id: &str) -> Result<(), String>;

    /// Waits until an instance is on the bus, `within` a time or as long as the platform
    /// allows.
    ///
    /// # Errors
    /// Why it is not, in words.
    async fn ready(&self, id: &str, within: Option<Duration>) -> Result<(), String>;
}

/// That there is no such instance.
pub(crate) fn no_instance(id: &str) -> String {
    format!("there is no running instance `{id}`")
}
