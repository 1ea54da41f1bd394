//! Workspaces: windows arranged side by side and in tabs.

mod error;
mod snapshot;

use std::time::Duration;

use serde_json::{Map, Value, json};

pub use error::WorkspaceError;
pub use snapshot::{WindowItem, WorkspaceSnapshot, WorkspaceSummary};

use super::layouts::ImportMode;
use super::lenient::{list, text};
use super::platform::{self, ANSWERS_WITHIN, ServiceError};
use crate::Client;

/// The method that takes operations.
const CONTROL: &str = "T42.Workspaces.Control";
/// How long a platform may take to make or change a workspace: windows are
/// loaded meanwhile.
const ARRANGES_WITHIN: Duration = Duration::from_secs(120);

/// The workspaces of the desktop. See [`Client::workspaces`].
#[derive(Debug, Clone, Copy)]
pub struct Workspaces<'a> {
    client: &'a Client,
}

/// A layout that a workspace can be restored from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutSummary {
    /// Its name.
    pub name: String,
    /// The application that shows its workspaces, if it names one.
    pub application: Option<String>,
}

impl Client {
    /// The workspaces of the desktop.
    #[must_use]
    pub fn workspaces(&self) -> Workspaces<'_> {
        Workspaces { client: self }
    }
}

impl Workspaces<'_> {
    /// Whether a platform on the bus has workspaces.
    #[must_use]
    pub fn available(self) -> bool {
        platform::offers(self.client, CONTROL)
    }

    /// Makes a workspace of a definition: `{children, context?, config?, frame?}`.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn create(self, definition: Value) -> Result<WorkspaceSnapshot, WorkspaceError> {
        self.workspace("createWorkspace", definition).await
    }

    /// Opens a workspace from a saved layout. `options` are those of the
    /// desktop's library: `context`, `title`, `frameId`, …
    ///
    /// # Errors
    /// When there is no such layout, or the platform does not do it.
    pub async fn restore(
        self,
        layout: &str,
        options: Map<String, Value>,
    ) -> Result<WorkspaceSnapshot, WorkspaceError> {
        let there = self.layouts().await?;
        if !there.iter().any(|known| known.name == layout) {
            let there = there.into_iter().map(|known| known.name).collect();
            return Err(WorkspaceError::NoSuchLayout { name: layout.to_owned(), there });
        }
        self.workspace("openWorkspace", json!({ "name": layout, "restoreOptions": options })).await
    }

    /// The layouts that workspaces can be restored from.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn layouts(self) -> Result<Vec<LayoutSummary>, WorkspaceError> {
        let answer = self.control("getAllLayoutsSummaries", json!({}), ANSWERS_WITHIN).await?;
        let summaries = list(answer.get("summaries")).filter_map(|it| {
            Some(LayoutSummary {
                name: text(it, &["name"])?,
                application: text(it, &["applicationName"]),
            })
        });
        Ok(summaries.collect())
    }

    /// The layouts themselves.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn export_layouts(self) -> Result<Vec<Value>, WorkspaceError> {
        let answer = self.control("exportAllLayouts", json!({}), ANSWERS_WITHIN).await?;
        Ok(list(answer.get("layouts")).cloned().collect())
    }

    /// Takes in layouts.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn import_layouts(
        self,
        layouts: impl IntoIterator<Item = Value>,
        mode: ImportMode,
    ) -> Result<(), WorkspaceError> {
        let layouts: Vec<_> = layouts.into_iter().collect();
        let arguments = json!({ "layouts": layouts, "mode": mode.name() });
        self.control("importLayouts", arguments, ANSWERS_WITHIN).await?;
        Ok(())
    }

    /// Saves a workspace as a layout, which is returned.
    ///
    /// # Errors
    /// When there is no such workspace, or the platform does not do it.
    pub async fn save_layout(
        self,
        name: &str,
        workspace: &str,
        save_context: bool,
    ) -> Result<Value, WorkspaceError> {
        let arguments =
            json!({ "name": name, "workspaceId": workspace, "saveContext": save_context });
        self.control("saveLayout", arguments, ARRANGES_WITHIN).await
    }

    /// Forgets a layout.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn delete_layout(self, name: &str) -> Result<(), WorkspaceError> {
        self.control("deleteLayout", json!({ "name": name }), ANSWERS_WITHIN).await?;
        Ok(())
    }

    /// The open workspaces.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn list(self) -> Result<Vec<WorkspaceSummary>, WorkspaceError> {
        let answer = self.control("getAllWorkspacesSummaries", json!({}), ANSWERS_WITHIN).await?;
        Ok(list(answer.get("summaries")).filter_map(WorkspaceSummary::read).collect())
    }

    /// A workspace with all that is in it. `item` is its id, or that of
    /// anything in it.
    ///
    /// # Errors
    /// When there is none, or the platform does not answer.
    pub async fn snapshot(self, item: &str) -> Result<WorkspaceSnapshot, WorkspaceError> {
        self.workspace("getWorkspaceSnapshot", json!({ "itemId": item })).await
    }

    /// Brings a workspace, or something in it, to the front.
    ///
    /// # Errors
    /// When there is none, or the platform does not do it.
    pub async fn focus(self, item: &str) -> Result<(), WorkspaceError> {
        self.control("focusItem", json!({ "itemId": item }), ANSWERS_WITHIN).await?;
        Ok(())
    }

    /// Gives a workspace, or a window in it, another title.
    ///
    /// # Errors
    /// When there is none, or the platform does not do it.
    pub async fn set_title(self, item: &str, title: &str) -> Result<(), WorkspaceError> {
        let arguments = json!({ "itemId": item, "title": title });
        self.control("setItemTitle", arguments, ANSWERS_WITHIN).await?;
        Ok(())
    }

    /// Closes a workspace, or something in it.
    ///
    /// # Errors
    /// When there is none, or the platform does not do it.
    pub async fn close(self, item: &str) -> Result<(), WorkspaceError> {
        self.control("closeItem", json!({ "itemId": item }), ARRANGES_WITHIN).await?;
        Ok(())
    }

    async fn workspace(
        self,
        operation: &'static str,
        arguments: Value,
    ) -> Result<WorkspaceSnapshot, WorkspaceError> {
        let answer = self.control(operation, arguments, ARRANGES_WITHIN).await?;
        let snapshot = WorkspaceSnapshot::read(answer).ok_or(ServiceError::Answer {
            method: format!("{CONTROL} {operation}"),
            expected: "a workspace with its id and configuration",
        })?;
        Ok(snapshot)
    }

    async fn control(
        self,
        operation: &'static str,
        arguments: Value,
        within: Duration,
    ) -> Result<Value, WorkspaceError> {
        let question = json!({ "operation": operation, "operationArguments": arguments });
        let answer = platform::ask(self.client, CONTROL, question, within).await;
        answer.map(|answer| answer.decoded()).map_err(|error| match error {
            ServiceError::Refused { reason, .. } => WorkspaceError::Refused { operation, reason },
            other => WorkspaceError::Service(other),
        })
    }
}
