//! `T42.ACS.Command`: layouts, as `io.layouts` calls them. Who waits for an event
//! finds the token of the request in it.

mod desktop;

use std::sync::Arc;

use deskwire_catalog::{Layout, LayoutKind};
use deskwire_connect::{Call, CallFailure, Client, RegisterError};
use deskwire_store::{Import, Marker};
use serde_json::{Map, Value, json};

use super::message::{done, list, maybe_object, maybe_text, object, payload, text};
use super::{Answer, Offer};
use crate::layouts::{Change, Layouts};
use crate::limits::Limits;
use crate::running::InstanceCommands;

/// What the commands need.
#[derive(Clone)]
struct Desk {
    layouts: Layouts,
    bus: Client,
    instances: Arc<dyn InstanceCommands>,
    limits: Limits,
}

/// Offers the method.
pub(crate) async fn offer(
    offer: &mut Offer,
    layouts: &Layouts,
    instances: &Arc<dyn InstanceCommands>,
    limits: &Limits,
) -> Result<(), RegisterError> {
    let desk = Desk {
        layouts: layouts.clone(),
        bus: offer.bus().clone(),
        instances: Arc::clone(instances),
        limits: limits.clone(),
    };
    let answer = move |call: Call| {
        let desk = desk.clone();
        async move { desk.command(&call).await }
    };
    offer.method("T42.ACS.Command", answer).await
}

impl Desk {
    async fn command(&self, call: &Call) -> Answer {
        let arguments = object(call.arguments.value())?;
        let data = maybe_object(arguments, "data")?;
        match text(arguments, "command")? {
            "SaveLayout" => self.save(&data).await,
            "RestoreLayout" => self.restore(&data, call).await,
            "RemoveLayout" => self.remove(&data).await,
            "RenameLayout" => self.rename(&data).await,
            "ImportLayouts" => self.import(&data).await,
            "ExportLayouts" => Ok(self.export()),
            "UpdateMetadata" => self.update_metadata(&data).await,
            "GetCurrentLayout" => {
                let current = self.layouts.current_layout().await?;
                Ok(current.map_or_else(done, |layout| json!({ "layout": named(&layout) }).into()))
            }
            "GetDefaultLayout" => {
                let default = self.layouts.default_layout().await?;
                Ok(default.map_or_else(done, |layout| json!(*layout.raw).into()))
            }
            "SelectDefaultLayout" => {
                let name = text(&data, "name")?.to_owned();
                if self.layouts.get(&LayoutKind::Global, &name).is_none() {
                    let reason = format!("there is no layout `{name}` of the type Global");
                    return Err(CallFailure::new(reason));
                }
                self.layouts.mark(Marker::Default, Some((LayoutKind::Global, name))).await?;
                Ok(done())
            }
            "DeselectDefaultLayout" => {
                self.layouts.mark(Marker::Default, None).await?;
                Ok(done())
            }
            // Files are read as they change.
            "RefreshLayouts" => Ok(done()),
            "GetRestoredLayoutsInfo" => Ok(json!({ "activeLayout": null, "layouts": [] }).into()),
            command @ ("HibernateLayout"
            | "ResumeLayout"
            | "ResetLayout"
            | "UpdateLayoutComponentContext"
            | "UpdateDefaultContext") => Err(CallFailure::new(format!(
                "{command} is not done here: layouts are restored whole, and do not stay alive"
            ))),
            other => Err(CallFailure::new(format!("there is no command `{other}`"))),
        }
    }

    async fn remove(&self, data: &Map<String, Value>) -> Answer {
        let layout = (kind(data)?, text(data, "name")?.to_owned());
        self.layouts.change(Change::Remove(layout), token(data)).await?;
        Ok(success())
    }

    async fn rename(&self, data: &Map<String, Value>) -> Answer {
        let layout = (kind(data)?, text(data, "oldName")?.to_owned());
        let name = text(data, "newName")?.to_owned();
        self.layouts.change(Change::Rename { layout, name }, token(data)).await?;
        Ok(success())
    }

    /// Takes what can be taken; the rest is told.
    async fn import(&self, data: &Map<String, Value>) -> Answer {
        let import = match maybe_text(data, "mode") {
            None | Some("replace") => Import::ReplaceAll,
            Some("merge") => Import::Merge,
            Some(_) => return Err(CallFailure::new("`mode` must be `replace` or `merge`")),
        };
        let mut layouts = Vec::new();
        let mut failed = Vec::new();
        for document in list(data, "layouts")? {
            let (name, kind) = (document.get("name").cloned(), document.get("type").cloned());
            match self.layouts.read(document) {
                Ok(layout) => layouts.push(layout),
                Err(error) => {
                    failed.push(json!({ "name": name, "type": kind, "reason": error.to_string() }));
                }
            }
        }
        if layouts.is_empty() && !failed.is_empty() {
            let reasons: Vec<_> = failed.iter().filter_map(|one| one["reason"].as_str()).collect();
            return Err(CallFailure::new(reasons.join("; ")));
        }
        self.layouts.change(Change::Import { layouts, import }, token(data)).await?;
        let status = if failed.is_empty() { "Success" } else { "PartialSuccess" };
        Ok(json!({ "status": status, "failed": failed }).into())
    }

    fn export(&self) -> deskwire_wire::Payload {
        let all = self.layouts.all(None);
        let all: Vec<&Value> = all.iter().map(|layout| layout.raw.as_ref()).collect();
        payload(&serde_json::Map::from_iter([("Layouts".to_owned(), json!(all))]))
    }

    async fn update_metadata(&self, data: &Map<String, Value>) -> Answer {
        let (kind, name) = (kind(data)?, text(data, "name")?);
        let Some(layout) = self.layouts.get(&kind, name) else {
            let reason = format!("there is no layout `{name}` of the type {}", kind.as_str());
            return Err(CallFailure::new(reason));
        };
        let mut document = Value::clone(&layout.raw);
        if let Some(fields) = document.as_object_mut() {
            fields.insert("metadata".into(), Value::Object(maybe_object(data, "metadata")?));
        }
        let layout = self.layouts.read(document)?;
        self.layouts.change(Change::Save(layout), token(data)).await?;
        Ok(success())
    }
}

fn kind(data: &Map<String, Value>) -> Result<LayoutKind, CallFailure> {
    Ok(LayoutKind::parse(text(data, "type")?))
}

fn token(data: &Map<String, Value>) -> crate::layouts::Token {
    crate::layouts::Token::of(data)
}

fn named(layout: &Layout) -> Value {
    json!({ "name": layout.name, "type": layout.kind.as_str() })
}

fn success() -> deskwire_wire::Payload {
    json!({ "status": "Success" }).into()
}
