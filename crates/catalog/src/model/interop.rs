//! What an application says in `customProperties.interop`: how a model may use it.

use serde_json::Value;

/// Methods, contexts and intents as their author describes them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Interop {
    /// Methods that a running instance has.
    pub methods: Vec<InteropMethod>,
    /// What it reads from contexts.
    pub context: Option<ContextUse>,
    /// Intents it handles, with schemas.
    pub intents: Vec<InteropIntent>,
}

/// A method that a running instance has. Schemas are objects, unchecked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InteropMethod {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: Option<String>,
    /// JSON Schema of its arguments.
    pub input_schema: Option<Value>,
    /// JSON Schema of its result.
    pub output_schema: Option<Value>,
}

/// What an application reads from contexts, and from which.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContextUse {
    /// Where it reads from, in the author's order, each once.
    pub sources: Vec<ContextSource>,
    /// What it does with it.
    pub description: Option<String>,
    /// JSON Schema of what it reads: an object, unchecked.
    pub schema: Option<Value>,
}

/// A context that an application reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ContextSource {
    /// What the instance is started with.
    InitialInstance,
    /// A shared context.
    Global,
    /// The channel it is on.
    Channel,
    /// The context of its window.
    Window,
    /// The context of its workspace.
    Workspace,
    /// A word that means nothing here.
    Other(String),
}

impl ContextSource {
    /// The sources that exist, as definitions write them.
    pub const NAMES: [&str; 5] = ["initial-instance", "global", "channel", "window", "workspace"];

    /// Reads a source; what is not known is [`Self::Other`].
    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "initial-instance" => Self::InitialInstance,
            "global" => Self::Global,
            "channel" => Self::Channel,
            "window" => Self::Window,
            "workspace" => Self::Workspace,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The source as definitions write it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::InitialInstance => "initial-instance",
            Self::Global => "global",
            Self::Channel => "channel",
            Self::Window => "window",
            Self::Workspace => "workspace",
            Self::Other(name) => name,
        }
    }
}

/// An intent that an application handles. Schemas are objects, unchecked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InteropIntent {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub display_name: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The types of context it takes.
    pub context_types: Vec<String>,
    /// JSON Schema of the context's data.
    pub input_schema: Option<Value>,
    /// JSON Schema of its result.
    pub output_schema: Option<Value>,
    /// The type of its result.
    pub result_type: Option<String>,
}
