//! The handle of all instances.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deskwire_catalog::{Application, Kind};
use deskwire_connect::{Call, Client};
use deskwire_wire::{Payload, PeerId};
use tokio::sync::{broadcast, oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;

use super::carry::{Carried, carry};
use super::error::{StartError, StopError};
use super::follow::follow;
use super::limits::{CONTEXT_BYTES, GRACE, INSTANCES, TITLE};
use super::model::{Instance, InstanceEvent, InstanceId, InstanceState};
use super::outlets::Outlets;
use super::own::is_own;
use super::start::{Secret, Start};
use super::table::{Effect, Event, New, Readiness, Table};
use crate::clock::now_ms;
use crate::config::Config;
use crate::ports::InstanceTokens;
use crate::process::{Guard, Programs};
use crate::sources::AllowedPaths;

/// How much longer than it was given a process may take to end before that is an error.
const KILLED: Duration = Duration::from_secs(6);

/// All running applications. Clones are handles of the same ones.
#[derive(Clone)]
pub struct Instances {
    pub(super) inner: Arc<Inner>,
}

/// The variables of the platform's own process; what is secret among them is not
/// handed on.
#[derive(Debug, Clone, Default)]
pub struct Surroundings(Vec<(OsString, OsString)>);

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn of_this_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// These.
    #[must_use]
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// What applications are told of where they are, and how long they may take.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) gateway_url: String,
    pub(super) environment: String,
    pub(super) region: String,
    pub(super) ready_timeout: Duration,
    pub(super) stop_timeout: Duration,
}

impl Place {
    /// Whether a page is one of the server that the gateway is at.
    pub(super) fn is_own(&self, page: &Url) -> bool {
        Url::parse(&self.gateway_url).is_ok_and(|gateway| is_own(page, &gateway))
    }
}

pub(super) struct Inner {
    state: Mutex<State>,
    /// Moves with every change.
    moved: watch::Sender<u64>,
    pub(super) outlets: Outlets,
    pub(super) tokens: Arc<dyn InstanceTokens>,
    pub(super) programs: Programs,
    pub(super) guard: Guard,
    pub(super) place: Place,
    carried: TaskTracker,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) table: Table,
    /// What ends a process.
    ends: HashMap<InstanceId, CancellationToken>,
    /// The tokens of windows: their pages may ask again.
    pub(super) tickets: HashMap<InstanceId, Secret>,
    snapshot: Option<Arc<[Arc<Instance>]>>,
    closing: bool,
}

impl std::fmt::Debug for Instances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instances").field("running", &self.snapshot().len()).finish_non_exhaustive()
    }
}

impl Instances {
    /// No instances yet. Which peers of `bus` are whose is followed from now on.
    #[must_use]
    pub fn new(
        bus: &Client,
        tokens: Arc<dyn InstanceTokens>,
        config: &Config,
        surroundings: Surroundings,
    ) -> Self {
        let paths = AllowedPaths::new(&config.base, &config.allow_paths);
        let surroundings = crate::process::Surroundings::new(surroundings.0);
        let inner = Arc::new(Inner {
            state: Mutex::new(State {
                table: Table::new(INSTANCES),
                ends: HashMap::new(),
                tickets: HashMap::new(),
                snapshot: None,
                closing: false,
            }),
            moved: watch::Sender::new(0),
            outlets: Outlets::new(),
            tokens,
            programs: Programs::new(paths, surroundings),
            guard: Guard::default(),
            place: Place {
                gateway_url: config.gateway_url.clone(),
                environment: config.environment.clone(),
                region: config.region.clone(),
                ready_timeout: config.ready_timeout,
                stop_timeout: config.stop_timeout,
            },
            carried: TaskTracker::new(),
        });
        tokio::spawn(follow(bus.clone(), bus.events(), Arc::downgrade(&inner)));
        Self { inner }
    }

    /// Those that run, in order of their start.
    #[must_use]
    pub fn snapshot(&self) -> Arc<[Arc<Instance>]> {
        let mut state = self.inner.state();
        if let Some(snapshot) = &state.snapshot {
            return Arc::clone(snapshot);
        }
        let snapshot: Arc<[_]> = state.table.living().cloned().collect();
        state.snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }

    /// One that runs; or has ended a short time ago, as its state says.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Arc<Instance>> {
        let state = self.inner.state();
        let ended = || state.table.ended(id).map(|ended| &ended.instance);
        state.table.get(id).or_else(ended).cloned()
    }

    /// What happens from now on, in order. A receiver that lags finds the truth in
    /// [`Instances::snapshot`].
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<InstanceEvent> {
        self.inner.outlets.events.subscribe()
    }

    /// Starts an application of type exe or node. Returns when its process exists.
    ///
    /// # Errors
    /// When it may not be started, or there is nothing to start.
    pub async fn spawn(&self, start: Start) -> Result<Arc<Instance>, StartError> {
        let application = Arc::clone(&start.application);
        let kind = &application.kind;
        if !matches!(kind, Kind::Exe(_) | Kind::Node(_)) {
            return Err(StartError::UnsupportedType {
                application: application.name.clone(),
                kind: kind.type_name().to_owned(),
            });
        }
        let new = self.new_instance(start)?;
        let (id, end) = (new.id.clone(), CancellationToken::new());
        {
            let mut state = self.inner.state();
            state.table.begin(new)?;
            state.ends.insert(id.clone(), end.clone());
        }
        let (told, launched) = oneshot::channel();
        let carried = Carried { id, application: Arc::clone(&application), end };
        // It lives on when whoever started it stops waiting.
        self.inner.carried.spawn(carry(Arc::clone(&self.inner), carried, told));
        let name = application.name.clone();
        launched.await.unwrap_or(Err(StartError::ShuttingDown { application: name }))
    }

    /// An instance has another title.
    pub fn set_title(&self, id: &str, title: &str) {
        let title = title.chars().take(TITLE).collect();
        self.inner.apply(Event::Titled { id: id.into(), title });
    }

    /// An instance has another context.
    ///
    /// # Errors
    /// When it is too large, in words.
    pub fn set_context(&self, id: &str, context: Payload) -> Result<(), String> {
        let bytes = context.text().len();
        if bytes > CONTEXT_BYTES {
            return Err(format!(
                "the context would be {bytes} bytes; at most {CONTEXT_BYTES} are kept, so keep a \
                 reference to the data"
            ));
        }
        self.inner.apply(Event::ContextChanged { id: id.into(), context });
        Ok(())
    }

    /// Whether an application may be started now.
    pub(crate) fn check(&self, start: &Start) -> Result<(), StartError> {
        let application = &start.application;
        let name = &application.name;
        let state = self.inner.state();
        if state.closing {
            return Err(StartError::ShuttingDown { application: name.clone() });
        }
        if application.disabled {
            return Err(StartError::Disabled { application: name.clone() });
        }
        let bytes = start.context.text().len();
        if bytes > CONTEXT_BYTES {
            let (application, most) = (name.clone(), CONTEXT_BYTES);
            return Err(StartError::ContextTooLarge { application, bytes, most });
        }
        state.table.check(application)
    }

    /// A peer that was started elsewhere tells of itself. `false` when it is known
    /// already, or has left.
    pub(crate) fn register(
        &self,
        bus: &Client,
        call: &Call,
        application: Arc<Application>,
        pid: Option<u32>,
    ) -> bool {
        let Some(identity) = call.caller_identity.clone() else { return false };
        let Some(id) = identity.instance().map(InstanceId::from) else { return false };
        let peer = call.caller.clone();
        let new = New {
            id: id.clone(),
            application,
            context: Payload::empty_object(),
            title: None,
            started_ms: now_ms(),
            started_by: super::StartedBy::default(),
            readiness: Readiness::OnBus,
        };
        // Its call may be here before the news that it has joined.
        let joined = Event::PeerJoined { peer: peer.clone(), instance: id, identity };
        let registered = self.inner.change(|table| {
            let mut effects = table.apply(joined);
            let registered = table.register(new, pid);
            let is_new = registered.is_some();
            effects.extend(registered.unwrap_or_default());
            (is_new, effects)
        });
        // … and after the news that it has left, which then had nothing to end.
        if bus.directory().server(&peer).is_none() {
            self.inner.apply(Event::PeerLeft { peer });
        }
        registered
    }

    /// Ends an instance: a process is asked to, waited for, and killed with all that it
    /// has started; a window is marked. Returns when it has ended and its token is no
    /// longer good. Stopping twice is stopping once.
    ///
    /// # Errors
    /// When there is no such instance, it is none of ours, or cannot be killed.
    pub async fn stop(&self, id: &str) -> Result<(), StopError> {
        let id = InstanceId::from(id);
        let stopped = self.inner.change(|table| match table.stop(&id) {
            Ok(effects) => (Ok(()), effects),
            Err(error) => (Err(error), Vec::new()),
        });
        match stopped {
            Err(StopError::NoInstance { .. }) if self.inner.has_ended(&id) => return Ok(()),
            other => other?,
        }
        let ended = self.inner.wait_until(|table| {
            (table.get(id.as_str()).is_none() && !table.is_launching(id.as_str())).then_some(())
        });
        if timeout(self.inner.place.stop_timeout * 2 + KILLED, ended).await.is_ok() {
            return Ok(());
        }
        let state = self.inner.state();
        match state.table.get(id.as_str()) {
            None => Ok(()),
            Some(one) => Err(StopError::StillThere {
                instance: id.clone(),
                application: one.application.name.clone(),
                pid: one.process().unwrap_or_default(),
            }),
        }
    }

    /// Waits until an instance is ready.
    ///
    /// # Errors
    /// When it has failed or ended, or is not ready in time.
    pub async fn wait_ready(
        &self,
        id: &str,
        within: Duration,
    ) -> Result<Arc<Instance>, StartError> {
        let ready = self.inner.wait_until(|table| readiness_of(table, id));
        if let Ok(ready) = timeout(within, ready).await {
            return ready;
        }
        let application = self.get(id).map(|one| one.application.name.clone());
        Err(StartError::NotReady {
            application: application.unwrap_or_default(),
            after: within,
            last: None,
        })
    }

    /// Waits until a process is at work, has failed, or has lived long enough not to
    /// have failed at once.
    pub(crate) async fn settled(&self, one: Arc<Instance>) -> Result<Arc<Instance>, StartError> {
        let id = one.id.as_str();
        let settled = self.inner.wait_until(|table| readiness_of(table, id));
        match timeout(GRACE, settled).await {
            Ok(settled) => settled,
            Err(_) => Ok(self.get(id).unwrap_or(one)),
        }
    }

    /// Ends all of them. Nothing is started any more. Returns when all processes are
    /// gone.
    pub async fn stop_all(&self) {
        let unfinished = {
            let mut state = self.inner.state();
            state.closing = true;
            state.table.unfinished()
        };
        let stopping = unfinished.iter().map(|id| self.stop(id.as_str()));
        for stopped in futures_util::future::join_all(stopping).await {
            match stopped {
                Ok(()) | Err(StopError::NoInstance { .. } | StopError::NotOurs { .. }) => {}
                Err(error @ StopError::StillThere { .. }) => tracing::error!("{error}"),
            }
        }
        self.inner.carried.close();
        if timeout(KILLED, self.inner.carried.wait()).await.is_err() {
            tracing::error!("some processes have not ended");
        }
        self.inner.guard.close().await;
    }

    pub(super) fn outlets(&self) -> &Outlets {
        &self.inner.outlets
    }

    pub(super) fn ready_timeout(&self) -> Duration {
        self.inner.place.ready_timeout
    }

    pub(super) fn new_instance(&self, start: Start) -> Result<New, StartError> {
        self.check(&start)?;
        let Start { application, context, options, by } = start;
        Ok(New {
            id: format!("{:032x}", rand::random::<u128>()).into(),
            readiness: readiness(&application, options.await_interop),
            application,
            context,
            title: options.title.map(|title| title.chars().take(TITLE).collect()),
            started_ms: now_ms(),
            started_by: by,
        })
    }
}

impl Inner {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Instance>> {
        self.state().table.get(id).cloned()
    }

    pub(super) fn peers(&self) -> Vec<PeerId> {
        self.state().table.peers().cloned().collect()
    }

    fn has_ended(&self, id: &InstanceId) -> bool {
        self.state().table.ended(id.as_str()).is_some()
    }

    pub(super) fn apply(&self, event: Event) {
        self.change(|table| ((), table.apply(event)));
    }

    /// Makes a change and does what follows from it. News leave in the order of the
    /// changes; a token is no longer good when somebody who waits for the change wakes.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Table) -> (T, Vec<Effect>)) -> T {
        let mut revoke = Vec::new();
        let result = {
            let mut state = self.state();
            let (result, effects) = change(&mut state.table);
            for effect in effects {
                match effect {
                    Effect::Tell(event) => {
                        state.snapshot = None;
                        self.outlets.tell(event);
                    }
                    Effect::End(id) => {
                        if let Some(end) = state.ends.get(&id) {
                            end.cancel();
                        }
                    }
                    Effect::Revoke(id) => {
                        state.ends.remove(&id);
                        state.tickets.remove(&id);
                        revoke.push(id);
                    }
                }
            }
            result
        };
        for id in revoke {
            self.tokens.revoke(id.as_str());
        }
        self.moved.send_modify(|moved| *moved += 1);
        result
    }

    async fn wait_until<T>(&self, look: impl Fn(&Table) -> Option<T>) -> T {
        let mut moved = self.moved.subscribe();
        loop {
            moved.borrow_and_update();
            let found = look(&self.state().table);
            match found {
                Some(found) => return found,
                // The sender lives as long as this does.
                None => drop(moved.changed().await),
            }
        }
    }
}

/// When an application counts as ready. Scripts for Node are there for the bus; a
/// program may know nothing of it, unless whoever starts it says that it does.
fn readiness(application: &Application, await_interop: Option<bool>) -> Readiness {
    match (await_interop, &application.kind) {
        (Some(true), _) => Readiness::OnBus,
        (Some(false), _) | (None, Kind::Exe(_)) => Readiness::Alive,
        (None, _) => Readiness::OnBus,
    }
}

/// Whether an instance is ready, or never will be; `None` when it is to be seen.
fn readiness_of(table: &Table, id: &str) -> Option<Result<Arc<Instance>, StartError>> {
    if let Some(one) = table.get(id) {
        return (one.state == InstanceState::Ready).then(|| Ok(Arc::clone(one)));
    }
    if table.is_launching(id) {
        return None;
    }
    let Some(ended) = table.ended(id) else {
        return Some(Err(StartError::NoInstance { instance: id.into() }));
    };
    let application = ended.instance.application.name.clone();
    Some(Err(match (&ended.failure, &ended.instance.state) {
        (Some(error), _) => error.clone(),
        (None, InstanceState::Failed { reason } | InstanceState::Stopped { reason }) => {
            StartError::Ended { application, reason: reason.clone() }
        }
        (None, _) => StartError::NoInstance { instance: id.into() },
    }))
}
