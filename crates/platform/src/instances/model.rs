//! An instance, as everybody sees it.

use std::fmt;
use std::sync::Arc;

use deskwire_catalog::Application;
use deskwire_wire::{Identity, Payload};
use serde_json::{Value, json};

/// Names an instance; its peers have it as `identity.instance`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(Arc<str>);

impl InstanceId {
    /// The id as it stands in JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for InstanceId {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl std::borrow::Borrow<str> for InstanceId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A running application. A value: what changes makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Its id. No two have the same at a time; a page that lives on has it again after a restart.
    pub id: InstanceId,
    /// The definition it was started from.
    pub application: Arc<Application>,
    /// How it stands.
    pub state: InstanceState,
    /// What it was started with.
    pub context: Payload,
    /// Its title, where it is not the application's.
    pub title: Option<String>,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: u64,
    /// Who started it.
    pub started_by: StartedBy,
    /// Its peers on the bus, in order of their coming.
    pub peers: Vec<Identity>,
    /// What carries it.
    pub host: Host,
}

impl Instance {
    /// Whether one of its peers is on the bus.
    #[must_use]
    pub fn is_on_bus(&self) -> bool {
        !self.peers.is_empty()
    }

    /// The id of its process, if it has one of its own.
    #[must_use]
    pub const fn process(&self) -> Option<u32> {
        match self.host {
            Host::Process { pid } => Some(pid),
            Host::Registered { pid } => pid,
            Host::Window { .. } | Host::Browser => None,
        }
    }

    /// The id of its window, if it is shown in one.
    #[must_use]
    pub fn window(&self) -> Option<&str> {
        match &self.host {
            Host::Window { window } => Some(window),
            Host::Process { .. } | Host::Registered { .. } | Host::Browser => None,
        }
    }
}

/// How an instance stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstanceState {
    /// It exists, and is not on the bus yet.
    Starting,
    /// It is at work: on the bus, or, if it never is, alive for a while.
    Ready,
    /// It has been asked to end.
    Stopping,
    /// It has ended as it should.
    Stopped {
        /// Why, for people.
        reason: String,
    },
    /// It did not start, or ended as it should not.
    Failed {
        /// What happened, and what would be right.
        reason: String,
    },
}

impl InstanceState {
    /// Whether it has ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Stopped { .. } | Self::Failed { .. })
    }
}

/// What carries an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A process of the platform's own.
    Process {
        /// Its id in the system, and that of its process group.
        pid: u32,
    },
    /// A window of a desk page.
    Window {
        /// The id of the window. It outlives the instance.
        window: Arc<str>,
    },
    /// A tab of the system's browser. Nobody hears what becomes of it.
    Browser,
    /// A program that was started elsewhere and told the platform of itself.
    Registered {
        /// The id of its process, as it says.
        pid: Option<u32>,
    },
}

/// Who started an instance, and for what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartedBy {
    /// For what.
    pub cause: Cause,
    /// The application that asked; empty if none did.
    pub application: String,
    /// The instance that asked; empty if none did.
    pub instance: String,
}

/// For what an instance was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cause {
    /// Somebody asked for it.
    #[default]
    Application,
    /// An intent was raised.
    Intent,
    /// It is started with the desktop.
    AutoStart,
}

impl StartedBy {
    /// Started with the desktop.
    #[must_use]
    pub fn the_desktop() -> Self {
        Self { cause: Cause::AutoStart, ..Self::default() }
    }

    /// Reads what [`StartedBy::to_json`] wrote.
    pub(super) fn read(json: &Value) -> Self {
        let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default();
        let cause = match text("startedBy") {
            "intent" => Cause::Intent,
            "autoStart" => Cause::AutoStart,
            _ => Cause::Application,
        };
        Self {
            cause,
            application: text("applicationName").to_owned(),
            instance: text("instanceID").to_owned(),
        }
    }

    /// As the client libraries read it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let cause = match self.cause {
            Cause::Application => "application",
            Cause::Intent => "intent",
            Cause::AutoStart => "autoStart",
        };
        json!({
            "startedBy": cause,
            "applicationName": self.application,
            "instanceID": self.instance,
        })
    }
}

/// News of an instance, in the order of what happens. Each instance is told as it
/// is after the change. `Started` comes first and, after it, exactly one of `Stopped`
/// and `Failed` last; an instance that never came to exist is told by `Failed` alone.
#[derive(Debug, Clone, PartialEq)]
pub enum InstanceEvent {
    /// It exists.
    Started(Arc<Instance>),
    /// Its first peer is on the bus. Told once.
    Ready(Arc<Instance>),
    /// Its state or its peers are others.
    Updated(Arc<Instance>),
    /// It has another title.
    Titled(Arc<Instance>),
    /// What it would be started with is said anew.
    ContextChanged(Arc<Instance>),
    /// It has ended; the reason is in its state.
    Stopped(Arc<Instance>),
    /// It could not be started, or has crashed; the reason is in its state.
    Failed(Arc<Instance>),
}

impl InstanceEvent {
    /// The instance it is about.
    #[must_use]
    pub const fn instance(&self) -> &Arc<Instance> {
        match self {
            Self::Started(one)
            | Self::Ready(one)
            | Self::Updated(one)
            | Self::Titled(one)
            | Self::ContextChanged(one)
            | Self::Stopped(one)
            | Self::Failed(one) => one,
        }
    }
}
