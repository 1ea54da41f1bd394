//! Who calls a tool, and what they see.

use std::fmt;
use std::sync::Arc;

use super::{Surface, Withheld};
use crate::profile::Profile;

/// Who calls a tool.
#[derive(Clone)]
pub struct Caller {
    /// What the client declared.
    pub profile: Profile,
    /// The tools there were when it called.
    pub surface: Arc<Surface>,
    /// The thread of its chat, if the call named one.
    pub thread: Option<String>,
}

impl Caller {
    /// Whether it sees the tool of this name.
    #[must_use]
    pub fn sees(&self, name: &str) -> bool {
        self.surface.view(self.profile).place(name).is_some()
    }

    /// Why it does not see the tool of this name, where that is known.
    #[must_use]
    pub fn why_not(&self, name: &str) -> Option<&Withheld> {
        self.surface.why_not(self.profile, name)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("profile", &self.profile).finish_non_exhaustive()
    }
}
