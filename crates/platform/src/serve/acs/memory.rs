//! `T42.ACS.InMemoryStoreCommand`: applications registered at run time.

use deskwire_connect::{Call, CallFailure, RegisterError};
use serde_json::{Map, Value, json};

use super::super::message::{done, list, maybe_object, maybe_text, object, payload, text, texts};
use super::super::{Answer, Offer};
use crate::apps::{Apps, ImportMode, Imported};

pub(super) async fn offer(offer: &mut Offer, apps: &Apps) -> Result<(), RegisterError> {
    let apps = apps.clone();
    offer.answer("T42.ACS.InMemoryStoreCommand", move |call| command(&apps, call)).await
}

fn command(apps: &Apps, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let details = maybe_object(arguments, "args")?;
    match text(arguments, "command")? {
        "import" => import(apps, &details),
        "export" => Ok(json!({ "apps": apps.export() }).into()),
        "remove" => {
            apps.forget(&texts(&details, "apps")?);
            Ok(done())
        }
        "clear" => {
            apps.forget_all();
            Ok(done())
        }
        other => Err(CallFailure::new(format!(
            "there is no command `{other}`; there are import, export, remove and clear"
        ))),
    }
}

/// An import as both interfaces ask it.
pub(crate) fn import(apps: &Apps, details: &Map<String, Value>) -> Answer {
    let definitions = list(details, "apps")?;
    let mode = ImportMode::parse(maybe_text(details, "mode"))
        .ok_or("`mode` must be `replace` or `merge`")?;
    let Imported { imported, errors } = apps.import(definitions, mode);
    let errors: Vec<_> =
        errors.into_iter().map(|(app, error)| json!({ "app": app, "error": error })).collect();
    Ok(payload(&json!({ "imported": imported, "errors": errors })))
}
