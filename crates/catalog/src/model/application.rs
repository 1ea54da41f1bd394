//! An application: what it is, how it is started, what it says of itself.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use url::Url;

use super::{Interop, same_value};
use crate::source::Origin;

/// The definition of an application.
///
/// Texts are as the author wrote them: not cleaned, not shortened. Blank texts are
/// absent ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Application {
    /// Its name on the bus; unique in a [`crate::Catalog`].
    pub name: String,
    /// How it is started.
    pub kind: Kind,
    /// The name for people: the title, else the name of a directory record, else [`Self::name`].
    pub title: String,
    /// What it does, for search. A directory record's `description` is its caption.
    pub caption: Option<String>,
    /// A longer description.
    pub description: Option<String>,
    /// The version, as the author writes it.
    pub version: Option<String>,
    /// Not shown in launchers.
    pub hidden: bool,
    /// Not to be started.
    pub disabled: bool,
    /// A background service.
    pub service: bool,
    /// Started with the desktop.
    pub auto_start: bool,
    /// Whether it may run more than once at a time; true unless refused.
    pub allow_multiple: bool,
    /// Whether it may be placed in a workspace.
    pub include_in_workspaces: bool,
    /// The intents it can be started for.
    pub intents: Vec<Intent>,
    /// The intents it raises, with the types of context it raises them with.
    pub raises: IndexMap<String, Vec<String>>,
    /// What it says of its methods, contexts and intents in `customProperties.interop`.
    pub interop: Option<Interop>,
    /// Words to find it by; the categories of a directory record are among them.
    pub keywords: Vec<String>,
    /// Addresses of icons: absolute http and https, relative ones, `data:image/`.
    pub icons: Vec<String>,
    /// The definition as it is served on the bus: the io.Connect form, whatever it
    /// came in. An address that is not to be opened is not in it.
    pub raw: Arc<Value>,
    /// Where it stands.
    pub origin: Origin,
}

impl Application {
    /// What the author added: `customProperties`, in the browser's edition `userProperties`.
    #[must_use]
    pub fn custom_properties(&self) -> Option<&Map<String, Value>> {
        let object = |key| self.raw.get(key).and_then(Value::as_object);
        object("customProperties").or_else(|| object("userProperties"))
    }

    /// `customProperties.interop` as the author wrote it.
    #[must_use]
    pub fn interop_raw(&self) -> Option<&Value> {
        self.custom_properties()?.get("interop")
    }

    /// Whether it handles `intent` by definition.
    #[must_use]
    pub fn handles(&self, intent: &str) -> bool {
        self.intents.iter().any(|own| own.name == intent)
    }

    /// Whether both say the same; where they stand does not matter.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        // The other fields are computed from these.
        self.name == other.name
            && self.kind == other.kind
            && self.title == other.title
            && self.raises == other.raises
            && same_value(&self.raw, &other.raw)
    }
}

/// How an application is started.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A web page.
    Window(Window),
    /// A program.
    Exe(Exe),
    /// A script for Node.
    Node(Node),
    /// A frame of workspaces.
    Workspaces,
    /// A type that Deskwire cannot start, as it is written.
    Other(String),
}

impl Kind {
    /// The type as definitions write it.
    #[must_use]
    pub fn type_name(&self) -> &str {
        match self {
            Self::Window(_) => "window",
            Self::Exe(_) => "exe",
            Self::Node(_) => "node",
            Self::Workspaces => "workspaces",
            Self::Other(name) => name,
        }
    }
}

/// A web page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its address, always http or https; or why there is none that may be opened.
    pub url: Result<Url, UrlFault>,
}

/// Why a page cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// The definition has none.
    #[error("there is no address; give one as `details.url`")]
    Missing,
    /// It has no host.
    #[error("`{0}` has no host to belong to; write the whole address, as in https://host/path")]
    Relative(String),
    /// It is of another scheme.
    #[error("`{0}` is not opened: only http and https addresses are; write https://…")]
    Scheme(String),
    /// It cannot be read.
    #[error("`{0}` is no address ({1}); write one as in https://host/path")]
    Invalid(String, url::ParseError),
}

/// A program. Texts may hold `%VARIABLES%`; whoever starts it fills them in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exe {
    /// Its folder, or, without a command, the program itself.
    pub path: Option<String>,
    /// The program, relative to the folder.
    pub command: Option<String>,
    /// Its arguments, as one line.
    pub parameters: Option<String>,
    /// What is added to its environment.
    pub env: IndexMap<String, String>,
}

impl Exe {
    /// What is started, and in which folder; `None` when the definition does not say.
    #[must_use]
    pub fn program(&self) -> Option<(&str, Option<&str>)> {
        match (self.command.as_deref(), self.path.as_deref()) {
            (Some(command), folder) => Some((command, folder)),
            (None, Some(path)) => Some((path, None)),
            (None, None) => None,
        }
    }
}

/// A script for Node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// The script; `None` when the definition does not say.
    pub path: Option<String>,
    /// Its arguments, as one line.
    pub parameters: Option<String>,
    /// What is added to its environment.
    pub env: IndexMap<String, String>,
}

/// An intent that an application can be started for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Intent {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub display_name: Option<String>,
    /// The types of context it takes; any if empty.
    pub contexts: Vec<String>,
    /// The type of its result.
    pub result_type: Option<String>,
    /// What the author added.
    pub custom_config: Option<Value>,
}
