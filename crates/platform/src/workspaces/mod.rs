//! Workspaces: which there are, what is in them, who shows them.
//!
//! The README beside the crate has the protocol. The core decides everything, as a value that changes in turns;
//! [`Workspaces`] is the handle of the actor that makes the turns and does what follows from them.

mod actor;
mod core;
mod events;
mod geometry;
mod handle;
mod ids;
mod keeper;
pub mod limits;
mod model;
mod ports;
mod refused;
mod resume;
mod sharing;
mod view;

pub use self::core::{
    Changes, ContextWrite, Edited, Ending, Moment, NewWorkspace, Op, Opened, Placement, Report,
    Start, Target, Turn,
};
pub use events::{Event, Level, Notice};
pub(crate) use handle::Requests;
pub use handle::{ShowError, ShowWindow, WorkspaceError, Workspaces, WorkspacesStartError};
pub use ids::{FrameId, Ids, InstanceRef, WindowId, WorkspaceId};
pub use keeper::NotCommitted;
pub use model::{Bounds, Desk, Frame, Lease, Window, WindowState, Workspace, context_name};
pub use ports::{
    LayoutFailure, SavedLayout, Standing, WindowEvent, WindowInstances, WindowRefused, WindowStart,
    WindowTicket, WorkspaceLayouts,
};
pub use refused::Refused;
pub use resume::{Resume, RunningWindow};
pub use view::record::RecordError;
pub(crate) use view::{page, saved, snapshot};
