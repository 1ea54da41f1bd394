//! Which paths may be read.

use std::path::{Component, Path, PathBuf};

/// The folders whose content may be read: the base folder, and those that are
/// allowed besides. Symbolic links are followed before a path is judged.
#[derive(Debug, Clone)]
pub(crate) struct AllowedPaths {
    base: PathBuf,
    roots: Vec<PathBuf>,
}

/// A path that may not be read, or cannot be found out about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathRefused {
    /// It leads out of every allowed folder.
    #[error(
        "it leads to `{}`, which is outside of `{}`; if that is meant, add its folder to \
         `platform.allowPaths`",
        path.display(),
        base.display()
    )]
    Outside {
        /// Where it leads.
        path: PathBuf,
        /// The base folder.
        base: PathBuf,
    },
    /// The system does not say where it leads.
    #[error("{reason}")]
    Unknown {
        /// What the system said.
        reason: String,
    },
}

impl AllowedPaths {
    /// Relative folders of `allow` start from `base`. Folders that do not exist
    /// (yet) are taken as they are written.
    pub(crate) fn new(base: &Path, allow: &[PathBuf]) -> Self {
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        let real = |path: &Path| real(path).unwrap_or_else(|_| path.to_owned());
        let mut roots = vec![real(&base)];
        roots.extend(allow.iter().map(|path| real(&base.join(path))));
        Self { base, roots }
    }

    /// A path as it is written in a configuration, from the base folder on.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        self.base.join(path)
    }

    /// The path as a person knows it: from the base folder on, where it is in it.
    pub(crate) fn label(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).display().to_string()
    }

    /// Whether an absolute path may be read; where it really is.
    pub(crate) fn check(&self, path: &Path) -> Result<PathBuf, PathRefused> {
        let path =
            real(path).map_err(|error| PathRefused::Unknown { reason: error.to_string() })?;
        if self.roots.iter().any(|root| path.starts_with(root)) {
            Ok(path)
        } else {
            Err(PathRefused::Outside { path, base: self.base.clone() })
        }
    }
}

/// Where a path leads, links followed. What does not exist is judged by the
/// part of it that does.
fn real(path: &Path) -> std::io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let (Some(parent), Some(last)) = (path.parent(), path.components().next_back()) else {
                return Err(error);
            };
            let parent = real(parent)?;
            match last {
                Component::Normal(name) => Ok(parent.join(name)),
                Component::ParentDir => Ok(parent.parent().unwrap_or(&parent).to_owned()),
                _ => Ok(parent),
            }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_out_of_the_base_folder_need_leave() {
        let around = tempfile::tempdir().unwrap();
        let around = around.path().canonicalize().unwrap();
        for folder in ["base/apps", "shared", "secret"] {
            std::fs::create_dir_all(around.join(folder)).unwrap();
        }
        std::fs::write(around.join("secret/apps.json"), "[]").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(around.join("secret"), around.join("base/link")).unwrap();

        let allowed = AllowedPaths::new(&around.join("base"), &["../shared".into()]);
        for (path, fits) in [
            ("apps", true),
            ("apps/new.json", true),
            ("./apps/../apps", true),
            ("../shared/apps.json", true),
            ("../secret/apps.json", false),
            ("..", false),
            ("../base-of-another", false),
            ("missing/../../secret", false),
            ("/etc/hosts", false),
            #[cfg(unix)]
            ("link/apps.json", false),
            #[cfg(unix)]
            ("link/new.json", false),
        ] {
            let found = allowed.check(&allowed.absolute(Path::new(path)));
            assert_eq!(found.is_ok(), fits, "{path}: {found:?}");
        }
        let error = allowed.check(&around.join("secret/apps.json")).unwrap_err().to_string();
        assert!(error.contains("platform.allowPaths"), "{error}");
    }

    #[test]
    fn labels_are_short_within_the_base_folder() {
        let allowed = AllowedPaths::new(Path::new("/srv/desk"), &[]);
        assert_eq!(allowed.label(Path::new("/srv/desk/apps/a.json")), "apps/a.json");
        assert_eq!(allowed.label(Path::new("/etc/a.json")), "/etc/a.json");
    }
}
