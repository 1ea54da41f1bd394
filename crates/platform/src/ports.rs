//! What the platform needs of others.

use url::Url;

/// Gateway tokens that fix the identity of one instance.
pub trait InstanceTokens: Send + Sync + 'static {
    /// A token for this instance of this application, valid until it is revoked.
    ///
    /// # Errors
    /// When no token can be made; the reason in words.
    fn mint(&self, instance: &str, application: &str) -> Result<String, TokenError>;

    /// Makes a token good again that [`InstanceTokens::mint`] made for exactly this instance of
    /// this application, in this life of the platform or an earlier one.
    ///
    /// # Errors
    /// When it did not; nothing has changed then.
    fn adopt(&self, token: &str, instance: &str, application: &str) -> Result<(), NotAdopted>;

    /// Ends the token's validity, and the peers that logged in with it.
    fn revoke(&self, instance: &str);
}

/// A token is not that of an instance.
#[derive(Debug, thiserror::Error)]
#[error("the page does not prove that it is instance {instance}: {reason}")]
pub struct NotAdopted {
    /// The instance it was said to be of.
    pub instance: String,
    /// Why not.
    pub reason: String,
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
