//! The io.Connect form of an application; the other dialects are brought into it first.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::handlers::read_intents;
use super::interop::read_interop;
use super::record::usable_name;
use super::web_url::{code_of, is_picture, web_url};
use crate::diagnostic::Code;
use crate::fields::Fields;
use crate::model::{Application, Exe, Kind, Node, UrlFault, Window};
use crate::report::{Path, Report, quote};

/// Types that exist in some dialect, but that Deskwire cannot start.
const UNSUPPORTED: &[&str] =
    &["activity", "childWindow", "citrix", "clickonce", "onlineNative", "other", "webGroup"];
/// Types that Deskwire starts.
const SUPPORTED: &[&str] = &["window", "exe", "node", "workspaces"];

/// What a dialect knows of an application that the io.Connect form has no place for.
#[derive(Debug, Default)]
pub(super) struct Extra {
    pub(super) raises: IndexMap<String, Vec<String>>,
}

/// Whether a type belongs to the io.Connect form, started here or not.
pub(super) fn is_type(kind: &str) -> bool {
    SUPPORTED.iter().chain(UNSUPPORTED).any(|known| known.eq_ignore_ascii_case(kind))
}

/// Reads an application; `None` when it has no name.
pub(super) fn build(
    mut map: Map<String, Value>,
    extra: Extra,
    report: &mut Report<'_>,
) -> Option<Application> {
    let application = {
        let fields = Fields::new(&map, Path::ROOT);
        let name = usable_name(fields.text("name", report), "name", Code::AppName, report)?;
        let kind = read_kind(fields, report);
        let custom = match fields.object("customProperties", report) {
            None => fields.object("userProperties", report),
            own => own,
        };
        let own_path = Path::ROOT.key("customProperties");
        let intents = read_intents(fields, "intents", report);
        let custom_fields = custom.map(|custom| Fields::new(custom, own_path));
        Application {
            name: name.to_owned(),
            title: fields.string("title", report).unwrap_or_else(|| name.to_owned()),
            caption: fields.string("caption", report),
            description: fields.string("description", report),
            version: fields.text_or_number("version", report),
            hidden: fields.flag("hidden", report).unwrap_or(false),
            disabled: fields.flag("disabled", report).unwrap_or(false),
            service: fields.flag("service", report).unwrap_or(false),
            auto_start: fields.flag("autoStart", report).unwrap_or(false),
            allow_multiple: fields.flag("allowMultiple", report).unwrap_or(true),
            include_in_workspaces: custom_fields
                .and_then(|custom| custom.flag("includeInWorkspaces", report))
                .unwrap_or(false),
            interop: custom_fields.and_then(|custom| read_interop(custom, &intents, report)),
            kind,
            intents,
            raises: extra.raises,
            keywords: fields.texts("keywords", report),
            icons: read_icons(fields, report),
            raw: Arc::new(Value::Null),
            origin: report.origin().clone(),
        }
    };
    remove_refused(&mut map, &application.kind);
    Some(Application { raw: Arc::new(Value::Object(map)), ..application })
}

/// Whoever is served the definition may open what it names, so refused addresses go.
fn remove_refused(map: &mut Map<String, Value>, kind: &Kind) {
    let refused = matches!(
        kind,
        Kind::Window(Window { url: Err(UrlFault::Scheme(_) | UrlFault::Invalid(..)) })
    );
    if let (true, Some(Value::Object(details))) = (refused, map.get_mut("details")) {
        details.shift_remove("url");
    }
    if map.get("icon").is_some_and(|icon| icon_address(icon).is_none()) {
        map.shift_remove("icon");
    }
    if let Some(Value::Array(icons)) = map.get_mut("icons") {
        icons.retain(|icon| icon_address(icon).is_some());
    }
}

fn read_kind(fields: Fields<'_>, report: &mut Report<'_>) -> Kind {
    let empty = Map::new();
    let path = fields.path.key("details");
    let details = Fields::new(fields.object("details", report).unwrap_or(&empty), path);
    let Some(name) = fields.text("type", report) else {
        if details.get("url").is_some() {
            let message = "there is no type; it is read as a `window`, since it has an address";
            report.tell(Code::AppTypeMissing, fields.path, message);
        }
        return read_window(details, report);
    };
    match SUPPORTED.iter().position(|known| known.eq_ignore_ascii_case(name)) {
        Some(0) => read_window(details, report),
        Some(1) => read_exe(details, report),
        Some(2) => read_node(details, report),
        Some(3) => Kind::Workspaces,
        _ => {
            let (code, what) = if is_type(name) {
                (Code::AppTypeUnsupported, "is not started by Deskwire")
            } else {
                (Code::AppTypeUnknown, "is not known")
            };
            let message = format!(
                "the type `{}` {what}, so the application cannot be started; {} and, in a \
                 directory, web and native can be",
                quote(name),
                SUPPORTED.join(", ")
            );
            report.tell(code, fields.path.key("type"), message);
            Kind::Other(name.to_owned())
        }
    }
}

fn read_window(details: Fields<'_>, report: &mut Report<'_>) -> Kind {
    let url = match details.get("url") {
        // An empty address is as good as none.
        Some(Value::String(text)) if text.trim().is_empty() => web_url(None),
        Some(Value::String(text)) => web_url(Some(text)),
        _ => web_url(details.text("url", report)),
    };
    if let Err(fault) = &url {
        report.tell(code_of(fault), details.path.key("url"), fault.to_string());
    }
    Kind::Window(Window { url })
}

fn read_exe(details: Fields<'_>, report: &mut Report<'_>) -> Kind {
    let exe = Exe {
        path: details.string("path", report),
        command: details.string("command", report),
        parameters: details.string("parameters", report),
        env: details.text_map("env", report),
    };
    if exe.program().is_none() {
        let message = "there is no program to start; name it as `details.command`";
        report.tell(Code::AppCommandMissing, details.path.key("command"), message);
    }
    Kind::Exe(exe)
}

fn read_node(details: Fields<'_>, report: &mut Report<'_>) -> Kind {
    let node = Node {
        path: details.string("path", report),
        parameters: details.string("parameters", report),
        env: details.text_map("env", report),
    };
    if node.path.is_none() {
        let message = "there is no script to start; name it as `details.path`";
        report.tell(Code::AppCommandMissing, details.path.key("path"), message);
    }
    Kind::Node(node)
}

/// Icons are decoration: what is odd about them costs a note.
fn read_icons(fields: Fields<'_>, report: &mut Report<'_>) -> Vec<String> {
    let one = fields.get("icon").map(|icon| (fields.path.key("icon"), icon));
    let path = fields.path.key("icons");
    let more: &[Value] = fields.get("icons").and_then(Value::as_array).map_or(&[], Vec::as_slice);
    let more = more.iter().enumerate().map(|(index, icon)| (path.index(index), icon));
    let mut icons: Vec<String> = Vec::new();
    for (path, icon) in one.into_iter().chain(more) {
        match icon_address(icon) {
            Some(address) if icons.iter().any(|known| known == address) => {}
            Some(address) => icons.push(address.to_owned()),
            None => {
                let message = "it has no address of a picture and is left out; write \
                               {\"src\": \"https://…\"}";
                report.tell(Code::AppIcon, path, message);
            }
        }
    }
    icons
}

/// The address of an icon: a text, or an object with it under one of the names in use.
pub(super) fn icon_address(icon: &Value) -> Option<&str> {
    let text = match icon {
        Value::String(text) => Some(text.as_str()),
        Value::Object(map) => {
            ["src", "url", "icon"].iter().find_map(|key| map.get(*key).and_then(Value::as_str))
        }
        _ => None,
    };
    text.map(str::trim).filter(|text| !text.is_empty() && is_picture(text))
}
