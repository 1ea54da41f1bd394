//! Carries a process from its start to its end, and tells the core what happens.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use deskwire_catalog::Application;

use super::error::StartError;
use super::handle::Inner;
use super::limits::GRACE;
use super::model::{Instance, InstanceId};
use super::start::Secret;
use super::table::Event;
use crate::process::{Child, Spawn};

/// A process that is to be.
pub(super) struct Carried {
    pub(super) id: InstanceId,
    pub(super) application: Arc<Application>,
    /// Cancelled when it is to end.
    pub(super) end: CancellationToken,
}

/// Runs until the process has ended. `launched` hears when it exists.
pub(super) async fn carry(
    inner: Arc<Inner>,
    carried: Carried,
    launched: oneshot::Sender<Result<Arc<Instance>, StartError>>,
) {
    let Carried { id, application, end } = carried;
    let mut child = match start(&inner, &id, &application).await {
        Ok(child) => child,
        Err(error) => {
            inner.apply(Event::NotLaunched { id, error: error.clone() });
            // Whoever started it may have stopped waiting.
            let _unheard = launched.send(Err(error));
            return;
        }
    };
    let pid = child.pid();
    inner.guard.hold(pid);
    inner.apply(Event::Launched { id: id.clone(), pid });
    if let Some(instance) = inner.get(id.as_str()) {
        let _unheard = launched.send(Ok(instance));
    }

    let (alive, late) = (sleep(GRACE), sleep(inner.place.ready_timeout));
    tokio::pin!(alive, late);
    let (mut is_alive, mut is_late) = (false, false);
    let exit = loop {
        tokio::select! {
            exit = child.exited() => break exit,
            () = end.cancelled() => break child.stop(inner.place.stop_timeout).await,
            () = &mut alive, if !is_alive => {
                is_alive = true;
                inner.apply(Event::Alive { id: id.clone() });
            }
            () = &mut late, if !is_late => {
                is_late = true;
                let (after, last) = (inner.place.ready_timeout, child.telling());
                inner.apply(Event::Late { id: id.clone(), after, last });
            }
        }
    };
    child.finish(inner.place.stop_timeout).await;
    inner.guard.release(pid);
    inner.apply(Event::Exited { id, exit, last: child.telling() });
}

async fn start(
    inner: &Arc<Inner>,
    id: &InstanceId,
    application: &Arc<Application>,
) -> Result<Child, StartError> {
    let name = &application.name;
    let minted = inner.tokens.mint(id.as_str(), name);
    let token = Secret::new(minted.map_err(|error| StartError::token(name, &error))?);
    // The file system is asked, and a process made: both may take their time.
    let (inner, id, application) = (Arc::clone(inner), id.clone(), Arc::clone(application));
    let started = tokio::task::spawn_blocking(move || {
        let program = inner.programs.find(&application)?;
        let starting_context = starting_context(&inner, &id, &application.name, &token);
        let spawn = Spawn {
            program: &program,
            surroundings: inner.programs.surroundings(),
            application: &application.name,
            instance: id.as_str(),
            starting_context: &starting_context,
            token: token.reveal(),
        };
        Child::spawn(&spawn).map_err(|error| StartError::NotSpawned {
            application: application.name.clone(),
            program: program.executable.display().to_string(),
            reason: error.to_string(),
        })
    });
    started.await.unwrap_or_else(|_| Err(StartError::ShuttingDown { application: name.clone() }))
}

/// What client libraries read when they start.
fn starting_context(inner: &Inner, id: &InstanceId, name: &str, token: &Secret) -> String {
    json!({
        "gwURL": inner.place.gateway_url,
        "gwToken": token.reveal(),
        "instanceId": id.as_str(),
        "env": inner.place.environment,
        "region": inner.place.region,
        "applicationConfig": { "name": name },
    })
    .to_string()
}
