//! Where definitions come from: files, folders and application directories.
//!
//! Each source is a task of its own, which looks, asks or is woken, and hands
//! what is now in force to [`Apps`]. What is unreadable for a moment never
//! takes away what was read before.

mod directory;
mod files;
mod folder;
mod kept;
mod paths;
mod told;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::{Read, SourceLabel, read};
use futures_util::future::join_all;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::apps::Apps;
use crate::config::{Config, Source};
use crate::limits::Limits;
use directory::Directory;
use files::Files;
pub(crate) use paths::AllowedPaths;
use watch::Watch;

/// How soon to look again when something may settle.
const SETTLE: Duration = Duration::from_millis(100);

/// How often to look without being woken: for file systems that do not tell,
/// for links that lead elsewhere, and for folders that are not there yet.
const LOOK: Duration = Duration::from_secs(5);

/// A source that cannot be used as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A directory that cannot be asked.
    #[error("the application directory `{url}` cannot be asked: {reason}")]
    Directory {
        /// Its address.
        url: String,
        /// Why.
        reason: String,
    },
}

/// The sources at work.
#[derive(Debug)]
pub(crate) struct Sources {
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Sources {
    /// Starts them. Returns when files and folders have been read once;
    /// directories are asked meanwhile.
    pub(crate) async fn start(config: &Config, apps: &Apps) -> Result<Self, SourceError> {
        let sources = Self { stop: CancellationToken::new(), tasks: TaskTracker::new() };
        let allowed = AllowedPaths::new(&config.base, &config.allow_paths);
        let mut first = Vec::new();
        let mut directories = Vec::new();
        for (place, source) in config.sources.iter().enumerate() {
            match source {
                Source::Path(path) => {
                    let files = Files::new(path, allowed.clone(), config.limits.clone());
                    first.push(Watched::start(files, place, apps.clone()));
                }
                Source::Rest(source) => {
                    directories.push((place, Directory::new(source, &config.limits)?));
                }
                Source::Text { label, text } => {
                    apps.set_source(place, vec![read(&SourceLabel::new(label.as_str()), text)]);
                }
            }
        }
        for (place, directory) in directories {
            sources.keep(ask(directory, place, apps.clone()));
        }
        for watched in join_all(first).await.into_iter().flatten() {
            sources.keep(watched.follow());
        }
        sources.tasks.close();
        Ok(sources)
    }

    /// Ends them, and returns when they have ended.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }

    fn keep(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = work => {}
            }
        });
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn ask(mut directory: Directory, place: usize, apps: Apps) {
    loop {
        let (changed, wait) = directory.ask().await;
        if changed {
            apps.set_source(place, vec![directory.read()]);
        }
        tokio::time::sleep(wait).await;
    }
}

/// Reads the definitions of a file or a folder once, relative paths from `base` on, as
/// the platform would. What cannot be read is a diagnostic of its source. Blocks.
#[must_use]
pub fn read_definitions(path: &Path, base: &Path) -> Vec<Read> {
    // Whoever names a path means it; what leads out of it is told.
    let named = base.join(path);
    let folder = if named.is_dir() { Some(&*named) } else { named.parent() };
    let allowed =
        AllowedPaths::new(base, &folder.map(Path::to_owned).into_iter().collect::<Vec<_>>());
    let mut files = Files::new(path, allowed, Limits::default());
    files.look();
    files.reads()
}

/// A file or folder with its watch.
struct Watched {
    files: Files,
    place: usize,
    apps: Apps,
    woken: Arc<Notify>,
    watch: Option<Watch>,
    unsettled: bool,
}

impl Watched {
    /// Watches and looks once; `None` when the runtime is ending.
    async fn start(files: Files, place: usize, apps: Apps) -> Option<Self> {
        let woken = Arc::new(Notify::new());
        Self { files, place, apps, woken, watch: None, unsettled: false }.look().await
    }

    async fn follow(self) {
        let mut this = self;
        loop {
            let wait = if this.unsettled { SETTLE } else { LOOK };
            // Woken or not, the next thing is to look.
            let _woken = timeout(wait, this.woken.notified()).await;
            match this.look().await {
                Some(next) => this = next,
                None => return,
            }
        }
    }

    /// Watches what was looked at last. Whether that is something else than before.
    fn watch(&mut self) -> bool {
        let folders = self.files.folders();
        let fits = self.watch.as_ref().is_some_and(|watch| watch.fits(&folders));
        if !fits {
            self.watch = Watch::start(self.files.path(), folders, &self.woken);
        }
        !fits && self.watch.is_some()
    }

    /// Looks on a thread that may block, and hands over what has changed.
    async fn look(mut self) -> Option<Self> {
        let looked = tokio::task::spawn_blocking(move || {
            // The watch first: what changes after it is told.
            self.watch();
            let step = self.files.look();
            // A folder that is watched only now may have changed before.
            self.unsettled = self.watch() || step.unsettled;
            if step.changed {
                self.apps.set_source(self.place, self.files.reads());
            }
            self
        });
        looked.await.ok()
    }
}
