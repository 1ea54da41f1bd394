//! Channels: contexts that applications share by colour, and who is on which.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deskwire_catalog::{Catalog, Channel};
use deskwire_connect::{Client, ContextError, InvokeOptions, Target};
use deskwire_wire::{Identity, Payload};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use crate::apps::Apps;
use crate::config::ChannelDef;
use crate::limits::Limits;

/// The context of a channel is called by this and its name.
const PREFIX: &str = "___channel___";

/// The channels of a desktop that configures none.
const COLOURS: [(&str, &str); 6] = [
    ("Red", "#d92c2c"),
    ("Orange", "#e8832a"),
    ("Yellow", "#e3c01b"),
    ("Green", "#2f9e57"),
    ("Blue", "#2f6fdb"),
    ("Purple", "#8a4bd1"),
];

/// Why nothing was done about a channel.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChannelError {
    // Clients look for these words.
    #[error("Channel with name '{name}' already exists.")]
    Exists { name: String },
    #[error("there is no channel `{name}`")]
    Unknown { name: String },
    #[error("the name of a channel has 1 to {most} characters; `{name}` has not")]
    Name { name: String, most: usize },
    #[error("there are {most} channels, which is the most; remove one first")]
    TooMany { most: usize },
    #[error(transparent)]
    Context(#[from] ContextError),
}

/// What a member may do on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Restriction {
    read: bool,
    write: bool,
}

impl Default for Restriction {
    fn default() -> Self {
        Self { read: true, write: true }
    }
}

/// The channels. Clones are handles of the same.
#[derive(Debug, Clone)]
pub(crate) struct Channels {
    bus: Client,
    state: Arc<Mutex<State>>,
    limits: Limits,
}

#[derive(Debug, Default)]
struct State {
    channels: IndexMap<String, ChannelDef>,
    /// By window or instance.
    members: IndexMap<String, Member>,
}

#[derive(Debug, Default)]
struct Member {
    application: Option<String>,
    channel: Option<String>,
    restrictions: IndexMap<String, Restriction>,
}

impl Channels {
    pub(crate) fn new(bus: Client, limits: Limits) -> Self {
        Self { bus, state: Arc::default(), limits }
    }

    /// Makes the configured channels, with the data they have on the bus, if they
    /// are there already.
    pub(crate) async fn start(
        &self,
        configured: &[ChannelDef],
        catalog: &Catalog,
    ) -> Result<(), ContextError> {
        for channel in wanted(configured, catalog) {
            match self.add(channel).await {
                Ok(()) | Err(ChannelError::Exists { .. }) => {}
                Err(ChannelError::Context(error)) => return Err(error),
                Err(error) => tracing::warn!(%error, "a channel is left out"),
            }
        }
        Ok(())
    }

    /// Follows the channels of the sources, for ever. Those of the configuration stay.
    pub(crate) async fn follow(self, apps: Apps, configured: Vec<ChannelDef>, mut known: Catalog) {
        let mut revision = apps.changes();
        loop {
            let now = apps.catalog();
            let moved = now.changes_since(&known).channels;
            let ours = |name: &str| configured.iter().any(|channel| channel.name == name);
            for channel in moved.removed.iter().filter(|channel| !ours(&channel.name)) {
                self.report(self.remove(&channel.name).await);
            }
            for channel in moved.added.iter().filter(|channel| !ours(&channel.name)) {
                self.report(self.add(defined(channel)).await);
            }
            for channel in moved.changed.iter().filter(|channel| !ours(&channel.name)) {
                let meta = json!({ "meta": defined(channel).meta });
                let changed =
                    self.bus.contexts().update(&context(&channel.name), meta.into()).await;
                self.report(changed.map_err(ChannelError::from));
            }
            known = now;
            if revision.changed().await.is_err() {
                return;
            }
        }
    }

    fn report(&self, done: Result<(), ChannelError>) {
        match done {
            Ok(()) | Err(ChannelError::Exists { .. } | ChannelError::Unknown { .. }) => {}
            Err(error) => tracing::warn!(%error, "a channel of a source is not as it is defined"),
        }
    }

    /// Makes a channel.
    pub(crate) async fn add(&self, channel: ChannelDef) -> Result<(), ChannelError> {
        let ChannelDef { name, meta, data } = channel.clone();
        let most = self.limits.channel_name;
        if name.trim().is_empty() || name.chars().count() > most {
            return Err(ChannelError::Name { name, most });
        }
        {
            let mut state = self.state();
            if state.channels.contains_key(&name) {
                return Err(ChannelError::Exists { name });
            }
            if state.channels.len() >= self.limits.channels {
                return Err(ChannelError::TooMany { most: self.limits.channels });
            }
            state.channels.insert(name.clone(), channel);
        }
        let context = context(&name);
        let contexts = self.bus.contexts();
        let there = contexts.get(&context).await;
        let made = match there {
            Ok(Some(known)) if known.get("name").is_some() => {
                contexts.update(&context, json!({ "meta": meta }).into()).await
            }
            Ok(_) => {
                let whole = json!({ "name": name, "meta": meta, "data": data });
                contexts.set(&context, whole.into()).await
            }
            Err(error) => Err(error),
        };
        if made.is_err() {
            self.state().channels.shift_remove(&name);
        }
        Ok(made?)
    }

    /// Ends a channel for everybody.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), ChannelError> {
        {
            let mut state = self.state();
            if state.channels.shift_remove(name).is_none() {
                return Err(ChannelError::Unknown { name: name.to_owned() });
            }
            for member in state.members.values_mut() {
                member.channel.take_if(|channel| channel == name);
                member.restrictions.shift_remove(name);
            }
        }
        // Clients destroy the context before they ask.
        if self.bus.contexts().all().contains(&context(name)) {
            self.bus.contexts().destroy(&context(name)).await?;
        }
        Ok(())
    }

    /// The channels, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.state().channels.keys().cloned().collect()
    }

    /// Notes that a member of the bus tells of itself.
    pub(crate) fn announce(&self, member: &str, application: Option<&str>) {
        self.member(member, |found| {
            found.application = application.map(str::to_owned).or(found.application.take());
        });
    }

    /// Notes which channel a member is on.
    pub(crate) fn is_on(&self, member: &str, channel: Option<&str>) {
        self.member(member, |found| found.channel = channel.map(str::to_owned));
    }

    /// Changes what a member may do on these channels; what is `None` stays as it is.
    pub(crate) fn restrict(
        &self,
        member: &str,
        channels: &[String],
        read: Option<bool>,
        write: Option<bool>,
    ) {
        self.member(member, |found| {
            for name in channels {
                let one = found.restrictions.entry(name.clone()).or_default();
                one.read = read.unwrap_or(one.read);
                one.write = write.unwrap_or(one.write);
            }
        });
    }

    /// What a member may do, where that is not everything.
    pub(crate) fn restrictions(&self, member: &str) -> Value {
        let state = self.state();
        let all: Vec<_> = state
            .members
            .get(member)
            .into_iter()
            .flat_map(|found| &found.restrictions)
            .map(|(name, one)| {
                json!({ "name": name, "read": one.read, "write": one.write, "windowId": member })
            })
            .collect();
        json!({ "channels": all })
    }

    /// Who is on a channel, of these channels if any are given.
    pub(crate) fn members(&self, channels: Option<&[&str]>) -> Vec<Value> {
        let state = self.state();
        let fits = |channel: &Option<String>| match (channels, channel) {
            (None, _) => true,
            (Some(wanted), Some(channel)) => wanted.contains(&channel.as_str()),
            (Some(_), None) => false,
        };
        state
            .members
            .iter()
            .filter(|(_, member)| fits(&member.channel))
            .map(|(id, member)| {
                json!({
                    "windowId": id,
                    "channel": member.channel,
                    "application": member.application,
                })
            })
            .collect()
    }

    /// Asks a member to join a channel, or to leave the one it is on.
    pub(crate) async fn send(&self, member: &str, channel: Option<&str>) -> Result<(), String> {
        let command = match channel {
            Some(channel) => json!({ "command": "join", "channel": channel }),
            None => json!({ "command": "leave" }),
        };
        self.command(member, command.into()).await?;
        self.is_on(member, channel);
        Ok(())
    }

    /// Tells a member what it may do.
    pub(crate) async fn tell_restrictions(&self, member: &str) {
        let restrictions = self.restrictions(member);
        let command = json!({ "command": "restrictions-changed", "restrictions": restrictions, "swId": member });
        if let Err(reason) = self.command(member, command.into()).await {
            tracing::debug!(member, reason, "a member does not hear of its restrictions");
        }
    }

    async fn command(&self, member: &str, command: Payload) -> Result<(), String> {
        let target = |key: &str| {
            let fields = Map::from_iter([(key.to_owned(), json!(member))]);
            InvokeOptions {
                target: Target::Instance(Identity::new(fields)),
                ..InvokeOptions::default()
            }
        };
        // Pages are known by their window, other members by their instance.
        let mut answers =
            self.bus.invoke("T42.Channels.Command", command.clone(), target("instance")).await;
        if answers.is_err() {
            answers = self.bus.invoke("T42.Channels.Command", command, target("windowId")).await;
        }
        let answered = answers.and_then(deskwire_connect::Answers::first);
        answered.map(drop).map_err(|error| error.to_string())
    }

    fn member(&self, id: &str, change: impl FnOnce(&mut Member)) {
        let mut state = self.state();
        if !state.members.contains_key(id) && state.members.len() >= self.limits.channel_members {
            // The one that has been here longest is forgotten.
            state.members.shift_remove_index(0);
        }
        change(state.members.entry(id.to_owned()).or_default());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The channels that are wanted: those of the configuration, then those of the
/// sources; colours where there are none.
fn wanted(configured: &[ChannelDef], catalog: &Catalog) -> Vec<ChannelDef> {
    let mut all: Vec<_> = configured.to_vec();
    for channel in catalog.channels() {
        if all.iter().all(|known| known.name != channel.name) {
            all.push(defined(channel));
        }
    }
    if all.is_empty() {
        let colour = |(name, color): (&str, &str)| ChannelDef {
            name: name.to_owned(),
            meta: Map::from_iter([("color".to_owned(), json!(color))]),
            data: Map::new(),
        };
        all.extend(COLOURS.map(colour));
    }
    all
}

/// A channel as a source defines it.
fn defined(channel: &Channel) -> ChannelDef {
    let mut meta = channel.meta.clone();
    if let Some(color) = &channel.color {
        meta.insert("color".into(), json!(color));
    }
    let data = channel.raw.get("data").and_then(Value::as_object).cloned();
    ChannelDef { name: channel.name.clone(), meta, data: data.unwrap_or_default() }
}

fn context(name: &str) -> String {
    format!("{PREFIX}{name}")
}
