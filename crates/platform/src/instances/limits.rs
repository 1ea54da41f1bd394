//! Bounds of instances.

use std::time::Duration;

/// Instances at a time.
pub const INSTANCES: usize = 2_000;
/// Bytes of what one instance is started with, as JSON.
pub const CONTEXT_BYTES: usize = 1024 * 1024;
/// Characters of a title.
pub const TITLE: usize = 1_000;
/// News that a slow reader may be behind; after that it has to look at what there is.
pub const NEWS: usize = 4_096;
/// How long a program that never comes to the bus has to live to be taken for at work.
pub const GRACE: Duration = Duration::from_secs(1);
