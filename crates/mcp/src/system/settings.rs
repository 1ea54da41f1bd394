//! What the operator decides about system tools.

use std::collections::HashMap;

use super::roles::Role;
use crate::names;
use crate::search::{DefinitionsFeed, SearchGuards};
use crate::text::{MAX_OPERATORS_DESCRIPTION, clean};

/// The system tools: which there are, how they are called, what search offers.
#[derive(Debug, Clone, Default)]
pub struct SystemTools {
    /// `io_connect_search_applications`.
    pub search_applications: SearchSettings,
    /// `io_connect_search_workspaces`.
    pub search_workspaces: SearchSettings,
    /// `io_connect_start_applications`, which is not built yet.
    pub start_applications: ToolSettings,
    /// `io_connect_start_workspace`, which is not built yet.
    pub start_workspace: ToolSettings,
    /// `io_connect_get_workspace_widget`, which is not built yet.
    pub get_workspace_widget: ToolSettings,
    /// `io_connect_get_working_context`, which is not built yet.
    pub get_working_context: ToolSettings,
    /// What search may offer.
    pub guards: SearchGuards,
    /// What is defined; the platform on the bus is asked where this is `None`.
    pub definitions: Option<DefinitionsFeed>,
}

/// Settings of a system tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSettings {
    /// Whether it is there.
    pub enabled: bool,
    /// Its name; its own without it.
    pub name: Option<String>,
    /// What models are told about it; its own description without it.
    pub description: Option<String>,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self { enabled: true, name: None, description: None }
    }
}

/// Settings of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchSettings {
    /// Those of every system tool.
    pub tool: ToolSettings,
    /// How it is decided what fits.
    pub matching: Matching,
}

/// How it is decided what fits a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Matching {
    /// The client's model decides; for clients that let it be asked.
    #[default]
    Sampling,
    /// A model of this server decides.
    Model,
    /// The words of the request and of the definitions decide.
    Lexical,
    /// The best of these that there is for the client.
    Auto,
}

/// A setting of a system tool that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}; {fix}")]
pub struct InvalidSystemTool {
    /// Which, below `server.tools.system`.
    pub field: String,
    /// Why.
    pub reason: String,
    /// What would be right.
    pub fix: String,
}

impl SystemTools {
    /// Checks the names that the operator gave.
    ///
    /// # Errors
    /// The first that is wrong.
    pub fn check(&self) -> Result<(), InvalidSystemTool> {
        let mut holders: HashMap<&str, Role> = HashMap::new();
        for role in Role::ALL {
            let settings = self.tool(role);
            if !settings.enabled {
                continue;
            }
            let name = self.name(role);
            let invalid = |reason: String, fix: String| InvalidSystemTool {
                field: format!("{}.overrides.name", role.field()),
                reason,
                fix,
            };
            names::check_system(name)
                .map_err(|error| invalid(error.to_string(), error.fix().into_owned()))?;
            if let Some(holder) = holders.insert(name, role) {
                return Err(invalid(
                    format!("the name `{name}` belongs to {} already", holder.field()),
                    "give one of the two another name".into(),
                ));
            }
        }
        Ok(())
    }

    /// The settings that every system tool has.
    pub(super) fn tool(&self, role: Role) -> &ToolSettings {
        match role {
            Role::SearchApplications => &self.search_applications.tool,
            Role::SearchWorkspaces => &self.search_workspaces.tool,
            Role::StartApplications => &self.start_applications,
            Role::StartWorkspace => &self.start_workspace,
            Role::GetWorkspaceWidget => &self.get_workspace_widget,
            Role::GetWorkingContext => &self.get_working_context,
        }
    }

    /// How a search matches.
    pub(super) fn matching(&self, role: Role) -> Option<Matching> {
        match role {
            Role::SearchApplications => Some(self.search_applications.matching),
            Role::SearchWorkspaces => Some(self.search_workspaces.matching),
            _ => None,
        }
    }

    /// What a tool is called.
    pub(super) fn name(&self, role: Role) -> &str {
        self.tool(role).name.as_deref().unwrap_or(role.name())
    }

    /// What models are told about a tool.
    pub(super) fn description(&self, role: Role) -> String {
        let own = self.tool(role).description.as_deref();
        let own = own.map(|text| clean(text, MAX_OPERATORS_DESCRIPTION).text);
        own.filter(|text| !text.is_empty()).unwrap_or_else(|| role.description().into())
    }
}
