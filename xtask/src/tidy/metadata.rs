//! What `cargo metadata` says about the workspace.

use std::path::PathBuf;

use serde::Deserialize;

use crate::failure::Failure;
use crate::repo::{Repo, output};

/// The workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// Its packages.
    pub(crate) packages: Vec<Package>,
    /// Where cargo builds.
    pub(crate) target_directory: PathBuf,
    /// Its root.
    pub(crate) workspace_root: PathBuf,
}

/// One package of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// What a package depends on, of any kind.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn read(repo: &Repo) -> Result<Self, Failure> {
        let text = output(&mut repo.cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
        serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("cannot read cargo metadata: {error}")))
    }
}
