//! `T42.Wnd.*` and `T42.Group.Execute`: the windows of the desk, as `io.windows` calls
//! them. A window is a pane of a page in a browser; what only a window of the system
//! can do is refused in words.

mod commands;
mod events;
mod view;

use std::sync::Arc;

use deskwire_connect::{Call, CallFailure, Publisher, RegisterError, SubscriptionRequest};
use deskwire_wire::{Payload, PeerId};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use url::Url;

use super::message::{maybe_object, object, text};
use super::{Answer, Offer};
use crate::instances::{Instance, Start, StartOptions, page};
use crate::launch::Launcher;

/// What the teller is asked for besides news.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Somebody subscribes.
    Subscribe(SubscriptionRequest),
    /// A command of this caller is done: its token is echoed, after all news of what
    /// the command has done.
    Echo {
        /// Who waits.
        caller: PeerId,
        /// The event.
        event: Payload,
    },
}

/// Offers methods and stream. The future tells the stream, for ever.
pub(crate) async fn offer(
    offer: &mut Offer,
    launcher: &Launcher,
    queued: usize,
) -> Result<BoxFuture<'static, ()>, RegisterError> {
    let (asks, asked) = mpsc::channel(queued);
    let own = asks.clone();
    let subscribe = move |request: SubscriptionRequest| {
        let asks = own.clone();
        async move {
            // A request that is dropped has been refused.
            let _stopping = asks.send(Asked::Subscribe(request)).await;
        }
    };
    let stream: Publisher = offer.stream("T42.Wnd.OnEvent", subscribe).await?;
    let instances = launcher.instances().clone();

    let own = launcher.clone();
    let create = move |call: Call| {
        let launcher = own.clone();
        async move { create(&launcher, &call).await }
    };
    offer.method("T42.Wnd.Create", create).await?;
    let (own, echo) = (launcher.clone(), asks.clone());
    let execute = move |call: Call| {
        let (launcher, asks) = (own.clone(), echo.clone());
        async move { commands::of_window(&launcher, &asks, &call).await }
    };
    offer.method("T42.Wnd.Execute", execute).await?;
    let execute = move |call: Call| {
        let asks = asks.clone();
        async move { commands::of_group(&asks, &call).await }
    };
    offer.method("T42.Group.Execute", execute).await?;
    let own = launcher.clone();
    offer.answer("T42.Wnd.GetInfo", move |call| info(&own, call)).await?;
    Ok(Box::pin(events::tell(instances, stream, asked)))
}

/// Opens a page by its address.
async fn create(launcher: &Launcher, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let (name, url) = (text(arguments, "name")?, text(arguments, "url")?);
    let parsed = Url::parse(url).map_err(|error| {
        CallFailure::new(format!(
            "`{url}` is no address ({error}); write one as in https://host/path"
        ))
    })?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(CallFailure::new(format!(
            "`{url}` is not opened: only http and https addresses are"
        )));
    }
    // Under the name of a definition a page would be taken for that application.
    if launcher.definitions().application(name).is_some() {
        return Err(CallFailure::new(format!(
            "`{name}` is the name of an application; start that, or open the page under another name"
        )));
    }
    let context = maybe_object(arguments, "context")?;
    let options = StartOptions::read(arguments.clone());
    let by = options.started_by(call.caller_identity.as_ref());
    let application = page(name, &parsed)
        .ok_or_else(|| CallFailure::new(format!("`{name}` cannot be the name of a window")))?;
    let start = Start { application, context: Payload::from(Value::Object(context)), options, by };
    let instance = launcher.launch(start).await?;
    Ok(json!({ "id": instance.window() }).into())
}

/// The titles of windows.
fn info(launcher: &Launcher, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let ids = arguments.get("ids").and_then(Value::as_array);
    let wanted = |id: &str| ids.is_none_or(|ids| ids.iter().any(|wanted| wanted == id));
    let windows: Vec<_> = launcher
        .instances()
        .snapshot()
        .iter()
        .filter_map(|one| Some((one.window()?, view::title(one))))
        .filter(|(id, _)| wanted(id))
        .map(|(id, title)| json!({ "id": id, "title": title }))
        .collect();
    Ok(json!({ "windows": windows }).into())
}

/// The instance that is in a window.
fn in_window(launcher: &Launcher, window: &str) -> Option<Arc<Instance>> {
    launcher.instances().snapshot().iter().find(|one| one.window() == Some(window)).cloned()
}
