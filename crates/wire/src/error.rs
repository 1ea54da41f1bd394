//! Frames that cannot be read.

use std::fmt;

use crate::{CallId, Domain, Id, PeerId, shown_name};

/// The fields every frame may carry; what an answer to it must repeat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The domain, where it is one we know. Absent means `global`.
    pub domain: Option<Domain>,
    /// The frame's type.
    pub kind: Option<String>,
    /// The request's id, where it is a usable one.
    pub request_id: Option<Id>,
    /// The peer the frame speaks for or to.
    pub peer_id: Option<PeerId>,
    /// The invocation or subscription the frame is about, where it names one.
    pub call_id: Option<CallId>,
}

/// Why a frame could not be read, with what could.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The text is not JSON.
    #[error("frame is not JSON: {0}")]
    NotJson(String),
    /// The text is JSON but no object.
    #[error("frame is not a JSON object")]
    NotAnObject,
    /// Arrays and objects nest too deep.
    #[error("frame nests deeper than {} levels", crate::MAX_DEPTH)]
    TooDeep,
    /// The domain is none of this protocol's.
    #[error("unknown domain `{}`", shown_name(name))]
    UnknownDomain {
        /// The domain's name.
        name: String,
        /// What could be read.
        head: Box<Head>,
    },
    /// The type is none of this domain's.
    #[error("no frame of type `{}` in domain `{domain}`", shown_name(kind))]
    UnknownType {
        /// The frame's type.
        kind: String,
        /// The frame's domain.
        domain: DomainName,
        /// What could be read.
        head: Box<Head>,
    },
    /// A field that the type needs is not there.
    #[error("`{kind}` needs the field `{field}`")]
    Missing {
        /// The frame's type.
        kind: String,
        /// The field.
        field: &'static str,
        /// What could be read.
        head: Box<Head>,
    },
    /// A field has another shape than the protocol says.
    #[error("frame cannot be read: {reason}")]
    Shape {
        /// What was found where, and what would be right.
        reason: String,
        /// What could be read.
        head: Box<Head>,
    },
}

/// A domain for messages: the default one has no name on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainName(pub(crate) Option<Domain>);

impl fmt::Display for DomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.unwrap_or(Domain::Global).as_str())
    }
}

impl DecodeError {
    /// What could be read of the frame, or `None` when it was no object at all.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        match self {
            Self::NotJson(_) | Self::NotAnObject | Self::TooDeep => None,
            Self::UnknownDomain { head, .. }
            | Self::UnknownType { head, .. }
            | Self::Missing { head, .. }
            | Self::Shape { head, .. } => Some(head),
        }
    }
}
