//! Every bound of the gateway, in one place.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much one link, one peer and all together may take.
///
/// Whoever reaches a bound gets an error that names it, or, where an error
/// cannot help, is closed with a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one inbound WebSocket message; a longer one closes the socket
    /// with code 1009.
    pub inbound_frame_bytes: usize,
    /// Bytes that may wait for one WebSocket; beyond, the socket is closed. (An
    /// in-process link, for which sockets wait, may have half the total.)
    pub queued_bytes_per_peer: usize,
    /// Bytes that may wait for all links together; beyond, the link with the
    /// longest queue is closed.
    pub queued_bytes_total: usize,
    /// Bytes that may wait for a link before those who feed it are read no
    /// further: the sockets that feed an in-process link, and a socket whose own
    /// requests bring more answers than it takes.
    pub high_water_bytes: usize,
    /// Frames in each of the two channels of an in-process link.
    pub inproc_channel_frames: usize,
    /// How long a WebSocket may take nothing while something waits for it.
    #[serde(rename = "stallMs", with = "millis")]
    #[schemars(with = "u64")]
    pub stall: Duration,
    /// How long the holder of an identity may be silent when somebody else asks
    /// for the same identity.
    #[serde(rename = "probeMs", with = "millis")]
    #[schemars(with = "u64")]
    pub probe: Duration,
    /// How long a WebSocket may be open before a peer has come in over it.
    #[serde(rename = "helloMs", with = "millis")]
    #[schemars(with = "u64")]
    pub hello: Duration,
    /// Open WebSockets; a further upgrade is answered with 503.
    pub sockets: usize,
    /// Peers; a further hello is refused.
    pub peers: usize,
    /// Hellos of one link that may wait for a probe.
    pub waiting_hellos_per_link: usize,
    /// Bytes of one resolved identity.
    pub identity_bytes: usize,
    /// Bytes of each name or id that a client chooses: of requests, methods,
    /// branches, topics, routing keys and contexts.
    pub name_bytes: usize,
    /// Methods of one peer.
    pub methods_per_peer: usize,
    /// Bytes of the methods in one `methods-added`, unless it holds one method.
    pub announcement_bytes: usize,
    /// Calls of one peer that may wait for their result; a further call gives up
    /// the oldest.
    pub calls_per_peer: usize,
    /// Bytes of all that one peer makes the gateway remember: its identity,
    /// methods, calls, subscriptions and memberships.
    pub state_bytes_per_peer: usize,
    /// Bytes of all that peers make the gateway remember.
    pub state_bytes_total: usize,
    /// Shared contexts.
    pub contexts: usize,
    /// Shared contexts with the lifetime `retained` that one application instance
    /// has created and that are still there, whether it is or not.
    pub retained_contexts_per_instance: usize,
    /// Bytes of the data of one shared context.
    pub context_bytes: usize,
    /// Bytes of the data of all shared contexts.
    pub context_bytes_total: usize,
}

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

impl Default for Limits {
    fn default() -> Self {
        Self {
            inbound_frame_bytes: 4 * MIB,
            queued_bytes_per_peer: 16 * MIB,
            queued_bytes_total: 512 * MIB,
            high_water_bytes: 4 * MIB,
            inproc_channel_frames: 256,
            stall: Duration::from_secs(10),
            probe: Duration::from_secs(2),
            hello: Duration::from_secs(15),
            sockets: 10_000,
            peers: 10_000,
            waiting_hellos_per_link: 16,
            identity_bytes: 16 * KIB,
            name_bytes: KIB,
            methods_per_peer: 5_000,
            announcement_bytes: 16 * KIB,
            calls_per_peer: 10_000,
            state_bytes_per_peer: 16 * MIB,
            state_bytes_total: 512 * MIB,
            contexts: 10_000,
            retained_contexts_per_instance: 1_000,
            context_bytes: 4 * MIB,
            context_bytes_total: 512 * MIB,
        }
    }
}

/// A duration in milliseconds.
mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        of: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(of.as_millis().try_into().unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
        u64::deserialize(d).map(Duration::from_millis)
    }
}
