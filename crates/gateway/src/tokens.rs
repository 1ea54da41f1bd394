//! Tokens: who may come in as whom.
//!
//! Ours are signed with one key, which the caller keeps, so that they outlive a
//! restart. Three kinds, told apart by their `type` claim:
//!
//! | kind | fixes | valid |
//! | --- | --- | --- |
//! | instance | instance and application of a launched application | until the instance is revoked |
//! | user | the application, if the peer that asked for it was bound to one | 10 minutes |
//! | access | the login | 60 000 seconds |

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, get_current_timestamp,
};
use serde::{Deserialize, Serialize};

use crate::access::AccessKey;
use crate::broker::{Grant, Token};

/// How long a token of `create-token` is valid.
const USER_TOKEN: Duration = Duration::from_secs(10 * 60);
/// How long the token of a welcome is valid.
const ACCESS_TOKEN: Duration = Duration::from_secs(60_000);
/// A shorter key can be guessed.
const KEY_BYTES: usize = 32;

/// Makes and reads tokens; clones share one key and one list of live instances.
#[derive(Clone)]
pub struct Tokens {
    inner: Arc<Inner>,
    /// Whose access tokens are accepted besides our own.
    access_keys: Arc<[AccessKey]>,
}

type OnRevoke = Box<dyn Fn(&str) + Send + Sync>;

struct Inner {
    encode: EncodingKey,
    decode: DecodingKey,
    /// Instances whose tokens are good.
    instances: Mutex<HashSet<String>>,
    on_revoke: OnceLock<OnRevoke>,
}

/// What the token of a launched application fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceGrant {
    /// The id of the instance.
    pub instance: String,
    /// The name of the application.
    pub application: String,
}

/// Why there is no token, or why one is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The key is too short to sign with.
    #[error("the token key has {0} bytes; it needs at least {KEY_BYTES} random ones")]
    WeakKey(usize),
    /// The token could not be signed.
    #[error("the token cannot be signed: {0}")]
    Sign(jsonwebtoken::errors::Error),
    /// The token is no token of ours, or its time is over.
    #[error("invalid token")]
    Invalid(#[source] jsonwebtoken::errors::Error),
    /// The token is one of ours, but of another kind.
    #[error("the token is of another kind than the login method asks for")]
    OtherKind,
    /// The instance is not running.
    #[error("the instance {0} is not running; its token is not valid any more")]
    Stopped(String),
    /// The token is one of ours, of another instance or for another application.
    #[error("the token is not that of instance {} of `{}`", .0.instance, .0.application)]
    OtherInstance(InstanceGrant),
}

#[derive(Serialize, Deserialize)]
struct Claims {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exp: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Instance,
    Authentication,
    Access,
}

impl Tokens {
    /// Tokens signed with `key`, at least 32 random bytes.
    ///
    /// # Errors
    /// When the key is shorter.
    pub fn new(key: &[u8]) -> Result<Self, TokenError> {
        if key.len() < KEY_BYTES {
            return Err(TokenError::WeakKey(key.len()));
        }
        let inner = Inner {
            encode: EncodingKey::from_secret(key).map_err(TokenError::Sign)?,
            decode: DecodingKey::from_secret(key).map_err(TokenError::Sign)?,
            instances: Mutex::default(),
            on_revoke: OnceLock::new(),
        };
        Ok(Self { inner: Arc::new(inner), access_keys: Arc::new([]) })
    }

    /// Accepts access tokens that are signed with one of these keys, too.
    #[must_use]
    pub fn with_access_keys(self, keys: Vec<AccessKey>) -> Self {
        Self { access_keys: keys.into(), ..self }
    }

    /// Tokens signed with a key of their own, which nobody keeps.
    ///
    /// # Errors
    /// When the key cannot be used; which does not happen.
    pub fn ephemeral() -> Result<Self, TokenError> {
        Self::new(&rand::random::<[u8; KEY_BYTES]>())
    }

    /// A token for a launched application, and the instance is live from now on.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn mint_instance(&self, grant: InstanceGrant) -> Result<String, TokenError> {
        let InstanceGrant { instance, application } = grant;
        self.admit_instance(&instance);
        self.sign(&Claims {
            kind: Kind::Instance,
            user: None,
            instance: Some(instance),
            application: Some(application),
            exp: None,
        })
    }

    /// An instance that was launched before a restart lives on: its token is good again.
    pub fn admit_instance(&self, instance: &str) {
        self.instances().insert(instance.to_owned());
    }

    /// Whether an instance lives, as far as its token tells.
    pub(crate) fn is_live(&self, instance: &str) -> bool {
        self.instances().contains(instance)
    }

    /// An instance lives on, as the token that it has kept proves: the token is good again.
    ///
    /// # Errors
    /// When the token is none of ours, or of anything but exactly this instance of this
    /// application. The instance is as live as it was before, then.
    pub fn adopt(&self, token: &str, grant: &InstanceGrant) -> Result<(), TokenError> {
        let Claims { kind, instance, application, .. } = self.verify(token)?;
        if kind != Kind::Instance {
            return Err(TokenError::OtherKind);
        }
        let is_its = instance.as_ref() == Some(&grant.instance)
            && application.as_ref() == Some(&grant.application);
        if !is_its {
            return Err(TokenError::OtherInstance(grant.clone()));
        }
        self.admit_instance(&grant.instance);
        Ok(())
    }

    /// An instance stopped: its token is refused from now on, and peers that
    /// came in with it are closed.
    pub fn revoke_instance(&self, instance: &str) {
        self.instances().remove(instance);
        if let Some(on_revoke) = self.inner.on_revoke.get() {
            on_revoke(instance);
        }
    }

    /// A token for another process of the same user, valid for 10 minutes; with
    /// an `application`, for that application alone.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn mint_user(&self, user: &str, application: Option<String>) -> Result<String, TokenError> {
        self.sign(&Claims {
            kind: Kind::Authentication,
            user: Some(user.to_owned()),
            instance: None,
            application,
            exp: Some(after(USER_TOKEN)),
        })
    }

    /// A token that logs `login` in again.
    pub(crate) fn mint_access(&self, login: &str) -> Result<Token, TokenError> {
        let claims = Claims {
            kind: Kind::Access,
            user: Some(login.to_owned()),
            instance: None,
            application: None,
            exp: Some(after(ACCESS_TOKEN)),
        };
        self.sign(&claims).map(Token)
    }

    /// What a gateway token grants.
    pub(crate) fn read_gateway(&self, token: &str) -> Result<Grant, TokenError> {
        let claims = self.verify(token)?;
        match (claims.kind, claims.instance, claims.application) {
            (Kind::Authentication, _, None) => Ok(Grant::User),
            (Kind::Authentication, _, Some(application)) => Ok(Grant::Application { application }),
            (Kind::Instance, Some(instance), Some(application)) => {
                if self.is_live(&instance) {
                    Ok(Grant::Instance { instance, application })
                } else {
                    Err(TokenError::Stopped(instance))
                }
            }
            _ => Err(TokenError::OtherKind),
        }
    }

    /// The login that an access token stands for, ours or of an accepted key.
    pub(crate) fn read_access(&self, token: &str) -> Result<String, TokenError> {
        match self.verify(token) {
            Ok(Claims { kind: Kind::Access, user: Some(login), .. }) => Ok(login),
            Ok(_) => Err(TokenError::OtherKind),
            Err(not_ours) => {
                let mut logins = self.access_keys.iter().map(|key| key.verify(token));
                logins.find_map(Result::ok).ok_or(not_ours)
            }
        }
    }

    /// Calls `on_revoke` with every instance that is revoked. Only the first
    /// caller is heard.
    pub(crate) fn on_revoke(&self, on_revoke: impl Fn(&str) + Send + Sync + 'static) {
        let _ = self.inner.on_revoke.set(Box::new(on_revoke));
    }

    fn instances(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.inner.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sign(&self, claims: &Claims) -> Result<String, TokenError> {
        jsonwebtoken::encode(&Header::default(), claims, &self.inner.encode)
            .map_err(TokenError::Sign)
    }

    fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        let mut validation = Validation::new(Algorithm::HS256);
        // Instance tokens have no end of their own.
        validation.required_spec_claims.clear();
        validation.leeway = 0;
        jsonwebtoken::decode(token, &self.inner.decode, &validation)
            .map(|data| data.claims)
            .map_err(TokenError::Invalid)
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

fn after(time: Duration) -> u64 {
    get_current_timestamp() + time.as_secs()
}
