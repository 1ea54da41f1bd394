//! `T42.ACS.StartApplication`, `StopApplication`, `ActivateApplication` and
//! `RegisterInstance`.

use deskwire_catalog::Kind;
use deskwire_connect::{Call, Client, RegisterError};
use deskwire_wire::Payload;
use serde_json::{Value, json};

use super::message::{done, maybe_object, object, text};
use super::{Answer, Offer};
use crate::instances::{Host, StartOptions};
use crate::launch::Launcher;

/// Offers the methods.
pub(crate) async fn offer(offer: &mut Offer, launcher: &Launcher) -> Result<(), RegisterError> {
    let own = launcher.clone();
    let start = move |call: Call| {
        let launcher = own.clone();
        async move { start(&launcher, &call).await }
    };
    offer.method("T42.ACS.StartApplication", start).await?;
    let own = launcher.clone();
    let stop = move |call: Call| {
        let launcher = own.clone();
        async move {
            launcher.stop(text(object(call.arguments.value())?, "Id")?).await?;
            Ok(done())
        }
    };
    offer.method("T42.ACS.StopApplication", stop).await?;
    let own = launcher.clone();
    let activate = move |call: Call| {
        let launcher = own.clone();
        async move {
            launcher.focus(text(object(call.arguments.value())?, "Id")?).await?;
            Ok(done())
        }
    };
    offer.method("T42.ACS.ActivateApplication", activate).await?;
    let (own, bus) = (launcher.clone(), offer.bus().clone());
    offer.answer("T42.ACS.RegisterInstance", move |call| register(&own, &bus, call)).await
}

async fn start(launcher: &Launcher, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let name = text(arguments, "Name")?;
    let context = maybe_object(arguments, "Context")?;
    let mut options = maybe_object(arguments, "Options")?;
    // Intents write it small.
    options.extend(maybe_object(arguments, "options")?);
    let options = StartOptions::read(options);
    let by = options.started_by(call.caller_identity.as_ref());
    let asked = options.await_interop;
    let context = Payload::from(Value::Object(context));
    let instance = launcher.start(name, context, options, by).await?;
    let mut answer = json!({ "Id": instance.id.as_str(), "Name": name });
    // A program may never be on the bus, and a page in the system's browser never is:
    // whoever says nothing is not to wait for it.
    let may_stay_away =
        instance.host == Host::Browser || matches!(instance.application.kind, Kind::Exe(_));
    if asked.is_none()
        && may_stay_away
        && let Some(answer) = answer.as_object_mut()
    {
        answer.insert("waitForInterop".into(), json!(false));
    }
    Ok(answer.into())
}

/// A program that was started elsewhere under the name of a definition becomes an
/// instance of it. Others are on the bus without being one.
fn register(launcher: &Launcher, bus: &Client, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let name = text(arguments, "appName")?;
    let pid = arguments.get("pid").and_then(Value::as_u64).and_then(|pid| pid.try_into().ok());
    // Who it is on the bus counts, not what it says here.
    let caller = call.caller_identity.as_ref().and_then(|identity| identity.application());
    let definition = launcher.definitions().application(name).filter(|_| caller == Some(name));
    let registered = definition
        .is_some_and(|application| launcher.instances().register(bus, call, application, pid));
    Ok(json!({ "registered": registered }).into())
}
