//! Layouts of the desktop: what was saved, and restoring it.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::lenient::{field, fields, list, text};
use super::platform::{self, ANSWERS_WITHIN, ServiceError};
use crate::Client;

/// The method that takes commands.
const COMMAND: &str = "T42.ACS.Command";
/// What the methods of older platforms begin with, one for each command.
const OLD_PREFIX: &str = "T42.ACS.";
/// How long a platform may take to save or restore what runs.
const RESTORES_WITHIN: Duration = Duration::from_secs(120);

/// The layouts of the desktop. See [`Client::layouts`].
#[derive(Debug, Clone, Copy)]
pub struct Layouts<'a> {
    client: &'a Client,
}

/// A layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Its name; unique among those of its type.
    pub name: String,
    /// Its type: `Global`, `Workspace`, `ApplicationDefault`, …
    pub kind: String,
    /// What its author says about it.
    pub metadata: Map<String, Value>,
    /// All of it.
    pub document: Value,
}

/// What an import does to layouts that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// Only what is imported is left.
    Replace,
    /// Those of the same type and name are replaced.
    Merge,
}

impl Client {
    /// The layouts of the desktop.
    #[must_use]
    pub fn layouts(&self) -> Layouts<'_> {
        Layouts { client: self }
    }
}

impl Layouts<'_> {
    /// Whether a platform on the bus keeps layouts.
    #[must_use]
    pub fn available(self) -> bool {
        let old = || platform::offers(self.client, &format!("{OLD_PREFIX}ExportLayouts"));
        platform::offers(self.client, COMMAND) || old()
    }

    /// Every layout.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn list(self) -> Result<Vec<Layout>, ServiceError> {
        let answer = self.command("ExportLayouts", json!({}), ANSWERS_WITHIN).await?;
        Ok(list(field(&answer, &["Layouts", "layouts"])).filter_map(Layout::read).collect())
    }

    /// Takes in layouts.
    ///
    /// # Errors
    /// When the platform takes none, or not all; then its words name those.
    pub async fn import(
        self,
        layouts: impl IntoIterator<Item = Value>,
        mode: ImportMode,
    ) -> Result<(), ServiceError> {
        let layouts: Vec<_> = layouts.into_iter().collect();
        let data = json!({ "layouts": layouts, "mode": mode.name() });
        let answer = self.command("ImportLayouts", data, ANSWERS_WITHIN).await?;
        let failed: Vec<_> = list(answer.get("failed")).map(ToString::to_string).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let reason = format!("not imported: {}", failed.join(", "));
        Err(ServiceError::Refused { method: COMMAND.into(), reason })
    }

    /// Saves what runs as a layout of type `Global`.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn save(
        self,
        name: &str,
        context: Map<String, Value>,
        metadata: Map<String, Value>,
    ) -> Result<(), ServiceError> {
        let data = json!({ "name": name, "type": "Global", "context": context,
                           "metadata": metadata, "options": {} });
        self.command("SaveLayout", data, RESTORES_WITHIN).await?;
        Ok(())
    }

    /// Starts what a layout of type `Global` holds; what runs is closed before
    /// if `close_running`.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn restore(
        self,
        name: &str,
        context: Map<String, Value>,
        close_running: bool,
    ) -> Result<(), ServiceError> {
        let options = json!({ "closeRunningInstances": close_running, "excludeFromClosing": [] });
        let data = json!({ "name": name, "type": "Global", "context": context, "options": options,
                           "timeout": RESTORES_WITHIN.as_millis() as u64 });
        self.command("RestoreLayout", data, RESTORES_WITHIN).await?;
        Ok(())
    }

    /// Forgets a layout.
    ///
    /// # Errors
    /// When there is none, or the platform does not do it.
    pub async fn remove(self, kind: &str, name: &str) -> Result<(), ServiceError> {
        let data = json!({ "type": kind, "name": name });
        self.command("RemoveLayout", data, ANSWERS_WITHIN).await?;
        Ok(())
    }

    /// Gives a layout another name.
    ///
    /// # Errors
    /// When there is none, the name is taken, or the platform does not do it.
    pub async fn rename(self, kind: &str, name: &str, new: &str) -> Result<(), ServiceError> {
        let data = json!({ "type": kind, "oldName": name, "newName": new });
        self.command("RenameLayout", data, ANSWERS_WITHIN).await?;
        Ok(())
    }

    async fn command(
        self,
        command: &str,
        mut data: Value,
        within: Duration,
    ) -> Result<Value, ServiceError> {
        // By it, those who follow layouts know whose change an event tells.
        data["token"] = format!("{:016x}", rand::random::<u64>()).into();
        let old = format!("{OLD_PREFIX}{command}");
        let offers = |method| platform::offers(self.client, method);
        let (method, question) = if !offers(COMMAND) && offers(&old) {
            (old.as_str(), data)
        } else {
            (COMMAND, json!({ "command": command, "data": data }))
        };
        let answer = platform::ask(self.client, method, question, within).await?.decoded();
        match text(&answer, &["status", "Status"]) {
            Some(status) if status != "Success" && status != "PartialSuccess" => {
                let words = ["failed", "error", "message"];
                let failed = field(&answer, &words).map(|told| format!(": {told}"));
                let reason = format!("{command}: {status}{}", failed.unwrap_or_default());
                Err(ServiceError::Refused { method: method.to_owned(), reason })
            }
            _ => Ok(answer),
        }
    }
}

impl Layout {
    fn read(document: &Value) -> Option<Self> {
        Some(Self {
            name: text(document, &["name", "Name"])?,
            kind: text(document, &["type", "Type"])?,
            metadata: fields(field(document, &["metadata", "Metadata"])),
            document: document.clone(),
        })
    }
}

impl ImportMode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Merge => "merge",
        }
    }
}
