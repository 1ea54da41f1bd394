//! The flag by which an application makes a method a tool.

use std::time::Duration;

use deskwire_wire::{excerpt, shown_name};
use rmcp::model::{JsonObject, ToolAnnotations};
use serde_json::{Map, Value};

use crate::interop;
use crate::schema::{self, Normal, SchemaError, kind_of};
use crate::text::{self, MAX_TITLE};

/// Name of the flag.
pub(super) const FLAG: &str = "ioIntelMCPTool";
/// Longest `_meta` in bytes of JSON.
const MAX_META: usize = 16 * 1024;
/// Fields that are reported as left out.
const MAX_IGNORED: usize = 10;
/// What the flag may hold.
const FIELDS: [&str; 7] =
    ["name", "inputSchema", "outputSchema", "title", "annotations", "_meta", "responseTimeoutMs"];

/// The content of the flag. Schemas are not read yet.
#[derive(Debug, PartialEq)]
pub(super) struct Flag<'a> {
    pub(super) name: &'a str,
    pub(super) input_schema: Result<Source<'a>, FlagError>,
    pub(super) output_schema: Result<Source<'a>, FlagError>,
    pub(super) title: Option<String>,
    pub(super) annotations: Option<ToolAnnotations>,
    pub(super) meta: Option<JsonObject>,
    pub(super) response_timeout: Option<Duration>,
    /// Whether a text in it hid something or gives orders.
    pub(super) suspicious: bool,
    /// What was not understood and left out.
    pub(super) ignored: Vec<String>,
}

/// A schema as the application wrote it. Text is the rule; an object says the
/// same, and nobody is helped by a tool that is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source<'a> {
    Text(&'a str),
    Object(&'a Value),
}

/// Why the flag makes no tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FlagError {
    #[error("the flag `{FLAG}` is {0}, not an object")]
    NotAnObject(&'static str),
    #[error("`{FLAG}.{0}` is missing")]
    Missing(&'static str),
    #[error(
        "`{FLAG}.{field}` is missing; there is one in `{FLAG}.{within}`, where it does not count"
    )]
    Nested { field: &'static str, within: String },
    #[error("`{FLAG}.{field}` is missing; there is `{found}`, which does not count")]
    Misspelt { field: &'static str, found: String },
    #[error("`{FLAG}.{0}` is {1}, not a string")]
    NotText(&'static str, &'static str),
    #[error("`{FLAG}.responseTimeoutMs` is {0}")]
    Timeout(String),
}

impl FlagError {
    pub(super) fn fix(&self) -> String {
        match self {
            Self::NotAnObject("a string") => format!(
                "pass `{FLAG}` as an object; only its `inputSchema` and `outputSchema` are strings"
            ),
            Self::NotAnObject(_) => {
                "make it an object with `name`, `inputSchema`, `outputSchema`".into()
            }
            Self::Missing("name") | Self::NotText("name", _) => {
                "give the tool a `name` of 1 to 64 of the characters A-Z a-z 0-9 _ -".into()
            }
            Self::Missing(field) | Self::NotText(field, _) => {
                format!("add `{field}: JSON.stringify(schema)`")
            }
            Self::Nested { field, within } => {
                format!("move `{field}` from `{FLAG}.{within}` up into `{FLAG}` itself")
            }
            Self::Misspelt { field, found } => format!("spell `{found}` as `{field}`"),
            Self::Timeout(_) => {
                "give a number of milliseconds above 0, at most a day, or nothing".into()
            }
        }
    }
}

impl Source<'_> {
    pub(super) fn read(self) -> Result<Normal, SchemaError> {
        match self {
            Self::Text(text) => schema::read(text),
            Self::Object(value) => schema::read_value(value),
        }
    }
}

/// The name the flag gives, as far as there is one.
pub(super) fn name(flag: &Value) -> Option<&str> {
    flag.get("name").and_then(Value::as_str)
}

impl<'a> Flag<'a> {
    pub(super) fn read(flag: &'a Value) -> Result<Self, FlagError> {
        let Value::Object(fields) = flag else { return Err(FlagError::NotAnObject(kind_of(flag))) };
        let mut read = Self {
            name: name_of(fields)?,
            input_schema: schema_of(fields, "inputSchema"),
            output_schema: schema_of(fields, "outputSchema"),
            title: None,
            annotations: None,
            meta: None,
            response_timeout: fields
                .get("responseTimeoutMs")
                .filter(|value| !value.is_null())
                .map(timeout)
                .transpose()?,
            suspicious: false,
            ignored: Vec::new(),
        };
        read.title = read.title_of(fields, "title");
        read.annotations = read.annotations_of(fields);
        read.meta = read.meta_of(fields);
        let unknown = fields.keys().filter(|field| !FIELDS.contains(&field.as_str()));
        let unknown =
            unknown.take(MAX_IGNORED).map(|field| format!("`{}` is not known", shown_name(field)));
        read.ignored.extend(unknown);
        Ok(read)
    }

    fn title_of(&mut self, fields: &Map<String, Value>, field: &str) -> Option<String> {
        match fields.get(field)? {
            Value::Null => None,
            Value::String(title) => {
                let cleaned = text::clean(title, MAX_TITLE);
                self.suspicious |= cleaned.is_suspicious();
                Some(cleaned.text.replace('\n', " ")).filter(|title| !title.is_empty())
            }
            other => self.ignore(field, other, "a string"),
        }
    }

    fn annotations_of(&mut self, fields: &Map<String, Value>) -> Option<ToolAnnotations> {
        let annotations = match fields.get("annotations")? {
            Value::Null => return None,
            Value::Object(annotations) => annotations,
            other => return self.ignore("annotations", other, "an object"),
        };
        let title = self.title_of(annotations, "title");
        let mut hint = |name: &str| match annotations.get(name)? {
            Value::Null => None,
            Value::Bool(hint) => Some(*hint),
            other => self.ignore(name, other, "a boolean"),
        };
        Some(ToolAnnotations::from_raw(
            title,
            hint("readOnlyHint"),
            hint("destructiveHint"),
            hint("idempotentHint"),
            hint("openWorldHint"),
        ))
    }

    fn meta_of(&mut self, fields: &Map<String, Value>) -> Option<JsonObject> {
        let value = fields.get("_meta")?;
        match value {
            Value::Null => None,
            Value::Object(meta) if value.to_string().len() <= MAX_META => Some(meta.clone()),
            Value::Object(_) => {
                self.ignored.push(format!("`_meta` is longer than {MAX_META} bytes"));
                None
            }
            other => self.ignore("_meta", other, "an object"),
        }
    }

    fn ignore<T>(&mut self, field: &str, value: &Value, right: &str) -> Option<T> {
        self.ignored.push(format!("`{field}` is {}, not {right}", kind_of(value)));
        None
    }
}

fn name_of(fields: &Map<String, Value>) -> Result<&str, FlagError> {
    match fields.get("name") {
        None | Some(Value::Null) => Err(missing(fields, "name")),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(FlagError::NotText("name", kind_of(other))),
    }
}

fn schema_of<'a>(
    fields: &'a Map<String, Value>,
    field: &'static str,
) -> Result<Source<'a>, FlagError> {
    match fields.get(field) {
        None | Some(Value::Null) => Err(missing(fields, field)),
        Some(Value::String(text)) => Ok(Source::Text(text)),
        Some(object @ Value::Object(_)) => Ok(Source::Object(object)),
        Some(other) => Err(FlagError::NotText(field, kind_of(other))),
    }
}

/// A field is missing; perhaps since it stands a level too deep, as in the
/// configuration of static tools, or is spelt in another style.
fn missing(fields: &Map<String, Value>, field: &'static str) -> FlagError {
    let within = fields.iter().find(|(_, value)| value.get(field).is_some_and(|it| !it.is_null()));
    if let Some((within, _)) = within.filter(|(within, _)| !FIELDS.contains(&within.as_str())) {
        return FlagError::Nested { field, within: shown_name(within) };
    }
    let letters = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    match fields.keys().find(|name| *name != field && letters(name) == letters(field)) {
        Some(found) => FlagError::Misspelt { field, found: shown_name(found) },
        None => FlagError::Missing(field),
    }
}

fn timeout(value: &Value) -> Result<Duration, FlagError> {
    let wrong = || FlagError::Timeout(excerpt(&value.to_string(), 40));
    value.as_f64().and_then(interop::response_timeout).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flag(extra: Value) -> Value {
        let mut flag = json!({"name": "greet", "inputSchema": "{}", "outputSchema": "{}"});
        for (key, value) in extra.as_object().into_iter().flatten() {
            flag[key] = value.clone();
        }
        flag
    }

    /// The error and what would be right, if it makes no tool.
    fn fault(flag: &Value) -> Option<(String, String)> {
        let error = match Flag::read(flag) {
            Err(error) => error,
            Ok(flag) => flag.input_schema.and(flag.output_schema).err()?,
        };
        Some((error.to_string(), error.fix()))
    }

    #[test]
    fn what_is_needed_is_asked_for() {
        for (flag, message, fix) in [
            (json!(true), "is a boolean, not an object", "make it an object"),
            (json!("{}"), "is a string, not an object", "pass `ioIntelMCPTool` as an object"),
            (json!({}), "`ioIntelMCPTool.name` is missing", "give the tool a `name`"),
            (flag(json!({"name": 7})), "`ioIntelMCPTool.name` is a number, not a string", "`name`"),
            (
                flag(json!({"inputSchema": null})),
                "`ioIntelMCPTool.inputSchema` is missing",
                "add `inputSchema: JSON.stringify(schema)`",
            ),
            (
                flag(json!({"outputSchema": []})),
                "`ioIntelMCPTool.outputSchema` is an array, not a string",
                "add `outputSchema: JSON.stringify(schema)`",
            ),
            (
                json!({"name": "greet", "config": {"inputSchema": "{}", "outputSchema": "{}"}}),
                "there is one in `ioIntelMCPTool.config`",
                "move `inputSchema` from `ioIntelMCPTool.config` up",
            ),
            (
                json!({"name": "greet", "input_schema": "{}", "outputSchema": "{}"}),
                "there is `input_schema`, which does not count",
                "spell `input_schema` as `inputSchema`",
            ),
            (flag(json!({"responseTimeoutMs": 0})), "responseTimeoutMs` is 0", "above 0"),
            (flag(json!({"responseTimeoutMs": -1})), "responseTimeoutMs` is -1", "above 0"),
            (flag(json!({"responseTimeoutMs": "5s"})), "responseTimeoutMs` is \"5s\"", "above 0"),
            (flag(json!({"responseTimeoutMs": 1e300})), "responseTimeoutMs` is 1e+300", "a day"),
        ] {
            let (found, fixed) = fault(&flag).unwrap();
            assert!(found.contains(message), "{found}");
            assert!(fixed.contains(fix), "{fixed}");
        }
        assert_eq!(fault(&flag(json!({"inputSchema": {"type": "object"}}))), None);
    }

    #[test]
    fn what_is_optional_is_left_out_when_it_makes_no_sense() {
        let odd = flag(json!({"title": 1, "annotations": {"readOnlyHint": "yes", "title": "T"},
            "_meta": [], "responseTimeoutMs": 200.5, "responseTimeout": 5}));
        let read = Flag::read(&odd).unwrap();
        assert_eq!(read.title, None);
        assert_eq!(read.annotations, Some(ToolAnnotations::with_title("T")));
        assert_eq!(read.meta, None);
        assert_eq!(read.response_timeout, Some(Duration::from_micros(200_500)));
        assert_eq!(
            read.ignored,
            [
                "`title` is a number, not a string",
                "`readOnlyHint` is a string, not a boolean",
                "`_meta` is an array, not an object",
                "`responseTimeout` is not known"
            ]
        );
        let nothing = flag(
            json!({"title": null, "annotations": null, "_meta": null, "responseTimeoutMs": null}),
        );
        assert_eq!(Flag::read(&nothing).unwrap().ignored, Vec::<String>::new());
    }
}
