//! What a desktop in a browser does not have: screens, keys, a tray, and a shell
//! that applications could end.

use deskwire_connect::{Call, CallFailure, RegisterError};
use serde_json::{Value, json};

use super::super::message::{done, object, text};
use super::super::{Answer, Offer};

/// Methods that are never done, and why.
const NOT_DONE: [(&str, &str); 5] = [
    ("T42.ACS.Shutdown", "the platform is ended where it was started, not by an application"),
    ("T42.ACS.Restart", "the platform is restarted where it was started, not by an application"),
    ("T42.ACS.Feedback", "nobody takes feedback on this desktop"),
    ("T42.JumpList.Execute", "windows of this desktop have no jump lists"),
    ("T42.Hotkeys.Show", "this desktop has no global hotkeys"),
];

pub(super) async fn offer(offer: &mut Offer) -> Result<(), RegisterError> {
    for (name, reason) in NOT_DONE {
        offer.answer(name, move |_| Err(CallFailure::new(reason))).await?;
    }
    offer.answer("T42.Otel.GetConfig", |_| Ok(json!({ "enabled": false }).into())).await?;
    offer.answer("T42.GD.Execute", execute).await?;
    offer.answer("T42.GD.Interception.Execute", intercept).await?;
    offer.answer("T42.Displays.Command", displays).await?;
    offer.answer("T42.Hotkeys.Command", hotkeys).await
}

fn execute(call: &Call) -> Answer {
    match text(object(call.arguments.value())?, "command")? {
        // Programs tell it as they start. That they are on the bus says as much.
        "announce-instance-ready" => Ok(done()),
        command => Err(CallFailure::new(format!(
            "`{command}` is not done: this desktop runs in the person's own browser, and has no \
             cookies to give"
        ))),
    }
}

/// While this is on the bus, clients ask it before and after they raise an
/// intent; an empty answer lets them go on.
fn intercept(call: &Call) -> Answer {
    match text(object(call.arguments.value())?, "command")? {
        "register" | "unregister" => {
            Err(CallFailure::new("nothing can be intercepted on this desktop"))
        }
        _ => Ok(done()),
    }
}

/// Pages know their screens; a server has none.
fn displays(call: &Call) -> Answer {
    match text(object(call.arguments.value())?, "command")? {
        "getAll" => Ok(json!({ "data": [] }).into()),
        command => Err(CallFailure::new(format!(
            "`{command}` is not done: the platform has no displays; a page knows its own screen"
        ))),
    }
}

fn hotkeys(call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    match text(arguments, "command")? {
        // There is nothing that would be left.
        "unregister" | "unregisterAll" => Ok(done()),
        _ => {
            let hotkey = arguments.get("hotkey").and_then(Value::as_str).unwrap_or_default();
            Err(CallFailure::new(format!(
                "`{hotkey}` is not registered: this desktop has no global hotkeys; a page can \
                 listen to its own keys"
            )))
        }
    }
}
