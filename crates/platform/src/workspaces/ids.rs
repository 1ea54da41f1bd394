//! Names of frames, workspaces and windows, and where new ones come from.

use std::fmt;
use std::sync::Arc;

use deskwire_layout::ItemId;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as it stands in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Arc<str>>> From<T> for $name {
            fn from(text: T) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// Names a frame: what shows workspaces.
    FrameId
}

id! {
    /// Names a workspace.
    WorkspaceId
}

id! {
    /// Names the window of an item. It stays with the item; instances come and go in it.
    WindowId
}

id! {
    /// Names an instance of an application; the keeper of instances makes these.
    InstanceRef
}

/// Where new ids come from. Any `FnMut() -> String` is one; what it gives must not repeat.
pub trait Ids {
    /// Text that no other id has.
    fn fresh(&mut self) -> String;
}

impl<F: FnMut() -> String> Ids for F {
    fn fresh(&mut self) -> String {
        self()
    }
}

impl dyn Ids + '_ {
    pub(crate) fn frame(&mut self) -> FrameId {
        format!("frame-{}", self.fresh()).into()
    }

    pub(crate) fn workspace(&mut self) -> WorkspaceId {
        format!("ws-{}", self.fresh()).into()
    }

    pub(crate) fn window(&mut self) -> WindowId {
        format!("win-{}", self.fresh()).into()
    }

    pub(crate) fn item(&mut self) -> ItemId {
        format!("item-{}", self.fresh()).into()
    }
}
