//! Which processes share a core.

use std::fmt;

use super::process::Core;

/// Where servers and load run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pinning {
    /// The system decides.
    Unpinned,
    /// Servers and gateway on the first core; load generator and responder on the second.
    Pinned,
}

impl Pinning {
    /// Of MCP servers and gateways.
    pub(super) fn servers(self) -> Core {
        (self == Self::Pinned).then_some(0)
    }

    /// Of the load generator and the responder: what is outside of the server.
    pub(super) fn outside(self) -> Core {
        (self == Self::Pinned).then_some(1)
    }
}

impl fmt::Display for Pinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Pinned { "pinned" } else { "unpinned" })
    }
}
