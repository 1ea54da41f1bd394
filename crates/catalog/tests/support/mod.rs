//! Fixtures, and what was read as a picture for snapshots.
#![allow(dead_code, reason = "each test uses its part")]

use std::fmt::Write as _;
use std::path::Path;

use deskwire_catalog::{Application, Kind, Layout, Read};
use serde_json::json;

pub(crate) fn fixture(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
    std::fs::read_to_string(path).unwrap()
}

pub(crate) fn picture(read: &Read) -> String {
    let mut text = String::new();
    for application in &read.applications {
        writeln!(text, "{}", picture_of_application(application)).unwrap();
    }
    for layout in &read.layouts {
        writeln!(text, "{}", picture_of_layout(layout)).unwrap();
    }
    for channel in &read.channels {
        writeln!(text, "channel {} {:?} ({})\n", channel.name, channel.color, channel.origin)
            .unwrap();
    }
    for diagnostic in &read.diagnostics {
        let severity = diagnostic.severity.as_str();
        writeln!(text, "{severity} [{}] {diagnostic}", diagnostic.code).unwrap();
    }
    text
}

fn picture_of_application(one: &Application) -> String {
    let mut text = format!("application {} ({}{})\n", one.name, one.origin, one.origin.pointer);
    let mut line = |key: &str, value: String| {
        if !["None", "[]", "{}", "false", ""].contains(&value.as_str()) {
            writeln!(text, "  {key}: {value}").unwrap();
        }
    };
    let kind = match &one.kind {
        Kind::Window(window) => match &window.url {
            Ok(url) => format!("window {url}"),
            Err(fault) => format!("window, but {fault}"),
        },
        kind => format!("{kind:?}"),
    };
    line("kind", kind);
    line("title", one.title.clone());
    line("caption", format!("{:?}", one.caption));
    line("version", format!("{:?}", one.version));
    line("hidden", one.hidden.to_string());
    line("service", one.service.to_string());
    line("auto start", one.auto_start.to_string());
    line("one at a time", (!one.allow_multiple).to_string());
    line("in workspaces", one.include_in_workspaces.to_string());
    line("keywords", format!("{:?}", one.keywords));
    line("icons", format!("{:?}", one.icons));
    line("intents", one.intents.iter().map(|intent| format!("\n    {intent:?}")).collect());
    line("raises", format!("{:?}", one.raises));
    line(
        "interop",
        one.interop.as_ref().map(|interop| format!("{interop:#?}")).unwrap_or_default(),
    );
    line("raw", one.raw.to_string());
    text
}

fn picture_of_layout(one: &Layout) -> String {
    let mut text =
        format!("layout {} of {:?} ({}{})\n", one.name, one.kind, one.origin, one.origin.pointer);
    let shown = json!({
        "description": one.description,
        "contextSchema": one.context_schema,
        "metadata": one.metadata,
        "context": one.context,
        "tree": one.workspace_tree(),
    });
    for (key, value) in shown.as_object().unwrap().iter().filter(|(_, value)| !value.is_null()) {
        writeln!(text, "  {key}: {value}").unwrap();
    }
    writeln!(text, "  raw: {}", one.raw).unwrap();
    text
}
