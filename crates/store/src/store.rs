//! The opener, and the repositories it gives.

use std::path::Path;
use std::sync::Arc;

use crate::database::Database;
use crate::error::StoreError;
use crate::layouts::Layouts;
use crate::limits::Limits;
use crate::preferences::Preferences;
use crate::workspaces::OpenWorkspaces;

/// One open SQLite file. Clones and repositories are handles of the same.
#[derive(Debug, Clone)]
pub struct Store {
    database: Arc<Database>,
}

impl Store {
    /// Opens `file`, which is made (with its folder) if it is not there, checked,
    /// and brought to the latest version.
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`] while anybody else has it open; `CannotOpen`,
    /// `NotADatabase`, `Foreign`, `Newer`, `Corrupt`, `Locked` or `Full` as the
    /// file is found. A file that is refused is left as it was.
    pub async fn open(file: &Path) -> Result<Self, StoreError> {
        Self::open_with(file, Limits::default()).await
    }

    /// Opens `file` with other bounds.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub async fn open_with(file: &Path, limits: Limits) -> Result<Self, StoreError> {
        let database = Arc::new(Database::open(file, limits).await?);
        Ok(Self { database })
    }

    /// Commits what is queued, closes the file and lets others open it. Every
    /// other handle answers [`StoreError::Closed`] from then on.
    pub async fn close(self) {
        self.database.close().await;
    }

    /// What applications keep for their user.
    pub fn preferences(&self) -> Preferences {
        Preferences::new(Arc::clone(&self.database))
    }

    /// Saved layouts, and which are the default and the current one.
    pub fn layouts(&self) -> Layouts {
        Layouts::new(Arc::clone(&self.database))
    }

    /// The workspaces that are open, to be open again after a restart.
    pub fn workspaces(&self) -> OpenWorkspaces {
        OpenWorkspaces::new(Arc::clone(&self.database))
    }
}
