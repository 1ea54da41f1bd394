//! Word from the system that files may have changed.
//!
//! Folders are watched, not files: whoever saves by renaming puts another file
//! in the place of the one that was watched.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};
use tokio::sync::Notify;

use super::files::is_definition;

/// Writes that follow each other this closely are one change.
const QUIET: Duration = Duration::from_millis(40);

/// Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    folder: PathBuf,
    _watcher: Debouncer<RecommendedWatcher>,
}

impl Watch {
    /// Wakes `changed` when the file or folder `path` may have changed. `None`
    /// when the system cannot tell: the folder is not there, or there are too
    /// many watches.
    pub(super) fn start(path: &Path, changed: &Arc<Notify>) -> Option<Self> {
        let is_folder = path.is_dir();
        let folder = if is_folder { path.to_owned() } else { path.parent()?.to_owned() };
        let name = path.file_name().map(std::ffi::OsStr::to_owned);
        let changed = Arc::clone(changed);
        let concerns = move |event: &Path| {
            if is_folder {
                is_definition(event) || event.file_name() == name.as_deref()
            } else {
                event.file_name() == name.as_deref()
            }
        };
        let tell = move |events: DebounceEventResult| {
            // What went wrong is found by looking.
            let concerned =
                events.map_or(true, |events| events.iter().any(|event| concerns(&event.path)));
            if concerned {
                changed.notify_one();
            }
        };
        let started = new_debouncer(QUIET, tell).and_then(|mut watcher| {
            watcher.watcher().watch(&folder, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        });
        match started {
            Ok(watcher) => Some(Self { folder, _watcher: watcher }),
            Err(error) => {
                tracing::debug!(folder = %folder.display(), %error, "cannot watch a folder");
                None
            }
        }
    }

    /// Whether it still watches what `path` needs to be watched by.
    pub(super) fn fits(&self, path: &Path) -> bool {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        folder == Some(&*self.folder) && self.folder.is_dir()
    }
}
