//! What somebody may claim to be: more than credentials fix is up to the client,
//! but for what belongs to others.

use std::sync::OnceLock;

use deskwire_wire::{Identity, shown_name};

use crate::broker::{Grant, LinkInfo, LinkKind};
use crate::tokens::Tokens;

type IsKept = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// The rules for claims.
#[derive(Default)]
pub(crate) struct Claims {
    kept: OnceLock<IsKept>,
}

/// Why a claim is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ClaimError {
    /// The instance is somebody else's.
    #[error(
        "the instance {} was started by the desktop; only who logs in with the gateway-token that \
         it was given is that instance",
        shown_name(.0)
    )]
    Instance(String),
    /// The name is somebody else's.
    #[error(
        "`{}` is the name of a defined application, and only what the desktop starts may use it, \
         with the gateway-token that it is given; start it with the desktop, or say hello under \
         another name",
        shown_name(.0)
    )]
    Application(String),
}

impl Claims {
    /// Keeps names of applications for those whom credentials bind to them. Only the
    /// first caller is heard.
    pub(crate) fn keep(&self, is_kept: impl Fn(&str) -> bool + Send + Sync + 'static) {
        let _second = self.kept.set(Box::new(is_kept));
    }

    /// Whether who logged in as `grant` over `link` may be who it says. This process
    /// is trusted.
    pub(crate) fn check(
        &self,
        link: &LinkInfo,
        grant: &Grant,
        claimed: &Identity,
        tokens: &Tokens,
    ) -> Result<(), ClaimError> {
        if link.kind == LinkKind::InProcess {
            return Ok(());
        }
        // What the grant fixes counts, whatever is said.
        if grant.instance().is_none()
            && let Some(instance) = claimed.instance()
            && tokens.is_live(instance)
        {
            return Err(ClaimError::Instance(instance.to_owned()));
        }
        if grant.application().is_none()
            && let Some(is_kept) = self.kept.get()
        {
            let names = ["application", "applicationName"];
            let kept = names.iter().filter_map(|key| claimed.text(key)).find(|name| is_kept(name));
            if let Some(name) = kept {
                return Err(ClaimError::Application(name.to_owned()));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Claims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claims").field("keeps_names", &self.kept.get().is_some()).finish()
    }
}
