//! Reading the files of one source from the disk.

use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use deskwire_catalog::{Code, Read, SourceLabel, read};

use super::kept::{Kept, Look, Step, nothing_but};
use super::paths::AllowedPaths;
use crate::limits::Limits;

/// A file whose time of change is this close to the time of reading may change
/// again without another time: clocks of file systems tick slowly.
const TICK: Duration = Duration::from_millis(20);

/// Endings of files that hold definitions.
const ENDINGS: [&str; 3] = ["json", "jsonc", "json5"];

/// A file or a folder of files, and what of it is in force.
#[derive(Debug)]
pub(super) struct Files {
    path: PathBuf,
    allowed: AllowedPaths,
    limits: Limits,
    kept: Kept,
    stamps: HashMap<PathBuf, Stamp>,
}

/// What tells that a file is still what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    real: PathBuf,
    length: u64,
    changed: SystemTime,
    inode: u64,
}

impl Files {
    pub(super) fn new(path: &Path, allowed: AllowedPaths, limits: Limits) -> Self {
        let path = allowed.absolute(path);
        Self { path, allowed, limits, kept: Kept::default(), stamps: HashMap::new() }
    }

    /// The file or folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at every file. Blocks.
    pub(super) fn look(&mut self) -> Step {
        let mut looks = Vec::new();
        let mut unsettled = false;
        match self.list() {
            Ok(files) => {
                for file in files {
                    let look = self.look_at(&file, &mut unsettled);
                    looks.push((file, look));
                }
            }
            Err(fault) => looks.push((self.path.clone(), fault)),
        }
        let seen: HashSet<_> = looks.iter().map(|(path, _)| path).collect();
        self.stamps.retain(|path, _| seen.contains(path));
        let mut step = self.kept.see(looks);
        step.unsettled |= unsettled;
        step
    }

    /// What is in force, in the order of the files' names.
    pub(super) fn reads(&self) -> Vec<Read> {
        self.kept.reads()
    }

    fn label(&self, path: &Path) -> SourceLabel {
        SourceLabel::new(self.allowed.label(path))
    }

    /// The files there are to be read.
    fn list(&self) -> Result<Vec<PathBuf>, Look> {
        let fault = |code, message: String| nothing_but(&self.label(&self.path), code, message);
        let real = self.allowed.check(&self.path).map_err(|refused| {
            Look::Unreadable(fault(Code::FileNotAllowed, refused.to_string()))
        })?;
        match std::fs::metadata(&real) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Ok(vec![self.path.clone()]),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let message = "there is no such file or folder; it is read as soon as it is there";
                return Err(Look::Missing(fault(Code::FileUnreadable, message.into())));
            }
            Err(error) => {
                let message = format!("it cannot be read: {error}");
                return Err(Look::Unreadable(fault(Code::FileUnreadable, message)));
            }
        }
        let entries = std::fs::read_dir(&real).map_err(|error| {
            let message = format!("the folder cannot be read: {error}");
            Look::Unreadable(fault(Code::FileUnreadable, message))
        })?;
        let mut files: Vec<_> = entries
            .filter_map(Result::ok)
            .map(|entry| self.path.join(entry.file_name()))
            .filter(|path| is_definition(path) && !path.is_dir())
            .collect();
        files.sort();
        if files.len() > self.limits.files_per_folder {
            tracing::warn!(
                folder = %self.path.display(),
                files = files.len(),
                read = self.limits.files_per_folder,
                "the folder has too many files; those with the last names are left out"
            );
            files.truncate(self.limits.files_per_folder);
        }
        Ok(files)
    }

    fn look_at(&mut self, path: &Path, unsettled: &mut bool) -> Look {
        let label = self.label(path);
        let fault = |code, message: String| nothing_but(&label, code, message);
        let real = match self.allowed.check(path) {
            Ok(real) => real,
            Err(refused) => {
                self.stamps.remove(path);
                return Look::Unreadable(fault(Code::FileNotAllowed, refused.to_string()));
            }
        };
        let opened = File::open(&real).and_then(|file| Ok((file.metadata()?, file)));
        let (found, file) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.stamps.remove(path);
                return match error.kind() {
                    ErrorKind::NotFound => {
                        Look::Missing(fault(Code::FileUnreadable, "there is no such file".into()))
                    }
                    _ => {
                        let message = format!("it cannot be read: {error}");
                        Look::Unreadable(fault(Code::FileUnreadable, message))
                    }
                };
            }
        };
        let stamp = Stamp::new(real, &found);
        if self.stamps.get(path) == Some(&stamp) {
            return Look::Same;
        }
        match text_of(file, self.limits.source_bytes) {
            Ok(text) => {
                if stamp.is_old(SystemTime::now()) {
                    self.stamps.insert(path.to_owned(), stamp);
                } else {
                    self.stamps.remove(path);
                    *unsettled = true;
                }
                Look::Text { blank: text.trim().is_empty(), read: read(&label, &text) }
            }
            Err(message) => {
                self.stamps.insert(path.to_owned(), stamp);
                Look::Unreadable(fault(Code::FileUnreadable, message))
            }
        }
    }
}

impl Stamp {
    fn new(real: PathBuf, found: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(found);
        #[cfg(not(unix))]
        let inode = 0;
        let changed = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Self { real, length: found.len(), changed, inode }
    }

    /// Whether a later change would have another time. A time to come counts as old.
    fn is_old(&self, now: SystemTime) -> bool {
        now.duration_since(self.changed).map_or(true, |age| age > TICK)
    }
}

/// Whether a file of a folder holds definitions, by its name. Names that begin
/// with a dot are those of editors and of systems.
pub(super) fn is_definition(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

/// The text of a file. One byte more than allowed is read, so that a file that
/// is too large is seen to be.
fn text_of(file: File, bytes: usize) -> Result<String, String> {
    let mut content = Vec::new();
    let most = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most)
        .read_to_end(&mut content)
        .map_err(|error| format!("it cannot be read: {error}"))?;
    if content.len() > bytes {
        return Err(format!(
            "it has more than {bytes} bytes and is not read; split it into several"
        ));
    }
    let text = String::from_utf8(content)
        .map_err(|error| format!("it is not text in UTF-8: {}", error.utf8_error()))?;
    // Editors on Windows put it at the start.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
