//! Interop gateway protocol v3 as types: frames, payloads, identities, method
//! definitions and context deltas.
//!
//! The crate knows no I/O and no clock. [`ClientFrame`] is what a peer sends,
//! [`ServerFrame`] is what a gateway sends; both decode from and encode to one
//! JSON object per frame. Anything an application put into a frame travels as a
//! [`Payload`], which keeps the text it came with, so numbers and unknown
//! fields reach the other side untouched.
//!
//! Parsing is total in the sense that matters here: a frame that cannot be read
//! yields a [`DecodeError`] that still carries the [`Head`] of the frame, so
//! that whoever answers can name the request that failed.

mod client;
mod date;
mod delta;
mod depth;
mod document;
mod error;
mod flat;
mod id;
mod identity;
mod method;
mod payload;
mod server;
mod shown;
pub mod uri;

pub use client::{Authentication, ClientFrame, ClientMessage, Lifetime};
pub use date::{date_from_millis, date_to_millis};
pub use delta::{Command, Delta, DeltaError, Growth};
pub use depth::MAX_DEPTH;
pub use document::{Document, MAX_DOCUMENT_DEPTH};
pub use error::{DecodeError, Head};
pub use id::{CallId, ContextId, Id, PeerId};
pub use identity::Identity;
pub use method::{Flags, Method, MethodDef, MethodDefError};
pub use payload::{Payload, PayloadError};
pub use server::{AvailableDomain, ServerFrame, ServerMessage, SourceType, WelcomeOptions};
pub use shown::{excerpt, is_hidden, shown_name};

use serde::{Deserialize, Serialize};

/// The part of the protocol a frame belongs to.
///
/// A reply is matched by clients on the pair of domain and request id, so the
/// domain of a reply is as much part of the contract as its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// Sessions, and shared contexts for every client that never joins `context`.
    Global,
    /// Interop: methods, invocations, streams.
    Agm,
    /// Shared contexts for clients that joined this domain explicitly.
    Context,
    /// Topic-based publish and subscribe.
    Bus,
    /// Accepted and swallowed.
    Metrics,
}

impl Domain {
    /// Reads a domain name as it stands on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            "agm" => Self::Agm,
            "context" => Self::Context,
            "bus" => Self::Bus,
            "metrics" => Self::Metrics,
            _ => return None,
        })
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Agm => "agm",
            Self::Context => "context",
            Self::Bus => "bus",
            Self::Metrics => "metrics",
        }
    }
}
