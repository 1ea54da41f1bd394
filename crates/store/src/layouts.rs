//! Saved layouts by kind and name, and the markers that point at one of them.

use std::collections::HashSet;
use std::sync::Arc;

use sqlx::SqliteConnection;

use crate::database::{Database, from_millis, to_millis};
use crate::document;
use crate::error::{Fault, StoreError};
use crate::writer::Write;

/// One saved layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// What it is a layout of: `Global`, `Workspace`, …
    pub kind: String,
    /// Its name, unique within its kind. It holds even where the document says
    /// another one, which happens after a rename.
    pub name: String,
    /// JSON text of an object: the layout as applications exchange it.
    pub document: String,
    /// When it was saved, in milliseconds since 1970.
    pub saved_ms: u64,
}

/// Which layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LayoutKey {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// What an import does with layouts that are there already and not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// They stay.
    Merge,
    /// Those of this kind are removed.
    ReplaceKind(String),
    /// They are removed.
    ReplaceAll,
}

/// A place that one layout can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// The layout that is restored at the start.
    Default,
    /// The layout that was restored or saved last.
    Current,
}

impl Marker {
    fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Current => "current",
        }
    }
}

/// All saved layouts. A cheap handle.
#[derive(Debug, Clone)]
pub struct Layouts {
    database: Arc<Database>,
}

impl Layouts {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// All of them, by kind and name.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`], `Failed` or `Closed`, if they cannot be read.
    pub async fn all(&self) -> Result<Vec<Layout>, StoreError> {
        let sql = "SELECT kind, name, document, saved_ms FROM layouts ORDER BY kind, name";
        let read = sqlx::query_as::<_, (String, String, String, i64)>(sql)
            .fetch_all(self.database.readers())
            .await;
        let rows = read.map_err(|error| self.database.unreadable(&error))?;
        let layout = |(kind, name, document, saved_ms)| Layout {
            kind,
            name,
            document,
            saved_ms: from_millis(saved_ms),
        };
        Ok(rows.into_iter().map(layout).collect())
    }

    /// Saves one, in the place of the one with this name or beside the others.
    /// `document` is JSON text of an object.
    ///
    /// # Errors
    ///
    /// `BadName`, `NotAnObject` or `TooLarge`, if it is refused; `Full`,
    /// `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn put(
        &self,
        kind: &str,
        name: &str,
        document: &str,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.check(kind, name)?;
        document::check(document, self.database.limits(), || named(name))?;
        let layout = Layout {
            kind: kind.to_owned(),
            name: name.to_owned(),
            document: document.to_owned(),
            saved_ms: now_ms,
        };
        self.database.write(PutAll { layouts: vec![layout], import: Import::Merge }).await
    }

    /// Saves all of `layouts` and removes what `import` says, or, at an error,
    /// does nothing at all. Of two with one name the later one counts.
    ///
    /// # Errors
    ///
    /// As [`Self::put`], for the first that is refused; `TooLarge` also if they
    /// are too large together.
    pub async fn put_all(&self, layouts: Vec<Layout>, import: Import) -> Result<(), StoreError> {
        for layout in &layouts {
            self.check(&layout.kind, &layout.name)?;
            document::check(&layout.document, self.database.limits(), || named(&layout.name))?;
        }
        self.database.write(PutAll { layouts, import }).await
    }

    /// Gives a layout another name; its markers go with it. The document is not
    /// touched.
    ///
    /// # Errors
    ///
    /// `NoSuchLayout`, `LayoutExists` or `BadName`, if it is refused; `Full`,
    /// `Locked`, `Failed` or `Closed`, if it could not be committed.
    pub async fn rename(&self, kind: &str, old: &str, new: &str) -> Result<(), StoreError> {
        self.check(kind, old)?;
        self.check(kind, new)?;
        self.database.write(Rename { old: key(kind, old), new: key(kind, new) }).await
    }

    /// Removes a layout, and the markers that point at it; whether it was there.
    ///
    /// # Errors
    ///
    /// `BadName`, if no layout can have this name; `Full`, `Locked`, `Failed`
    /// or `Closed`, if it could not be committed.
    pub async fn remove(&self, kind: &str, name: &str) -> Result<bool, StoreError> {
        self.check(kind, name)?;
        self.database.write(Remove { key: key(kind, name) }).await
    }

    /// Where `marker` points, if it points anywhere.
    ///
    /// # Errors
    ///
    /// As [`Self::all`].
    pub async fn marker(&self, marker: Marker) -> Result<Option<LayoutKey>, StoreError> {
        let sql = "SELECT kind, name FROM layout_markers WHERE marker = ?";
        let read = sqlx::query_as::<_, (String, String)>(sql)
            .bind(marker.as_str())
            .fetch_optional(self.database.readers())
            .await;
        let row = read.map_err(|error| self.database.unreadable(&error))?;
        Ok(row.map(|(kind, name)| LayoutKey { kind, name }))
    }

    /// Points `marker` at a layout, or nowhere. The layout need not be in the
    /// store: it may come from a file.
    ///
    /// # Errors
    ///
    /// `BadName`, if no layout can have this name; `Full`, `Locked`, `Failed`
    /// or `Closed`, if it could not be committed.
    pub async fn set_marker(
        &self,
        marker: Marker,
        layout: Option<LayoutKey>,
    ) -> Result<(), StoreError> {
        if let Some(layout) = &layout {
            self.check(&layout.kind, &layout.name)?;
        }
        self.database.write(SetMarker { marker, layout }).await
    }

    fn check(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        let limits = self.database.limits();
        document::check_name(kind, limits, "the kind of the layout")?;
        document::check_name(name, limits, "the name of the layout")
    }
}

fn named(name: &str) -> String {
    format!("the layout `{name}`")
}

fn key(kind: &str, name: &str) -> LayoutKey {
    LayoutKey { kind: kind.to_owned(), name: name.to_owned() }
}

impl LayoutKey {
    fn bytes(&self) -> usize {
        self.kind.len() + self.name.len()
    }
}

struct PutAll {
    layouts: Vec<Layout>,
    import: Import,
}

impl Write for PutAll {
    type Answer = ();

    fn bytes(&self) -> usize {
        let of = |layout: &Layout| layout.kind.len() + layout.name.len() + layout.document.len();
        self.layouts.iter().map(of).sum()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), Fault> {
        for key in self.left_out(connection).await? {
            remove(connection, &key).await?;
        }
        let sql = "INSERT INTO layouts (kind, name, document, saved_ms) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET document = excluded.document, saved_ms = excluded.saved_ms";
        for layout in &self.layouts {
            sqlx::query(sql)
                .bind(&layout.kind)
                .bind(&layout.name)
                .bind(&layout.document)
                .bind(to_millis(layout.saved_ms))
                .execute(&mut *connection)
                .await?;
        }
        Ok(())
    }
}

impl PutAll {
    /// The layouts that a replacing import takes away.
    async fn left_out(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Vec<LayoutKey>, sqlx::Error> {
        let kind = match &self.import {
            Import::Merge => return Ok(Vec::new()),
            Import::ReplaceKind(kind) => Some(kind),
            Import::ReplaceAll => None,
        };
        let sql = "SELECT kind, name FROM layouts WHERE ?1 IS NULL OR kind = ?1";
        let stored =
            sqlx::query_as::<_, (String, String)>(sql).bind(kind).fetch_all(connection).await?;
        let given: HashSet<_> = self
            .layouts
            .iter()
            .map(|layout| (layout.kind.as_str(), layout.name.as_str()))
            .collect();
        Ok(stored
            .into_iter()
            .filter(|(kind, name)| !given.contains(&(kind.as_str(), name.as_str())))
            .map(|(kind, name)| LayoutKey { kind, name })
            .collect())
    }
}

struct Rename {
    old: LayoutKey,
    new: LayoutKey,
}

impl Write for Rename {
    type Answer = ();

    fn bytes(&self) -> usize {
        self.old.bytes() + self.new.bytes()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), Fault> {
        let (LayoutKey { kind, name: old }, LayoutKey { name: new, .. }) = (&self.old, &self.new);
        if !exists(connection, &self.old).await? {
            let (kind, name) = (kind.clone(), old.clone());
            return Err(StoreError::NoSuchLayout { kind, name }.into());
        }
        if old != new && exists(connection, &self.new).await? {
            let (kind, name) = (kind.clone(), new.clone());
            return Err(StoreError::LayoutExists { kind, name }.into());
        }
        for sql in [
            "UPDATE layouts SET name = ?1 WHERE kind = ?2 AND name = ?3",
            "UPDATE layout_markers SET name = ?1 WHERE kind = ?2 AND name = ?3",
        ] {
            sqlx::query(sql).bind(new).bind(kind).bind(old).execute(&mut *connection).await?;
        }
        Ok(())
    }
}

async fn exists(connection: &mut SqliteConnection, key: &LayoutKey) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM layouts WHERE kind = ? AND name = ?)")
        .bind(&key.kind)
        .bind(&key.name)
        .fetch_one(connection)
        .await
}

struct Remove {
    key: LayoutKey,
}

impl Write for Remove {
    type Answer = bool;

    fn bytes(&self) -> usize {
        self.key.bytes()
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool, Fault> {
        Ok(remove(connection, &self.key).await?)
    }
}

/// A layout with its markers. Markers of a layout that is not in the store are
/// those of a file's, and stay.
async fn remove(connection: &mut SqliteConnection, key: &LayoutKey) -> Result<bool, sqlx::Error> {
    let done = sqlx::query("DELETE FROM layouts WHERE kind = ? AND name = ?")
        .bind(&key.kind)
        .bind(&key.name)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("DELETE FROM layout_markers WHERE kind = ? AND name = ?")
        .bind(&key.kind)
        .bind(&key.name)
        .execute(connection)
        .await?;
    Ok(true)
}

struct SetMarker {
    marker: Marker,
    layout: Option<LayoutKey>,
}

impl Write for SetMarker {
    type Answer = ();

    fn bytes(&self) -> usize {
        self.layout.as_ref().map_or(0, LayoutKey::bytes)
    }

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<(), Fault> {
        let marker = self.marker.as_str();
        match &self.layout {
            None => {
                let sql = "DELETE FROM layout_markers WHERE marker = ?";
                sqlx::query(sql).bind(marker).execute(connection).await?;
            }
            Some(LayoutKey { kind, name }) => {
                let sql = "INSERT INTO layout_markers (marker, kind, name) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET kind = excluded.kind, name = excluded.name";
                sqlx::query(sql).bind(marker).bind(kind).bind(name).execute(connection).await?;
            }
        }
        Ok(())
    }
}
