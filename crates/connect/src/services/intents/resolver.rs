//! Asking who is to handle an intent.

use std::time::Duration;

use deskwire_wire::{Method, Payload};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant as Moment;

use super::super::apps::{Ended, Launch};
use super::super::lenient::text;
use super::error::RaiseError;
use super::handlers::{HandlerPlace, IntentHandler};
use crate::client::Status;
use crate::{Call, CallFailure, Client, Directory, Registration};

/// The application that asks people, on every desktop that has one.
const RESOLVER_APP: &str = "intentsResolver";
/// What the methods begin with by which it answers.
const ANSWER_PREFIX: &str = "T42.Intents.Resolver.Control";
/// How long a person may take.
const CHOOSES_WITHIN: Duration = Duration::from_secs(90);

/// What somebody is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Name of the intent.
    pub intent: String,
    /// What it is about.
    pub context: Payload,
    /// Who could handle it: two at least, best first.
    pub handlers: Vec<IntentHandler>,
}

/// What was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The handler at this index of the question.
    Handler(usize),
    /// None: the intent is not to be handled.
    Cancelled,
    /// There is nobody to ask; the best is to be taken.
    NobodyToAsk,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolverError {
    /// The question could not be put, or the answer not be understood.
    #[error("{0}")]
    Unavailable(String),
    /// Nobody answered in time.
    #[error("nobody answered within {0:?}")]
    TimedOut(Duration),
}

/// Chooses among several handlers: a person, usually.
pub trait Resolver: Send + Sync + 'static {
    /// Who is to handle it. Dropping the future withdraws the question.
    fn resolve(&self, question: Question) -> BoxFuture<'_, Result<Resolution, ResolverError>>;
}

impl ResolverError {
    pub(super) fn about(self, intent: String, handlers: usize) -> RaiseError {
        match self {
            Self::Unavailable(reason) => {
                RaiseError::ResolverUnavailable { intent, handlers, reason }
            }
            Self::TimedOut(after) => RaiseError::ResolverTimeout { intent, after },
        }
    }
}

/// Asks as the desktop itself does: by what the person chose to be remembered,
/// else by the desktop's application `intentsResolver`. On a desktop without
/// that, there is nobody to ask.
#[derive(Debug, Clone)]
pub struct PlatformResolver {
    client: Client,
}

impl Resolver for PlatformResolver {
    fn resolve(&self, question: Question) -> BoxFuture<'_, Result<Resolution, ResolverError>> {
        Box::pin(self.ask(question))
    }
}

impl PlatformResolver {
    /// One that asks on the desktop of this client.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    async fn ask(&self, question: Question) -> Result<Resolution, ResolverError> {
        let client = &self.client;
        let me = Me::of(client)?;
        if let Some(index) = self.remembered(&me, &question).await {
            return Ok(Resolution::Handler(index));
        }
        let unavailable = |error: &dyn std::fmt::Display| {
            ResolverError::Unavailable(format!("`{RESOLVER_APP}` cannot ask: {error}"))
        };
        if !client.apps().available() {
            return Ok(Resolution::NobodyToAsk);
        }
        let found = client.apps().definitions(Some(&[RESOLVER_APP])).await;
        if found.map_err(|error| unavailable(&error))?.is_empty() {
            return Ok(Resolution::NobodyToAsk);
        }
        let method = format!("{ANSWER_PREFIX}{:016x}", rand::random::<u64>());
        let (answers, mut answered) = mpsc::channel(1);
        let _registration =
            listen(client, &method, answers).await.map_err(|error| unavailable(&error))?;
        let context = question.to_context(&me, &method);
        let start = json!({ "Name": RESOLVER_APP, "Context": context, "Options": {} });
        let launch = Launch::begin(client, RESOLVER_APP, start).await;
        let mut window =
            Window { client: client.clone(), launch: launch.map_err(|error| unavailable(&error))? };
        let deadline = Moment::now() + CHOOSES_WITHIN;
        loop {
            let id = window.launch.id.clone();
            let closed = window.launch.until(client, deadline, |_: &Directory| None::<()>);
            tokio::select! {
                Some((instance, answer)) = answered.recv() => {
                    // The method can be seen by all, and only the one that was asked may answer.
                    if instance.as_deref() == Some(id.as_str()) {
                        return self.read(&me, &question, &answer).await;
                    }
                    tracing::warn!(?instance, "somebody else answered for `{RESOLVER_APP}`");
                }
                ended = closed => return match ended {
                    Err(Ended::TimedOut) => Err(ResolverError::TimedOut(CHOOSES_WITHIN)),
                    _ => Ok(Resolution::Cancelled),
                },
            }
        }
    }

    async fn read(
        &self,
        me: &Me,
        question: &Question,
        answer: &Value,
    ) -> Result<Resolution, ResolverError> {
        let chosen = answer.get("handler").and_then(|handler| question.find(handler));
        let index = chosen.ok_or_else(|| {
            ResolverError::Unavailable(format!("`{RESOLVER_APP}` chose none of them"))
        })?;
        if answer.pointer("/userSettings/preserveChoice") == Some(&Value::Bool(true)) {
            self.remember(me, &question.intent, &question.handlers[index]).await;
        }
        Ok(Resolution::Handler(index))
    }

    async fn remembered(&self, me: &Me, question: &Question) -> Option<usize> {
        let preferences = self.client.preferences();
        if !preferences.available() {
            return None;
        }
        let kept = preferences.get(&me.application).await.ok()?;
        let handler = kept.data.get("intents")?.get(&question.intent)?.get("handler")?;
        question.find(handler)
    }

    /// Best effort: the choice counts even if it is not remembered.
    async fn remember(&self, me: &Me, intent: &str, handler: &IntentHandler) {
        let preferences = self.client.preferences();
        let keep = async {
            let kept = preferences.get(&me.application).await?;
            let mut intents = kept.data.get("intents").and_then(Value::as_object).cloned();
            let intents = intents.get_or_insert_default();
            intents.insert(intent.to_owned(), json!({ "handler": told(handler) }));
            let data = Map::from_iter([("intents".to_owned(), json!(intents))]);
            preferences.merge(&me.application, data).await
        };
        if let Err(error) = keep.await {
            tracing::warn!(%error, intent, "the choice of a handler is not remembered");
        }
    }
}

/// Who asks.
struct Me {
    instance: String,
    application: String,
}

impl Me {
    fn of(client: &Client) -> Result<Self, ResolverError> {
        match &*client.status().borrow() {
            Status::Ready { peer_id, identity } => Ok(Self {
                instance: identity.instance().unwrap_or(peer_id.as_str()).to_owned(),
                application: identity.application().unwrap_or_default().to_owned(),
            }),
            _ => Err(ResolverError::Unavailable("this client is not on the bus".into())),
        }
    }
}

impl Question {
    /// What the resolver is started with.
    fn to_context(&self, me: &Me, method: &str) -> Value {
        let handlers: Vec<_> = self.handlers.iter().map(told).collect();
        json!({
            "callerId": me.instance,
            "methodName": method,
            "initialCaller": {
                "id": me.instance,
                "applicationName": me.application,
                "applicationTitle": "",
            },
            "resolverApi": "1.0",
            "intent": {
                "intent": self.intent,
                "context": self.context.value(),
                "handlers": handlers,
            },
        })
    }

    /// The handler that is meant by what others call it.
    fn find(&self, wanted: &Value) -> Option<usize> {
        let application = text(wanted, &["applicationName"])?;
        let instance = text(wanted, &["instanceId"]);
        self.handlers.iter().position(|handler| {
            handler.application == application && handler.instance() == instance.as_deref()
        })
    }
}

/// A handler, as the desktop's clients write it.
fn told(handler: &IntentHandler) -> Value {
    let mut fields = json!({
        "applicationName": handler.application,
        "applicationTitle": handler.title.as_deref().unwrap_or_default(),
        "type": match handler.place {
            HandlerPlace::Application => "app",
            HandlerPlace::Instance { .. } => "instance",
        },
        "contextTypes": handler.context_types,
    });
    for (key, value) in [
        ("instanceId", handler.instance()),
        ("displayName", handler.display_name.as_deref()),
        ("resultType", handler.result_type.as_deref()),
    ] {
        if let Some(value) = value {
            fields[key] = value.into();
        }
    }
    fields
}

/// Takes answers, with the instances they come from.
async fn listen(
    client: &Client,
    method: &str,
    answers: mpsc::Sender<(Option<String>, Value)>,
) -> Result<Registration, crate::RegisterError> {
    let method = Method { name: method.to_owned(), ..Method::default() };
    let handler = move |call: Call| {
        let answers = answers.clone();
        async move {
            let caller = call.caller_identity.as_ref();
            let instance = caller.and_then(|it| it.instance()).map(str::to_owned);
            let answer = (instance, call.arguments.decoded());
            answers.send(answer).await.map_err(|_| "the question is withdrawn")?;
            Ok::<_, CallFailure>(Payload::empty_object())
        }
    };
    client.register(method, handler).await
}

/// The resolver's instance, which is stopped when nothing more is asked of it.
struct Window {
    client: Client,
    launch: Launch,
}

impl Drop for Window {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let client = self.client.clone();
        let instance = super::super::apps::Instance::new(self.launch.id.clone(), RESOLVER_APP);
        runtime.spawn(async move {
            // It may have closed itself.
            if let Err(error) = client.apps().stop(&instance).await {
                tracing::debug!(%error, "the resolver is not stopped");
            }
        });
    }
}
