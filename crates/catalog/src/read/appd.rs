//! Records of FDC3 application directories, versions 1 and 2, brought into the
//! io.Connect form.

mod intents;
mod manifest;

use serde_json::{Map, Value, json};

use super::application::{self, Extra, icon_address, is_type};
use crate::diagnostic::Code;
use crate::fields::Fields;
use crate::model::Application;
use crate::report::{Path, Report, quote};

/// Members that go over as they are.
const SAME: &[&str] = &[
    "version",
    "description",
    "tooltip",
    "autoStart",
    "hidden",
    "disabled",
    "allowMultiple",
    "service",
];

/// Whether a record is one of a directory.
pub(super) fn is_appd(map: &Map<String, Value>) -> bool {
    let named = |key: &str| {
        map.get(key).and_then(Value::as_str).is_some_and(|name| !name.trim().is_empty())
    };
    let kind = map.get("type").and_then(Value::as_str).map(str::to_ascii_lowercase);
    let kind = kind.as_deref();
    // `citrix` is a type of both.
    if kind
        .is_some_and(|kind| is_type(kind) && !matches!(kind, "citrix" | "onlinenative" | "other"))
    {
        // With a type of the other form, and named as a directory does.
        return named("appId") && !named("name");
    }
    ["appId", "hostManifests", "manifestType"].iter().any(|key| map.contains_key(*key))
        || kind.is_some_and(|kind| matches!(kind, "web" | "native" | "onlinenative"))
}

/// Reads a record; `None` when it has neither `appId` nor `name`.
pub(super) fn build(map: Map<String, Value>, report: &mut Report<'_>) -> Option<Application> {
    let fields = Fields::new(&map, Path::ROOT);
    let app_id = fields.text("appId", report);
    let name = fields.text("name", report);
    if let (None, Some(name)) = (app_id, name) {
        let message =
            format!("there is no `appId`; `{}` is used, its name: give it one", quote(name));
        report.tell(Code::AppdAppId, Path::ROOT, message);
    }
    let mut definition = Map::new();
    if let Some(id) = app_id.or(name) {
        definition.insert("name".to_owned(), id.into());
    }
    if let Some(title) = fields.text("title", report).or(name).or(app_id) {
        definition.insert("title".to_owned(), title.into());
    }
    if let Some(caption) = fields.text("description", report) {
        definition.insert("caption".to_owned(), caption.into());
    }
    definition.insert("type".to_owned(), type_of(fields, report).into());
    for key in SAME {
        if let Some(value) = fields.get(key) {
            definition.insert((*key).to_owned(), value.clone());
        }
    }
    icons(fields, &mut definition);
    if let Some(keywords) = keywords(fields, report) {
        definition.insert("keywords".to_owned(), keywords);
    }
    if let Some(details) = details(fields, report) {
        definition.insert("details".to_owned(), details);
    }
    let handlers = intents::listens_for(fields, report);
    if !handlers.is_empty() {
        definition.insert("intents".to_owned(), Value::Array(handlers));
    }
    if let Some(custom) = custom_properties(fields, report) {
        definition.insert("customProperties".to_owned(), Value::Object(custom));
    }
    manifest::lay_over(fields, &mut definition, report);
    let raises = intents::raises(fields, report);
    application::build(definition, Extra { raises }, report)
}

/// The io.Connect type; one that has none stays as it is written, and is told later.
fn type_of(fields: Fields<'_>, report: &mut Report<'_>) -> String {
    match fields.text("type", report) {
        Some(kind) if kind.eq_ignore_ascii_case("web") => "window".to_owned(),
        Some(kind) if is_native(kind) => "exe".to_owned(),
        Some(other) => other.to_owned(),
        // The first version had no types.
        None => {
            if fields.get("manifestType").is_none() {
                let message = "there is no type; it is read as `web`";
                report.tell(Code::AppTypeMissing, Path::ROOT, message);
            }
            "window".to_owned()
        }
    }
}

fn is_native(kind: &str) -> bool {
    kind.eq_ignore_ascii_case("native")
}

fn details(fields: Fields<'_>, report: &mut Report<'_>) -> Option<Value> {
    let details = fields.object("details", report)?;
    if !fields.get("type").and_then(Value::as_str).is_some_and(is_native) {
        return Some(Value::Object(details.clone()));
    }
    let mut program = details.clone();
    if let Some(path) = program.shift_remove("path") {
        program.entry("command").or_insert(path);
    }
    if let Some(arguments) = program.shift_remove("arguments") {
        program.insert("parameters".to_owned(), arguments);
    }
    Some(Value::Object(program))
}

fn icons(fields: Fields<'_>, definition: &mut Map<String, Value>) {
    let Some(icons) = fields.get("icons") else { return };
    if let Some(first) = icons.as_array().into_iter().flatten().find_map(icon_address) {
        definition.insert("icon".to_owned(), first.into());
    }
    definition.insert("icons".to_owned(), icons.clone());
}

fn keywords(fields: Fields<'_>, report: &mut Report<'_>) -> Option<Value> {
    let mut keywords = fields.texts("keywords", report);
    for category in fields.texts("categories", report) {
        if !keywords.contains(&category) {
            keywords.push(category);
        }
    }
    (!keywords.is_empty()).then(|| json!(keywords))
}

/// `customConfig`, a list of names and values in the first version, and
/// `customProperties`, which wins.
fn custom_properties(fields: Fields<'_>, report: &mut Report<'_>) -> Option<Map<String, Value>> {
    let mut custom = Map::new();
    match fields.get("customConfig") {
        Some(Value::Object(config)) => custom.clone_from(config),
        Some(Value::Array(pairs)) => {
            for pair in pairs {
                if let (Some(Value::String(name)), Some(value)) =
                    (pair.get("name"), pair.get("value"))
                {
                    custom.insert(name.clone(), value.clone());
                }
            }
        }
        _ => {}
    }
    custom.extend(fields.object("customProperties", report).cloned().unwrap_or_default());
    (!custom.is_empty()).then_some(custom)
}
