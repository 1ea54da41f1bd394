//! One open file: its writer, its readers and its bounds; what the repositories share.

use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};

use crate::error::{Fault, StoreError};
use crate::limits::Limits;
use crate::lock::Lock;
use crate::schema;
use crate::writer::{Write, Writer};

/// Bytes of a page of a file that SQLite makes.
const PAGE_BYTES: u64 = 4096;

#[derive(Debug)]
pub(crate) struct Database {
    file: PathBuf,
    limits: Limits,
    readers: SqlitePool,
    writer: Writer,
}

impl Database {
    pub(crate) async fn open(file: &Path, limits: Limits) -> Result<Self, StoreError> {
        let cannot = |error: std::io::Error| StoreError::CannotOpen {
            file: file.to_owned(),
            reason: error.to_string(),
        };
        let file = std::path::absolute(file).map_err(cannot)?;
        if let Some(folder) = file.parent() {
            make_folder(folder).await.map_err(cannot)?;
        }
        let lock = Lock::take(&file)?;
        let connection = prepare(&file, &limits).await.map_err(|fault| fault.at(&file))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(limits.readers)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_lazy_with(options(&file, &limits).read_only(true));
        let writer = Writer::start(connection, file.clone(), lock, &limits);
        Ok(Self { file, limits, readers, writer })
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where to read: each statement sees all that was committed before it began.
    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Names the file in an error of a read.
    pub(crate) fn unreadable(&self, error: &sqlx::Error) -> StoreError {
        StoreError::from_sql(error, &self.file)
    }

    /// Commits `write`, together with whatever waits beside it.
    pub(crate) async fn write<W: Write>(&self, write: W) -> Result<W::Answer, StoreError> {
        let (bytes, limit) = (write.bytes(), self.limits.queued_bytes);
        if bytes > limit {
            return Err(StoreError::TooLarge { what: "one write".to_owned(), bytes, limit });
        }
        self.writer.write(write).await
    }

    /// Closes the readers first: the last connection to close folds the log
    /// into the database, and readers may not.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Only the user who runs Deskwire may look into a folder that we make.
async fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(folder).await
}

fn options(file: &Path, limits: &Limits) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(limits.lock_wait)
        .disable_statement_logging()
}

/// The writing connection, on a sound file of the latest version.
async fn prepare(file: &Path, limits: &Limits) -> Result<SqliteConnection, Fault> {
    let pages = (limits.database_bytes / PAGE_BYTES).max(1);
    // The journal mode is not among them: it would be written into a file that
    // may not be ours.
    let mut connection = options(file, limits)
        .create_if_missing(true)
        .synchronous(SqliteSynchronous::Full)
        .pragma("fullfsync", "ON") // macOS: through the cache of the disk
        .pragma("max_page_count", pages.to_string())
        .connect()
        .await?;
    let version = schema::recognise(&mut connection, file).await?;
    if version > 0 {
        schema::check(&mut connection, file).await?;
    }
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(&mut connection).await?;
    if mode != "wal" {
        let reason = format!("its disk allows no write-ahead log (only `{mode}`)");
        return Err(StoreError::CannotOpen { file: file.to_owned(), reason }.into());
    }
    schema::migrate(&mut connection, version).await?;
    Ok(connection)
}

/// Milliseconds since 1970, as SQLite keeps them.
pub(crate) fn to_millis(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// The other way; a time before 1970 is none that we wrote.
pub(crate) fn from_millis(millis: i64) -> u64 {
    u64::try_from(millis).unwrap_or(0)
}
