//! Instances as the application streams and `apps.command` call for them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::outlets::running;
use super::start::StartOptions;
use crate::launch::Launcher;
use crate::running::{InstanceCommands, Running, RunningNews, StartCommand};

#[async_trait]
impl InstanceCommands for Launcher {
    fn running(&self) -> Vec<Arc<Running>> {
        self.instances().snapshot().iter().map(|one| running(one)).collect()
    }

    fn news(&self) -> broadcast::Receiver<RunningNews> {
        self.instances().outlets().running.subscribe()
    }

    async fn start(&self, start: StartCommand) -> Result<Arc<Running>, String> {
        let options = StartOptions::read(start.options);
        let by = options.started_by(start.caller.as_ref());
        let started = Self::start(self, &start.application, start.context, options, by).await;
        started.map(|one| running(&one)).map_err(|error| error.to_string())
    }

    async fn stop(&self, id: &str) -> Result<(), String> {
        Self::stop(self, id).await.map_err(|error| error.to_string())
    }

    async fn ready(&self, id: &str, within: Option<Duration>) -> Result<(), String> {
        let within = within.unwrap_or_else(|| self.instances().ready_timeout());
        let ready = self.instances().wait_ready(id, within).await;
        ready.map(|_| ()).map_err(|error| error.to_string())
    }
}
