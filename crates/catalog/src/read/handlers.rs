//! Intents that an application can be started for.

use serde_json::Value;

use crate::diagnostic::Code;
use crate::fields::{Fields, kind_of};
use crate::model::Intent;
use crate::report::Report;

/// Reads a list of intents.
pub(super) fn read_intents(fields: Fields<'_>, key: &str, report: &mut Report<'_>) -> Vec<Intent> {
    let path = fields.path.key(key);
    let mut intents = Vec::new();
    for (index, value) in fields.list(key, report).iter().enumerate() {
        let path = path.index(index);
        let Value::Object(map) = value else {
            let message = format!(
                "an intent is an object, this is {}; it is left out: write {{\"name\": …}}",
                kind_of(value)
            );
            report.tell(Code::AppIntent, path, message);
            continue;
        };
        let own = Fields::new(map, path);
        let Some(name) = own.string("name", report) else {
            report.tell(Code::AppIntent, path, "the intent has no `name` and is left out");
            continue;
        };
        intents.push(Intent {
            name,
            display_name: own.string("displayName", report),
            contexts: own.texts("contexts", report),
            result_type: own.string("resultType", report),
            custom_config: own.get("customConfig").cloned(),
        });
    }
    intents
}
