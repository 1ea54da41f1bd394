//! News of instances, in the words of those who listen.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::broadcast;

use super::limits::NEWS;
use super::model::{Instance, InstanceEvent, InstanceState};
use crate::running::{Running, RunningNews};
use crate::workspaces::WindowEvent;

/// Tells the same to all.
#[derive(Debug)]
pub(super) struct Outlets {
    pub(super) events: broadcast::Sender<InstanceEvent>,
    /// For the application streams.
    pub(super) running: broadcast::Sender<RunningNews>,
    /// For workspaces.
    pub(super) windows: broadcast::Sender<WindowEvent>,
}

impl Outlets {
    pub(super) fn new() -> Self {
        Self {
            events: broadcast::Sender::new(NEWS),
            running: broadcast::Sender::new(NEWS),
            windows: broadcast::Sender::new(NEWS),
        }
    }

    pub(super) fn tell(&self, event: InstanceEvent) {
        // Nobody listening is no fault.
        if self.running.receiver_count() > 0 {
            let _unheard = self.running.send(running_news(&event));
        }
        if self.windows.receiver_count() > 0
            && event.instance().window().is_some()
            && let Some(news) = window_news(&event)
        {
            let _unheard = self.windows.send(news);
        }
        let _unheard = self.events.send(event);
    }
}

/// An instance as the application streams know it.
pub(super) fn running(one: &Instance) -> Arc<Running> {
    Arc::new(Running {
        id: one.id.as_str().to_owned(),
        application: one.application.name.clone(),
        title: one.title.clone(),
        context: one.context.clone(),
        ready: one.is_on_bus(),
        started_ms: one.started_ms,
        started_by: Some(one.started_by.to_json()),
        process: one.process(),
        peers: one.peers.clone(),
    })
}

fn running_news(event: &InstanceEvent) -> RunningNews {
    let instance = running(event.instance());
    match event {
        InstanceEvent::Started(_) => RunningNews::Started(instance),
        InstanceEvent::Ready(_) => RunningNews::Ready(instance),
        InstanceEvent::Updated(_) | InstanceEvent::Titled(_) | InstanceEvent::ContextChanged(_) => {
            RunningNews::Updated(instance)
        }
        InstanceEvent::Stopped(one) => RunningNews::Stopped { instance, reason: reason(one) },
        InstanceEvent::Failed(one) => {
            RunningNews::Failed { instance, reason: reason(one).unwrap_or_default() }
        }
    }
}

fn window_news(event: &InstanceEvent) -> Option<WindowEvent> {
    let one = event.instance();
    let id = one.id.as_str().into();
    match event {
        InstanceEvent::Started(_) | InstanceEvent::Updated(_) => None,
        InstanceEvent::Ready(_) => Some(WindowEvent::Ready(id)),
        InstanceEvent::Titled(_) => Some(WindowEvent::Title(id, one.title.clone()?)),
        InstanceEvent::ContextChanged(_) => match one.context.value() {
            Value::Object(context) => Some(WindowEvent::Context(id, context.clone())),
            _ => None,
        },
        InstanceEvent::Stopped(_) => Some(WindowEvent::Stopped(id)),
        InstanceEvent::Failed(_) => Some(WindowEvent::Failed(id, reason(one).unwrap_or_default())),
    }
}

fn reason(one: &Instance) -> Option<String> {
    match &one.state {
        InstanceState::Stopped { reason } | InstanceState::Failed { reason } => {
            Some(reason.clone())
        }
        InstanceState::Starting | InstanceState::Ready | InstanceState::Stopping => None,
    }
}
