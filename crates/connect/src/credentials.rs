//! What a peer logs in with.

use std::fmt;

use deskwire_wire::Authentication;

/// What a peer logs in with. `Debug` shows the kind alone.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing; for gateways that admit anonymous peers.
    #[default]
    None,
    /// A user name and a password.
    Secret {
        /// The user name.
        login: String,
        /// The password.
        secret: String,
    },
    /// A token of the site's own, usually a JWT.
    AccessToken(String),
    /// A token the gateway made: for a launched application, or by
    /// [`Client::create_token`](crate::Client::create_token).
    GatewayToken(String),
}

impl Credentials {
    /// The form for a hello.
    pub(crate) fn to_authentication(&self) -> Option<Authentication> {
        let method = Some(self.kind().to_owned());
        Some(match self {
            Self::None => return None,
            Self::Secret { login, secret } => Authentication {
                method,
                login: Some(login.clone()),
                secret: Some(secret.clone()),
                ..Authentication::default()
            },
            Self::AccessToken(token) | Self::GatewayToken(token) => {
                Authentication { method, token: Some(token.clone()), ..Authentication::default() }
            }
        })
    }

    /// The name of the method on the wire.
    fn kind(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Secret { .. } => "secret",
            Self::AccessToken(_) => "access-token",
            Self::GatewayToken(_) => "gateway-token",
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({})", self.kind())
    }
}
