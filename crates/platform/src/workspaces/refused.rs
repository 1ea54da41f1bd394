//! Why something about workspaces was not done.

use deskwire_layout::{ItemId, Kind, ReadError};

use super::ids::{FrameId, WindowId, WorkspaceId};

/// Why something about workspaces was not done. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A living page holds the frame.
    #[error(
        "frame {frame} is shown by another page; attach without a frameId to get one of your own"
    )]
    FrameTaken {
        /// The frame.
        frame: FrameId,
    },
    /// The caller holds no frame.
    #[error("you hold no frame; call Deskwire.Frame.Attach first")]
    NotAttached,
    /// The caller's frame does not have it.
    #[error("{what} is not in the frame you hold; claim its workspace first")]
    NotYours {
        /// What it is not allowed to touch.
        what: String,
    },
    /// There is no such frame.
    #[error("there is no frame {frame}")]
    UnknownFrame {
        /// The name that was given.
        frame: FrameId,
    },
    /// There is no such workspace.
    #[error("there is no workspace {workspace}; it may have been closed")]
    UnknownWorkspace {
        /// The name that was given.
        workspace: WorkspaceId,
    },
    /// There is no such item.
    #[error("there is no item {item} in any workspace; it may have been closed")]
    UnknownItem {
        /// The name that was given.
        item: ItemId,
    },
    /// There is no such window.
    #[error("there is no window {window} in any workspace; it may have been closed")]
    UnknownWindow {
        /// The name that was given.
        window: WindowId,
    },
    /// An item is of another kind than it has to be.
    #[error("{item} is a {found}; {wanted}")]
    WrongKind {
        /// The item.
        item: ItemId,
        /// What it is.
        found: Kind,
        /// What would be right.
        wanted: &'static str,
    },
    /// There is nothing running in the window.
    #[error("window {window} has no running instance: {state}")]
    NotRunning {
        /// The window.
        window: WindowId,
        /// How it stands.
        state: String,
    },
    /// No page shows the frame.
    #[error("no page shows frame {frame}; open a desk page, it will resume there")]
    NoPage {
        /// The frame.
        frame: FrameId,
    },
    /// Pixels were asked for and nobody knows how many there are.
    #[error("the size of frame {frame} is not known; its page has not reported its bounds")]
    NoBounds {
        /// The frame.
        frame: FrameId,
    },
    /// The edit cannot be done to this tree.
    #[error("{reason}")]
    BadEdit {
        /// Why not.
        reason: String,
    },
    /// A definition that would lose something if it were used.
    #[error("the definition cannot be used: {0}")]
    BadTree(#[from] ReadError),
    /// An argument that cannot be used.
    #[error("{reason}")]
    BadArguments {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// There is no room.
    #[error("there are {limit} {what} already, which is the most; close one first")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
}

impl Refused {
    /// A name for programs; it never changes, the message may.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::FrameTaken { .. } => "frame-taken",
            Self::NotAttached => "not-attached",
            Self::NotYours { .. } => "not-yours",
            Self::UnknownFrame { .. } => "unknown-frame",
            Self::UnknownWorkspace { .. } => "unknown-workspace",
            Self::UnknownItem { .. } => "unknown-item",
            Self::UnknownWindow { .. } => "unknown-window",
            Self::NotRunning { .. } => "not-running",
            Self::NoPage { .. } => "no-page",
            Self::NoBounds { .. } => "no-bounds",
            Self::WrongKind { .. } | Self::BadEdit { .. } => "bad-edit",
            Self::BadTree(_) | Self::BadArguments { .. } => "bad-arguments",
            Self::TooMany { .. } => "too-many",
        }
    }
}
