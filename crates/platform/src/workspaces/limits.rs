//! Bounds of workspaces, in one place. Those of a tree are in the crate `layout`.

use std::time::Duration;

/// How many workspaces may be open.
pub const MAX_WORKSPACES: usize = 256;

/// How many frames there may be.
pub const MAX_FRAMES: usize = 64;

/// How long the name of a frame may be, in bytes.
pub const MAX_FRAME_ID: usize = 128;

/// How long a title, name or reason may be, in characters; the rest is cut off.
pub const MAX_TEXT: usize = 512;

/// How long an icon may be, in bytes. It is kept with the workspace and told with each change.
pub const MAX_ICON: usize = 64 * 1024;

/// How long the context of a workspace may be to be stored, in bytes of its text.
pub const MAX_STORED_CONTEXT: usize = 1024 * 1024;

/// How many windows a page may say it runs: as many as there can be instances.
pub const MAX_RUNNING_WINDOWS: usize = crate::instances::limits::INSTANCES;

/// How long a frame without a page waits for one, in milliseconds.
pub const LEASE_MS: u64 = 10_000;

/// How many requests wait for the workspaces' actor.
pub const QUEUED_REQUESTS: usize = 1_024;

/// How long a window may take to say what it wants saved.
pub const SAVE_CONTEXT: Duration = Duration::from_secs(2);

/// Text cut to [`MAX_TEXT`] characters.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
