//! Every bound of applications, layouts, channels and preferences, in one place.

use std::time::Duration;

/// How much is read, kept and sent.
///
/// What is beyond a bound is refused or left out in words, never silently.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Files read of one folder and those in it; the rest, by name, is left out.
    pub files_per_source: usize,
    /// Folders read of one folder, itself among them.
    pub folders_per_source: usize,
    /// How deep folders in a folder are read.
    pub folder_depth: usize,
    /// Bytes of one file or of one answer of a directory.
    pub source_bytes: usize,
    /// How long a directory may take to answer.
    pub directory_timeout: Duration,
    /// Applications in the in-memory store.
    pub memory_applications: usize,
    /// Bytes of one definition in the in-memory store, as JSON.
    pub memory_definition_bytes: usize,
    /// Refused imports that diagnostics remember; the oldest goes first.
    pub remembered_refusals: usize,
    /// Layouts in the store.
    pub saved_layouts: usize,
    /// Bytes of one saved layout, as JSON.
    pub layout_bytes: usize,
    /// How long an instance may take to say what it wants saved in a layout.
    pub save_context_timeout: Duration,
    /// Bytes of what one application keeps as preferences, as JSON.
    pub preference_bytes: usize,
    /// Subscriptions to preferences, of all peers.
    pub preference_subscriptions: usize,
    /// How long a subscriber may take to take news of preferences.
    pub preference_news_timeout: Duration,
    /// Channels.
    pub channels: usize,
    /// Characters of the name of a channel.
    pub channel_name: usize,
    /// Instances whose channel and restrictions are remembered.
    pub channel_members: usize,
    /// Requests that wait for the keeper of layouts; a further one waits for a place.
    pub queued_requests: usize,
    /// Bytes of the records in one event of a stream; more go in several events.
    pub event_bytes: usize,
}

const MIB: usize = 1024 * 1024;

impl Default for Limits {
    fn default() -> Self {
        Self {
            files_per_source: 10_000,
            folders_per_source: 1_000,
            folder_depth: 16,
            source_bytes: deskwire_catalog::limits::MAX_BYTES,
            directory_timeout: Duration::from_secs(15),
            memory_applications: 1_000,
            memory_definition_bytes: MIB,
            remembered_refusals: 64,
            saved_layouts: 2_000,
            layout_bytes: MIB,
            save_context_timeout: crate::workspaces::limits::SAVE_CONTEXT,
            preference_bytes: MIB,
            preference_subscriptions: 10_000,
            preference_news_timeout: Duration::from_secs(10),
            channels: 256,
            channel_name: 128,
            channel_members: 10_000,
            queued_requests: 256,
            event_bytes: 2 * MIB,
        }
    }
}
