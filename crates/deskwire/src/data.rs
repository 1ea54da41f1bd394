//! The data folder: what must survive a restart, and the lock on it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::fault::Fault;

/// Length of the key that signs tokens, in bytes.
const KEY_LEN: usize = 32;

/// An open data folder. One process at a time has it; the lock goes with the value.
#[derive(Debug)]
pub(crate) struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Opens the folder, made if absent: `path`, else the user's own.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Fault> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => default_path()?,
        };
        let failed = |error: io::Error| {
            Fault::new(format!("open the data folder {}", path.display()), error)
                .hint("Name another with --data DIR.")
        };
        create_private(&path).map_err(failed)?;
        let lock_path = path.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Fault::new(
                format!("open the data folder {}", path.display()),
                "another Deskwire is using it",
            )
            .hint("Stop the other one, or name another folder with --data DIR.")),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The key that signs gateway tokens, made at the first start, so that
    /// tokens outlive a restart.
    pub(crate) fn token_key(&self) -> Result<Vec<u8>, Fault> {
        let path = self.path.join("token.key");
        let failed =
            |error: io::Error| Fault::new(format!("use the token key {}", path.display()), error);
        match File::open(&path) {
            Ok(mut file) => {
                let mut key = Vec::new();
                file.read_to_end(&mut key).map_err(failed)?;
                if key.len() == KEY_LEN {
                    Ok(key)
                } else {
                    Err(Fault::new(
                        format!("use the token key {}", path.display()),
                        format!("it has {} bytes, not {KEY_LEN}", key.len()),
                    )
                    .hint("Delete the file; a new key is made, and tokens given out before end."))
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key: [u8; KEY_LEN] = rand::random();
                write_private(&path, &key).map_err(failed)?;
                Ok(key.to_vec())
            }
            Err(error) => Err(failed(error)),
        }
    }
}

fn default_path() -> Result<PathBuf, Fault> {
    etcetera::choose_base_strategy().map(|strategy| strategy.data_dir().join("deskwire")).map_err(
        |error| Fault::new("find the user's data folder", error).hint("Name one with --data DIR."),
    )
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Writes a file that its owner alone reads, whole or not at all.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&draft, path)
}
