//! Windows of workspaces: instances for them, and windows for instances.

use std::sync::Arc;

use async_trait::async_trait;
use deskwire_catalog::{Application, Kind, SourceLabel, read};
use deskwire_wire::Payload;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;
use url::Url;

use super::error::StartError;
use super::handle::Instances;
use super::model::{Instance, InstanceId, InstanceState, StartedBy};
use super::start::{Secret, Start, StartOptions};
use crate::launch::{Definitions, WindowHost};
use crate::workspaces::{
    InstanceRef, ShowError, ShowWindow, Standing, WindowEvent, WindowInstances, WindowRefused,
    WindowStart, WindowTicket, Workspaces,
};

/// Gives windows of workspaces their instances.
#[derive(Clone)]
pub struct WindowsOfWorkspaces {
    instances: Instances,
    definitions: Arc<dyn Definitions>,
}

impl std::fmt::Debug for WindowsOfWorkspaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WindowsOfWorkspaces").finish_non_exhaustive()
    }
}

impl WindowsOfWorkspaces {
    /// The applications are those of `definitions`.
    #[must_use]
    pub fn new(instances: Instances, definitions: Arc<dyn Definitions>) -> Self {
        Self { instances, definitions }
    }

    fn start(&self, window: &WindowStart) -> Result<Start, StartError> {
        let said = Said::read(window.options.as_deref());
        let defined = self.definitions.application(&window.application);
        let by_address =
            || page(&window.application, &Url::parse(window.address.as_deref()?).ok()?);
        let Some(application) = defined.or_else(by_address) else {
            return Err(StartError::NotFound { application: window.application.clone() });
        };
        let mut options = StartOptions::read(said.options);
        options.title = window.title.clone().or(options.title);
        Ok(Start {
            application,
            context: Payload::from(Value::Object(window.context.clone())),
            options,
            by: said.by,
        })
    }
}

/// What goes with the start of a window through the workspace that shows it, and back.
struct Said {
    by: StartedBy,
    options: Map<String, Value>,
}

impl Said {
    fn write(start: &Start) -> Value {
        json!({ "startedBy": start.by.to_json(), "options": start.options.rest })
    }

    fn read(said: Option<&Value>) -> Self {
        let get = |key: &str| said.and_then(|said| said.get(key));
        Self {
            by: get("startedBy").map(StartedBy::read).unwrap_or_default(),
            options: get("options").and_then(Value::as_object).cloned().unwrap_or_default(),
        }
    }
}

/// Where pages without a definition say that they come from.
const BY_ADDRESS: &str = "T42.Wnd.Create";

/// The address of a page that is shown without a definition.
fn address(application: &Application) -> Option<String> {
    let Kind::Window(window) = &application.kind else { return None };
    let is_defined = application.origin.source.as_str() != BY_ADDRESS;
    window.url.as_ref().ok().filter(|_| !is_defined).map(Url::to_string)
}

/// A page that somebody opens by its address, as if it were defined. `None` for a name
/// that no definition may have.
pub(crate) fn page(name: &str, url: &Url) -> Option<Arc<Application>> {
    let details = json!({ "url": url.as_str() });
    let definition =
        json!([{ "name": name, "type": "window", "hidden": true, "details": details }]);
    let read = read(&SourceLabel::new(BY_ADDRESS), &definition.to_string());
    read.applications.into_iter().next()
}

impl WindowInstances for WindowsOfWorkspaces {
    fn open_window(&self, window: WindowStart) -> Result<InstanceRef, WindowRefused> {
        let former = window.resume.as_ref();
        let former =
            former.map(|former| (former.instance.as_str().into(), Secret::new(former.token())));
        let opened = self
            .start(&window)
            .and_then(|start| self.instances.open_window(start, window.window.as_str(), former));
        match opened {
            Ok(ticket) => Ok(ticket.instance.as_str().into()),
            Err(error @ (StartError::NotFound { .. } | StartError::UnsupportedType { .. })) => {
                Err(WindowRefused::Missing(error.to_string()))
            }
            Err(error) => Err(WindowRefused::Failed(error.to_string())),
        }
    }

    fn ticket(&self, instance: &InstanceRef) -> Option<WindowTicket> {
        let ticket = self.instances.ticket(instance.as_str())?;
        Some(WindowTicket {
            instance: instance.clone(),
            application: ticket.application,
            url: ticket.url.into(),
            gateway_url: ticket.gateway_url,
            gateway_token: ticket.gateway_token.reveal().to_owned(),
            starting_context: ticket.starting_context,
            defined_at: ticket.defined_at,
        })
    }

    fn standing(&self, instance: &InstanceRef) -> Standing {
        match self.instances.get(instance.as_str()).map(|one| one.state.clone()) {
            Some(InstanceState::Starting) => Standing::Starting,
            Some(InstanceState::Ready | InstanceState::Stopping) => Standing::Ready,
            Some(InstanceState::Failed { reason }) => Standing::Failed(reason),
            Some(InstanceState::Stopped { .. }) | None => Standing::Gone,
        }
    }

    fn window_failed(&self, instance: &InstanceRef, reason: &str) {
        self.instances.window_failed(instance.as_str(), reason);
    }

    fn window_closed(&self, instance: &InstanceRef) {
        self.instances.window_closed(instance.as_str());
    }

    fn stop(&self, instance: &InstanceRef) {
        self.instances.window_closed(instance.as_str());
    }

    fn events(&self) -> broadcast::Receiver<WindowEvent> {
        self.instances.outlets().windows.subscribe()
    }
}

#[async_trait]
impl WindowHost for Workspaces {
    async fn show(&self, start: Start) -> Result<Arc<str>, StartError> {
        let name = start.application.name.clone();
        let context = match start.context.value() {
            Value::Object(context) => context.clone(),
            _ => Map::new(),
        };
        let show = ShowWindow {
            application: name.clone(),
            context,
            title: start.options.title.clone(),
            address: address(&start.application),
            options: Some(Arc::new(Said::write(&start))),
        };
        match Self::show(self, show).await {
            Ok((_, instance)) => Ok(instance.as_str().into()),
            Err(ShowError::NoDesk) => Err(StartError::NoDesk { application: name }),
            Err(error) => {
                Err(StartError::NotShown { application: name, reason: error.to_string() })
            }
        }
    }

    async fn close(&self, instance: &Instance) -> Result<(), String> {
        let closed = Self::close(self, &instance_ref(&instance.id)).await;
        closed.map(|_| ()).map_err(|error| error.to_string())
    }

    async fn focus(&self, instance: &Instance) -> Result<(), String> {
        let window = instance.window().unwrap_or_default().to_owned();
        let focused = self.change(move |turn| {
            let target = turn.desk().find(&window)?;
            turn.focus(&target)
        });
        focused.await.map_err(|error| error.to_string())
    }
}

fn instance_ref(id: &InstanceId) -> InstanceRef {
    id.as_str().into()
}
