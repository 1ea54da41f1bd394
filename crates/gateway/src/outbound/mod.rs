//! What waits for a link: frames, frames that share their content with those of
//! other links, and snapshots that become frames only when the link has room
//! for them.

mod shared;
mod snapshot;
mod weight;

use deskwire_wire::ServerFrame;

pub(crate) use shared::Content;
pub use shared::Shared;
pub use snapshot::Snapshot;
pub(crate) use snapshot::first_chunk;
pub(crate) use weight::identity_weight;

/// One thing to be sent over a link, in order with all others.
#[derive(Debug)]
pub enum Outbound {
    /// A frame. Apart, since most of what waits in a crowd is shared, and each
    /// place of a queue has room for the largest.
    Frame(Box<ServerFrame>),
    /// A frame that says to one peer what others are told, too.
    Shared(Shared),
    /// Many frames, made one by one as the link takes them.
    Snapshot(Box<Snapshot>),
}

impl From<ServerFrame> for Outbound {
    fn from(frame: ServerFrame) -> Self {
        Self::Frame(Box::new(frame))
    }
}

impl From<Shared> for Outbound {
    fn from(shared: Shared) -> Self {
        Self::Shared(shared)
    }
}

impl From<Snapshot> for Outbound {
    fn from(snapshot: Snapshot) -> Self {
        Self::Snapshot(Box::new(snapshot))
    }
}

impl Outbound {
    /// About how many bytes this is as text.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::Frame(frame) => weight::frame_weight(frame),
            Self::Shared(shared) => shared.weight(),
            Self::Snapshot(snapshot) => snapshot.weight,
        }
    }

    /// About how many bytes this alone keeps from being freed while it waits.
    #[must_use]
    pub fn footprint(&self) -> usize {
        match self {
            Self::Frame(frame) => weight::frame_weight(frame),
            // Its content is counted once, wherever it waits.
            Self::Shared(_) => weight::HEAD,
            Self::Snapshot(snapshot) => snapshot.footprint,
        }
    }

    /// The frames, in order.
    pub fn frames(self) -> impl Iterator<Item = ServerFrame> {
        let (one, many) = match self {
            Self::Frame(frame) => (Some(*frame), None),
            Self::Shared(shared) => (Some(shared.to_frame()), None),
            Self::Snapshot(snapshot) => (None, Some(*snapshot)),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }

    /// The texts of the frames, in order.
    pub(crate) fn texts(self) -> impl Iterator<Item = String> {
        let (one, many) = match self {
            Self::Frame(frame) => (Some(text(&frame)), None),
            Self::Shared(shared) => (Some(shared.encode()), None),
            Self::Snapshot(snapshot) => (None, Some(*snapshot)),
        };
        one.into_iter().chain(many.into_iter().flatten().map(|frame| text(&frame)))
    }
}

/// The text of a frame, in memory of the right size from the start.
fn text(frame: &ServerFrame) -> String {
    let mut text = Vec::with_capacity(weight::frame_weight(frame));
    // Serialising these types into memory has no way to fail.
    let _ = serde_json::to_writer(&mut text, frame);
    String::from_utf8(text).unwrap_or_default()
}
