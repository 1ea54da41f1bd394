//! Intents of a directory record: those it listens for, those it raises.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use crate::diagnostic::Code;
use crate::fields::{Fields, kind_of, wrong};
use crate::report::{Path, Report};

/// The intents it can be started for, in the io.Connect form.
pub(super) fn listens_for(fields: Fields<'_>, report: &mut Report<'_>) -> Vec<Value> {
    let mut handlers = first_version(fields);
    with_interop_intents(fields, report, |own, report| {
        let path = own.path.key("listensFor");
        match own.get("listensFor") {
            None => {}
            Some(Value::Object(map)) => {
                for (name, value) in map {
                    handlers.extend(handler(name, value, path.key(name), report));
                }
            }
            Some(Value::Array(list)) => {
                let message = "it is a list, and is read; the standard wants an object of intents \
                               by name";
                report.tell(Code::AppdListensFor, path, message);
                for (index, value) in list.iter().enumerate() {
                    let name = value.as_str().or_else(|| value.get("name").and_then(Value::as_str));
                    match name {
                        Some(name) => {
                            handlers.extend(handler(name, value, path.index(index), report))
                        }
                        None => {
                            let message = "the intent has no `name` and is left out";
                            report.tell(Code::AppdListensFor, path.index(index), message);
                        }
                    }
                }
            }
            Some(other) => {
                report.tell(
                    Code::AppdListensFor,
                    path,
                    wrong(other, "an object of intents by name"),
                );
            }
        }
    });
    handlers
}

/// The first version of the standard has the list that io.Connect has.
fn first_version(fields: Fields<'_>) -> Vec<Value> {
    fields.get("intents").and_then(Value::as_array).cloned().unwrap_or_default()
}

fn handler(name: &str, value: &Value, path: Path<'_>, report: &mut Report<'_>) -> Option<Value> {
    let mut intent = Map::new();
    intent.insert("name".to_owned(), name.into());
    match value {
        Value::Object(map) => {
            let own = Fields::new(map, path);
            if let Some(display_name) = own.text("displayName", report) {
                intent.insert("displayName".to_owned(), display_name.into());
            }
            intent.insert("contexts".to_owned(), json!(own.texts("contexts", report)));
            if let Some(result) = own.text("resultType", report) {
                intent.insert("resultType".to_owned(), result.into());
            }
            if let Some(config) = own.get("customConfig") {
                intent.insert("customConfig".to_owned(), config.clone());
            }
        }
        // A bare list of contexts, or, in a list of intents, the bare name.
        Value::Array(contexts) => {
            let contexts: Vec<_> = contexts.iter().filter(|one| one.is_string()).collect();
            intent.insert("contexts".to_owned(), json!(contexts));
        }
        Value::String(_) | Value::Null => {}
        other => {
            let message =
                format!("expected {{\"contexts\": […]}}, found {}; it is left out", kind_of(other));
            report.tell(Code::AppdListensFor, path, message);
            return None;
        }
    }
    Some(Value::Object(intent))
}

/// The intents it raises, each with its types of context.
pub(super) fn raises(fields: Fields<'_>, report: &mut Report<'_>) -> IndexMap<String, Vec<String>> {
    let mut raises = IndexMap::new();
    with_interop_intents(fields, report, |own, report| {
        let path = own.path.key("raises");
        let mut as_objects = false;
        match own.get("raises") {
            None => {}
            Some(Value::Object(map)) => {
                for (name, value) in map {
                    match value {
                        Value::Object(inner) => {
                            as_objects = true;
                            let at = path.key(name);
                            let contexts = Fields::new(inner, at).texts("contexts", report);
                            raises.insert(name.clone(), contexts);
                        }
                        Value::Array(_) | Value::String(_) | Value::Null => {
                            let contexts = Fields::new(map, path).texts(name, report);
                            raises.insert(name.clone(), contexts);
                        }
                        other => report.tell(
                            Code::AppdRaises,
                            path.key(name),
                            wrong(other, "a list of context types"),
                        ),
                    }
                }
            }
            Some(Value::Array(list)) => {
                let message = "it is a list, and is read; the standard wants an object of lists of \
                               context types by intent";
                report.tell(Code::AppdRaises, path, message);
                for value in list {
                    if let Some(name) = value.as_str() {
                        raises.insert(name.to_owned(), Vec::new());
                    } else if let Some(name) = value.get("name").and_then(Value::as_str) {
                        let none = Map::new();
                        let own = Fields::new(value.as_object().unwrap_or(&none), path);
                        raises.insert(name.to_owned(), own.texts("contexts", report));
                    }
                }
            }
            Some(other) => {
                let wanted = "an object of lists of context types by intent";
                report.tell(Code::AppdRaises, path, wrong(other, wanted));
            }
        }
        if as_objects {
            let message = "intents stand here as objects, and are read; the standard wants lists of \
                           context types, as in {\"ViewContact\": [\"fdc3.contact\"]}";
            report.tell(Code::AppdRaisesObject, path, message);
        }
    });
    raises
}

/// Hands on `interop.intents`, if there is such an object.
fn with_interop_intents(
    fields: Fields<'_>,
    report: &mut Report<'_>,
    read: impl FnOnce(Fields<'_>, &mut Report<'_>),
) {
    let interop_path = fields.path.key("interop");
    let Some(interop) = fields.get("interop").and_then(Value::as_object) else { return };
    let path = interop_path.key("intents");
    if let Some(intents) =
        Fields::new(interop, interop_path).get("intents").and_then(Value::as_object)
    {
        read(Fields::new(intents, path), report);
    }
}
