//! Arguments of operations.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::workspaces::{LayoutFailure, Refused, WorkspaceError};

/// Why an operation is not done.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// About workspaces.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// About saved layouts.
    #[error(transparent)]
    Layout(#[from] LayoutFailure),
    /// There is no saved layout of this name.
    #[error("there is no saved workspace layout {name:?}{}", listed(.known))]
    UnknownLayout {
        /// The name that was given.
        name: String,
        /// Names of some that there are.
        known: Vec<String>,
    },
    /// A layout document that cannot be used.
    #[error("layout {name:?} cannot be used: {reason}")]
    BadLayout {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Workspace(refused.into())
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
}

/// Reads arguments; an error says which of them is wrong.
pub(super) fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, Refused> {
    let read = serde_path_to_error::deserialize(arguments);
    read.map_err(|error| Refused::BadArguments { reason: error.to_string() })
}

/// `{itemId}`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    pub(super) item_id: String,
}

/// `{workspaceId}`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Selector {
    pub(super) workspace_id: crate::workspaces::WorkspaceId,
}
