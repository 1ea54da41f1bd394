//! Layouts: the saved form, and a workspace as a bare tree.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::record::usable_name;
use crate::diagnostic::Code;
use crate::fields::{Fields, wrong};
use crate::model::{Layout, LayoutKind};
use crate::report::{Path, Report, quote};

/// Reads a saved layout; `None` when it has no name or no type.
pub(super) fn build(mut map: Map<String, Value>, report: &mut Report<'_>) -> Option<Layout> {
    let fields = Fields::new(&map, Path::ROOT);
    let name =
        usable_name(fields.text("name", report), "name", Code::LayoutName, report)?.to_owned();
    let kind = read_kind(fields, report)?;
    let components = match fields.get("components") {
        Some(components @ Value::Array(_)) => components.clone(),
        Some(other) => {
            report.tell(
                Code::LayoutComponents,
                Path::ROOT.key("components"),
                wrong(other, "a list"),
            );
            json!([])
        }
        None => {
            let message = "there are no `components`; it is read as an empty layout";
            report.tell(Code::LayoutComponents, Path::ROOT, message);
            json!([])
        }
    };
    map.insert("components".to_owned(), components);
    map.insert("type".to_owned(), kind.as_str().into());
    Some(finish(name, kind, map, report))
}

fn read_kind(fields: Fields<'_>, report: &mut Report<'_>) -> Option<LayoutKind> {
    let Some(name) = fields.text("type", report) else {
        let component =
            fields.get("components").and_then(|components| components.get(0)?.get("type"));
        if component
            .and_then(Value::as_str)
            .is_some_and(|kind| kind.eq_ignore_ascii_case("workspace"))
        {
            let message =
                "there is no type; it is read as a `Workspace`, since its component is one";
            report.tell(Code::LayoutTypeMissing, Path::ROOT, message);
            return Some(LayoutKind::Workspace);
        }
        let message = format!(
            "there is no `type`, so the layout is left out; write one of {}",
            LayoutKind::NAMES.join(", ")
        );
        report.tell(Code::LayoutType, Path::ROOT.key("type"), message);
        return None;
    };
    let kind = LayoutKind::parse(name);
    if let LayoutKind::Other(name) = &kind {
        let message = format!(
            "the type `{}` is not known; there are {}",
            quote(name),
            LayoutKind::NAMES.join(", ")
        );
        report.tell(Code::LayoutTypeUnknown, Path::ROOT.key("type"), message);
    }
    Some(kind)
}

/// Reads a workspace that is written as its tree, `{children, config, context}`.
pub(super) fn build_tree(mut map: Map<String, Value>, report: &mut Report<'_>) -> Option<Layout> {
    let name = {
        let fields = Fields::new(&map, Path::ROOT);
        let config = fields.get("config").and_then(Value::as_object);
        let config_text = |key| {
            config
                .and_then(|config| config.get(key)?.as_str())
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        let own = fields.text("name", report);
        let name = own.or_else(|| config_text("name")).or_else(|| config_text("title"));
        let name = usable_name(name, "name", Code::LayoutName, report)?;
        if own.is_none() {
            let message = format!(
                "the workspace has no name and is called `{}`, after its title; give it a `name`",
                quote(name)
            );
            report.tell(Code::LayoutNameFromTitle, Path::ROOT, message);
        }
        name.to_owned()
    };
    let mut state = Map::new();
    for key in ["children", "config", "context", "frame"] {
        if let Some(value) = map.shift_remove(key) {
            state.insert(key.to_owned(), value);
        }
    }
    let mut saved = Map::new();
    saved.insert("name".to_owned(), name.as_str().into());
    saved.insert("type".to_owned(), LayoutKind::Workspace.as_str().into());
    saved.insert("metadata".to_owned(), map.shift_remove("metadata").unwrap_or_else(|| json!({})));
    saved.insert("components".to_owned(), json!([{ "type": "Workspace", "state": state }]));
    Some(finish(name, LayoutKind::Workspace, saved, report))
}

fn finish(
    name: String,
    kind: LayoutKind,
    map: Map<String, Value>,
    report: &mut Report<'_>,
) -> Layout {
    let fields = Fields::new(&map, Path::ROOT);
    let path = Path::ROOT.key("metadata");
    let metadata = fields.object("metadata", report).cloned().unwrap_or_default();
    let own = Fields::new(&metadata, path);
    let description = own.string("description", report);
    let context_schema = own.schema("contextSchema", report);
    let inner = (kind == LayoutKind::Workspace)
        .then(|| map.get("components")?.get(0)?.get("state")?.get("context"))
        .flatten();
    let context = fields.get("context").or(inner).filter(|context| !context.is_null()).cloned();
    Layout {
        name,
        kind,
        description,
        context_schema,
        metadata,
        context,
        raw: Arc::new(Value::Object(map)),
        origin: report.origin().clone(),
    }
}
