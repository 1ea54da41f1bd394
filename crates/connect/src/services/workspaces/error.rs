//! What can go wrong with workspaces.

use super::super::ServiceError;

/// Why something was not done with a workspace.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorkspaceError {
    /// There is no layout to restore it from.
    #[error("there is no workspace layout `{name}`{}", there_are(.there))]
    NoSuchLayout {
        /// The name asked for.
        name: String,
        /// The names there are.
        there: Vec<String>,
    },
    /// The platform refused.
    #[error("the platform refused {operation}: {reason}")]
    Refused {
        /// The operation.
        operation: &'static str,
        /// Its words.
        reason: String,
    },
    /// The platform did not answer.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

fn there_are(names: &[String]) -> String {
    if names.is_empty() {
        return "; none is saved yet".into();
    }
    let shown: Vec<_> = names.iter().take(10).map(|name| format!("`{name}`")).collect();
    let more = names.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; there are {}{more}", shown.join(", "))
}
