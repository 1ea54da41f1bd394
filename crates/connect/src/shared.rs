//! The session behind its lock, and the ways in.
//!
//! Order is the point: whoever holds the lock lets the session produce frames
//! and hands them to the link before letting go. Nobody waits under the lock.
//! Callers wait for room on the link before they take it; the reader of the
//! link never waits, and what it produces beyond the room there is stays in the
//! session's outbox, which the driver empties.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deskwire_wire::ClientFrame;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, OwnedPermit};
use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::client::Status;
use crate::directory::{Directory, InteropEvent};
use crate::session::{Effect, Role, Run, Session};
use crate::{Options, runner};

/// What all handles and the driver share.
#[derive(Debug)]
pub(crate) struct Shared {
    core: Mutex<Core>,
    runtime: Handle,
    pub(crate) status: watch::Sender<Status>,
    pub(crate) generation: watch::Sender<u64>,
    pub(crate) events: broadcast::Sender<InteropEvent>,
    /// Somebody wants an idle peer to connect.
    pub(crate) awake: Notify,
    /// Somebody wants the session to end.
    pub(crate) closing: CancellationToken,
    /// The outbox has frames that the link had no room for.
    pub(crate) backlog: Notify,
}

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) session: Session,
    link: Option<mpsc::Sender<ClientFrame>>,
    snapshot: (u64, Arc<Directory>),
}

/// What is done after the lock is released: it may run the application's code.
#[derive(Default)]
struct Afterwards {
    runs: Vec<Run>,
    discarded: Vec<Role>,
}

impl Shared {
    /// # Panics
    /// Outside a tokio runtime.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            core: Mutex::new(Core {
                session: Session::new(options),
                link: None,
                snapshot: (0, Arc::default()),
            }),
            runtime: Handle::current(),
            status: watch::Sender::new(Status::Idle),
            generation: watch::Sender::new(0),
            events: broadcast::Sender::new(options.limits.interop_events.max(1)),
            awake: Notify::new(),
            closing: CancellationToken::new(),
            backlog: Notify::new(),
        }
    }

    /// Ends idleness, before any other change of status.
    pub(crate) fn wake(&self) {
        let woken = self.status.send_if_modified(|status| {
            let idle = *status == Status::Idle;
            if idle {
                *status = Status::Connecting { attempt: 1, last_error: None };
            }
            idle
        });
        if woken {
            self.awake.notify_one();
        }
    }

    /// Runs `command` on the session when the link has room for a frame, or
    /// when there is no link.
    pub(crate) async fn command<T>(self: &Arc<Self>, command: impl FnOnce(&mut Session) -> T) -> T {
        let crowded = {
            let core = self.lock();
            match core.crowded() {
                None => return self.act(core, None, command),
                Some(link) => link.clone(),
            }
        };
        // An error means that the link is gone, which the session knows or will soon.
        let permit = crowded.reserve_owned().await.ok();
        self.act(self.lock(), permit, command)
    }

    /// Runs `command` on the session at once.
    pub(crate) fn with<T>(self: &Arc<Self>, command: impl FnOnce(&mut Session) -> T) -> T {
        self.act(self.lock(), None, command)
    }

    /// Puts frames that waited on the link, for which `permit` is room.
    pub(crate) fn flush(self: &Arc<Self>, permit: OwnedPermit<ClientFrame>) {
        self.act(self.lock(), Some(permit), |_| ());
    }

    /// From now on frames go here.
    pub(crate) fn set_link(&self, link: Option<mpsc::Sender<ClientFrame>>) {
        self.lock().link = link;
    }

    /// The directory as it is now; the same one while nothing changes.
    pub(crate) fn directory(&self) -> Arc<Directory> {
        let mut core = self.lock();
        let generation = core.session.directory_generation();
        if core.snapshot.0 != generation {
            core.snapshot = (generation, Arc::new(core.session.directory()));
        }
        Arc::clone(&core.snapshot.1)
    }

    /// Tells those who watch that the directory is another one.
    pub(crate) fn announce_directory(&self) {
        let generation = self.lock().session.directory_generation();
        self.generation.send_replace(generation);
    }

    /// Tells those who watch that we are a peer now.
    pub(crate) fn announce_ready(&self) {
        let status = self.lock().session.me().map(|(peer_id, identity)| Status::Ready {
            peer_id: peer_id.clone(),
            identity: identity.clone(),
        });
        if let Some(status) = status {
            self.status.send_replace(status);
        }
    }

    fn act<T>(
        self: &Arc<Self>,
        mut core: MutexGuard<'_, Core>,
        permit: Option<OwnedPermit<ClientFrame>>,
        command: impl FnOnce(&mut Session) -> T,
    ) -> T {
        let outcome = command(&mut core.session);
        if core.send(permit) {
            self.backlog.notify_one();
        }
        let afterwards = core.settle(&self.events);
        drop(core);
        for run in afterwards.runs {
            self.runtime.spawn(runner::run(Arc::clone(self), run));
        }
        outcome
    }

    fn lock(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Core {
    /// The link, if it has no room or others wait for room.
    fn crowded(&self) -> Option<&mpsc::Sender<ClientFrame>> {
        self.link.as_ref().filter(|link| link.capacity() == 0 || self.session.outgoing() > 0)
    }

    /// Hands frames to the link while there is room. True when some are left.
    fn send(&mut self, permit: Option<OwnedPermit<ClientFrame>>) -> bool {
        let Some(link) = &self.link else { return false };
        if let Some(permit) = permit
            && permit.same_channel_as_sender(link)
            && let Some(frame) = self.session.next_frame()
        {
            permit.send(frame);
        }
        while self.session.outgoing() > 0 {
            let Ok(permit) = link.try_reserve() else { return true };
            if let Some(frame) = self.session.next_frame() {
                permit.send(frame);
            }
        }
        false
    }

    /// Tells listeners, in order and so under the lock, and puts the rest aside.
    fn settle(&mut self, events: &broadcast::Sender<InteropEvent>) -> Afterwards {
        let mut afterwards = Afterwards::default();
        for effect in self.session.effects() {
            match effect {
                Effect::Run(run) => afterwards.runs.push(run),
                Effect::Discard(role) => afterwards.discarded.push(role),
                Effect::Interop(event) => {
                    // An error means that nobody listens.
                    let _nobody = events.send(event);
                }
            }
        }
        afterwards
    }
}
