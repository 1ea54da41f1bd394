//! Why an intent was not handled, in the names of FDC3.

use std::time::Duration;

use deskwire_wire::Payload;

use super::super::ServiceError;
use crate::RequestError;

/// Why an intent was not handled.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RaiseError {
    /// Nobody handles it, or nobody who may.
    #[error("NoAppsFound: nobody handles the intent `{intent}`: {reason}")]
    NoAppsFound {
        /// The intent.
        intent: String,
        /// Why, and what there is instead.
        reason: String,
    },
    /// Several could handle it, and nobody can be asked who is meant.
    #[error("ResolverUnavailable: {handlers} handlers fit the intent `{intent}`, and {reason}")]
    ResolverUnavailable {
        /// The intent.
        intent: String,
        /// How many fit.
        handlers: usize,
        /// Why nobody can be asked.
        reason: String,
    },
    /// The person did not choose in time.
    #[error("ResolverTimeout: nobody chose a handler of the intent `{intent}` within {after:?}")]
    ResolverTimeout {
        /// The intent.
        intent: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The person does not want it handled.
    #[error("UserCancelledResolution: the person closed the choice for the intent `{intent}`")]
    UserCancelledResolution {
        /// The intent.
        intent: String,
    },
    /// The application that was asked for does not handle it.
    #[error(
        "TargetAppUnavailable: `{application}` does not handle the intent `{intent}`, neither \
         running nor by definition"
    )]
    TargetAppUnavailable {
        /// The intent.
        intent: String,
        /// The application.
        application: String,
    },
    /// The instance that was to handle it is not there, or left before it answered.
    #[error("TargetInstanceUnavailable: {instance} cannot handle the intent `{intent}`: {reason}")]
    TargetInstanceUnavailable {
        /// The intent.
        intent: String,
        /// The instance.
        instance: String,
        /// What happened.
        reason: String,
    },
    /// The application could not be started.
    #[error(
        "AppLaunchFailed: `{application}` could not be started for the intent `{intent}`: {reason}"
    )]
    AppLaunchFailed {
        /// The intent.
        intent: String,
        /// The application.
        application: String,
        /// Why, in the words of the platform.
        reason: String,
    },
    /// The application was started and did not begin to handle the intent in time.
    #[error(
        "IntentDeliveryFailed: `{application}` was started, but did not register a handler of \
         the intent `{intent}` within {after:?}"
    )]
    IntentDeliveryFailed {
        /// The intent.
        intent: String,
        /// The application.
        application: String,
        /// Its instance; none if the platform did not even say which.
        instance: Option<String>,
        /// How long it was waited for.
        after: Duration,
    },
    /// The handler failed.
    #[error("IntentHandlerRejected: {reason}")]
    IntentHandlerRejected {
        /// The application.
        application: String,
        /// Why, in the words of the application.
        reason: String,
        /// What the application sent along.
        context: Option<Payload>,
    },
    /// The handler did not answer in time; it may still be at it.
    #[error("ApiTimeout: `{application}` ({instance}) did not answer within {after:?}")]
    ApiTimeout {
        /// The application.
        application: String,
        /// Its instance.
        instance: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The platform did not answer.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The bus did not carry it.
    #[error(transparent)]
    Bus(#[from] RequestError),
}
