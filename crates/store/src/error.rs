//! What can go wrong, for whoever has to put it right.

use std::path::{Path, PathBuf};

/// Why the store could not be opened, read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process (or another opener in this one) has the store.
    #[error(
        "`{}` is in use{}; stop that one, or use another data folder",
        file.display(),
        process.map(|id| format!(" by process {id}")).unwrap_or_default()
    )]
    InUse {
        /// The database.
        file: PathBuf,
        /// Who has it, if that could be read.
        process: Option<u32>,
    },
    /// The file or its folder cannot be made, opened or written.
    #[error("cannot open `{}`: {reason}", file.display())]
    CannotOpen {
        /// The database or its lock file.
        file: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file is something else.
    #[error(
        "`{}` is not a SQLite database; move it away, or name another file",
        file.display()
    )]
    NotADatabase {
        /// The file.
        file: PathBuf,
    },
    /// The file is a SQLite database that Deskwire did not make.
    #[error(
        "`{}` is the database of another program; name another file",
        file.display()
    )]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// A later Deskwire has written the file.
    #[error(
        "`{}` has schema version {found}, this Deskwire knows up to {known}; \
         use the newer Deskwire, or another file",
        file.display()
    )]
    Newer {
        /// The database.
        file: PathBuf,
        /// Its schema version.
        found: i64,
        /// The latest version known here.
        known: i64,
    },
    /// Pages of the file or a document in it do not make sense.
    #[error(
        "`{}` is damaged: {reason}; put back a copy of it, or move it away to begin anew",
        file.display()
    )]
    Corrupt {
        /// The database.
        file: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another program has locked the database for too long.
    #[error(
        "another program keeps `{}` locked; close it there and try again",
        file.display()
    )]
    Locked {
        /// The database.
        file: PathBuf,
    },
    /// The disk is full, or the database has grown to its bound.
    #[error(
        "no room to write `{}`: the disk is full, or the database has reached its bound",
        file.display()
    )]
    Full {
        /// The database.
        file: PathBuf,
    },
    /// Anything else SQLite or the disk reports.
    #[error("`{}` could not be read or written: {reason}", file.display())]
    Failed {
        /// The database.
        file: PathBuf,
        /// What was reported.
        reason: String,
    },
    /// A name or id is empty or too long.
    #[error("{what}: {bytes} bytes, needs 1 to {limit}")]
    BadName {
        /// Which one, for example `the name of the layout`.
        what: &'static str,
        /// Its length.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// A document is not a JSON object.
    #[error("{what}: not a JSON object: {reason}")]
    NotAnObject {
        /// Which document, for example ``the layout `Trading` ``.
        what: String,
        /// Where the reader stopped, and why.
        reason: String,
    },
    /// A document, or all documents of one write, are too large.
    #[error("{what}: {bytes} bytes, at most {limit} are kept")]
    TooLarge {
        /// Which document, for example ``the layout `Trading` ``.
        what: String,
        /// Its length.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// There is no such layout in the store.
    #[error("there is no saved layout `{name}` of the kind {kind}")]
    NoSuchLayout {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The new name is taken.
    #[error("there is a saved layout `{name}` of the kind {kind} already; choose another name")]
    LayoutExists {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// What stops one write or read, before it is known which file it was.
#[derive(Debug)]
pub(crate) enum Fault {
    Sql(sqlx::Error),
    Refused(StoreError),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl Fault {
    pub(crate) fn at(self, file: &Path) -> StoreError {
        match self {
            Self::Refused(error) => error,
            Self::Sql(error) => StoreError::from_sql(&error, file),
        }
    }
}

// Primary result codes of SQLite; the upper bits of a code say more.
const PERM: i32 = 3;
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const NOTADB: i32 = 26;

impl StoreError {
    pub(crate) fn from_sql(error: &sqlx::Error, file: &Path) -> Self {
        let file = file.to_owned();
        let sqlx::Error::Database(database) = error else {
            return match error {
                sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => Self::Closed,
                other => Self::Failed { file, reason: other.to_string() },
            };
        };
        let reason = database.message().to_owned();
        match database.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff) {
            Some(BUSY | LOCKED) => Self::Locked { file },
            Some(CORRUPT) => Self::Corrupt { file, reason },
            Some(FULL) => Self::Full { file },
            Some(PERM | READONLY | CANTOPEN) => Self::CannotOpen { file, reason },
            Some(NOTADB) => Self::NotADatabase { file },
            _ => Self::Failed { file, reason },
        }
    }
}
