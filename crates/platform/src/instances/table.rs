//! The core: which instances there are, and what follows from what happens to them.
//!
//! A value that changes by events; time and ids are in them, and what is to be done
//! about the world is returned. So every order in which things can happen is a table
//! in a test.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::Application;
use deskwire_wire::{Identity, Payload, PeerId};
use indexmap::IndexMap;

use super::error::{StartError, StopError};
use super::model::{Host, Instance, InstanceEvent, InstanceId, InstanceState, StartedBy};
use crate::process::Exit;

/// Instances that have ended and are remembered; the oldest is forgotten first.
const REMEMBERED: usize = 256;

/// An instance that is to be.
#[derive(Debug, Clone)]
pub(crate) struct New {
    pub(crate) id: InstanceId,
    pub(crate) application: Arc<Application>,
    pub(crate) context: Payload,
    pub(crate) title: Option<String>,
    pub(crate) started_ms: u64,
    pub(crate) started_by: StartedBy,
    pub(crate) readiness: Readiness,
}

/// When an instance is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// Once it is on the bus.
    OnBus,
    /// Once it is on the bus or has been alive for a while: it may be no client of the bus.
    Alive,
}

/// Something that happens to an instance. What happens to one that is not there (any
/// more) changes nothing.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// Its process exists.
    Launched { id: InstanceId, pid: u32 },
    /// It has no process, nor will have.
    NotLaunched { id: InstanceId, error: StartError },
    /// It has been alive for a while.
    Alive { id: InstanceId },
    /// It had time enough to be on the bus.
    Late { id: InstanceId, after: Duration, last: Option<String> },
    /// Its process has ended, and its process group with it.
    Exited { id: InstanceId, exit: Exit, last: Option<String> },
    /// A peer has joined; `instance` is what its identity says.
    PeerJoined { peer: PeerId, instance: InstanceId, identity: Identity },
    /// A peer has left.
    PeerLeft { peer: PeerId },
    /// Its page did not load.
    PageFailed { id: InstanceId, reason: String },
    /// Its window was closed.
    WindowClosed { id: InstanceId },
    /// It has another title.
    Titled { id: InstanceId, title: String },
    /// It would be started with another context.
    ContextChanged { id: InstanceId, context: Payload },
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// Everybody is told.
    Tell(InstanceEvent),
    /// Its process is asked to end, and made to.
    End(InstanceId),
    /// Its token is good no more.
    Revoke(InstanceId),
}

/// An instance that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    pub(crate) instance: Arc<Instance>,
    /// Why it did not start, if it did not.
    pub(crate) failure: Option<StartError>,
}

#[derive(Debug)]
pub(crate) struct Table {
    /// Begun, without a process yet. Nobody has heard of these.
    launching: IndexMap<InstanceId, Launching>,
    living: IndexMap<InstanceId, Record>,
    ended: VecDeque<Ended>,
    /// Peers that say which instance they are.
    peers: IndexMap<PeerId, (InstanceId, Identity)>,
    most: usize,
}

#[derive(Debug)]
struct Launching {
    new: New,
    stop: bool,
}

#[derive(Debug)]
struct Record {
    seen: Arc<Instance>,
    readiness: Readiness,
    peers: Vec<PeerId>,
    met: bool,
    failure: Option<StartError>,
}

impl Table {
    /// At most `most` instances at a time.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            launching: IndexMap::new(),
            living: IndexMap::new(),
            ended: VecDeque::new(),
            peers: IndexMap::new(),
            most,
        }
    }

    /// Those that live, in order of their start.
    pub(crate) fn living(&self) -> impl ExactSizeIterator<Item = &Arc<Instance>> {
        self.living.values().map(|record| &record.seen)
    }

    /// One that lives.
    pub(crate) fn get(&self, id: &str) -> Option<&Arc<Instance>> {
        self.living.get(id).map(|record| &record.seen)
    }

    /// One that has ended, as long as it is remembered.
    pub(crate) fn ended(&self, id: &str) -> Option<&Ended> {
        self.ended.iter().rev().find(|ended| ended.instance.id.as_str() == id)
    }

    /// Whether one is begun, and has no process yet.
    pub(crate) fn is_launching(&self, id: &str) -> bool {
        self.launching.contains_key(id)
    }

    /// Whether one is begun or lives: nothing else may have its id.
    pub(crate) fn is_known(&self, id: &str) -> bool {
        self.living.contains_key(id) || self.launching.contains_key(id)
    }

    /// Everything that has not ended.
    pub(crate) fn unfinished(&self) -> Vec<InstanceId> {
        self.launching.keys().chain(self.living.keys()).cloned().collect()
    }

    /// The peers that say which instance they are.
    pub(crate) fn peers(&self) -> impl Iterator<Item = &PeerId> {
        self.peers.keys()
    }

    /// A process is to be started. It is heard of once it is [`Event::Launched`].
    pub(crate) fn begin(&mut self, new: New) -> Result<(), StartError> {
        self.check(&new.application)?;
        self.launching.insert(new.id.clone(), Launching { new, stop: false });
        Ok(())
    }

    /// A window is to be shown. It exists from now on; one that has ended may under its old id.
    pub(crate) fn open(
        &mut self,
        new: New,
        window: Arc<str>,
    ) -> Result<(Arc<Instance>, Vec<Effect>), StartError> {
        self.check(&new.application)?;
        if self.is_known(new.id.as_str()) {
            let application = new.application.name.clone();
            return Err(StartError::IdInUse { application, instance: new.id });
        }
        let mut effects = Vec::new();
        let instance = self.tell_started(new, Host::Window { window }, false, &mut effects);
        Ok((instance, effects))
    }

    /// A page was handed to the system's browser. It is at work from now on, as far as
    /// anybody can tell.
    pub(crate) fn hand_over(
        &mut self,
        new: New,
    ) -> Result<(Arc<Instance>, Vec<Effect>), StartError> {
        self.check(&new.application)?;
        let mut effects = Vec::new();
        let id = new.id.clone();
        let mut instance = self.tell_started(new, Host::Browser, false, &mut effects);
        if let Some(record) = self.living.get_mut(&id) {
            record.change(&mut effects, |seen| seen.state = InstanceState::Ready);
            instance = Arc::clone(&record.seen);
        }
        Ok((instance, effects))
    }

    /// A peer tells of itself. `None` when it is known already, or has left.
    pub(crate) fn register(&mut self, new: New, pid: Option<u32>) -> Option<Vec<Effect>> {
        let is_known = self.is_known(new.id.as_str());
        let is_there = self.peers.values().any(|(instance, _)| *instance == new.id);
        if is_known || !is_there || self.living.len() + self.launching.len() >= self.most {
            return None;
        }
        let mut effects = Vec::new();
        self.tell_started(new, Host::Registered { pid }, false, &mut effects);
        Some(effects)
    }

    /// An instance is to end. Asking twice is asking once.
    pub(crate) fn stop(&mut self, id: &InstanceId) -> Result<Vec<Effect>, StopError> {
        if let Some(launching) = self.launching.get_mut(id) {
            launching.stop = true;
            return Ok(Vec::new());
        }
        let Some(record) = self.living.get_mut(id) else {
            return Err(StopError::NoInstance { instance: id.clone() });
        };
        let mut effects = Vec::new();
        match record.seen.host {
            Host::Registered { .. } => {
                return Err(StopError::NotOurs {
                    instance: id.clone(),
                    application: record.seen.application.name.clone(),
                });
            }
            Host::Window { .. } => self.end(id, stopped("it was stopped"), None, &mut effects),
            Host::Browser => {
                let reason = "it is looked after no more; its tab stays until somebody closes it";
                self.end(id, stopped(reason), None, &mut effects);
            }
            Host::Process { .. } => {
                if record.seen.state != InstanceState::Stopping {
                    record.change(&mut effects, |seen| seen.state = InstanceState::Stopping);
                    effects.push(Effect::End(id.clone()));
                }
            }
        }
        Ok(effects)
    }

    /// Takes in what has happened.
    pub(crate) fn apply(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            Event::Launched { id, pid } => {
                if let Some(Launching { new, stop }) = self.launching.shift_remove(&id) {
                    self.tell_started(new, Host::Process { pid }, stop, &mut effects);
                }
            }
            Event::NotLaunched { id, error } => self.not_launched(&id, error, &mut effects),
            Event::Alive { id } => {
                if let Some(record) = self.living.get_mut(&id)
                    && record.seen.state == InstanceState::Starting
                    && record.readiness == Readiness::Alive
                {
                    record.change(&mut effects, |seen| seen.state = InstanceState::Ready);
                }
            }
            Event::Late { id, after, last } => {
                if let Some(record) = self.living.get_mut(&id)
                    && record.seen.state == InstanceState::Starting
                    && record.readiness == Readiness::OnBus
                {
                    let application = record.seen.application.name.clone();
                    record.failure = Some(StartError::NotReady { application, after, last });
                    record.change(&mut effects, |seen| seen.state = InstanceState::Stopping);
                    effects.push(Effect::End(id));
                }
            }
            Event::Exited { id, exit, last } => self.exited(&id, exit, last, &mut effects),
            Event::PeerJoined { peer, instance, identity } => {
                self.joined(peer, instance, identity, &mut effects);
            }
            Event::PeerLeft { peer } => self.left(&peer, &mut effects),
            Event::PageFailed { id, reason } => {
                if self.is_window(&id) {
                    self.end(&id, InstanceState::Failed { reason }, None, &mut effects);
                }
            }
            Event::WindowClosed { id } => {
                if self.is_window(&id) {
                    self.end(&id, stopped("its window was closed"), None, &mut effects);
                }
            }
            Event::Titled { id, title } => {
                if let Some(record) = self.living.get_mut(&id)
                    && record.seen.title.as_ref() != Some(&title)
                {
                    Arc::make_mut(&mut record.seen).title = Some(title);
                    let seen = Arc::clone(&record.seen);
                    effects.push(Effect::Tell(InstanceEvent::Titled(seen)));
                }
            }
            Event::ContextChanged { id, context } => {
                // Told even if it says the same: whoever sets it waits for the news.
                if let Some(record) = self.living.get_mut(&id) {
                    Arc::make_mut(&mut record.seen).context = context;
                    let seen = Arc::clone(&record.seen);
                    effects.push(Effect::Tell(InstanceEvent::ContextChanged(seen)));
                }
            }
        }
        effects
    }

    /// Whether one more of an application may be.
    pub(crate) fn check(&self, application: &Application) -> Result<(), StartError> {
        let name = &application.name;
        if self.living.len() + self.launching.len() >= self.most {
            return Err(StartError::TooMany { application: name.clone(), most: self.most });
        }
        if application.allow_multiple {
            return Ok(());
        }
        let living = self.living.values().map(|record| (&record.seen.id, &record.seen.application));
        let launching = self
            .launching
            .values()
            .map(|launching| (&launching.new.id, &launching.new.application));
        match living.chain(launching).find(|(_, other)| other.name == *name) {
            None => Ok(()),
            Some((instance, _)) => Err(StartError::AlreadyRunning {
                application: name.clone(),
                instance: instance.clone(),
            }),
        }
    }

    fn is_window(&self, id: &InstanceId) -> bool {
        self.living.get(id).is_some_and(|record| record.seen.window().is_some())
    }

    /// It exists. Its peers may have been faster; they are told after it.
    fn tell_started(
        &mut self,
        new: New,
        host: Host,
        stop: bool,
        effects: &mut Vec<Effect>,
    ) -> Arc<Instance> {
        let New { id, application, context, title, started_ms, started_by, readiness } = new;
        let state = if stop { InstanceState::Stopping } else { InstanceState::Starting };
        let seen = Arc::new(Instance {
            id: id.clone(),
            application,
            state,
            context,
            title,
            started_ms,
            started_by,
            peers: Vec::new(),
            host,
        });
        effects.push(Effect::Tell(InstanceEvent::Started(Arc::clone(&seen))));
        let mut record = Record { seen, readiness, peers: Vec::new(), met: false, failure: None };
        for (peer, (instance, identity)) in &self.peers {
            if *instance == id {
                record.joined(peer.clone(), identity.clone(), effects);
            }
        }
        if stop {
            effects.push(Effect::End(id.clone()));
        }
        let seen = Arc::clone(&record.seen);
        self.living.insert(id, record);
        seen
    }

    fn not_launched(&mut self, id: &InstanceId, error: StartError, effects: &mut Vec<Effect>) {
        let Some(Launching { new, .. }) = self.launching.shift_remove(id) else { return };
        let instance = Arc::new(Instance {
            id: new.id,
            application: new.application,
            state: InstanceState::Failed { reason: error.to_string() },
            context: new.context,
            title: new.title,
            started_ms: new.started_ms,
            started_by: new.started_by,
            peers: Vec::new(),
            host: Host::Registered { pid: None },
        });
        effects.push(Effect::Tell(InstanceEvent::Failed(Arc::clone(&instance))));
        effects.push(Effect::Revoke(id.clone()));
        self.remember(Ended { instance, failure: Some(error) });
    }

    fn exited(
        &mut self,
        id: &InstanceId,
        exit: Exit,
        last: Option<String>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(record) = self.living.get_mut(id) else { return };
        let application = record.seen.application.name.clone();
        let failure = record.failure.take();
        let (state, failure) = match (&record.seen.state, failure) {
            (_, Some(error)) => (failed(&error), Some(error)),
            (InstanceState::Starting, None) => {
                let error = StartError::ExitedAtOnce { application, exit, last };
                (failed(&error), Some(error))
            }
            (InstanceState::Stopping, None) => (stopped("it was stopped"), None),
            (_, None) if exit.is_success() => (stopped("it ended by itself"), None),
            (_, None) => {
                let said =
                    last.map_or_else(String::new, |line| format!("; the last it said: {line}"));
                let reason = format!("`{application}` has crashed: {exit}{said}");
                (InstanceState::Failed { reason }, None)
            }
        };
        self.end(id, state, failure, effects);
    }

    fn joined(
        &mut self,
        peer: PeerId,
        instance: InstanceId,
        identity: Identity,
        effects: &mut Vec<Effect>,
    ) {
        if self.peers.contains_key(&peer) {
            return;
        }
        if let Some(record) = self.living.get_mut(&instance) {
            record.joined(peer.clone(), identity.clone(), effects);
        }
        self.peers.insert(peer, (instance, identity));
    }

    fn left(&mut self, peer: &PeerId, effects: &mut Vec<Effect>) {
        let Some((id, _)) = self.peers.swap_remove(peer) else { return };
        let Some(record) = self.living.get_mut(&id) else { return };
        let Some(place) = record.peers.iter().position(|known| known == peer) else { return };
        record.peers.remove(place);
        if record.peers.is_empty() && matches!(record.seen.host, Host::Registered { .. }) {
            self.end(&id, stopped("it left the bus"), None, effects);
        } else {
            record.change(effects, |seen| {
                seen.peers.remove(place);
            });
        }
    }

    fn end(
        &mut self,
        id: &InstanceId,
        state: InstanceState,
        failure: Option<StartError>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(record) = self.living.shift_remove(id) else { return };
        let mut instance = Instance::clone(&record.seen);
        instance.peers.clear();
        instance.state = state;
        let instance = Arc::new(instance);
        let told = Arc::clone(&instance);
        effects.push(Effect::Tell(match instance.state {
            InstanceState::Failed { .. } => InstanceEvent::Failed(told),
            _ => InstanceEvent::Stopped(told),
        }));
        if !matches!(instance.host, Host::Registered { .. }) {
            effects.push(Effect::Revoke(id.clone()));
        }
        self.remember(Ended { instance, failure });
    }

    fn remember(&mut self, ended: Ended) {
        if self.ended.len() == REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back(ended);
    }
}

impl Record {
    /// Makes a new value of what is seen, and tells it.
    fn change(&mut self, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Instance)) {
        change(Arc::make_mut(&mut self.seen));
        effects.push(Effect::Tell(InstanceEvent::Updated(Arc::clone(&self.seen))));
    }

    fn joined(&mut self, peer: PeerId, identity: Identity, effects: &mut Vec<Effect>) {
        self.peers.push(peer);
        let seen = Arc::make_mut(&mut self.seen);
        seen.peers.push(identity);
        if seen.state == InstanceState::Starting {
            seen.state = InstanceState::Ready;
        }
        let seen = Arc::clone(&self.seen);
        effects.push(Effect::Tell(if self.met {
            InstanceEvent::Updated(seen)
        } else {
            InstanceEvent::Ready(seen)
        }));
        self.met = true;
    }
}

fn stopped(reason: &str) -> InstanceState {
    InstanceState::Stopped { reason: reason.to_owned() }
}

fn failed(error: &StartError) -> InstanceState {
    InstanceState::Failed { reason: error.to_string() }
}
