//! Which files of a folder are read: one rule, for whoever reads one.
//!
//! Those that end like JSON, in the folder and in the folders in it, by their names.
//! What begins with a dot is of editors and systems, `node_modules` and `target` hold
//! what others wrote; they are passed over. Links to folders are not followed, so that
//! none leads around; a link to a file is read, if where it leads may be.

use std::fs::{DirEntry, read_dir};
use std::path::{Path, PathBuf};

use crate::limits::Limits;

/// Endings of files that hold definitions.
const ENDINGS: [&str; 3] = ["json", "jsonc", "json5"];

/// Folders of other people's files.
const PASSED_OVER: [&str; 2] = ["node_modules", "target"];

/// What there is to read in a folder.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The files, in order.
    pub(super) files: Vec<PathBuf>,
    /// The folder, and those in it.
    pub(super) folders: Vec<PathBuf>,
    /// Folders that are not read, or not wholly, and why.
    pub(super) faults: Vec<(PathBuf, String)>,
}

impl Listed {
    /// Lists a folder. Blocks.
    pub(super) fn of(folder: &Path, limits: &Limits) -> Self {
        let mut listed = Self::default();
        listed.add(folder, 0, limits);
        listed
    }

    fn add(&mut self, folder: &Path, depth: usize, limits: &Limits) {
        let mut fault = |reason: String| self.faults.push((folder.to_owned(), reason));
        if depth > limits.folder_depth {
            let most = limits.folder_depth;
            return fault(format!("folders nest deeper than {most}; this one is not read"));
        }
        if self.folders.len() >= limits.folders_per_source {
            let most = limits.folders_per_source;
            return fault(format!("there are more than {most} folders; this one is not read"));
        }
        let entries = match read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return fault(format!("the folder cannot be read: {error}")),
        };
        self.folders.push(folder.to_owned());
        let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && may_be_folder(&path) {
                self.add(&path, depth + 1, limits);
            } else if !kind.is_dir() && is_definition(&path) && !path.is_dir() {
                if self.files.len() >= limits.files_per_source {
                    let most = limits.files_per_source;
                    let reason = format!("there are more than {most} files; the rest is not read");
                    return self.faults.push((folder.to_owned(), reason));
                }
                self.files.push(path);
            }
        }
    }
}

/// Whether a file of a folder may hold definitions, by its name.
pub(super) fn is_definition(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    !is_hidden(path) && ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

/// Whether a folder in a folder is read, by its name.
pub(super) fn may_be_folder(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !is_hidden(path) && PASSED_OVER.iter().all(|other| name != *other)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap_or_default().to_string_lossy().starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "[]").unwrap();
        }
        folder
    }

    fn names(folder: &Path, paths: &[PathBuf]) -> Vec<String> {
        let name = |path: &PathBuf| {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy();
            name.replace('\\', "/")
        };
        paths.iter().map(name).collect()
    }

    #[test]
    fn files_are_listed_by_name_at_every_depth() {
        let there = folder(&[
            "b.json",
            "a/x.JSONC",
            "a/deep/er/y.json5",
            "a.json",
            "notes.txt",
            ".hidden.json",
            ".git/x.json",
            "node_modules/p/package.json",
            "target/x.json",
        ]);
        #[cfg(unix)]
        std::os::unix::fs::symlink(there.path(), there.path().join("a/around")).unwrap();
        let listed = Listed::of(there.path(), &Limits::default());
        assert_eq!(
            names(there.path(), &listed.files),
            ["a/deep/er/y.json5", "a/x.JSONC", "a.json", "b.json"]
        );
        assert_eq!(names(there.path(), &listed.folders), ["", "a", "a/deep", "a/deep/er"]);
        assert_eq!(listed.faults, []);
    }

    #[test]
    fn what_is_beyond_a_bound_is_told() {
        let there = folder(&["1.json", "2.json", "a/3.json", "a/b/4.json", "c/5.json"]);
        let told = |limits: Limits| {
            let listed = Listed::of(there.path(), &limits);
            let faults = listed.faults.into_iter().map(|(folder, reason)| {
                format!("{}: {reason}", names(there.path(), &[folder]).concat())
            });
            (names(there.path(), &listed.files), faults.collect::<Vec<_>>())
        };
        let (files, faults) = told(Limits { folder_depth: 1, ..Limits::default() });
        assert_eq!(files, ["1.json", "2.json", "a/3.json", "c/5.json"]);
        assert_eq!(faults, ["a/b: folders nest deeper than 1; this one is not read"]);
        let (files, faults) = told(Limits { folders_per_source: 2, ..Limits::default() });
        assert_eq!(files, ["1.json", "2.json", "a/3.json"]);
        assert_eq!(faults.len(), 2, "{faults:?}");
        let (files, faults) = told(Limits { files_per_source: 1, ..Limits::default() });
        assert_eq!(files, ["1.json"]);
        assert_eq!(faults, [": there are more than 1 files; the rest is not read"]);
    }
}
