//! What a directory record says to this desktop alone: `hostManifests.ioConnect`, and in
//! the first version `manifest`.

use serde_json::{Map, Value};

use crate::diagnostic::Code;
use crate::fields::{Fields, kind_of};
use crate::report::{Path, Report, quote};

/// Lays the manifests for this desktop over the definition that the record made.
pub(super) fn lay_over(
    fields: Fields<'_>,
    definition: &mut Map<String, Value>,
    report: &mut Report<'_>,
) {
    let for_us = fields.text("manifestType", report).is_some_and(is_ours);
    if let Some(manifest) = fields.get("manifest") {
        // Without a type it can still be ours, if it is an object.
        if for_us || fields.get("details").is_none() {
            lay_one_over(manifest, fields.path.key("manifest"), definition, report);
        }
    }
    let path = fields.path.key("hostManifests");
    let Some(hosts) = fields.get("hostManifests").and_then(Value::as_object) else { return };
    for (host, manifest) in hosts.iter().filter(|(host, _)| is_ours(host)) {
        lay_one_over(manifest, path.key(host), definition, report);
    }
}

/// `ioConnect`, `io.Connect Desktop`, `Glue42`, `glue42.com`: the names this desktop goes by.
fn is_ours(host: &str) -> bool {
    let plain: String = host.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    ["ioconnect", "interopio", "glue42", "deskwire"].iter().any(|name| plain.starts_with(name))
}

fn lay_one_over(
    manifest: &Value,
    path: Path<'_>,
    definition: &mut Map<String, Value>,
    report: &mut Report<'_>,
) {
    let message = match manifest {
        Value::Null => return,
        Value::Object(manifest) => return lay_fields_over(manifest, definition),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(manifest)) => return lay_fields_over(&manifest, definition),
            _ => {
                let message = format!(
                    "the manifest `{}` is not fetched; write its content here as an object",
                    quote(text)
                );
                return report.tell(Code::AppdManifestRemote, path, message);
            }
        },
        other => format!("expected an object, found {}; it is left out", kind_of(other)),
    };
    report.tell(Code::AppdManifest, path, message);
}

/// `details` and `customProperties` are merged, other members replaced. The name stays:
/// it is what the directory is searched by.
fn lay_fields_over(manifest: &Map<String, Value>, definition: &mut Map<String, Value>) {
    for (key, value) in manifest {
        match (key.as_str(), value) {
            ("name" | "appId", _) | (_, Value::Null) => {}
            ("details" | "customProperties", Value::Object(more)) => {
                match definition.get_mut(key).and_then(Value::as_object_mut) {
                    Some(own) => own.extend(more.clone()),
                    None => drop(definition.insert(key.clone(), value.clone())),
                }
            }
            // The first version has the address at the top.
            ("url", Value::String(_)) => {
                let details =
                    definition.entry("details").or_insert_with(|| Value::Object(Map::new()));
                if let Some(details) = details.as_object_mut() {
                    details.entry("url").or_insert_with(|| value.clone());
                }
            }
            _ => drop(definition.insert(key.clone(), value.clone())),
        }
    }
}
