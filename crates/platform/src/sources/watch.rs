//! Word from the system that files may have changed.
//!
//! Folders are watched, not files: whoever saves by renaming puts another file
//! in the place of the one that was watched. Each folder by itself: what is passed
//! over is not watched either.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};
use tokio::sync::Notify;

use super::folder::{is_definition, may_be_folder};

/// Writes that follow each other this closely are one change.
const QUIET: Duration = Duration::from_millis(40);

/// Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    folders: Vec<PathBuf>,
    _watcher: Debouncer<RecommendedWatcher>,
}

impl Watch {
    /// Wakes `changed` when the file or folder `path` may have changed, of which these
    /// folders have to be watched. `None` when the system cannot tell: the folder is not
    /// there, or there are too many watches.
    pub(super) fn start(path: &Path, folders: Vec<PathBuf>, changed: &Arc<Notify>) -> Option<Self> {
        let changed = Arc::clone(changed);
        let (path, watched) = (path.to_owned(), folders.clone());
        let tell = move |events: DebounceEventResult| {
            let concerns = |event: &Path| concerns(event, &path, &watched);
            // What went wrong is found by looking.
            let concerned =
                events.map_or(true, |events| events.iter().any(|event| concerns(&event.path)));
            if concerned {
                changed.notify_one();
            }
        };
        let started = new_debouncer(QUIET, tell).and_then(|mut watcher| {
            for (index, folder) in folders.iter().enumerate() {
                match watcher.watcher().watch(folder, RecursiveMode::NonRecursive) {
                    Ok(()) => {}
                    Err(error) if index == 0 => return Err(error),
                    Err(error) => not_watched(folder, &error),
                }
            }
            Ok(watcher)
        });
        match started {
            Ok(watcher) => Some(Self { folders, _watcher: watcher }),
            Err(error) => {
                not_watched(folders.first()?, &error);
                None
            }
        }
    }

    /// Whether it watches these folders, and they are there.
    pub(super) fn fits(&self, folders: &[PathBuf]) -> bool {
        self.folders == folders && folders.iter().all(|folder| folder.is_dir())
    }
}

/// It is looked at all the same, if later.
fn not_watched(folder: &Path, error: &notify::Error) {
    tracing::debug!(folder = %folder.display(), %error, "cannot watch a folder");
}

/// Whether something that happened at `event` may change what is read of `path`. By names
/// alone: systems tell of folders by other paths than they were asked for.
fn concerns(event: &Path, path: &Path, folders: &[PathBuf]) -> bool {
    let is = |known: &Path| event.file_name() == known.file_name();
    let is_folder = folders.first().is_some_and(|folder| folder == path);
    is(path)
        || is_folder
            && (is_definition(event)
                || folders.iter().any(|folder| is(folder))
                || (may_be_folder(event) && event.is_dir()))
}
