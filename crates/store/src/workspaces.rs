//! Open workspaces: one JSON object each, in the order in which they were opened.

use std::sync::Arc;

use sqlx::SqliteConnection;

use crate::database::Database;
use crate::document;
use crate::error::{Fault, StoreError};
use crate::writer::Write;

/// One workspace that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenWorkspace {
    /// Its id.
    pub id: String,
    /// JSON text of an object; what is in it is for whoever puts it.
    pub document: String,
}

/// The workspaces that are open. A cheap handle.
#[derive(Debug, Clone)]
pub struct OpenWorkspaces {
    database: Arc<Database>,
}

impl OpenWorkspaces {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// All of them, the first opened first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`], `Failed` or `Closed`, if they cannot be read.
    pub async fn all(&self) -> Result<Vec<OpenWorkspace>, StoreError> {
        let sql = "SELECT id, document FROM open_workspaces ORDER BY position";
        let read =
            sqlx::query_as::<_, (String, String)>(sql).fetch_all(self.database.readers()).await;
        let rows = read.map_err(|error| self.database.unreadable(&error))?;
        Ok(rows.into_iter().map(|(id, document)| OpenWorkspace { id, document }).collect())
    }

    /// Keeps `document`, JSON text of an object: in the place of the one with
    /// this `id`, or behind all others.
    ///
    /// # Errors
    ///
    /// `BadName`, `NotAnObject` or `TooLarge`, if it is refused; `Full`,
    /// `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn put(&self, id: &str, document: &str) -> Result<(), StoreError> {
        let limits = self.database.limits();
        document::check_name(id, limits, "the id of the workspace")?;
        document::check(document, limits, || format!("the workspace `{id}`"))?;
        self.database.write(Put { id: id.to_owned(), document: document.to_owned() }).await
    }

    /// Forgets the one with this `id`; whether there was one.
    ///
    /// # Errors
    ///
    /// `Full`, `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn remove(&self, id: &str) -> Result<bool, StoreError> {
        document::check_name(id, self.database.limits(), "the id of the workspace")?;
        self.database.write(Remove { id: id.to_owned() }).await
    }
}

struct Put {
    id: String,
    document: String,
}

impl Write for Put {
    type Answer = ();

    fn bytes(&self) -> usize {
        self.id.len() + self.document.len()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), Fault> {
        let sql = "INSERT INTO open_workspaces (id, document) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET document = excluded.document";
        sqlx::query(sql).bind(&self.id).bind(&self.document).execute(connection).await?;
        Ok(())
    }
}

struct Remove {
    id: String,
}

impl Write for Remove {
    type Answer = bool;

    fn bytes(&self) -> usize {
        self.id.len()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool, Fault> {
        let sql = "DELETE FROM open_workspaces WHERE id = ?";
        let done = sqlx::query(sql).bind(&self.id).execute(connection).await?;
        Ok(done.rows_affected() > 0)
    }
}
