//! `T42.Prefs.*`: what applications keep for their user.

use deskwire_connect::{Call, CallFailure, RegisterError};
use serde_json::Value;

use super::message::{done, maybe_text, object, text};
use super::{Answer, Offer};
use crate::preferences::Preferences;

/// Offers the methods.
pub(crate) async fn offer(
    offer: &mut Offer,
    preferences: &Preferences,
) -> Result<(), RegisterError> {
    let all = preferences.clone();
    let get = move |call: Call| {
        let all = all.clone();
        async move { get(&all, &call).await }
    };
    offer.method("T42.Prefs.Get", get).await?;
    let all = preferences.clone();
    let set = move |call: Call| {
        let all = all.clone();
        async move { set(&all, &call).await }
    };
    offer.method("T42.Prefs.Set", set).await
}

async fn get(preferences: &Preferences, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let Some(app) = maybe_text(arguments, "app") else { return Ok(preferences.all().await?) };
    if arguments.get("subscribe") == Some(&Value::Bool(true)) {
        let identity = call.caller_identity.as_ref();
        let instance = identity.and_then(|identity| identity.instance());
        let instance = instance.ok_or("only an instance on the bus can subscribe")?;
        preferences.follow(app, instance)?;
    }
    Ok(preferences.get(app).await?)
}

async fn set(preferences: &Preferences, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    if arguments.get("clear") == Some(&Value::Bool(true)) {
        match maybe_text(arguments, "app") {
            Some(app) => preferences.clear(app).await?,
            None => preferences.clear_all().await?,
        }
        return Ok(done());
    }
    let app = text(arguments, "app")?;
    let Some(Value::Object(data)) = arguments.get("data") else {
        return Err(CallFailure::new("`data` must be an object"));
    };
    let merge = arguments.get("merge") == Some(&Value::Bool(true));
    preferences.set(app, data.clone(), merge).await?;
    Ok(done())
}
