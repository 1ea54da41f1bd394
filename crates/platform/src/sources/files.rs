//! Reading the files of one source from the disk.

use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use deskwire_catalog::{Code, Read, SourceLabel, is_definitions, read};

use super::folder::Listed;
use super::kept::{Kept, Look, Step, nothing_but};
use super::paths::AllowedPaths;
use crate::limits::Limits;

/// A file whose time of change is this close to the time of reading may change
/// again without another time: clocks of file systems tick slowly.
const TICK: Duration = Duration::from_millis(20);

/// A file or a folder of files, and what of it is in force.
#[derive(Debug)]
pub(super) struct Files {
    path: PathBuf,
    allowed: AllowedPaths,
    limits: Limits,
    kept: Kept,
    stamps: HashMap<PathBuf, Stamp>,
    /// The folders that were read.
    folders: Vec<PathBuf>,
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
        let (kept, stamps) = (Kept::default(), HashMap::new());
        Self { path, allowed, limits, kept, stamps, folders: Vec::new() }
    }

    /// The file or folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folders whose files were looked at last: that of the file, or the folder and those
    /// in it.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        match self.path.parent() {
            Some(parent) if self.folders.is_empty() => vec![parent.to_owned()],
            _ => self.folders.clone(),
        }
    }

    /// Looks at every file. Blocks.
    pub(super) fn look(&mut self) -> Step {
        let mut looks = Vec::new();
        let mut unsettled = false;
        self.folders.clear();
        match self.list() {
            Ok(None) => {
                let path = self.path.clone();
                let look = self.look_at(&path, false, &mut unsettled);
                looks.push((path, look));
            }
            Ok(Some(Listed { files, folders, faults })) => {
                self.folders = folders;
                for file in files {
                    let look = self.look_at(&file, true, &mut unsettled);
                    looks.push((file, look));
                }
                for (folder, reason) in faults {
                    let fault = nothing_but(&self.label(&folder), Code::FileUnreadable, reason);
                    looks.push((folder, Look::Unreadable(fault)));
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

    /// What there is to be read of a folder; `None` for a file.
    fn list(&self) -> Result<Option<Listed>, Look> {
        let fault = |code, message: String| nothing_but(&self.label(&self.path), code, message);
        let real = self.allowed.check(&self.path).map_err(|refused| {
            Look::Unreadable(fault(Code::FileNotAllowed, refused.to_string()))
        })?;
        match std::fs::metadata(&real) {
            Ok(found) if found.is_dir() => Ok(Some(Listed::of(&self.path, &self.limits))),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let message = "there is no such file or folder; it is read as soon as it is there";
                Err(Look::Missing(fault(Code::FileUnreadable, message.into())))
            }
            Err(error) => {
                let message = format!("it cannot be read: {error}");
                Err(Look::Unreadable(fault(Code::FileUnreadable, message)))
            }
        }
    }

    /// Looks at one file. One that is `found` in a folder may be somebody else's.
    fn look_at(&mut self, path: &Path, found: bool, unsettled: &mut bool) -> Look {
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
        let (metadata, file) = match opened {
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
        let stamp = Stamp::new(real, &metadata);
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
                let others = found && !is_definitions(&text) && !self.kept.knows(path);
                let read = if others { Read::empty(label) } else { read(&label, &text) };
                Look::Text { blank: text.trim().is_empty(), read }
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
