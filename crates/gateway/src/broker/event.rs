//! What goes into the broker and what comes out of it.

use std::net::IpAddr;

use deskwire_wire::{Authentication, ClientFrame, DecodeError, Domain, Id, Identity, PeerId};

use super::LinkId;
use crate::outbound::Outbound;

/// Something happened.
#[derive(Debug)]
pub enum Event {
    /// A link is open; its number is new.
    Opened {
        /// The link.
        link: LinkId,
        /// What is known of it.
        info: LinkInfo,
    },
    /// A link is closed, by whichever side.
    Closed {
        /// The link.
        link: LinkId,
    },
    /// A frame came over a link.
    Frame {
        /// The link.
        link: LinkId,
        /// The frame.
        frame: ClientFrame,
    },
    /// A frame came that cannot be read but can be answered.
    Unreadable {
        /// The link.
        link: LinkId,
        /// Why, and what could be read.
        error: DecodeError,
    },
    /// Answers [`Effect::Authenticate`].
    Authenticated {
        /// The hello of the effect.
        hello: Box<Hello>,
        /// Who it is, or why not.
        outcome: Result<Login, Denial>,
    },
    /// Answers [`Effect::Mint`].
    Minted {
        /// The request of the effect.
        request: Request,
        /// The token, or why there is none.
        outcome: Result<String, String>,
    },
    /// Answers [`Effect::Probe`].
    Probed {
        /// The link that was probed.
        link: LinkId,
        /// Whether it showed a sign of life.
        alive: bool,
    },
    /// An instance stopped; what logged in with its token must go.
    Revoked {
        /// The id of the instance.
        instance: String,
    },
}

/// Something is to be done.
#[derive(Debug)]
pub enum Effect {
    /// Send over a link, after all that was sent before.
    Deliver {
        /// The link.
        link: LinkId,
        /// What to send.
        outbound: Outbound,
    },
    /// Check credentials; answered by [`Event::Authenticated`].
    Authenticate {
        /// Goes back with the answer.
        hello: Box<Hello>,
        /// The link it came over.
        info: LinkInfo,
        /// The credentials, if there are any.
        authentication: Option<Authentication>,
    },
    /// Find out whether a link is alive; answered by [`Event::Probed`].
    Probe {
        /// The link.
        link: LinkId,
    },
    /// Make a token for another process; answered by [`Event::Minted`].
    Mint {
        /// Goes back with the answer.
        request: Request,
        /// The application that the token is bound to, if it is.
        application: Option<String>,
    },
    /// Close a link. Its peers are gone already.
    Close {
        /// The link.
        link: LinkId,
        /// Why.
        reason: CloseReason,
    },
}

/// Why the broker closes a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CloseReason {
    /// It was silent while somebody else asked for its identity.
    #[error("did not answer while another peer asked for the same identity")]
    Silent,
    /// The instance it logged in as has stopped.
    #[error("the instance has stopped; its token is not valid any more")]
    Revoked,
}

/// What is known of a link before anything came over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkInfo {
    /// Where the other end is; `None` when that cannot be told.
    pub address: Option<IpAddr>,
    /// How a hello may authenticate.
    pub admission: Admission,
    /// The sort of link.
    pub kind: LinkKind,
}

impl LinkInfo {
    /// A WebSocket.
    #[must_use]
    pub fn socket(address: Option<IpAddr>, admission: Admission) -> Self {
        Self { address, admission, kind: LinkKind::Socket }
    }

    /// A link within this process.
    #[must_use]
    pub fn in_process() -> Self {
        Self { address: None, admission: Admission::Anonymous, kind: LinkKind::InProcess }
    }
}

/// The sort of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Somebody else's process; it may be silent.
    Socket,
    /// This process; always alive, and trusted without credentials.
    InProcess,
}

/// How a hello over a link may authenticate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Admission {
    /// With any of the methods, and without credentials where no secret is configured.
    #[default]
    Anonymous,
    /// With a gateway token only.
    TokenRequired,
}

/// A hello on its way through authentication.
#[derive(Debug)]
pub struct Hello {
    pub(super) request: Request,
    pub(super) identity: Identity,
}

impl Hello {
    /// What its sender says that it is.
    #[must_use]
    pub fn claimed(&self) -> &Identity {
        &self.identity
    }
}

/// A request on its way to its answer.
#[derive(Debug, Clone)]
pub struct Request {
    pub(super) link: LinkId,
    pub(super) domain: Domain,
    pub(super) peer: Option<PeerId>,
    pub(super) id: Option<Id>,
}

/// What the authenticator found out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Login {
    /// The login, where the method has one.
    pub login: Option<String>,
    /// Logs the same user in again.
    pub access_token: Option<Token>,
    /// What the credentials fix of the identity.
    pub grant: Grant,
}

/// A token that does not show in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(pub String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// What credentials fix of an identity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Grant {
    /// Nothing but the user.
    #[default]
    User,
    /// The application's name.
    Application {
        /// The name.
        application: String,
    },
    /// A running instance of an application.
    Instance {
        /// The id of the instance.
        instance: String,
        /// The name of the application.
        application: String,
    },
}

impl Grant {
    /// The application, if that is fixed.
    #[must_use]
    pub fn application(&self) -> Option<&str> {
        match self {
            Self::User => None,
            Self::Application { application } | Self::Instance { application, .. } => {
                Some(application)
            }
        }
    }

    /// The instance, if that is fixed.
    #[must_use]
    pub fn instance(&self) -> Option<&str> {
        match self {
            Self::Instance { instance, .. } => Some(instance),
            Self::User | Self::Application { .. } => None,
        }
    }
}

/// Why a hello is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The reason for programs.
    pub reason_uri: &'static str,
    /// The reason for people.
    pub reason: String,
}
