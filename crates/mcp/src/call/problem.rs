//! Why a call has no result, in words for the model.
//!
//! Each says what happened, to whom, and what can be done now.

use std::time::Duration;

use deskwire_connect::InvokeError;
use deskwire_connect::services::intents::RaiseError;
use rmcp::model::{CallToolResult, ContentBlock};

use crate::schema::{SchemaError, Violation};
use crate::text;

/// Longest reason from an application in characters.
const MAX_REASON: usize = 4096;

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// The tool was there once.
    #[error("tool `{0}` is not available any more; list tools again")]
    Gone(String),
    /// Nothing serves the tool at the moment.
    #[error("`{tool}` cannot be called now: {reason}; {fix}, then call again")]
    NoServer {
        /// The tool.
        tool: String,
        /// What is missing.
        reason: String,
        /// What can be done about it.
        fix: String,
    },
    /// The arguments do not fit.
    #[error("the arguments of `{tool}` do not fit its input schema: {}", list(violations))]
    Arguments {
        /// The tool.
        tool: String,
        /// What does not fit.
        violations: Vec<Violation>,
    },
    /// The result does not fit.
    #[error(
        "`{tool}` was done, but its result does not fit its output schema: {}; \
         this is a fault of {application}, other arguments may not help",
        list(violations)
    )]
    Result {
        /// The tool.
        tool: String,
        /// The application that serves it.
        application: String,
        /// What does not fit.
        violations: Vec<Violation>,
    },
    /// The schema that compiled once does not compile now.
    #[error("the arguments of `{tool}` cannot be checked: {error}")]
    Unchecked {
        /// The tool.
        tool: String,
        /// Why.
        error: SchemaError,
    },
    /// The application did not answer, or refused.
    #[error("`{tool}`: {}", told(error, *limit))]
    Invocation {
        /// The tool.
        tool: String,
        /// What happened.
        error: InvokeError,
        /// How long the application may take.
        limit: Duration,
    },
    /// Nobody handled the intent, or whoever did refused.
    #[error("`{tool}`: {}", unhandled(error))]
    Intent {
        /// The tool.
        tool: String,
        /// What happened.
        error: RaiseError,
    },
    /// The client cancelled.
    #[error("`{0}` was cancelled; the application may still be at it")]
    Cancelled(String),
    /// The tool asks more than a client can be asked to answer.
    #[error("`{0}` asks its client too many questions; this is a fault of the tool")]
    AsksTooMuch(String),
    /// The tool itself failed.
    #[error("`{0}` failed inside this server; its log says more")]
    Panicked(String),
}

/// An error for the model: text alone.
impl From<Problem> for CallToolResult {
    fn from(problem: Problem) -> Self {
        Self::error(vec![ContentBlock::text(problem.to_string())])
    }
}

fn list(violations: &[Violation]) -> String {
    violations.iter().map(Violation::to_string).collect::<Vec<_>>().join("; ")
}

fn told(error: &InvokeError, limit: Duration) -> String {
    match error {
        InvokeError::NoSuchMethod { .. } => {
            "the application does not offer it any more; list tools again".into()
        }
        InvokeError::ServerGone { .. } => {
            format!("{error}; whether it was done is unknown; list tools again")
        }
        InvokeError::TimedOut { .. } => format!(
            "{error}, the limit (responseTimeoutMs = {}); it may still be at it",
            limit.as_millis()
        ),
        InvokeError::Failed { reason, .. } => {
            let reason = text::clean(reason, MAX_REASON).text;
            if reason.is_empty() {
                "the application refused without a reason".into()
            } else {
                format!("the application refused: {reason}")
            }
        }
        // It may quote a gateway that is not ours.
        other => text::clean(&other.to_string(), MAX_REASON).text,
    }
}

fn unhandled(error: &RaiseError) -> String {
    let text = text::clean(&error.to_string(), MAX_REASON).text;
    match error {
        RaiseError::ApiTimeout { after, .. } => format!(
            "{text}, the limit (responseTimeoutMs = {}); it may still be at it",
            after.as_millis()
        ),
        RaiseError::IntentDeliveryFailed { .. } => {
            format!("{text}; it may be running now, so calling again may reach it")
        }
        RaiseError::UserCancelledResolution { .. } => {
            format!("{text}; ask before you call again")
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use deskwire_connect::RequestError;

    use super::*;

    #[test]
    fn every_problem_says_what_can_be_done() {
        let tool = || "greet".to_owned();
        let (application, instance) = ("clients".to_owned(), "i-1".to_owned());
        let violation =
            |path: &str, message: &str| Violation { path: path.into(), message: message.into() };
        let invocation =
            |error| Problem::Invocation { tool: tool(), error, limit: Duration::from_millis(5000) };
        let intent = |error| Problem::Intent { tool: tool(), error };
        let problems = [
            Problem::Gone(tool()),
            Problem::Arguments {
                tool: tool(),
                violations: vec![
                    violation("/name", "is missing"),
                    violation("", "must not have `nmae`"),
                ],
            },
            Problem::Result {
                tool: tool(),
                application: application.clone(),
                violations: vec![violation("/greeting", "must be a string, not a number")],
            },
            invocation(InvokeError::TimedOut {
                application: application.clone(),
                instance: instance.clone(),
                after: Duration::from_secs(5),
            }),
            invocation(InvokeError::ServerGone {
                application: application.clone(),
                instance: instance.clone(),
            }),
            invocation(InvokeError::NoSuchMethod { name: "Demo.Greet".into() }),
            invocation(InvokeError::Failed {
                reason_uri: "x".into(),
                reason: "no such client\u{200b}".into(),
                context: None,
            }),
            invocation(InvokeError::Failed {
                reason_uri: "x".into(),
                reason: String::new(),
                context: None,
            }),
            invocation(InvokeError::ConnectionLost { application, instance }),
            invocation(InvokeError::Request(RequestError::NotConnected)),
            Problem::NoServer {
                tool: tool(),
                reason: "`clients` is on this bus and does not register the method `Greet`".into(),
                fix: "register `Greet` in `clients`".into(),
            },
            intent(RaiseError::NoAppsFound {
                intent: "Show".into(),
                reason: "no application on the bus registers it".into(),
            }),
            intent(RaiseError::UserCancelledResolution { intent: "Show".into() }),
            intent(RaiseError::IntentDeliveryFailed {
                intent: "Show".into(),
                application: "chart".into(),
                instance: Some("chart-1".into()),
                after: Duration::from_secs(15),
            }),
            intent(RaiseError::IntentHandlerRejected {
                application: "chart".into(),
                reason: "no such\u{200b} instrument".into(),
                context: None,
            }),
            intent(RaiseError::ApiTimeout {
                application: "chart".into(),
                instance: "chart-1".into(),
                after: Duration::from_secs(5),
            }),
            Problem::Cancelled(tool()),
            Problem::AsksTooMuch(tool()),
            Problem::Panicked(tool()),
        ];
        let texts: Vec<_> = problems.iter().map(Problem::to_string).collect();
        insta::assert_snapshot!(texts.join("\n"));
    }
}
