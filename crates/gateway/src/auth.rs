//! Authentication: credentials in, login or denial out.

use deskwire_wire::{Authentication, Domain, Identity, uri};
use subtle::ConstantTimeEq;

use crate::broker::{Admission, Denial, Grant, LinkInfo, LinkKind, Login};
use crate::claims::Claims;
use crate::tokens::{TokenError, Tokens};

/// Checks credentials.
pub struct Authenticator {
    secret: Option<String>,
    tokens: Tokens,
    claims: Claims,
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").finish_non_exhaustive()
    }
}

impl Authenticator {
    /// An authenticator; with a `secret`, the method `secret` must know it.
    #[must_use]
    pub fn new(secret: Option<String>, tokens: Tokens) -> Self {
        Self { secret, tokens, claims: Claims::default() }
    }

    /// Keeps names of applications for those whom credentials bind to them, such as
    /// applications that the desktop started. Only the first caller is heard.
    pub fn keep_names(&self, is_kept: impl Fn(&str) -> bool + Send + Sync + 'static) {
        self.claims.keep(is_kept);
    }

    /// Who it is that says hello over this link, `claimed` to be this.
    ///
    /// # Errors
    /// When the credentials are missing, unknown or wrong, or what is claimed is not
    /// theirs to claim.
    pub fn authenticate(
        &self,
        link: &LinkInfo,
        authentication: Option<&Authentication>,
        claimed: &Identity,
    ) -> Result<Login, Denial> {
        let login = self.login(link, authentication)?;
        match self.claims.check(link, &login.grant, claimed, &self.tokens) {
            Ok(()) => Ok(login),
            Err(error) => denied(error.to_string()),
        }
    }

    fn login(
        &self,
        link: &LinkInfo,
        authentication: Option<&Authentication>,
    ) -> Result<Login, Denial> {
        let given = authentication.filter(|given| **given != Authentication::default());
        let method = given.and_then(|given| given.method.as_deref());
        if let Some(provider) = given.and_then(|given| given.provider.as_deref()) {
            return denied(format!(
                "Requested authentication provider :{provider} is not available"
            ));
        }
        if link.admission == Admission::TokenRequired && method != Some("gateway-token") {
            return denied("pages of this origin must log in with their gateway-token");
        }
        let Some(given) = given else { return self.anonymous(link) };
        match method {
            Some("secret") => self.secret(given.login.as_deref(), given.secret.as_deref()),
            Some("gateway-token") => self.gateway_token(given.token.as_deref().unwrap_or_default()),
            Some("access-token") => self.access_token(given.token.as_deref().unwrap_or_default()),
            Some(other) => denied(format!("Unknown authentication method {other}")),
            None => denied("the authentication names no method"),
        }
    }

    fn anonymous(&self, link: &LinkInfo) -> Result<Login, Denial> {
        if self.secret.is_some() && link.kind == LinkKind::Socket {
            return denied("this gateway has a secret; log in with the method `secret`");
        }
        Ok(Login::default())
    }

    fn secret(&self, login: Option<&str>, secret: Option<&str>) -> Result<Login, Denial> {
        let (Some(login), Some(secret)) = (login, secret) else {
            return denied("Missing login/secret");
        };
        if let Some(expected) = &self.secret
            && !bool::from(secret.as_bytes().ct_eq(expected.as_bytes()))
        {
            return denied("wrong secret");
        }
        let access_token =
            self.tokens.mint_access(login).or_else(|error| denied(error.to_string()))?;
        Ok(Login {
            login: Some(login.to_owned()),
            access_token: Some(access_token),
            grant: Grant::User,
        })
    }

    fn gateway_token(&self, token: &str) -> Result<Login, Denial> {
        match self.tokens.read_gateway(token) {
            Ok(grant) => Ok(Login { grant, ..Login::default() }),
            Err(error @ TokenError::Stopped(_)) => denied(error.to_string()),
            // As the original gateway names it.
            Err(error) => {
                Err(Denial { reason_uri: uri::failure(Domain::Global), reason: error.to_string() })
            }
        }
    }

    fn access_token(&self, token: &str) -> Result<Login, Denial> {
        match self.tokens.read_access(token) {
            Ok(login) => Ok(Login {
                login: Some(login),
                access_token: Some(crate::broker::Token(token.to_owned())),
                grant: Grant::User,
            }),
            Err(error) => denied(format!("Invalid or expired token: {error}")),
        }
    }
}

fn denied<T>(reason: impl Into<String>) -> Result<T, Denial> {
    Err(Denial { reason_uri: uri::AUTHENTICATION_FAILURE, reason: reason.into() })
}
