//! Which kind of record it is, and its name.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::sheet::Expect;
use super::{appd, application, channel, layout};
use crate::diagnostic::Code;
use crate::fields::kind_of;
use crate::limits::MAX_NAME;
use crate::model::{Application, Channel, Layout, LayoutKind};
use crate::report::{Findings, Path, Report, quote};
use crate::source::Origin;

/// A record that could be read.
pub(super) enum Record {
    Application(Arc<Application>),
    Layout(Arc<Layout>),
    Channel(Arc<Channel>),
}

/// What the fields of an object make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    IoConnect,
    Appd,
    Layout,
    /// A workspace as `{children, config}`.
    Tree,
    Channel,
    Unknown,
}

/// Whether an object that stands alone is a record.
pub(super) fn is_record(value: &Value) -> bool {
    value.as_object().is_some_and(|map| shape_of(map, Expect::Any) != Shape::Unknown)
}

/// Reads one record; `None` when there is nothing to keep, which is told.
pub(super) fn read(
    value: Value,
    expect: Expect,
    origin: &Origin,
    text: Option<&str>,
    findings: &mut Findings,
) -> Option<Record> {
    let mut map = match value {
        Value::Object(map) => map,
        other => {
            let message = format!("a record is an object; this is {}", kind_of(&other));
            let mut report = Report::new(origin, None, text, findings);
            report.tell(Code::RecordUnrecognised, Path::ROOT, message);
            return None;
        }
    };
    let blanks = without_blanks_around_keys(&mut map);
    let shape = shape_of(&map, expect);
    let name = name_of(&map, shape);
    let mut report = Report::new(origin, name.as_deref(), text, findings);
    for key in blanks {
        let message = format!(
            "the key \"{}\" has blanks around it and is read without; remove them",
            quote(&key)
        );
        report.tell(Code::RecordKeyBlanks, Path::ROOT.key(&key), message);
    }
    match shape {
        Shape::IoConnect => application::build(map, Default::default(), &mut report)
            .map(Arc::new)
            .map(Record::Application),
        Shape::Appd => appd::build(map, &mut report).map(Arc::new).map(Record::Application),
        Shape::Layout => layout::build(map, &mut report).map(Arc::new).map(Record::Layout),
        Shape::Tree => layout::build_tree(map, &mut report).map(Arc::new).map(Record::Layout),
        Shape::Channel => channel::build(map, &mut report).map(Arc::new).map(Record::Channel),
        Shape::Unknown => {
            let message = "this is no application (`name`, `type`, `details`, or `appId`), no layout \
                           (`name`, `type`, `components`) and no channel (`name`, `meta`)";
            report.tell(Code::RecordUnrecognised, Path::ROOT, message);
            None
        }
    }
}

fn shape_of(map: &Map<String, Value>, expect: Expect) -> Shape {
    let has = |key| map.get(key).is_some_and(|value: &Value| !value.is_null());
    let kind = map.get("type").and_then(Value::as_str);
    if has("components") && !has("details") {
        return Shape::Layout;
    }
    if appd::is_appd(map) {
        return Shape::Appd;
    }
    if has("details") {
        return Shape::IoConnect;
    }
    if has("children") {
        return Shape::Tree;
    }
    match expect {
        Expect::Application => Shape::IoConnect,
        Expect::Layout => Shape::Layout,
        Expect::Channel => Shape::Channel,
        // `activity` is an application, `Activity` a layout.
        Expect::Any => match kind {
            Some(kind) if LayoutKind::NAMES.contains(&kind) => Shape::Layout,
            Some(kind) if application::is_type(kind) => Shape::IoConnect,
            None if has("name") && has("meta") => Shape::Channel,
            Some(_) if has("name") => Shape::IoConnect,
            _ => Shape::Unknown,
        },
    }
}

fn name_of(map: &Map<String, Value>, shape: Shape) -> Option<String> {
    let text =
        |key| map.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let name = match shape {
        Shape::Appd => text("appId").or_else(|| text("name")),
        _ => text("name"),
    };
    name.map(str::to_owned)
}

/// A record's name, if it is one that can be used.
pub(super) fn usable_name<'a>(
    name: Option<&'a str>,
    key: &str,
    code: Code,
    report: &mut Report<'_>,
) -> Option<&'a str> {
    let fault = match name {
        None => format!("there is no `{key}`, so the record is left out; give it one"),
        Some(name) if name.chars().nth(MAX_NAME).is_some() => {
            format!("the name is longer than {MAX_NAME} characters, so the record is left out")
        }
        Some(name) if name.chars().any(char::is_control) => {
            "the name has control characters in it, so the record is left out".to_owned()
        }
        Some(name) => return Some(name),
    };
    report.tell(code, Path::ROOT.key(key), fault);
    None
}

/// Renames keys such as `"title "`, and tells which. A key that is there twice then stays
/// as it was written without blanks.
fn without_blanks_around_keys(map: &mut Map<String, Value>) -> Vec<String> {
    if map.keys().all(|key| key.trim() == key) {
        return Vec::new();
    }
    let mut blanks = Vec::new();
    let old = std::mem::take(map);
    let (odd, good): (Vec<_>, Vec<_>) = old.into_iter().partition(|(key, _)| key.trim() != key);
    map.extend(good);
    for (key, value) in odd {
        map.entry(key.trim().to_owned()).or_insert(value);
        blanks.push(key);
    }
    blanks
}
