//! Keeps the surface up with the bus, and tells of changes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deskwire_connect::{Client, Directory, Status};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, SelectAll, select_all};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::report::Report;
use crate::bus;
use crate::dynamic::panic_message;
use crate::profile::Profile;
use crate::surface::{Offer, Revision, Rules, Source, Surface};

/// How long changes are gathered before the log tells of them: applications
/// that start register their methods one by one.
const REPORT_AFTER: Duration = Duration::from_secs(1);

/// The surface at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// Counts surfaces.
    pub(crate) number: u64,
    /// The directory the surface was made from; `None` before the first.
    pub(crate) directory: Option<u64>,
    /// Whether it was made before it was decided if the bus is joined.
    pub(crate) joining: bool,
    pub(crate) surface: Arc<Surface>,
}

/// The present surface, and the one clients were last told of.
#[derive(Debug, Clone)]
pub(crate) struct Surfaces {
    present: watch::Receiver<Moment>,
    announced: watch::Receiver<Moment>,
}

/// The changes of what one profile sees, for one listener.
#[derive(Debug)]
pub(crate) struct Changes {
    announced: watch::Receiver<Moment>,
    profile: Profile,
    known: Known,
}

/// Changes of the surface, whoever sees them; ends with the server.
#[derive(Debug, Clone)]
pub struct SurfaceChanges(watch::Receiver<Moment>);

impl SurfaceChanges {
    /// Waits until the surface is another one than it was when this last returned; several
    /// changes may be one. `None` when there will be no more.
    pub async fn next(&mut self) -> Option<()> {
        self.0.changed().await.ok()
    }
}

/// What a client was told by a list or a notification.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    revision: Revision,
    number: u64,
}

/// What one client knows of the list: shared by those who answer its lists and
/// those who tell it of changes, so that what it has seen is no news.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known(Arc<Mutex<Option<Told>>>);

impl Known {
    /// A client that was told this last.
    pub(crate) fn at(told: Told) -> Self {
        Self(Arc::new(Mutex::new(Some(told))))
    }

    /// The client was told this now.
    pub(crate) fn learn(&self, told: Told) {
        *self.lock() = Some(told);
    }

    /// The client begins at this, unless it was told something already.
    pub(crate) fn begin(&self, told: Told) {
        self.lock().get_or_insert(told);
    }

    /// Whether `moment` is a change for the client, which is told of it then.
    fn is_news(&self, moment: &Moment, profile: Profile) -> bool {
        let next = moment.told(profile);
        let mut known = self.lock();
        // What was announced may be older than what the client knows.
        let news =
            known.is_none_or(|told| next.number >= told.number && next.revision != told.revision);
        if news {
            *known = Some(next);
        }
        news
    }

    fn lock(&self) -> MutexGuard<'_, Option<Told>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Surfaces {
    /// Starts to watch the bus. Ends with `closing`, or with the last receiver.
    pub(crate) fn watch(
        bus: &Client,
        sources: Vec<Box<dyn Source>>,
        rules: Rules,
        debounce: Duration,
        closing: CancellationToken,
    ) -> Self {
        let empty = Moment {
            number: 0,
            directory: None,
            joining: true,
            surface: Arc::new(Surface::assemble(Vec::new(), &rules, None)),
        };
        let (present, present_receiver) = watch::channel(empty.clone());
        let (announced, announced_receiver) = watch::channel(empty);
        let watcher = Watcher { bus: bus.clone(), sources, rules, present, announced };
        tokio::spawn(watcher.run(debounce, closing));
        Self { present: present_receiver, announced: announced_receiver }
    }

    /// The present surface.
    pub(crate) fn present(&self) -> Moment {
        self.present.borrow().clone()
    }

    /// The first surface, from now on, of which `condition` holds. When the
    /// watcher ends before, the last one.
    pub(crate) async fn when(&self, condition: impl FnMut(&Moment) -> bool) -> Moment {
        let mut present = self.present.clone();
        let found = present.wait_for(condition).await.ok().map(|moment| moment.clone());
        found.unwrap_or_else(|| self.present())
    }

    /// All changes from now on.
    pub(crate) fn all_changes(&self) -> SurfaceChanges {
        let mut present = self.present.clone();
        present.mark_unchanged();
        SurfaceChanges(present)
    }

    /// The changes a client of this profile is to be told from now on.
    pub(crate) fn changes(&self, profile: Profile, known: Known) -> Changes {
        known.begin(self.present().told(profile));
        Changes { announced: self.announced.clone(), profile, known }
    }
}

impl Moment {
    /// What a client that lists tools now will know.
    pub(crate) fn told(&self, profile: Profile) -> Told {
        Told { revision: self.surface.view(profile).revision(), number: self.number }
    }
}

impl Changes {
    /// Waits for the next change of what the profile sees. `None` when there
    /// will be no more.
    pub(crate) async fn next(&mut self) -> Option<()> {
        loop {
            if self.known.is_news(&self.announced.borrow_and_update(), self.profile) {
                return Some(());
            }
            self.announced.changed().await.ok()?;
        }
    }
}

struct Watcher {
    bus: Client,
    sources: Vec<Box<dyn Source>>,
    rules: Rules,
    present: watch::Sender<Moment>,
    announced: watch::Sender<Moment>,
}

impl Watcher {
    async fn run(mut self, debounce: Duration, closing: CancellationToken) {
        let (mut changes, mut status) = (self.bus.directory_changes(), self.bus.status());
        let (mut announcement, mut report_due) = (None, None);
        let mut report = Report::default();
        changes.mark_changed();
        let mut nudges = select_all(self.sources.iter().map(|source| source.nudges()));
        loop {
            tokio::select! {
                biased;
                () = closing.cancelled() => return,
                () = self.present.closed() => return,
                changed = moved(&mut changes, &mut status, &mut nudges) => {
                    if changed.is_err() {
                        return;
                    }
                    let directory = *changes.borrow_and_update();
                    let Some(watcher) = self.update(directory).await else { return };
                    self = watcher;
                    announcement.get_or_insert_with(|| Instant::now() + debounce);
                    report_due.get_or_insert_with(|| Instant::now() + REPORT_AFTER);
                }
                () = at(announcement) => {
                    announcement = None;
                    self.announced.send_replace(self.present.borrow().clone());
                }
                () = at(report_due) => {
                    report_due = None;
                    let surface = Arc::clone(&self.present.borrow().surface);
                    report.log(&surface);
                }
            }
        }
    }

    /// Makes the surface of the present directory. On a thread of its own,
    /// since a thousand new methods are a thousand schemas to compile.
    async fn update(mut self, directory: u64) -> Option<Self> {
        let work = tokio::task::spawn_blocking(move || {
            let joining = bus::is_joining(&self.bus.status().borrow());
            let snapshot = self.bus.directory();
            let offers =
                self.sources.iter_mut().map(|source| (source.origin(), offer(source, &snapshot)));
            let offers: Vec<_> = offers.collect();
            let previous = self.present.borrow().clone();
            let surface = Surface::assemble(offers, &self.rules, Some(&previous.surface));
            let number = previous.number + 1;
            let (directory, surface) = (Some(directory), Arc::new(surface));
            let moment = Moment { number, directory, joining, surface };
            self.present.send_replace(moment);
            self
        });
        // It fails only when the runtime ends.
        work.await.ok()
    }
}

/// Waits until others are on the bus, this server stands with it as before no
/// longer, or a source asks to be asked.
async fn moved(
    directory: &mut watch::Receiver<u64>,
    status: &mut watch::Receiver<Status>,
    nudges: &mut SelectAll<BoxStream<'static, ()>>,
) -> Result<(), watch::error::RecvError> {
    tokio::select! {
        moved = directory.changed() => moved,
        moved = status.changed() => moved,
        Some(()) = nudges.next() => Ok(()),
    }
}

/// Waits until then; for ever, if there is no such time.
async fn at(then: Option<Instant>) {
    match then {
        Some(then) => sleep_until(then).await,
        None => std::future::pending().await,
    }
}

/// What a source offers; nothing, if it panics.
fn offer(source: &mut Box<dyn Source>, directory: &Directory) -> Offer {
    let offer = catch_unwind(AssertUnwindSafe(|| source.offer(directory)));
    offer.unwrap_or_else(|panic| {
        let panic = panic_message(&*panic);
        tracing::error!(origin = %source.origin(), panic, "a source of tools panicked; it offers none");
        Offer::default()
    })
}
