//! `apps.command` and `apps.event`: the registry of applications and their
//! instances, as `io.apps` calls it.

pub(crate) mod events;
mod filter;
mod instances;
mod registry;

use std::sync::Arc;

use deskwire_connect::{Call, CallFailure, RegisterError};

use super::message::{maybe_object, object, text};
use super::{Answer, Offer};
use crate::apps::Apps;
use crate::running::InstanceCommands;

/// Offers the method.
pub(crate) async fn offer(
    offer: &mut Offer,
    apps: &Apps,
    running: &Arc<dyn InstanceCommands>,
) -> Result<(), RegisterError> {
    let (apps, running) = (apps.clone(), Arc::clone(running));
    let answer = move |call: Call| {
        let (apps, running) = (apps.clone(), Arc::clone(&running));
        async move { command(&apps, &*running, &call).await }
    };
    offer.method("apps.command", answer).await
}

async fn command(apps: &Apps, running: &dyn InstanceCommands, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let details = maybe_object(arguments, "args")?;
    match text(arguments, "command")? {
        "announce" => instances::announce(running, call),
        "get-apps" => registry::get_many(apps, running, &details),
        "get-app" => registry::get(apps, running, &details),
        "has-app" => registry::has(apps, &details),
        "in-memory-import" => super::acs::memory::import(apps, &details),
        "in-memory-has" => registry::has_in_memory(apps, &details),
        "in-memory-remove" => registry::remove_in_memory(apps, &details),
        "in-memory-clear" => registry::clear_in_memory(apps),
        "start-app" => instances::start(apps, running, &details, call).await,
        "stop-app" => instances::stop(running, &details).await,
        "wait-for-ready" => instances::wait(running, &details).await,
        "get-instance" => instances::get(running, &details),
        "get-instances" => instances::get_many(running, &details),
        "get-instance-state" => instances::state(running, &details),
        "get-instance-context" => instances::context(running, &details),
        "restart-instance" => instances::restart(running, &details, call).await,
        other => Err(CallFailure::new(format!("there is no command `{other}`"))),
    }
}
