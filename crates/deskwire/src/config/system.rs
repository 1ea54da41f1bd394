//! The `server.tools.system` block: tools of Deskwire itself.

use std::num::NonZeroU64;
use std::sync::Arc;

use deskwire_catalog::{Application, Layout};
use deskwire_mcp::{SearchGuard, SearchGuards, SearchSettings, ToolSettings};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::guard::{AppSubject, Guard, WorkspaceSubject};

/// Tools of Deskwire itself. All of them are experimental.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SystemTools {
    /// `io_connect_search_applications`: finds applications that can do what a person wants.
    pub(crate) search_apps: SearchApps,
    /// `io_connect_search_workspaces`: finds a saved workspace for what a person wants.
    pub(crate) search_workspaces: SearchWorkspaces,
    /// `io_connect_start_applications`. Not built yet: the diagnostics say so.
    pub(crate) start_apps: StartApps,
    /// `io_connect_start_workspace`. Not built yet: the diagnostics say so.
    pub(crate) start_workspace: StartWorkspace,
    /// `io_connect_get_workspace_widget`. Not built yet: the diagnostics say so.
    pub(crate) get_workspace_widget: SystemTool,
    /// `io_connect_get_working_context`. Not built yet: the diagnostics say so.
    pub(crate) get_working_context: SystemTool,
}

/// What is shown of a tool instead of its own name and description.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Overrides {
    /// Its name: 1 to 64 of the characters A-Z a-z 0-9 _ -
    pub(crate) name: Option<String>,
    /// What models are told about it.
    pub(crate) description: Option<String>,
}

/// A search for applications.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SearchApps {
    /// Whether it is there.
    pub(crate) enabled: bool,
    /// Another name and description.
    pub(crate) overrides: Overrides,
    /// Which applications it may offer: an expression in CEL over `app` (`name`, `metadata`).
    pub(crate) guard: Option<Guard<AppSubject>>,
    /// What decides which fit: `sampling` asks the client's model, and is for clients that
    /// let it be asked; `lexical` compares words; `model` asks a model of Deskwire, which
    /// there is none of yet; `auto` takes the best of these that there is for a client.
    pub(crate) matching: Matching,
}

/// A search for saved workspaces.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SearchWorkspaces {
    /// Whether it is there.
    pub(crate) enabled: bool,
    /// Another name and description.
    pub(crate) overrides: Overrides,
    /// Which workspaces it may offer: an expression in CEL over `ws` (`name`, `metadata`).
    pub(crate) guard: Option<Guard<WorkspaceSubject>>,
    /// What decides which fit, as for applications.
    pub(crate) matching: Matching,
}

/// Starts applications.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct StartApps {
    /// Whether it is there.
    pub(crate) enabled: bool,
    /// Another name and description.
    pub(crate) overrides: Overrides,
    /// Which applications it may start; those of `searchApps.guard` without it.
    pub(crate) guard: Option<Guard<AppSubject>>,
    /// Who is asked for consent.
    pub(crate) consent: Consent,
    /// How long an answer may take, in milliseconds.
    pub(crate) ask_timeout_ms: NonZeroU64,
}

/// Opens workspaces.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct StartWorkspace {
    /// Whether it is there.
    pub(crate) enabled: bool,
    /// Another name and description.
    pub(crate) overrides: Overrides,
    /// Which workspaces it may open; those of `searchWorkspaces.guard` without it.
    pub(crate) guard: Option<Guard<WorkspaceSubject>>,
    /// Who is asked for consent.
    pub(crate) consent: Consent,
    /// How long an answer may take, in milliseconds.
    pub(crate) ask_timeout_ms: NonZeroU64,
}

/// A tool without settings of its own.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SystemTool {
    /// Whether it is there.
    pub(crate) enabled: bool,
    /// Another name and description.
    pub(crate) overrides: Overrides,
}

/// What decides which of the candidates fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Matching {
    /// The client's model.
    #[default]
    Sampling,
    /// A model of Deskwire. Not built yet: the diagnostics say so.
    Model,
    /// Words.
    Lexical,
    /// The best of these that there is for a client.
    Auto,
}

impl From<Matching> for deskwire_mcp::Matching {
    fn from(matching: Matching) -> Self {
        match matching {
            Matching::Sampling => Self::Sampling,
            Matching::Model => Self::Model,
            Matching::Lexical => Self::Lexical,
            Matching::Auto => Self::Auto,
        }
    }
}

/// Who is asked before something is started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Consent {
    /// The client, which shows a form.
    #[default]
    Client,
    /// An open desk.
    Desk,
}

/// How long a person may take to answer: five minutes.
const ASK_TIMEOUT_MS: NonZeroU64 = NonZeroU64::MIN.saturating_add(299_999);

impl Default for SearchApps {
    fn default() -> Self {
        Self {
            enabled: true,
            overrides: Overrides::default(),
            guard: None,
            matching: Matching::default(),
        }
    }
}

impl Default for SearchWorkspaces {
    fn default() -> Self {
        Self {
            enabled: true,
            overrides: Overrides::default(),
            guard: None,
            matching: Matching::default(),
        }
    }
}

impl Default for StartApps {
    fn default() -> Self {
        Self {
            enabled: true,
            overrides: Overrides::default(),
            guard: None,
            consent: Consent::default(),
            ask_timeout_ms: ASK_TIMEOUT_MS,
        }
    }
}

impl Default for StartWorkspace {
    fn default() -> Self {
        Self {
            enabled: true,
            overrides: Overrides::default(),
            guard: None,
            consent: Consent::default(),
            ask_timeout_ms: ASK_TIMEOUT_MS,
        }
    }
}

impl Default for SystemTool {
    fn default() -> Self {
        Self { enabled: true, overrides: Overrides::default() }
    }
}

impl SystemTools {
    /// With the best way to match that there is for each client.
    pub(crate) fn matching_as_can_be(mut self) -> Self {
        self.search_apps.matching = Matching::Auto;
        self.search_workspaces.matching = Matching::Auto;
        self
    }

    /// The same for the MCP server, which still lacks the definitions.
    pub(crate) fn settings(&self) -> deskwire_mcp::SystemTools {
        let tool = |enabled: bool, overrides: &Overrides| ToolSettings {
            enabled,
            name: overrides.name.clone(),
            description: overrides.description.clone(),
        };
        let Self {
            search_apps,
            search_workspaces,
            start_apps,
            start_workspace,
            get_workspace_widget,
            get_working_context,
        } = self;
        deskwire_mcp::SystemTools {
            search_applications: SearchSettings {
                tool: tool(search_apps.enabled, &search_apps.overrides),
                matching: search_apps.matching.into(),
            },
            search_workspaces: SearchSettings {
                tool: tool(search_workspaces.enabled, &search_workspaces.overrides),
                matching: search_workspaces.matching.into(),
            },
            start_applications: tool(start_apps.enabled, &start_apps.overrides),
            start_workspace: tool(start_workspace.enabled, &start_workspace.overrides),
            get_workspace_widget: tool(
                get_workspace_widget.enabled,
                &get_workspace_widget.overrides,
            ),
            get_working_context: tool(get_working_context.enabled, &get_working_context.overrides),
            guards: SearchGuards {
                applications: search_apps.guard.as_ref().map(application_guard),
                workspaces: search_workspaces.guard.as_ref().map(workspace_guard),
            },
            definitions: None,
        }
    }
}

fn application_guard(guard: &Guard<AppSubject>) -> SearchGuard<Application> {
    let guard = guard.clone();
    Arc::new(move |app| {
        let metadata = app.custom_properties().cloned().unwrap_or_default();
        guard.allows(&[("app", json!({ "name": app.name, "metadata": metadata }))])
    })
}

fn workspace_guard(guard: &Guard<WorkspaceSubject>) -> SearchGuard<Layout> {
    let guard = guard.clone();
    Arc::new(move |ws| guard.allows(&[("ws", json!({ "name": ws.name, "metadata": ws.metadata }))]))
}
