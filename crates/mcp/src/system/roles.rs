//! What the system tools are, and what each needs.

use super::settings::Matching;
use crate::profile::{Needs, Profile};

/// The method of the bus whose server has workspaces.
pub(super) const WORKSPACES_API: &str = "T42.Workspaces.Control";

/// The method of the bus whose server knows what is defined.
pub(super) const DEFINITIONS_API: &str = "T42.ACS.GetApplications";

/// A system tool by what it is for, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// Finds applications.
    SearchApplications,
    /// Finds saved workspaces.
    SearchWorkspaces,
    /// Starts applications.
    StartApplications,
    /// Opens a workspace.
    StartWorkspace,
    /// Shows a workspace before it is opened.
    GetWorkspaceWidget,
    /// Tells what the person is working on.
    GetWorkingContext,
}

impl Role {
    pub(crate) const ALL: [Self; 6] = [
        Self::SearchApplications,
        Self::SearchWorkspaces,
        Self::StartApplications,
        Self::StartWorkspace,
        Self::GetWorkspaceWidget,
        Self::GetWorkingContext,
    ];

    /// Its name, unless the operator gives another.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SearchApplications => "io_connect_search_applications",
            Self::SearchWorkspaces => "io_connect_search_workspaces",
            Self::StartApplications => "io_connect_start_applications",
            Self::StartWorkspace => "io_connect_start_workspace",
            Self::GetWorkspaceWidget => "io_connect_get_workspace_widget",
            Self::GetWorkingContext => "io_connect_get_working_context",
        }
    }

    /// Its block in `server.tools.system`.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::SearchApplications => "searchApps",
            Self::SearchWorkspaces => "searchWorkspaces",
            Self::StartApplications => "startApps",
            Self::StartWorkspace => "startWorkspace",
            Self::GetWorkspaceWidget => "getWorkspaceWidget",
            Self::GetWorkingContext => "getWorkingContext",
        }
    }

    /// Whether there must be workspaces on the bus.
    pub(super) fn needs_workspaces(self) -> bool {
        matches!(self, Self::SearchWorkspaces | Self::StartWorkspace | Self::GetWorkspaceWidget)
    }

    /// Which clients may use a search that matches in this way.
    pub(super) fn needs(matching: Matching) -> Needs {
        match matching {
            Matching::Sampling => Needs::present(Profile::SAMPLING),
            Matching::Model | Matching::Lexical | Matching::Auto => Needs::NOTHING,
        }
    }

    /// Whether this build has it.
    pub(super) fn is_built(self) -> bool {
        matches!(self, Self::SearchApplications | Self::SearchWorkspaces)
    }

    /// What a model is told, unless the operator says something else.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::SearchApplications => SEARCH_APPLICATIONS,
            Self::SearchWorkspaces => SEARCH_WORKSPACES,
            // Written when they are built.
            Self::StartApplications
            | Self::StartWorkspace
            | Self::GetWorkspaceWidget
            | Self::GetWorkingContext => "",
        }
    }
}

const SEARCH_APPLICATIONS: &str = "\
Finds applications of the person's desktop that can do what the person wants, and tells how each is used: the methods \
it has, the context it takes and the intents it handles, with JSON Schemas. \
Use it first when the person wants to see, open or do something that no other tool here does. \
Say in userIntent, in one sentence of their own words, what they want to accomplish, with the names and values they gave. \
It starts nothing: nextSteps says what to do then, also when nothing fits. \
Several applications that belong on one screen are in willSatisfyUserIntentBy.workspace, single ones in \
willSatisfyUserIntentBy.apps, best first.";

const SEARCH_WORKSPACES: &str = "\
Finds a saved workspace of the person's desktop, which is several applications arranged on one screen for a task, and \
tells which context it takes. \
Use it when the person wants to begin a task or a meeting, or asks for several things at once; for a single thing, search \
applications. \
Say in userIntent, in one sentence of their own words, what they want to accomplish, with the names and values they gave. \
It opens nothing: nextSteps says what to do then, also when nothing fits.";
