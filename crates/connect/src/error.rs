//! What can go wrong, by what a caller can do about it.

use std::time::Duration;

use deskwire_wire::{DeltaError, MethodDefError, Payload, PayloadError};

/// Why there is no session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The URL is no WebSocket URL this crate can use.
    #[error("`{url}` is not a gateway URL: {reason}; use ws://host:port/path")]
    Url {
        /// The URL as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers there, or not with a WebSocket.
    #[error("no gateway at {target}: {reason}")]
    Unreachable {
        /// Where it was looked for.
        target: String,
        /// What came instead.
        reason: String,
    },
    /// The gateway refused the credentials. Final: the same ones will not do later.
    #[error("the gateway refused the credentials: {reason}")]
    Credentials {
        /// The gateway's words.
        reason: String,
    },
    /// A live peer with the same identity is connected. It may be our own
    /// former session whose end the gateway has not noticed, so this is retried.
    #[error("a peer with the same identity is connected already: {reason}")]
    AlreadySeen {
        /// The gateway's words.
        reason: String,
    },
    /// The gateway refused hello or join for another reason.
    #[error("the gateway refused the session: {reason} ({reason_uri})")]
    Refused {
        /// The gateway's reason for programs.
        reason_uri: String,
        /// The gateway's reason for people.
        reason: String,
    },
    /// The gateway did not answer in time.
    #[error("the gateway did not answer within {after:?}")]
    TimedOut {
        /// How long it was waited for.
        after: Duration,
    },
    /// The link ended.
    #[error("the connection to the gateway was lost")]
    Lost,
    /// The gateway sends but does not read.
    #[error("the gateway does not read: {frames} frames were waiting for it")]
    NotReading {
        /// Frames that waited.
        frames: usize,
    },
    /// The client was closed.
    #[error("the client is closed")]
    Closed,
}

impl ConnectError {
    /// Whether trying again is pointless.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Credentials { .. } | Self::Closed)
    }
}

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// There is no session at the moment.
    #[error("not connected to a gateway")]
    NotConnected,
    /// The connection was lost before the answer; whether the request was done is unknown.
    #[error("the connection to the gateway was lost before it answered")]
    ConnectionLost,
    /// The gateway refused.
    #[error("{reason} ({reason_uri})")]
    Refused {
        /// The gateway's reason for programs.
        reason_uri: String,
        /// The gateway's reason for people.
        reason: String,
    },
    /// The gateway does not have this domain.
    #[error("the gateway does not offer the domain `{0}`")]
    NotOffered(&'static str),
    /// The gateway takes no more frames.
    #[error("the gateway did not take the request in time")]
    NotTaken,
    /// Too many requests wait for an answer.
    #[error("{limit} requests wait for an answer already; wait for some of them")]
    TooManyPending {
        /// The bound.
        limit: usize,
    },
    /// The data is too large for a frame.
    #[error("the data has {bytes} bytes; at most {limit} fit in a frame")]
    TooLarge {
        /// Size of the data.
        bytes: usize,
        /// The bound.
        limit: usize,
    },
    /// The data nests too deep for a frame.
    #[error("the data nests deeper than {limit} levels")]
    TooDeep {
        /// The bound.
        limit: usize,
    },
    /// The client was closed.
    #[error("the client is closed")]
    Closed,
}

/// Why an invocation has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvokeError {
    /// No peer has such a method, or none that matches the target.
    #[error("no server offers the method `{name}`")]
    NoSuchMethod {
        /// The method asked for.
        name: String,
    },
    /// The server left before it answered.
    #[error("{application} ({instance}) has left the bus")]
    ServerGone {
        /// Application of the server.
        application: String,
        /// Instance of the server.
        instance: String,
    },
    /// The server did not answer in time.
    #[error("{application} ({instance}) did not answer within {after:?}")]
    TimedOut {
        /// Application of the server.
        application: String,
        /// Instance of the server.
        instance: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The method failed.
    #[error("{reason}")]
    Failed {
        /// The reason for programs.
        reason_uri: String,
        /// The reason for people, in the words of the application.
        reason: String,
        /// What the application sent along.
        context: Option<Payload>,
    },
    /// Our connection was lost before the answer; whether the call was done is unknown.
    #[error("the connection was lost while {application} ({instance}) was being called")]
    ConnectionLost {
        /// Application of the server.
        application: String,
        /// Instance of the server.
        instance: String,
    },
    /// The call could not be sent.
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// Why a method is not registered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RegisterError {
    /// The definition cannot be used.
    #[error(transparent)]
    Definition(#[from] MethodDefError),
    /// The registration was not done.
    #[error("method `{name}`: {error}")]
    Request {
        /// Name of the method.
        name: String,
        /// What happened.
        error: RequestError,
    },
}

/// Why a subscription to a stream did not come about, or ended.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SubscribeError {
    /// No peer has such a stream, or none that matches the target.
    #[error("no server offers the stream `{name}`")]
    NoSuchStream {
        /// The stream asked for.
        name: String,
    },
    /// The publisher refused, or the gateway did.
    #[error("{application} ({instance}) refused the subscription: {reason}")]
    Refused {
        /// Application of the publisher.
        application: String,
        /// Instance of the publisher.
        instance: String,
        /// The reason for people.
        reason: String,
    },
    /// The publisher ended the subscription.
    #[error("{application} ({instance}) ended the subscription: {reason}")]
    Ended {
        /// Application of the publisher.
        application: String,
        /// Instance of the publisher.
        instance: String,
        /// The reason for people.
        reason: String,
    },
    /// The publisher left.
    #[error("{application} ({instance}) has left the bus")]
    PublisherGone {
        /// Application of the publisher.
        application: String,
        /// Instance of the publisher.
        instance: String,
    },
    /// No publisher decided in time.
    #[error("no publisher of `{name}` decided within {after:?}")]
    TimedOut {
        /// The stream.
        name: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The request could not be sent.
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// Why a context could not be read or changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContextError {
    /// There is no context of this name.
    #[error("there is no context `{name}`")]
    NoSuchContext {
        /// The name asked for.
        name: String,
    },
    /// The context was destroyed.
    #[error("context `{name}` was destroyed")]
    Destroyed {
        /// Name of the context.
        name: String,
    },
    /// The data of a context is an object.
    #[error("context `{name}`: {error}")]
    Data {
        /// Name of the context.
        name: String,
        /// What was found.
        error: PayloadError,
    },
    /// The change is not allowed.
    #[error("context `{name}`: {error}")]
    Change {
        /// Name of the context.
        name: String,
        /// What is not allowed.
        error: DeltaError,
    },
    /// The gateway cannot set by path.
    #[error("context `{name}`: this gateway cannot set by path; set whole keys with update")]
    PathsNotOffered {
        /// Name of the context.
        name: String,
    },
    /// The request was not done.
    #[error("context `{name}`: {error}")]
    Request {
        /// Name of the context.
        name: String,
        /// What happened.
        error: RequestError,
    },
}
