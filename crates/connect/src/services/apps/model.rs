//! What a platform tells of applications and instances.

use deskwire_wire::Identity;
use serde_json::{Map, Value};

use super::super::lenient::{field, fields, flag, list, text, texts};

/// An application that is defined.
#[derive(Debug, Clone, PartialEq)]
pub struct Application {
    /// Its name, by which it is started.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for, in words.
    pub caption: Option<String>,
    /// The kind of application, such as `window` or `exe`.
    pub kind: Option<String>,
    /// Whether launchers leave it out.
    pub hidden: bool,
    /// Whether it can run more than once at a time.
    pub allow_multiple: bool,
    /// Everything the platform tells of it.
    pub record: Value,
}

/// The intents an application is defined to handle.
#[derive(Debug, Clone, PartialEq)]
pub struct AppIntents {
    /// Name of the application.
    pub application: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for, in words.
    pub caption: Option<String>,
    /// The intents.
    pub intents: Vec<DeclaredIntent>,
}

/// An intent that an application is defined to handle.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredIntent {
    /// Name of the intent.
    pub name: String,
    /// What the application calls it, for people.
    pub display_name: Option<String>,
    /// Types of contexts it takes; any where there are none.
    pub contexts: Vec<String>,
    /// Type of its result.
    pub result_type: Option<String>,
    /// Anything more.
    pub custom_config: Option<Value>,
}

/// An application that runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Its id; `instance` of the identity of its peers.
    pub id: String,
    /// Name of its application.
    pub application: String,
    /// Its title, if it has one of its own.
    pub title: Option<String>,
    /// What it was started with, if the platform says so.
    pub context: Map<String, Value>,
    /// Its peers on the bus, if the platform names them.
    pub peers: Vec<Identity>,
}

impl Application {
    pub(super) fn read(record: &Value) -> Option<Self> {
        Some(Self {
            name: text(record, &["Name", "name"])?,
            title: text(record, &["Title", "title"]),
            caption: text(record, &["Caption", "caption"]),
            kind: text(record, &["Type", "type"]),
            hidden: flag(record, &["IsHidden", "hidden", "isHidden"]).unwrap_or(false),
            allow_multiple: flag(record, &["AllowMultiple", "allowMultiple"]).unwrap_or(true),
            record: record.clone(),
        })
    }
}

impl AppIntents {
    pub(super) fn read(record: &Value) -> Option<Self> {
        let intents: Vec<_> =
            list(record.get("intents")).filter_map(DeclaredIntent::read).collect();
        if intents.is_empty() {
            return None;
        }
        Some(Self {
            application: text(record, &["name", "Name"])?,
            title: text(record, &["title", "Title"]),
            caption: text(record, &["caption", "Caption"]),
            intents,
        })
    }
}

impl DeclaredIntent {
    fn read(record: &Value) -> Option<Self> {
        Some(Self {
            name: text(record, &["name"])?,
            display_name: text(record, &["displayName"]),
            contexts: texts(record.get("contexts")),
            result_type: text(record, &["resultType"]),
            custom_config: field(record, &["customConfig"]).cloned(),
        })
    }
}

impl Instance {
    /// An instance of which no more is known.
    #[must_use]
    pub fn new(id: impl Into<String>, application: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            application: application.into(),
            title: None,
            context: Map::new(),
            peers: Vec::new(),
        }
    }

    pub(super) fn read(record: &Value) -> Option<Self> {
        let peers = list(field(record, &["AgmServers", "agmServers"])).filter_map(Value::as_object);
        Some(Self {
            id: text(record, &["Id", "id"])?,
            application: text(record, &["Name", "name", "appName"])?,
            title: text(record, &["Title", "title"]),
            context: fields(field(record, &["Context", "context"])),
            peers: peers.cloned().map(Identity::new).collect(),
        })
    }
}
