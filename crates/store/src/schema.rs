//! What is in the file, and how a file of an earlier version becomes one of this.
//!
//! The version is SQLite's `user_version`, in the header of the file; each
//! migration sets it in its own transaction. (`sqlx::migrate!` would bring a
//! procedural macro with a SQLite of its own to every build, and find a newer
//! file only by its missing migrations.)

use std::path::Path;

use sqlx::SqliteConnection;

use crate::error::{Fault, StoreError};

/// Every migration, in order; the version it leads to is its place, from 1.
/// One that has been released is never changed.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_preferences.sql"),
    include_str!("../migrations/0002_layouts.sql"),
    include_str!("../migrations/0003_open_workspaces.sql"),
];

/// "DSKW" in the header of the file, as the first migration writes it.
const APPLICATION_ID: i64 = 0x4453_4b57;

/// Looks at the file without changing it, and gives its version: 0 for an
/// empty one.
pub(crate) async fn recognise(
    connection: &mut SqliteConnection,
    file: &Path,
) -> Result<usize, Fault> {
    let application: i64 =
        sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let version: i64 =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(connection).await?;
    let ours = application == APPLICATION_ID && version > 0;
    let empty = application == 0 && version == 0 && tables == 0;
    if !ours && !empty {
        return Err(StoreError::Foreign { file: file.to_owned() }.into());
    }
    match usize::try_from(version) {
        Ok(version) if version <= MIGRATIONS.len() => Ok(version),
        _ => {
            let known = MIGRATIONS.len() as i64;
            Err(StoreError::Newer { file: file.to_owned(), found: version, known }.into())
        }
    }
}

/// Reads all pages once and refuses a file that is damaged.
pub(crate) async fn check(connection: &mut SqliteConnection, file: &Path) -> Result<(), Fault> {
    let finding: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(connection).await?;
    if finding == "ok" {
        Ok(())
    } else {
        Err(StoreError::Corrupt { file: file.to_owned(), reason: finding }.into())
    }
}

/// Brings a file of `version` to the latest one. A migration that fails leaves
/// the file at the version before it.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    version: usize,
) -> Result<(), sqlx::Error> {
    for migration in MIGRATIONS.iter().skip(version) {
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
        sqlx::raw_sql(*migration).execute(&mut *connection).await?;
        sqlx::query("COMMIT").execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;

    use super::*;

    #[tokio::test]
    async fn each_migration_leads_to_the_version_of_its_place() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let file = Path::new("memory");
        for (place, migration) in MIGRATIONS.iter().enumerate() {
            assert_eq!(recognise(&mut connection, file).await.unwrap(), place);
            sqlx::raw_sql(*migration).execute(&mut connection).await.unwrap();
        }
        assert_eq!(recognise(&mut connection, file).await.unwrap(), MIGRATIONS.len());
    }
}
