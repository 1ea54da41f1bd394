//! What the platform needs of others.

use url::Url;

/// Gateway tokens that fix the identity of one instance.
pub trait InstanceTokens: Send + Sync + 'static {
    /// A token for this instance of this application, valid until it is revoked.
    ///
    /// # Errors
    /// When no token can be made; the reason in words.
    fn mint(&self, instance: &str, application: &str) -> Result<String, TokenError>;

    /// Ends the token's validity, and the peers that logged in with it.
    fn revoke(&self, instance: &str);
}

/// No token could be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a token for instance {instance}: {reason}")]
pub struct TokenError {
    /// The instance it was for.
    pub instance: String,
    /// Why.
    pub reason: String,
}

/// The browser of the system, for pages while no desk is open.
pub trait Browser: std::fmt::Debug + Send + Sync + 'static {
    /// Opens a page in it. Called where blocking is allowed.
    ///
    /// # Errors
    /// Why it was not handed over, in words.
    fn open(&self, url: &Url) -> Result<(), String>;
}
