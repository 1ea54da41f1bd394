//! One question to the platform, and what can go wrong with it.

use std::time::Duration;

use deskwire_wire::Payload;

use crate::{
    Client, InvokeError, InvokeOptions, RequestError, SubscribeError, SubscribeOptions,
    Subscription,
};

/// How long a platform may take to appear: long enough for one that is coming
/// back after a lost connection.
const APPEARS_WITHIN: Duration = Duration::from_secs(1);
/// How long a platform may take to answer what needs no work of others.
pub(crate) const ANSWERS_WITHIN: Duration = Duration::from_secs(30);
/// How long a platform may take to accept a subscriber.
const ACCEPTS_WITHIN: Duration = Duration::from_secs(5);

/// Why a platform did not do what it was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ServiceError {
    /// Nobody on the bus serves it.
    #[error(
        "no platform on this bus offers `{method}`; start one (`deskwire up`), or see that it is \
         connected to this bus as the same user"
    )]
    NotAvailable {
        /// The method or stream it takes.
        method: String,
    },
    /// The platform refused.
    #[error("the platform refused ({method}): {reason}")]
    Refused {
        /// The method.
        method: String,
        /// Its words.
        reason: String,
    },
    /// The platform did not answer in time.
    #[error("the platform did not answer `{method}` within {after:?}")]
    TimedOut {
        /// The method.
        method: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The platform left the bus before it answered.
    #[error(
        "the platform left the bus before it answered `{method}`; whether it was done is unknown"
    )]
    Gone {
        /// The method.
        method: String,
    },
    /// The answer is not what such a platform answers.
    #[error("the platform answered `{method}` with something else than {expected}")]
    Answer {
        /// The method.
        method: String,
        /// What the answer should hold.
        expected: &'static str,
    },
    /// The bus did not carry it.
    #[error(transparent)]
    Bus(#[from] RequestError),
}

/// Whether somebody on the bus serves a method or a stream.
pub(crate) fn offers(client: &Client, method: &str) -> bool {
    client.directory().find(method).next().is_some()
}

/// Calls a method of the platform.
pub(crate) async fn ask(
    client: &Client,
    method: &str,
    arguments: impl Into<Payload>,
    within: Duration,
) -> Result<Payload, ServiceError> {
    let options = InvokeOptions {
        response_timeout: within,
        wait_for_method: APPEARS_WITHIN,
        ..InvokeOptions::default()
    };
    let answers = client.invoke(method, arguments.into(), options).await;
    answers.and_then(crate::Answers::first).map_err(|error| told(method, error))
}

/// Subscribes to a stream of the platform.
pub(crate) async fn follow(
    client: &Client,
    stream: &str,
    arguments: impl Into<Payload>,
) -> Result<Subscription, ServiceError> {
    let options = SubscribeOptions {
        decision_timeout: ACCEPTS_WITHIN,
        wait_for_stream: APPEARS_WITHIN,
        ..SubscribeOptions::default()
    };
    let method = || stream.to_owned();
    client.subscribe(stream, arguments.into(), options).await.map_err(|error| match error {
        SubscribeError::NoSuchStream { .. } => ServiceError::NotAvailable { method: method() },
        SubscribeError::Refused { reason, .. } | SubscribeError::Ended { reason, .. } => {
            ServiceError::Refused { method: method(), reason }
        }
        SubscribeError::PublisherGone { .. } => ServiceError::Gone { method: method() },
        SubscribeError::TimedOut { after, .. } => {
            ServiceError::TimedOut { method: method(), after }
        }
        SubscribeError::Request(error) => ServiceError::Bus(error),
    })
}

fn told(method: &str, error: InvokeError) -> ServiceError {
    let method = method.to_owned();
    match error {
        InvokeError::NoSuchMethod { .. } => ServiceError::NotAvailable { method },
        InvokeError::ServerGone { .. } => ServiceError::Gone { method },
        InvokeError::TimedOut { after, .. } => ServiceError::TimedOut { method, after },
        InvokeError::Failed { reason, .. } => ServiceError::Refused { method, reason },
        InvokeError::ConnectionLost { .. } => ServiceError::Bus(RequestError::ConnectionLost),
        InvokeError::Request(error) => ServiceError::Bus(error),
    }
}
