//! Access tokens that somebody else signs, such as a single sign-on.

use std::fmt;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

/// A key that access tokens may be signed with.
///
/// Such a token must have the claim `exp`, and say in `user`, else in `sub`,
/// whose it is.
#[derive(Clone)]
pub struct AccessKey {
    algorithm: Algorithm,
    key: DecodingKey,
}

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the {algorithm} key cannot be read: {reason}")]
pub struct AccessKeyError {
    algorithm: &'static str,
    reason: jsonwebtoken::errors::Error,
}

#[derive(Deserialize)]
struct Claims {
    user: Option<String>,
    sub: Option<String>,
}

impl AccessKey {
    /// A shared secret, for HS256.
    ///
    /// # Errors
    /// When it is empty.
    pub fn hs256(secret: &[u8]) -> Result<Self, AccessKeyError> {
        Self::read("HS256", Algorithm::HS256, DecodingKey::from_secret(secret))
    }

    /// A public RSA key in PEM, for RS256.
    ///
    /// # Errors
    /// When it is no such key.
    pub fn rs256(pem: &[u8]) -> Result<Self, AccessKeyError> {
        Self::read("RS256", Algorithm::RS256, DecodingKey::from_rsa_pem(pem))
    }

    /// A public P-256 key in PEM, for ES256.
    ///
    /// # Errors
    /// When it is no such key.
    pub fn es256(pem: &[u8]) -> Result<Self, AccessKeyError> {
        Self::read("ES256", Algorithm::ES256, DecodingKey::from_ec_pem(pem))
    }

    fn read(
        name: &'static str,
        algorithm: Algorithm,
        key: Result<DecodingKey, jsonwebtoken::errors::Error>,
    ) -> Result<Self, AccessKeyError> {
        match key {
            Ok(key) => Ok(Self { algorithm, key }),
            Err(reason) => Err(AccessKeyError { algorithm: name, reason }),
        }
    }

    /// Whose token it is, if this key signed it and its time is not over.
    pub(crate) fn verify(&self, token: &str) -> Result<String, jsonwebtoken::errors::Error> {
        let mut validation = Validation::new(self.algorithm);
        // Whom else the token is for is for its issuer to say.
        validation.validate_aud = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.key, &validation)?.claims;
        claims.user.or(claims.sub).ok_or_else(|| {
            let missing = jsonwebtoken::errors::ErrorKind::MissingRequiredClaim("sub".to_owned());
            jsonwebtoken::errors::new_error(missing)
        })
    }
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AccessKey").field(&self.algorithm).finish()
    }
}
