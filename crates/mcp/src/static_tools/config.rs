//! The form in which static tools are configured.

use rmcp::model::{JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tools that are defined here, not by applications.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StaticToolsConfig {
    /// Tools that invoke interop methods.
    pub methods: Vec<StaticMethod>,
    /// Tools that raise intents.
    pub intents: Vec<StaticIntent>,
}

/// A tool that invokes an interop method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticMethod {
    /// When clients see the tool.
    pub availability: Availability,
    /// Name of the tool: 1 to 64 of the characters A-Z a-z 0-9 _ -, not
    /// beginning with `io_connect_`.
    #[schemars(length(min = 1, max = 64), regex(pattern = r"^[A-Za-z0-9_-]+$"))]
    pub name: String,
    /// What clients are shown.
    pub config: StaticToolConfig,
    /// What a call invokes.
    pub interop: StaticInterop,
}

/// A tool that raises an intent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticIntent {
    /// When clients see the tool.
    pub availability: Availability,
    /// Name of the tool: 1 to 64 of the characters A-Z a-z 0-9 _ -, not
    /// beginning with `io_connect_`.
    #[schemars(length(min = 1, max = 64), regex(pattern = r"^[A-Za-z0-9_-]+$"))]
    pub name: String,
    /// What clients are shown.
    pub config: StaticToolConfig,
    /// What a call raises.
    pub interop: StaticIntentInterop,
}

/// When clients see a static tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Availability {
    /// Always. A call without an application that serves it is an error.
    Constant,
    /// While an application that serves it is on the bus, or, for an intent, is
    /// defined to be started for it.
    Variable,
}

/// What clients are shown of a static tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticToolConfig {
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the tool does and when to use it, for the model.
    #[schemars(length(min = 1))]
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub input_schema: JsonObject,
    /// JSON Schema of the result.
    pub output_schema: JsonObject,
    /// Hints about what the tool does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<StaticAnnotations>,
    /// Metadata, passed on as it is.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// Hints about what a tool does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StaticAnnotations {
    /// Name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Doing it twice is doing it once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It deals with the world outside the desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// What a call of a static tool invokes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticInterop {
    /// Name of the interop method. As everywhere on the bus, case does not
    /// matter.
    #[schemars(length(min = 1))]
    pub method_name: String,
    /// Milliseconds an application may take to answer; above 0, at most a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400_000))]
    pub response_timeout_ms: Option<f64>,
    /// Names of the applications that may be called; any application where
    /// there is none of this. Case matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub allowed_applications: Option<Vec<String>>,
}

/// What a call of a static intent tool raises.
///
/// The handler gets `{type, data}`: the type is the argument `type` if that is
/// text, else the first context type that a handler declares; the data are the
/// fields of the argument `data` if that is an object, and all arguments, which
/// win.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StaticIntentInterop {
    /// Name of the intent. Case matters.
    #[schemars(length(min = 1))]
    pub intent_name: String,
    /// Who handles it where several could.
    #[serde(default)]
    pub resolution_strategy: ResolutionStrategy,
    /// Milliseconds the handler may take to answer; above 0, at most a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400_000))]
    pub response_timeout_ms: Option<f64>,
    /// Names of the applications that may handle it; any application where
    /// there is none of this. Case matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub allowed_applications: Option<Vec<String>>,
}

/// Who handles an intent where several could.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionStrategy {
    /// An application that is started for it, before one that runs: what runs
    /// has a state of its own.
    #[default]
    Mcp,
    /// As the desktop resolves it: the person may be asked.
    IoConnect,
}

impl From<&StaticAnnotations> for ToolAnnotations {
    fn from(annotations: &StaticAnnotations) -> Self {
        Self::from_raw(
            annotations.title.clone(),
            annotations.read_only_hint,
            annotations.destructive_hint,
            annotations.idempotent_hint,
            annotations.open_world_hint,
        )
    }
}
