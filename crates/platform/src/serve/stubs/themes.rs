//! `T42.Themes.*`: light or dark, as the person chose, kept in the store.

use deskwire_connect::{Call, CallFailure, Client, RegisterError};
use deskwire_wire::Payload;
use serde_json::{Value, json};

use super::super::message::{done, object, text};
use super::super::{Answer, Offer};
use crate::preferences::Preferences;

const CONTEXT: &str = "T42.Themes";
const GET: &str = "T42.Themes.Get";
const SET: &str = "T42.Themes.Set";

/// What the choice is kept under.
const KEPT: &str = "Theme";

const THEMES: [(&str, &str); 2] = [("light", "Light"), ("dark", "Dark")];

pub(super) async fn offer(
    offer: &mut Offer,
    preferences: &Preferences,
) -> Result<(), RegisterError> {
    let configuration = json!({
        "sharedContextName": CONTEXT,
        "getThemesMethodName": GET,
        "setThemesMethodName": SET,
    });
    let bus = offer.bus().clone();
    show(&bus, &selected(preferences).await).await;
    let kept = preferences.clone();
    let get = move |_: Call| {
        let kept = kept.clone();
        async move { Ok(all(&selected(&kept).await)) }
    };
    offer.method(GET, get).await?;
    let kept = preferences.clone();
    let set = move |call: Call| {
        let (kept, bus) = (kept.clone(), bus.clone());
        async move { set(&kept, &bus, &call).await }
    };
    offer.method(SET, set).await?;
    offer.answer("T42.Themes.Configuration", move |_| Ok(configuration.clone().into())).await
}

async fn set(preferences: &Preferences, bus: &Client, call: &Call) -> Answer {
    let theme = text(object(call.arguments.value())?, "theme")?;
    if !THEMES.iter().any(|(name, _)| *name == theme) {
        return Err(CallFailure::new(format!(
            "there is no theme `{theme}`; there are light and dark"
        )));
    }
    preferences.keep_own(KEPT, &json!({ "selected": theme })).await?;
    show(bus, theme).await;
    Ok(done())
}

async fn selected(preferences: &Preferences) -> String {
    let kept = match preferences.own(KEPT).await {
        Ok(kept) => kept.unwrap_or_default(),
        Err(error) => {
            tracing::warn!(%error, "the chosen theme cannot be read");
            Value::Null
        }
    };
    let chosen = kept.get("selected").and_then(Value::as_str);
    let known = THEMES.iter().find(|(name, _)| Some(*name) == chosen);
    known.unwrap_or(&THEMES[0]).0.to_owned()
}

/// Puts the choice where pages follow it.
async fn show(bus: &Client, selected: &str) {
    if let Err(error) = bus.contexts().set(CONTEXT, all(selected)).await {
        tracing::warn!(%error, "cannot tell of the chosen theme");
    }
}

fn all(selected: &str) -> Payload {
    let all: Vec<_> =
        THEMES.iter().map(|(name, shown)| json!({ "name": name, "displayName": shown })).collect();
    json!({ "all": all, "selected": selected }).into()
}
