//! One opener: a lock file beside the database.
//!
//! SQLite's own locks last as long as a transaction; this one lasts as long as
//! the process. It is a file of its own because closing any other handle of
//! the database file would drop the locks of SQLite.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Held while the database is open. The system lets go of it when the process
/// ends, however it ends; so the file may stay where it is.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of `database`, or says who has it. Never waits.
    pub(crate) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = path_of(database);
        let failed = |error: std::io::Error| StoreError::CannotOpen {
            file: path.clone(),
            reason: error.to_string(),
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let file = database.to_owned();
                return Err(StoreError::InUse { file, process: holder(&path) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let name_holder = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        name_holder(&mut file).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

fn path_of(database: &Path) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(".lock");
    path.into()
}

/// Who wrote the lock file. Some systems keep a locked file from being read.
fn holder(path: &Path) -> Option<u32> {
    let mut text = String::new();
    File::open(path).ok()?.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
