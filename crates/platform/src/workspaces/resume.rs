//! Pages that live on: in a desk page that has lost the platform, or its frame, for a while.

use std::fmt;

use serde::Deserialize;

use super::ids::{InstanceRef, WindowId};

/// A window whose page runs, as the page that shows it says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RunningWindow {
    /// The window.
    #[serde(rename = "windowId")]
    pub window: WindowId,
    /// What its page is, and can prove to be.
    #[serde(flatten)]
    pub resume: Resume,
}

/// The instance that a page was, and the token that only this instance was given.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Resume {
    /// The instance.
    #[serde(rename = "instanceId")]
    pub instance: InstanceRef,
    #[serde(rename = "gatewayToken")]
    token: String,
}

impl Resume {
    /// The page with this token was this instance.
    #[must_use]
    pub const fn new(instance: InstanceRef, token: String) -> Self {
        Self { instance, token }
    }

    /// The token.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl fmt::Debug for Resume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resume").field("instance", &self.instance).finish_non_exhaustive()
    }
}
