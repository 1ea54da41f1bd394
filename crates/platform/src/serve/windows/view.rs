//! A window as `io.windows` takes it in.

use deskwire_catalog::Kind;
use deskwire_wire::Payload;
use serde::Serialize;

use crate::instances::Instance;

/// The title that people see.
pub(super) fn title(one: &Instance) -> &str {
    one.title.as_deref().unwrap_or(&one.application.title)
}

/// Where its page is.
pub(super) fn url(one: &Instance) -> &str {
    match &one.application.kind {
        Kind::Window(window) => window.url.as_ref().map_or("", url::Url::as_str),
        _ => "",
    }
}

/// The whole of it. Where it stands on a screen only the page knows that shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Window<'a> {
    id: &'a str,
    name: &'a str,
    application_name: &'a str,
    instance_id: &'a str,
    title: &'a str,
    url: &'a str,
    context: &'a Payload,
    bounds: Bounds,
    window_type: &'static str,
    mode: &'static str,
    state: &'static str,
    is_visible: bool,
    is_focused: bool,
    group_id: &'a str,
    frame_id: &'a str,
    neighbors: Empty,
    settings: Empty,
    zoom_factor: u8,
    is_locked: bool,
    is_sticky: bool,
    is_pinned: bool,
    allow_workspace_drop: bool,
}

#[derive(Debug, Default, Serialize)]
struct Bounds {
    left: u8,
    top: u8,
    width: u8,
    height: u8,
}

/// `{}`
#[derive(Debug, Serialize)]
struct Empty {}

/// The window of this id, with the instance that is in it.
pub(super) fn window<'a>(one: &'a Instance, id: &'a str) -> Window<'a> {
    Window {
        id,
        name: &one.application.name,
        application_name: &one.application.name,
        instance_id: one.id.as_str(),
        title: title(one),
        url: url(one),
        context: &one.context,
        bounds: Bounds::default(),
        window_type: "electron",
        mode: "html",
        state: "normal",
        is_visible: true,
        is_focused: false,
        group_id: id,
        frame_id: id,
        neighbors: Empty {},
        settings: Empty {},
        zoom_factor: 100,
        is_locked: false,
        is_sticky: false,
        is_pinned: false,
        allow_workspace_drop: true,
    }
}
