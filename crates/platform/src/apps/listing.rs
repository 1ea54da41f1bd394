//! What clients are told of the applications: made once for each state of the
//! catalog, when somebody first asks.

use std::sync::OnceLock;

use deskwire_catalog::{Application, Catalog, Kind};
use deskwire_wire::Payload;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::serve::message::payload;

/// The answers about one state of the catalog.
#[derive(Debug)]
pub(crate) struct Listing {
    catalog: Catalog,
    with_icons: OnceLock<Payload>,
    without_icons: OnceLock<Payload>,
    definitions: OnceLock<Payload>,
    intents: OnceLock<Payload>,
}

impl Listing {
    pub(super) fn new(catalog: Catalog) -> Self {
        Self {
            catalog,
            with_icons: OnceLock::new(),
            without_icons: OnceLock::new(),
            definitions: OnceLock::new(),
            intents: OnceLock::new(),
        }
    }

    /// All applications, in the form of the application manager.
    pub(crate) fn properties(&self, icons: bool) -> Payload {
        let cell = if icons { &self.with_icons } else { &self.without_icons };
        let make = || {
            let all: Vec<_> =
                self.catalog.applications().iter().map(|app| properties(app, icons)).collect();
            json!({ "applications": all, "configuration": {} }).into()
        };
        cell.get_or_init(make).clone()
    }

    /// All definitions.
    pub(crate) fn definitions(&self) -> Payload {
        let make = || definitions(self.catalog.applications().iter().map(AsRef::as_ref));
        self.definitions.get_or_init(make).clone()
    }

    /// The definitions of these names, in their order; those that do not exist are left out.
    pub(crate) fn definitions_of<'a>(&self, names: impl Iterator<Item = &'a str>) -> Payload {
        definitions(names.filter_map(|name| self.catalog.application(name)).map(AsRef::as_ref))
    }

    /// All applications with the intents they can be started for.
    pub(crate) fn intents(&self) -> Payload {
        let make = || {
            let all: Vec<_> =
                self.catalog.applications().iter().map(|app| with_intents(app)).collect();
            json!({ "applications": all }).into()
        };
        self.intents.get_or_init(make).clone()
    }
}

fn definitions<'a>(applications: impl Iterator<Item = &'a Application>) -> Payload {
    #[derive(Serialize)]
    struct Definitions<'a> {
        applications: Vec<&'a Value>,
    }
    payload(&Definitions { applications: applications.map(|app| app.raw.as_ref()).collect() })
}

/// An application in the form of the application manager: its properties begin
/// with capitals; those that tell who it is stand there in the form of definitions as well.
pub(crate) fn properties(app: &Application, icons: bool) -> Value {
    let raw = |key: &str| app.raw.get(key).cloned().unwrap_or(Value::Null);
    let mut properties = json!({
        "Name": app.name, "name": app.name,
        "Title": app.title, "title": app.title,
        "Type": app.kind.type_name(), "type": app.kind.type_name(),
        "Version": app.version,
        "Caption": app.caption, "caption": app.caption,
        "AutoStart": app.auto_start,
        "IsShell": raw("shell").as_bool().unwrap_or(false),
        "IsHidden": app.hidden,
        "IsReady": !app.disabled,
        "AllowMultiple": app.allow_multiple,
        "SortOrder": raw("sortOrder"),
        "UserProperties": app.custom_properties(),
        "Keywords": app.keywords,
    });
    if let (Kind::Window(_), Some(details), Some(object)) =
        (&app.kind, app.raw.get("details"), properties.as_object_mut())
    {
        object.insert("Arguments".into(), details.clone());
        if let Some(mode) = details.get("mode").filter(|mode| mode.is_string()) {
            object.insert("Mode".into(), mode.clone());
        }
    }
    if icons && let Some(object) = properties.as_object_mut() {
        object.insert("Icon".into(), icon(app));
        let url = app.icons.iter().find(|icon| icon.starts_with("http"));
        object.insert("IconUrl".into(), json!(url));
    }
    without_nulls(properties)
}

/// An application in the form of the registry of applications.
pub(crate) fn core(app: &Application, in_memory: bool) -> Value {
    without_nulls(json!({
        "name": app.name,
        "type": app.kind.type_name(),
        "title": app.title,
        "version": app.version,
        "description": app.description.as_ref().or(app.caption.as_ref()),
        "icon": icon(app),
        "keywords": app.keywords,
        "autoStart": app.auto_start,
        "allowMultiple": app.allow_multiple,
        "isHidden": app.hidden,
        "isShell": app.raw.get("shell").and_then(Value::as_bool).unwrap_or(false),
        "isInMemory": in_memory,
    }))
}

/// An application with its intents. Clients read the fields of intents without
/// looking, so each has the type they expect, whatever the definition says.
fn with_intents(app: &Application) -> Value {
    let intents: Vec<_> = app
        .intents
        .iter()
        .map(|intent| {
            without_nulls(json!({
                "name": intent.name,
                "displayName": intent.display_name,
                "contexts": intent.contexts,
                "resultType": intent.result_type,
                "customConfig": intent.custom_config,
            }))
        })
        .collect();
    without_nulls(json!({
        "name": app.name,
        "title": app.title,
        "caption": app.caption,
        "icon": icon(app),
        "intents": intents,
    }))
}

fn icon(app: &Application) -> Value {
    json!(app.icons.first())
}

/// Clients tell an absent field from `null`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept: Map<_, _> =
                fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
            Value::Object(kept)
        }
        other => other,
    }
}
