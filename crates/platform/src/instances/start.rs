//! What is to be started, and how.

use std::fmt;
use std::sync::Arc;

use deskwire_catalog::Application;
use deskwire_wire::{Identity, Payload};
use serde_json::{Map, Value};
use url::Url;

use super::model::{Cause, InstanceId, StartedBy};

/// An application that is to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Its definition.
    pub application: Arc<Application>,
    /// What it is started with.
    pub context: Payload,
    /// How.
    pub options: StartOptions,
    /// By whom.
    pub by: StartedBy,
}

/// How an application is to be started. What callers say besides stays in `rest`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StartOptions {
    /// Whether to wait for it to be on the bus: asked for, waived, or nothing said.
    pub await_interop: Option<bool>,
    /// Whether an intent is behind it.
    pub by_intent: bool,
    /// The title of its window.
    pub title: Option<String>,
    /// Everything as the caller wrote it: `channelName`, `left`, `top`, `width`, `height` …
    pub rest: Map<String, Value>,
}

impl StartOptions {
    /// Reads options as clients write them; they may be of a `StartApplication` or of a
    /// `start-app`. What cannot be understood is left alone.
    #[must_use]
    pub fn read(options: Map<String, Value>) -> Self {
        let flag = |key: &str| options.get(key).and_then(Value::as_bool);
        Self {
            await_interop: flag("awaitInterop")
                .or_else(|| flag("waitForAGMReady"))
                .or_else(|| flag("waitForInterop")),
            by_intent: flag("startedByIntentAPI").unwrap_or(false),
            title: options.get("title").and_then(Value::as_str).map(str::to_owned),
            rest: options,
        }
    }

    /// Who is behind it, if `caller` asks.
    #[must_use]
    pub fn started_by(&self, caller: Option<&Identity>) -> StartedBy {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        StartedBy {
            cause: if self.by_intent { Cause::Intent } else { Cause::Application },
            application: text(caller.and_then(Identity::application)),
            instance: text(caller.and_then(Identity::instance)),
        }
    }
}

/// A text that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// Keeps a text from being shown by accident.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What a page needs to be an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowTicket {
    /// The instance.
    pub instance: InstanceId,
    /// Name of its application.
    pub application: String,
    /// Address of its page.
    pub url: Url,
    /// Where it finds the gateway.
    pub gateway_url: String,
    /// What it logs in with; this fixes who it is.
    pub gateway_token: Secret,
    /// What it is started with.
    pub starting_context: Value,
    /// Where its application is defined, as `apps.json:12`.
    pub defined_at: String,
}
