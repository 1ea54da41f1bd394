//! Which applications or instances a client wants to hear of.

use deskwire_catalog::Application;
use serde_json::{Map, Value};

use crate::running::Running;

/// A filter of applications, as clients write it. What is absent filters nothing.
#[derive(Debug)]
pub(super) struct Filter<'a>(&'a Map<String, Value>);

impl<'a> Filter<'a> {
    pub(super) fn new(fields: &'a Map<String, Value>) -> Self {
        Self(fields)
    }

    pub(super) fn admits(&self, app: &Application, in_memory: bool) -> bool {
        self.lists("names", |name| name == app.name)
            && self.lists("types", |kind| kind == app.kind.type_name())
            && self.is("isHidden", app.hidden)
            && self.is("isInMemory", in_memory)
            // All definitions are served in one form, whatever they came in.
            && self.is("isFdc3Definition", false)
            && self.lists("keywords", |word| app.keywords.iter().any(|own| own == word))
            && self.0.get("customProperties").and_then(Value::as_object).is_none_or(|wanted| {
                wanted.iter().all(|(key, value)| app.custom_properties().and_then(|own| own.get(key)) == Some(value))
            })
    }

    /// Whether one of the texts of a list fits; an absent or empty list fits always.
    fn lists(&self, key: &str, fits: impl Fn(&str) -> bool) -> bool {
        match self.0.get(key).and_then(Value::as_array) {
            Some(all) if !all.is_empty() => all.iter().filter_map(Value::as_str).any(fits),
            _ => true,
        }
    }

    fn is(&self, key: &str, state: bool) -> bool {
        self.0.get(key).and_then(Value::as_bool).is_none_or(|wanted| wanted == state)
    }

    pub(super) fn admits_instance(&self, one: &Running) -> bool {
        self.lists("ids", |id| id == one.id)
            && self.lists("appNames", |name| name == one.application)
            && self.time("startedAfter").is_none_or(|time| one.started_ms > time)
            && self.time("startedBefore").is_none_or(|time| one.started_ms < time)
    }

    fn time(&self, key: &str) -> Option<u64> {
        let text = self.0.get(key)?.as_str()?;
        u64::try_from(deskwire_wire::date_to_millis(text)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use deskwire_catalog::{SourceLabel, read_value};
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_of_a_filter_counts() {
        let read = read_value(
            &SourceLabel::new("a"),
            json!([{
                "name": "chart", "type": "window", "hidden": true, "keywords": ["fx"],
                "customProperties": { "desk": 1 }, "details": { "url": "http://localhost/" },
            }]),
        );
        let app = &read.applications[0];
        for (filter, fits) in [
            (json!({}), true),
            (json!({ "names": [] }), true),
            (json!({ "names": ["chart", "other"] }), true),
            (json!({ "names": ["other"] }), false),
            (json!({ "types": ["window"] }), true),
            (json!({ "types": ["exe"] }), false),
            (json!({ "isHidden": false }), false),
            (json!({ "isInMemory": true }), false),
            (json!({ "keywords": ["fx", "rates"] }), true),
            (json!({ "keywords": ["rates"] }), false),
            (json!({ "customProperties": { "desk": 1 } }), true),
            (json!({ "customProperties": { "desk": 2 } }), false),
        ] {
            let fields = filter.as_object().unwrap();
            assert_eq!(Filter::new(fields).admits(app, false), fits, "{filter}");
        }
    }
}
