//! The operations, by name.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;

/// What can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Operation {
    Ping,
    IsWindowInWorkspace,
    CreateWorkspace,
    OpenWorkspace,
    CreateFrame,
    InitFrame,
    GetAllFramesSummaries,
    GetFrameSummary,
    GetFrameSnapshot,
    GetAllWorkspacesSummaries,
    GetWorkspaceSnapshot,
    GetAllLayoutsSummaries,
    ExportAllLayouts,
    SaveLayout,
    ImportLayout,
    ImportLayouts,
    DeleteLayout,
    AddWindow,
    AddContainer,
    CloseItem,
    CloseWorkspace,
    FocusItem,
    MaximizeItem,
    RestoreItem,
    SetItemTitle,
    ResizeItem,
    MoveWindowTo,
    EjectWindow,
    ForceLoadWindow,
    BundleWorkspace,
    BundleItem,
    HibernateWorkspace,
    ResumeWorkspace,
    PinWorkspace,
    UnpinWorkspace,
    GetWorkspaceIcon,
    SetWorkspaceIcon,
    LockWorkspace,
    LockWindow,
    LockContainer,
    SetWindowDragMode,
    SetLoadingStrategy,
    SetMaximizationBoundary,
    GetFrameState,
    GetFrameBounds,
    GetFrameVisibility,
    GetPlatformFrameId,
    #[serde(rename = "operationCheck")]
    Check,
    ChangeFrameState,
    MoveFrame,
    ChangeFrameVisibility,
    SetFrameOnTop,
    ShowPopup,
    ShowFrameDialog,
    RegisterShortcut,
    UnregisterShortcut,
    SubscribeToFrameClosing,
    GetTaskbarIcon,
    SetTaskbarIcon,
    ShowLoadingAnimation,
    HideLoadingAnimation,
}

impl Operation {
    /// The operation of this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let name: serde::de::value::StrDeserializer<'_, Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }

    /// Whether the platform does it. What it does not do needs a window of the operating system; a
    /// frame here is a page in a browser.
    pub(super) const fn is_supported(self) -> bool {
        !matches!(
            self,
            Self::ChangeFrameState
                | Self::MoveFrame
                | Self::ChangeFrameVisibility
                | Self::SetFrameOnTop
                | Self::ShowPopup
                | Self::ShowFrameDialog
                | Self::RegisterShortcut
                | Self::UnregisterShortcut
                | Self::SubscribeToFrameClosing
                | Self::GetTaskbarIcon
                | Self::SetTaskbarIcon
                | Self::ShowLoadingAnimation
                | Self::HideLoadingAnimation
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_client_library() {
        for (name, found) in [
            ("ping", Some(Operation::Ping)),
            ("getAllWorkspacesSummaries", Some(Operation::GetAllWorkspacesSummaries)),
            ("subscribeToFrameClosing", Some(Operation::SubscribeToFrameClosing)),
            ("Ping", None),
            ("", None),
            ("dropAll", None),
        ] {
            assert_eq!(Operation::parse(name), found, "{name}");
        }
    }
}
