//! Who of those that could handle an intent is meant.

use super::error::RaiseError;
use super::handlers::{HandlerFilter, HandlerPlace, IntentHandler};

/// Names that a message holds at most.
const MAX_NAMED: usize = 10;

/// Who is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum IntentTarget {
    /// Any handler.
    #[default]
    Any,
    /// One that runs; if none does, an application is started.
    Reuse,
    /// An application that is started.
    StartNew,
    /// A handler of this application: a running one, else it is started.
    Application(String),
    /// This instance.
    Instance(String),
}

/// Who goes first where nobody is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Handlers that run, since they are there already.
    #[default]
    Running,
    /// Applications that are started, since what runs has a state of its own.
    Applications,
}

/// The handlers that are meant, best first; never empty. `all` are those of the bus.
pub(super) fn choices(
    all: Vec<IntentHandler>,
    filter: &HandlerFilter,
    target: &IntentTarget,
    prefer: Prefer,
) -> Result<Vec<IntentHandler>, RaiseError> {
    let intent = filter.intent.as_deref().unwrap_or_default();
    if let IntentTarget::Instance(id) = target {
        let meant = |it: &IntentHandler| filter.admits(it) && it.instance() == Some(id);
        let found: Vec<_> = all.into_iter().filter(meant).take(1).collect();
        return match found.is_empty() {
            false => Ok(found),
            true => Err(RaiseError::TargetInstanceUnavailable {
                intent: intent.to_owned(),
                instance: id.clone(),
                reason: "it is not on the bus, or does not handle this intent".into(),
            }),
        };
    }
    let of_intent: Vec<_> = all.into_iter().filter(|it| it.intent == intent).collect();
    let admitted: Vec<_> = of_intent.iter().filter(|it| filter.admits(it)).cloned().collect();
    if admitted.is_empty() {
        return Err(RaiseError::NoAppsFound {
            intent: intent.to_owned(),
            reason: none_fits(&of_intent, filter),
        });
    }
    let (running, applications): (Vec<_>, Vec<_>) =
        admitted.into_iter().partition(|it| matches!(it.place, HandlerPlace::Instance { .. }));
    let one_of = |first: Vec<IntentHandler>, second| if first.is_empty() { second } else { first };
    let meant = match target {
        IntentTarget::Any | IntentTarget::Instance(_) => match prefer {
            Prefer::Running => [running, applications].concat(),
            Prefer::Applications => [applications, running].concat(),
        },
        IntentTarget::Reuse => one_of(running, applications),
        IntentTarget::StartNew => applications,
        IntentTarget::Application(name) => {
            let of = |mut handlers: Vec<IntentHandler>| {
                handlers.retain(|handler| handler.application == *name);
                handlers
            };
            let meant = one_of(of(running), of(applications));
            if meant.is_empty() {
                return Err(RaiseError::TargetAppUnavailable {
                    intent: intent.to_owned(),
                    application: name.clone(),
                });
            }
            meant
        }
    };
    if meant.is_empty() {
        let reason = "it is handled by running instances, and no application is defined to be \
                      started for it";
        return Err(RaiseError::NoAppsFound { intent: intent.to_owned(), reason: reason.into() });
    }
    Ok(meant)
}

/// Why none of the handlers of an intent is admitted.
fn none_fits(of_intent: &[IntentHandler], filter: &HandlerFilter) -> String {
    if of_intent.is_empty() {
        return "no application on the bus registers it, and none is defined to handle it".into();
    }
    let (mut allowed, strangers): (Vec<_>, Vec<_>) = of_intent.iter().partition(|it| {
        HandlerFilter { applications: filter.applications.clone(), ..HandlerFilter::default() }
            .admits(it)
    });
    if allowed.is_empty() {
        let (names, handle) = subject(&strangers, "handles it and is", "handle it and are");
        return format!("{names} {handle} not among those that may");
    }
    if let Some(wanted) = &filter.result_type {
        let returns =
            HandlerFilter { result_type: Some(wanted.clone()), ..HandlerFilter::default() };
        if !allowed.iter().any(|handler| returns.admits(handler)) {
            let (names, does) = subject(&allowed, "does", "do");
            return format!("{names} {does} not declare results of type `{wanted}`");
        }
        allowed.retain(|handler| returns.admits(handler));
    }
    let wanted = filter.context_type.as_deref().unwrap_or_default();
    let (names, takes) = subject(&allowed, "takes", "take");
    let types = quoted(allowed.iter().flat_map(|it| &it.context_types));
    format!("{names} {takes} contexts of type {types}, not `{wanted}`")
}

/// The applications of handlers, and the verb that goes with their number.
fn subject(
    handlers: &[&IntentHandler],
    one: &'static str,
    several: &'static str,
) -> (String, &'static str) {
    let names = quoted(handlers.iter().map(|handler| &handler.application));
    let verb = if names.contains(',') { several } else { one };
    (names, verb)
}

/// The first few of these, each once.
fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let mut shown: Vec<String> = Vec::new();
    for name in names {
        let name = format!("`{name}`");
        if !shown.contains(&name) {
            shown.push(name);
        }
        if shown.len() == MAX_NAMED {
            break;
        }
    }
    shown.join(", ")
}
