//! Raising an intent: find, choose, start if need be, deliver, answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use deskwire_wire::Payload;
use serde_json::{Map, Value, json};
use tokio::time::{Instant as Moment, timeout_at};

use super::super::ServiceError;
use super::super::apps::{Ended, Launch, StartError};
use super::choice::{IntentTarget, Prefer, choices};
use super::error::RaiseError;
use super::handlers::{HandlerFilter, HandlerPlace, IntentHandler, handlers, method_of};
use super::resolver::{Question, Resolution, Resolver};
use crate::{Client, InvokeError, MethodKey, RequestError};

/// What is to be done, and by whom. `Raise { target: IntentTarget::StartNew,
/// ..Raise::new("ShowChart", context) }` sets what differs.
#[derive(Clone)]
pub struct Raise {
    /// Name of the intent.
    pub intent: String,
    /// What it is about: `{type, data}`.
    pub context: Payload,
    /// Whether handlers must take the type of the context. If not, those that
    /// do are taken before all others.
    pub type_must_fit: bool,
    /// Who is meant.
    pub target: IntentTarget,
    /// The applications that may handle it; all where there is none of this.
    pub applications: Option<Vec<String>>,
    /// The type its result must have.
    pub result_type: Option<String>,
    /// Who goes first where nobody is asked.
    pub prefer: Prefer,
    /// What to do where several fit.
    pub when_several: WhenSeveral,
    /// Options of the platform for an application that is started.
    pub start_options: Map<String, Value>,
    /// How long an application that is started may take to handle the intent,
    /// its start included.
    pub deliver_within: Duration,
    /// How long the handler may take to answer.
    pub answer_within: Duration,
}

/// What to do where several handlers fit.
#[derive(Clone, Default)]
pub enum WhenSeveral {
    /// Take the best.
    #[default]
    First,
    /// Refuse ([`RaiseError::ResolverUnavailable`]).
    Refuse,
    /// Ask.
    Ask(Arc<dyn Resolver>),
}

/// An intent that was handled.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// By whom; it runs.
    pub handler: IntentHandler,
    /// What it returned; `{}` when it returned nothing.
    pub result: Payload,
}

impl Raise {
    /// By any handler, the first where several fit: 15 s for the delivery and
    /// 30 s for the answer.
    #[must_use]
    pub fn new(intent: impl Into<String>, context: Payload) -> Self {
        Self {
            intent: intent.into(),
            context,
            type_must_fit: true,
            target: IntentTarget::default(),
            applications: None,
            result_type: None,
            prefer: Prefer::default(),
            when_several: WhenSeveral::default(),
            start_options: Map::new(),
            deliver_within: Duration::from_secs(15),
            answer_within: Duration::from_secs(30),
        }
    }

    fn filter(&self) -> HandlerFilter {
        let context_type = self.context.value().get("type").and_then(Value::as_str);
        HandlerFilter {
            intent: Some(self.intent.clone()),
            context_type: context_type.map(str::to_owned),
            result_type: self.result_type.clone(),
            applications: self.applications.clone(),
            instance: None,
        }
    }
}

impl fmt::Debug for Raise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raise")
            .field("intent", &self.intent)
            .field("target", &self.target)
            .field("when_several", &self.when_several)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for WhenSeveral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "First",
            Self::Refuse => "Refuse",
            Self::Ask(_) => "Ask",
        })
    }
}

pub(super) async fn raise(client: &Client, raise: Raise) -> Result<Raised, RaiseError> {
    // Who runs can be found without a platform, and in spite of one that does not answer.
    let (declared, trouble) = match client.intents().declared().await {
        Ok(declared) => (declared, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let all = handlers(&client.directory(), &declared);
    let filter = raise.filter();
    let of = |filter: &HandlerFilter| choices(all.clone(), filter, &raise.target, raise.prefer);
    let meant = match of(&filter) {
        Err(_) if !raise.type_must_fit => {
            of(&HandlerFilter { context_type: None, ..filter.clone() })
        }
        meant => meant,
    };
    let meant = match (meant, trouble) {
        (Ok(meant), None) => meant,
        (Ok(meant), Some(error)) => {
            tracing::warn!(%error, "only running handlers of intents are known");
            meant
        }
        (Err(_), Some(error)) => return Err(error.into()),
        (Err(error), None) => return Err(error),
    };
    let handler = choose(&raise, &meant).await?;
    // From here on the clock runs: a person may take longer to choose.
    let deadline = Moment::now() + raise.deliver_within;
    match &handler.place {
        HandlerPlace::Instance { method, .. } => {
            let method = method.clone();
            deliver(client, &raise, handler, &method).await
        }
        HandlerPlace::Application => start(client, &raise, handler, &meant, deadline).await,
    }
}

async fn choose(raise: &Raise, meant: &[IntentHandler]) -> Result<IntentHandler, RaiseError> {
    let intent = || raise.intent.clone();
    let unavailable = |reason: &str| RaiseError::ResolverUnavailable {
        intent: intent(),
        handlers: meant.len(),
        reason: reason.to_owned(),
    };
    let chosen = match (meant, &raise.when_several) {
        ([_], _) | (_, WhenSeveral::First) => meant.first(),
        (_, WhenSeveral::Refuse) => None,
        (_, WhenSeveral::Ask(resolver)) => {
            let question = Question {
                intent: raise.intent.clone(),
                context: raise.context.clone(),
                handlers: meant.to_vec(),
            };
            match resolver.resolve(question).await {
                Ok(Resolution::Handler(index)) => {
                    let out_of_range = || unavailable("the answer named none of them");
                    Some(meant.get(index).ok_or_else(out_of_range)?)
                }
                Ok(Resolution::Cancelled) => {
                    return Err(RaiseError::UserCancelledResolution { intent: intent() });
                }
                Ok(Resolution::NobodyToAsk) => meant.first(),
                Err(error) => return Err(error.about(raise.intent.clone(), meant.len())),
            }
        }
    };
    chosen.cloned().ok_or_else(|| unavailable("nobody is to be asked which one is meant"))
}

/// Starts the application of a handler, and delivers once it listens.
async fn start(
    client: &Client,
    raise: &Raise,
    handler: IntentHandler,
    meant: &[IntentHandler],
    deadline: Moment,
) -> Result<Raised, RaiseError> {
    let (intent, application) = (&raise.intent, &handler.application);
    let late = |instance: Option<&str>| RaiseError::IntentDeliveryFailed {
        intent: intent.clone(),
        application: application.clone(),
        instance: instance.map(str::to_owned),
        after: raise.deliver_within,
    };
    let failed = |reason: String| RaiseError::AppLaunchFailed {
        intent: intent.clone(),
        application: application.clone(),
        reason,
    };
    let mut options = raise.start_options.clone();
    options.insert("startedByIntentAPI".into(), Value::Bool(true));
    let question = json!({ "Name": application, "options": options });
    let launch = timeout_at(deadline, Launch::begin(client, application, question)).await;
    let mut launch = match launch.map_err(|_| late(None))? {
        Ok(launch) => launch,
        Err(StartError::Service(error @ ServiceError::Bus(_))) => return Err(error.into()),
        Err(error) => {
            // One that runs already may not be allowed to run twice.
            let mut running = meant.iter().filter(|it| it.application == *application);
            let running = running.find_map(|it| match &it.place {
                HandlerPlace::Instance { method, .. } => Some((it.clone(), method.clone())),
                HandlerPlace::Application => None,
            });
            return match running {
                Some((running, method)) => {
                    tracing::debug!(%error, application, "the running instance takes the intent");
                    deliver(client, raise, running, &method).await
                }
                None => Err(failed(match error {
                    StartError::AppLaunchFailed { reason, .. } => reason,
                    other => other.to_string(),
                })),
            };
        }
    };
    let id = launch.id.clone();
    let method =
        launch.until(client, deadline, |directory| method_of(directory, intent, &id)).await;
    let method = method.map_err(|ended| match ended {
        Ended::TimedOut => late(Some(&id)),
        Ended::Stopped { reason } => failed(reason),
    })?;
    let place = HandlerPlace::Instance { id, method: method.clone() };
    deliver(client, raise, IntentHandler { place, ..handler }, &method).await
}

/// Hands the context to a handler, and waits for what it returns.
async fn deliver(
    client: &Client,
    raise: &Raise,
    handler: IntentHandler,
    method: &MethodKey,
) -> Result<Raised, RaiseError> {
    let called = client.invoke_method(method, raise.context.clone(), raise.answer_within).await;
    let instance = handler.instance().unwrap_or_default().to_owned();
    let application = handler.application.clone();
    let unavailable = |reason: &str| RaiseError::TargetInstanceUnavailable {
        intent: raise.intent.clone(),
        instance: format!("`{application}` ({instance})"),
        reason: reason.to_owned(),
    };
    match called {
        Ok(result) if result.is_null() => Ok(Raised { handler, result: Payload::empty_object() }),
        Ok(result) => Ok(Raised { handler, result }),
        Err(InvokeError::NoSuchMethod { .. }) => Err(unavailable("it does not handle it any more")),
        Err(InvokeError::ServerGone { .. }) => {
            Err(unavailable("it left the bus before it answered; whether it was done is unknown"))
        }
        Err(InvokeError::TimedOut { after, .. }) => {
            Err(RaiseError::ApiTimeout { application, instance, after })
        }
        Err(InvokeError::Failed { reason, context, .. }) => {
            Err(RaiseError::IntentHandlerRejected { application, reason, context })
        }
        Err(InvokeError::ConnectionLost { .. }) => Err(RequestError::ConnectionLost.into()),
        Err(InvokeError::Request(error)) => Err(error.into()),
    }
}
