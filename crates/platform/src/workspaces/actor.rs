//! The actor: makes the turns, one after the other, and does what follows from each before the next.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{Client, InteropEvent, SubscriptionRequest};
use deskwire_layout::Object;
use deskwire_store::OpenWorkspaces;
use indexmap::IndexSet;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

use super::core::{Changes, Ending, Moment, Opened, Start, Turn};
use super::events::Notice;
use super::handle::{Requests, random_id};
use super::ids::{FrameId, InstanceRef, WorkspaceId};
use super::keeper::{Keeper, NotCommitted};
use super::model::Desk;
use super::ports::{Standing, WindowEvent, WindowInstances, WindowRefused, WindowStart};
use super::refused::Refused;
use super::sharing::{Sharing, Written};
use crate::serve::frame::Pages;
use crate::serve::workspaces::streams::Streams;

/// How long a new context may take to be there before its workspace is told of without.
const CONTEXT: Duration = Duration::from_secs(2);

/// How many requests may follow one another before pages are told of what they changed. Pages get whole
/// workspaces, so a burst of small changes is told as one.
const BURST: usize = 32;

/// A change to be made.
pub(super) type Job = Box<dyn FnOnce(&mut Desk, Moment<'_>) -> (Changes, Completion) + Send>;

/// Answers whoever asked for a change, when it is committed or is not.
pub(super) type Completion = Box<dyn FnOnce(Result<(), NotCommitted>) + Send>;

/// What the actor is asked for.
pub(super) enum Request {
    /// A change.
    Change {
        job: Job,
        /// What comes with the start of the one window that the change is about.
        options: Option<Arc<Value>>,
    },
    /// What is in the context of a workspace now.
    Context { workspace: WorkspaceId, data: Object },
    /// A page wants to hear of everything.
    Listen { frame: FrameId, subscription: SubscriptionRequest },
    /// Nothing more.
    Stop(oneshot::Sender<()>),
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Change { .. } => "Change",
            Self::Context { .. } => "Context",
            Self::Listen { .. } => "Listen",
            Self::Stop(_) => "Stop",
        })
    }
}

pub(super) struct Actor {
    bus: Client,
    instances: Arc<dyn WindowInstances>,
    interop: broadcast::Receiver<InteropEvent>,
    news: broadcast::Receiver<WindowEvent>,
    desk: Desk,
    view: watch::Sender<Arc<Desk>>,
    keeper: Keeper,
    keeping: JoinHandle<()>,
    sharing: Sharing,
    started: Instant,
    /// What pages are still to be told, the latest last.
    untold: IndexSet<Notice>,
    /// For how many requests that has been put off.
    put_off: usize,
}

impl Actor {
    pub(super) fn new(
        bus: Client,
        store: OpenWorkspaces,
        instances: Arc<dyn WindowInstances>,
        desk: Desk,
        requests: Requests,
    ) -> (Self, watch::Receiver<Arc<Desk>>) {
        let (keeper, keeping) = Keeper::start(store);
        let (view, views) = watch::channel(Arc::new(desk.clone()));
        let mut sharing = Sharing::new(bus.clone(), requests);
        for (id, workspace) in &desk.workspaces {
            sharing.write(id, Object::clone(&workspace.context));
        }
        let actor = Self {
            interop: bus.events(),
            news: instances.events(),
            bus,
            instances,
            desk,
            view,
            keeper,
            keeping,
            sharing,
            started: Instant::now(),
            untold: IndexSet::new(),
            put_off: 0,
        };
        (actor, views)
    }

    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "a method of a type with a lifetime is not general enough by its name alone"
    )]
    pub(super) async fn run(
        mut self,
        mut requests: mpsc::Receiver<Request>,
        streams: Streams,
        pages: Pages,
    ) {
        let outlets = (streams, pages);
        loop {
            self.put_off += 1;
            if requests.is_empty() || self.put_off >= BURST {
                self.put_off = 0;
                outlets.1.tell(&self.desk, std::mem::take(&mut self.untold)).await;
            }
            let alarm = self.desk.alarm().map(|at| self.started + Duration::from_millis(at));
            tokio::select! {
                request = requests.recv() => match request {
                    Some(Request::Change { job, options }) => {
                        self.change(job, options, &outlets).await;
                    }
                    Some(Request::Context { workspace, data }) => {
                        let note = move |turn: &mut Turn<'_>| {
                            // Its last change may come after its end.
                            turn.context_changed(&workspace, data).or(Ok(()))
                        };
                        self.by_itself(note, &outlets).await;
                    }
                    Some(Request::Listen { frame, subscription }) => {
                        outlets.1.listen(&self.desk, &frame, subscription).await;
                    }
                    Some(Request::Stop(done)) => {
                        self.stop().await;
                        // Whoever asked may have stopped waiting.
                        let _unheard = done.send(());
                        return;
                    }
                    None => return self.stop().await,
                },
                event = self.interop.recv() => self.on_interop(event, &outlets).await,
                news = self.news.recv(), if !self.news.is_closed() => {
                    self.on_news(news, &outlets).await;
                }
                () = async { sleep_until(alarm.unwrap_or_else(Instant::now)).await },
                    if alarm.is_some() =>
                {
                    self.by_itself(|turn| turn.expire(), &outlets).await;
                }
            }
        }
    }

    /// Everything is written when this returns.
    async fn stop(self) {
        let Self { keeper, keeping, sharing, .. } = self;
        drop((keeper, sharing));
        if let Err(error) = keeping.await {
            tracing::error!(%error, "the task that stores workspaces has failed");
        }
    }

    /// A change that nobody waits for.
    async fn by_itself(
        &mut self,
        change: impl FnOnce(&mut Turn<'_>) -> Result<(), Refused> + Send + 'static,
        outlets: &(Streams, Pages),
    ) {
        let job: Job = Box::new(|desk, moment| {
            let (result, changes) = desk.turn(moment, change);
            if let Err(refused) = result {
                tracing::warn!(%refused, "workspaces cannot follow what has happened");
            }
            // What is not stored is logged where it fails.
            (changes, Box::new(|_| {}))
        });
        self.change(job, None, outlets).await;
    }

    async fn change(&mut self, job: Job, options: Option<Arc<Value>>, outlets: &(Streams, Pages)) {
        let mut ids = random_id;
        let now = self.now();
        let (changes, completion) = job(&mut self.desk, Moment { now, ids: &mut ids });
        let Changes { start, .. } = &changes;
        let start = start.clone();
        let mut waits = Waits::default();
        self.follow_up(changes, &mut waits, outlets).await;
        if !start.is_empty() {
            let opened = self.open(start, options);
            let (result, changes) = self.desk.turn(Moment { now, ids: &mut ids }, |turn| {
                opened.into_iter().try_for_each(|(start, opened)| turn.opened(&start, opened))
            });
            if let Err(refused) = result {
                tracing::error!(%refused, "windows that were started are not known");
            }
            self.follow_up(changes, &mut waits, outlets).await;
        }
        waits.then(completion);
    }

    /// Does what follows from a change: first what others may look up when they hear of it.
    async fn follow_up(
        &mut self,
        changes: Changes,
        waits: &mut Waits,
        (streams, _): &(Streams, Pages),
    ) {
        let Changes { events, notices, store, contexts, forget_contexts, end, start: _ } = changes;
        if store.is_empty() && notices.is_empty() && events.is_empty() {
            return;
        }
        self.view.send_replace(Arc::new(self.desk.clone()));
        for write in contexts {
            let written = self.sharing.write(&write.workspace, write.data);
            if written.is_new() {
                // It only delays what is told; a gateway this slow is logged by the follower.
                let _late = timeout(CONTEXT, written.wait()).await;
            } else {
                waits.contexts.push(written);
            }
        }
        if !store.is_empty() {
            waits.commits.push(self.keeper.keep(store).await);
        }
        for (instance, ending) in end {
            match ending {
                Ending::Closed => self.instances.window_closed(&instance),
                Ending::Failed(reason) => self.instances.window_failed(&instance, &reason),
                Ending::Replaced => self.instances.stop(&instance),
            }
        }
        for notice in notices {
            self.untold.shift_remove(&notice);
            self.untold.insert(notice);
        }
        streams.tell(events).await;
        for id in forget_contexts {
            self.sharing.end(&id);
        }
    }

    fn open(&self, starts: Vec<Start>, options: Option<Arc<Value>>) -> Vec<(Start, Opened)> {
        let open = |start: Start| {
            let window = WindowStart {
                window: start.window.clone(),
                workspace: start.workspace.clone(),
                application: start.application.clone(),
                context: start.context.clone(),
                title: start.title.clone(),
                address: start.address.clone(),
                options: options.clone(),
                resume: start.resume.clone(),
            };
            let opened = match self.instances.open_window(window) {
                Ok(instance) => Opened::Instance(instance),
                Err(WindowRefused::Missing(reason)) => Opened::Missing(reason),
                Err(WindowRefused::Failed(reason)) => Opened::Failed(reason),
            };
            (start, opened)
        };
        starts.into_iter().map(open).collect()
    }

    async fn on_interop(
        &mut self,
        event: Result<InteropEvent, RecvError>,
        outlets: &(Streams, Pages),
    ) {
        let gone: Vec<_> = match event {
            Ok(InteropEvent::PeerRemoved { peer, .. }) => vec![peer],
            Ok(_) => return,
            // Some were missed: those that are not there have left.
            Err(RecvError::Lagged(_)) => {
                let directory = self.bus.directory();
                let holders = self.desk.frames.values().filter_map(|frame| frame.holder().cloned());
                holders.filter(|peer| directory.server(peer).is_none()).collect()
            }
            Err(RecvError::Closed) => return,
        };
        for peer in gone {
            if self.desk.frame_of(&peer).is_some() {
                self.by_itself(move |turn| turn.left(&peer), outlets).await;
            }
        }
    }

    async fn on_news(&mut self, news: Result<WindowEvent, RecvError>, outlets: &(Streams, Pages)) {
        let news = match news {
            Ok(news) => vec![news],
            Err(RecvError::Lagged(_)) => self.missed_news(),
            Err(RecvError::Closed) => return,
        };
        for news in news {
            let is_ours = self.desk.instance(instance_of(&news)).is_some();
            if is_ours {
                self.by_itself(move |turn| note(turn, news), outlets).await;
            }
        }
    }

    /// What would have been heard of the instances in windows.
    fn missed_news(&self) -> Vec<WindowEvent> {
        let windows =
            self.desk.workspaces.values().flat_map(|workspace| workspace.windows.values());
        let instances = windows.filter_map(|window| window.instance.clone());
        let news = |instance: InstanceRef| match self.instances.standing(&instance) {
            Standing::Starting => None,
            Standing::Ready => Some(WindowEvent::Ready(instance)),
            Standing::Failed(reason) => Some(WindowEvent::Failed(instance, reason)),
            Standing::Gone => Some(WindowEvent::Stopped(instance)),
        };
        instances.filter_map(news).collect()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

const fn instance_of(news: &WindowEvent) -> &InstanceRef {
    match news {
        WindowEvent::Ready(instance)
        | WindowEvent::Stopped(instance)
        | WindowEvent::Failed(instance, _)
        | WindowEvent::Title(instance, _)
        | WindowEvent::Context(instance, _) => instance,
    }
}

fn note(turn: &mut Turn<'_>, news: WindowEvent) -> Result<(), Refused> {
    match news {
        WindowEvent::Ready(instance) => turn.instance_ready(&instance),
        WindowEvent::Stopped(instance) => turn.instance_stopped(&instance),
        WindowEvent::Failed(instance, reason) => turn.instance_failed(&instance, &reason),
        WindowEvent::Title(instance, title) => turn.instance_titled(&instance, &title),
        WindowEvent::Context(instance, context) => turn.instance_context(&instance, context),
    }
}

/// What has to be done before a change is answered.
#[derive(Default)]
struct Waits {
    commits: Vec<oneshot::Receiver<Result<(), NotCommitted>>>,
    contexts: Vec<Written>,
}

impl Waits {
    /// Answers when all is done.
    fn then(self, completion: Completion) {
        let Self { commits, contexts } = self;
        if commits.is_empty() && contexts.is_empty() {
            return completion(Ok(()));
        }
        tokio::spawn(async move {
            for written in contexts {
                written.wait().await;
            }
            let mut result = Ok(());
            for commit in commits {
                // The task that stores is gone only with the platform.
                result = result.and(commit.await.unwrap_or(Ok(())));
            }
            completion(result);
        });
    }
}
