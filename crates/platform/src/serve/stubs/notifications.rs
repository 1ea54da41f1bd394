//! Notifications: there are none on this desktop.

use deskwire_connect::{Call, CallFailure, Publisher, RegisterError, SubscriptionRequest};
use serde_json::json;

use super::super::message::{done, object, text};
use super::super::{Answer, Offer};

const NONE: &str = "this desktop shows no notifications";

pub(super) async fn offer(offer: &mut Offer) -> Result<Vec<Publisher>, RegisterError> {
    for name in [
        "T42.GNS.Publish.RaiseNotification",
        "T42.Notifications.Show",
        "T42.Notifications.Hide",
        "T42.Notifications.Configure",
    ] {
        offer.answer(name, |_| Err(CallFailure::new(NONE))).await?;
    }
    offer.answer("T42.Notifications.Filter", filter).await?;
    offer.answer("T42.Notifications.Execute", execute).await?;
    let silent = |request: SubscriptionRequest| async move {
        let _gone = request.accept().await;
    };
    let counter = |request: SubscriptionRequest| async move {
        if let Some(subscriber) = request.accept().await {
            let _gone = subscriber.push(json!({ "count": 0 }).into()).await;
        }
    };
    Ok(vec![
        offer.stream("T42.GNS.Subscribe.Notifications", silent).await?,
        offer.stream("T42.Notifications.Counter", counter).await?,
    ])
}

/// Without arguments the filter is asked for; there is none.
fn filter(call: &Call) -> Answer {
    if object(call.arguments.value())?.is_empty() {
        Ok(json!({ "allowed": [], "blocked": [] }).into())
    } else {
        Err(CallFailure::new(NONE))
    }
}

fn execute(call: &Call) -> Answer {
    match text(object(call.arguments.value())?, "command")? {
        "list" => Ok(json!({ "notifications": [] }).into()),
        "isPanelVisible" => Ok(json!({ "panelVisible": false }).into()),
        "getConfiguration" => Ok(json!({ "enable": false, "enableToasts": false }).into()),
        "clearAll" | "clearAllOld" => Ok(done()),
        _ => Err(CallFailure::new(NONE)),
    }
}
