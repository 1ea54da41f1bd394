//! Preferences: one JSON object per user and application.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};
use sqlx::SqliteConnection;

use crate::database::{Database, from_millis, to_millis};
use crate::document;
use crate::error::{Fault, StoreError};
use crate::limits::Limits;
use crate::writer::Write;

/// What one application keeps for one user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preference {
    /// The application.
    pub app: String,
    /// JSON text of an object.
    pub data: String,
    /// When it was last written, in milliseconds since 1970.
    pub updated_ms: u64,
}

/// The preferences of all users. A cheap handle.
#[derive(Debug, Clone)]
pub struct Preferences {
    database: Arc<Database>,
}

type Row = (String, String, i64);

fn from_row((app, data, updated_ms): Row) -> Preference {
    Preference { app, data, updated_ms: from_millis(updated_ms) }
}

impl Preferences {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// What `app` keeps for `user`, if it keeps anything.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`], `Failed` or `Closed`, if it cannot be read.
    pub async fn get(&self, user: &str, app: &str) -> Result<Option<Preference>, StoreError> {
        let sql = "SELECT app, data, updated_ms FROM preferences WHERE user = ? AND app = ?";
        let read = sqlx::query_as::<_, Row>(sql)
            .bind(user)
            .bind(app)
            .fetch_optional(self.database.readers())
            .await;
        Ok(read.map_err(|error| self.database.unreadable(&error))?.map(from_row))
    }

    /// What all applications keep for `user`, by name of the application.
    ///
    /// # Errors
    ///
    /// As [`Self::get`].
    pub async fn all(&self, user: &str) -> Result<Vec<Preference>, StoreError> {
        let sql = "SELECT app, data, updated_ms FROM preferences WHERE user = ? ORDER BY app";
        let read =
            sqlx::query_as::<_, Row>(sql).bind(user).fetch_all(self.database.readers()).await;
        let rows = read.map_err(|error| self.database.unreadable(&error))?;
        Ok(rows.into_iter().map(from_row).collect())
    }

    /// Replaces what `app` keeps for `user`. `data` is JSON text of an object.
    ///
    /// # Errors
    ///
    /// `BadName`, `NotAnObject` or `TooLarge`, if it is refused; `Full`,
    /// `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn set(
        &self,
        user: &str,
        app: &str,
        data: &str,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.check_key(user, app)?;
        document::check(data, self.database.limits(), || named(app))?;
        let (key, data) = (Key::new(user, app), data.to_owned());
        self.database.write(Set { key, data, now_ms }).await
    }

    /// Puts the members of `data` over those that `app` keeps for `user`, in
    /// one step: a member replaces the whole member of the same name, the rest
    /// stays. Gives what is kept then.
    ///
    /// # Errors
    ///
    /// As [`Self::set`]; the bounds hold for what would be kept. `Corrupt`, if
    /// what is kept is not a JSON object.
    pub async fn merge(
        &self,
        user: &str,
        app: &str,
        data: &Map<String, Value>,
        now_ms: u64,
    ) -> Result<Preference, StoreError> {
        self.check_key(user, app)?;
        let limits = self.database.limits().clone();
        let bytes = to_text(data, app)?.len();
        if bytes > limits.document_bytes {
            let limit = limits.document_bytes;
            return Err(StoreError::TooLarge { what: named(app), bytes, limit });
        }
        let file = self.database.file().to_owned();
        let key = Key::new(user, app);
        self.database.write(Merge { key, data: data.clone(), bytes, now_ms, limits, file }).await
    }

    /// Forgets what `app` keeps for `user`; whether there was anything.
    ///
    /// # Errors
    ///
    /// `Full`, `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn remove(&self, user: &str, app: &str) -> Result<bool, StoreError> {
        self.check_key(user, app)?;
        self.database.write(Remove { key: Key::new(user, app) }).await
    }

    fn check_key(&self, user: &str, app: &str) -> Result<(), StoreError> {
        let limits = self.database.limits();
        document::check_name(user, limits, "the name of the user")?;
        document::check_name(app, limits, "the name of the application")
    }
}

fn named(app: &str) -> String {
    format!("the preferences of `{app}`")
}

fn to_text(data: &Map<String, Value>, app: &str) -> Result<String, StoreError> {
    serde_json::to_string(data)
        .map_err(|error| StoreError::NotAnObject { what: named(app), reason: error.to_string() })
}

struct Key {
    user: String,
    app: String,
}

impl Key {
    fn new(user: &str, app: &str) -> Self {
        Self { user: user.to_owned(), app: app.to_owned() }
    }

    fn bytes(&self) -> usize {
        self.user.len() + self.app.len()
    }
}

async fn put(
    connection: &mut SqliteConnection,
    key: &Key,
    data: &str,
    now_ms: u64,
) -> Result<(), Fault> {
    let sql = "INSERT INTO preferences (user, app, data, updated_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET data = excluded.data, updated_ms = excluded.updated_ms";
    sqlx::query(sql)
        .bind(&key.user)
        .bind(&key.app)
        .bind(data)
        .bind(to_millis(now_ms))
        .execute(connection)
        .await?;
    Ok(())
}

struct Set {
    key: Key,
    data: String,
    now_ms: u64,
}

impl Write for Set {
    type Answer = ();

    fn bytes(&self) -> usize {
        self.key.bytes() + self.data.len()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), Fault> {
        put(connection, &self.key, &self.data, self.now_ms).await
    }
}

struct Merge {
    key: Key,
    data: Map<String, Value>,
    bytes: usize,
    now_ms: u64,
    limits: Limits,
    file: PathBuf,
}

impl Write for Merge {
    type Answer = Preference;

    fn bytes(&self) -> usize {
        self.key.bytes() + self.bytes
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Preference, Fault> {
        let Key { user, app } = &self.key;
        let kept: Option<String> =
            sqlx::query_scalar("SELECT data FROM preferences WHERE user = ? AND app = ?")
                .bind(user)
                .bind(app)
                .fetch_optional(&mut *connection)
                .await?;
        let data = self.over(kept.as_deref())?;
        put(connection, &self.key, &data, self.now_ms).await?;
        Ok(Preference { app: app.clone(), data, updated_ms: self.now_ms })
    }
}

impl Merge {
    fn over(&self, kept: Option<&str>) -> Result<String, StoreError> {
        let app = &self.key.app;
        let mut merged: Map<String, Value> = match kept {
            None => Map::new(),
            Some(text) => serde_json::from_str(text).map_err(|error| StoreError::Corrupt {
                file: self.file.clone(),
                reason: format!("{} are not a JSON object: {error}", named(app)),
            })?,
        };
        merged.extend(self.data.clone());
        let text = to_text(&merged, app)?;
        document::check(&text, &self.limits, || named(app))?;
        Ok(text)
    }
}

struct Remove {
    key: Key,
}

impl Write for Remove {
    type Answer = bool;

    fn bytes(&self) -> usize {
        self.key.bytes()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool, Fault> {
        let done = sqlx::query("DELETE FROM preferences WHERE user = ? AND app = ?")
            .bind(&self.key.user)
            .bind(&self.key.app)
            .execute(connection)
            .await?;
        Ok(done.rows_affected() > 0)
    }
}
