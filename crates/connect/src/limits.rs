//! Every bound of this crate, in one place.

/// What a peer keeps for others is bounded by these.
///
/// The defaults fit a desktop: thousands of peers, bursts of thousands of
/// calls, and subscribers that stall for a moment.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest frame a WebSocket link reads, in bytes. A larger one ends the link.
    pub incoming_frame_bytes: usize,
    /// Largest payload sent, in bytes. A larger one is refused to its sender,
    /// since a gateway would end the whole link over it. (For the same reason,
    /// payloads that nest deeper than frames may are refused.)
    pub outgoing_payload_bytes: usize,
    /// Frames that wait for a gateway that does not read. One more ends the link.
    pub outgoing_frames: usize,
    /// Requests without an answer. One more is refused to its sender.
    pub pending_requests: usize,
    /// Handlers that run at once. Further invocations wait for their turn.
    pub running_handlers: usize,
    /// Invocations that wait for their turn. One more is refused to its caller.
    pub waiting_invocations: usize,
    /// Subscribers of our own streams. One more is refused.
    pub subscribers: usize,
    /// Events that one subscription keeps for its reader. One more, and the
    /// oldest goes; the reader is told how many went.
    pub queued_events: usize,
    /// Bytes of events that one subscription keeps; then as above.
    pub queued_event_bytes: usize,
    /// Directory events kept for each receiver of [`Client::events`](crate::Client::events).
    pub interop_events: usize,
    /// Peers in the directory. Further ones are ignored.
    pub peers: usize,
    /// Methods of one peer in the directory. Further ones are ignored.
    pub methods_per_peer: usize,
    /// Contexts known by name. Further ones are ignored.
    pub contexts: usize,
    /// Contexts whose data is kept although nobody subscribes to them, because
    /// they were read or written. The one used longest ago is left for the next.
    pub idle_contexts: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            incoming_frame_bytes: 16 << 20,
            outgoing_payload_bytes: 4_000_000,
            outgoing_frames: 20_000,
            pending_requests: 10_000,
            running_handlers: 256,
            waiting_invocations: 8_192,
            subscribers: 20_000,
            queued_events: 1_024,
            queued_event_bytes: 16 << 20,
            interop_events: 1_024,
            peers: 20_000,
            methods_per_peer: 10_000,
            contexts: 100_000,
            idle_contexts: 64,
        }
    }
}
