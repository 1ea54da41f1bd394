//! Where the built web is.

use std::io;
use std::path::{Path, PathBuf};

use crate::{Asset, embedded};

/// The built web. Names of its files are paths such as `desk/index.html`.
#[derive(Debug, Clone)]
pub struct Web(Place);

#[derive(Debug, Clone)]
enum Place {
    /// In the binary.
    Inside,
    /// In a folder.
    Folder(PathBuf),
    /// Nowhere: the feature `web` is off.
    Nowhere,
}

/// A file is there and cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {cause}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub cause: io::Error,
}

impl Web {
    /// The web that this build has: inside it, or in the folder of the sources it was built from.
    #[must_use]
    pub fn of_this_build() -> Self {
        if cfg!(not(feature = "web")) {
            Self(Place::Nowhere)
        } else if cfg!(embedded) {
            Self(Place::Inside)
        } else {
            Self::in_folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist"))
        }
    }

    /// The web that is built to this folder. It is read anew each time.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self(Place::Folder(folder.into()))
    }

    /// No web at all.
    #[must_use]
    pub fn none() -> Self {
        Self(Place::Nowhere)
    }

    /// The file of this name; `None` when there is none, or the name is not a plain one.
    ///
    /// # Errors
    /// When it is there, and cannot be read.
    pub async fn get(&self, name: &str) -> Result<Option<Asset>, ReadError> {
        if !is_plain(name) {
            return Ok(None);
        }
        let folder = match &self.0 {
            Place::Nowhere => return Ok(None),
            Place::Inside => return Ok(embedded::find(name)),
            Place::Folder(folder) => folder,
        };
        let path = folder.join(name);
        match tokio::fs::read(&path).await {
            Ok(plain) => Ok(Some(Asset::read(name, plain))),
            Err(cause) if is_absence(cause.kind()) => Ok(None),
            Err(cause) => Err(ReadError { path, cause }),
        }
    }

    /// In one sentence, what to run when pages are not there; `None` where that would not help.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        let Place::Folder(folder) = &self.0 else { return None };
        let sources = folder.parent().unwrap_or(folder);
        let sources = sources.canonicalize().unwrap_or_else(|_| sources.to_owned());
        Some(format!(
            "The desk page is not built: run `npm ci && npm run build` in {}, and load this page again.",
            sources.display()
        ))
    }
}

fn is_absence(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory
    )
}

/// Names as bundlers write them. What could leave the folder, or means something to a file
/// system, is none: empty parts, parts that begin with a dot, backslashes, colons.
fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    })
}
