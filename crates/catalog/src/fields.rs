//! Reading the fields of an object leniently: absent and `null` are the same, and a
//! field of the wrong type is told and left out.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::diagnostic::Code;
use crate::report::{Path, Report, quote};

/// An object and where it stands in its record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) map: &'a Map<String, Value>,
    pub(crate) path: Path<'a>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(map: &'a Map<String, Value>, path: Path<'a>) -> Self {
        Self { map, path }
    }

    /// The value of a field that is there and not `null`.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// A text that is not blank, without blanks around it.
    pub(crate) fn text(&self, key: &str, report: &mut Report<'_>) -> Option<&'a str> {
        let value = self.get(key)?;
        let Some(text) = value.as_str() else {
            self.wrong_type(key, value, "a text", report);
            return None;
        };
        Some(text.trim()).filter(|text| !text.is_empty())
    }

    /// As [`Self::text`], owned.
    pub(crate) fn string(&self, key: &str, report: &mut Report<'_>) -> Option<String> {
        self.text(key, report).map(str::to_owned)
    }

    /// A text or a number, as text.
    pub(crate) fn text_or_number(&self, key: &str, report: &mut Report<'_>) -> Option<String> {
        match self.get(key)? {
            Value::Number(number) => Some(number.to_string()),
            _ => self.string(key, report),
        }
    }

    /// A switch.
    pub(crate) fn flag(&self, key: &str, report: &mut Report<'_>) -> Option<bool> {
        let value = self.get(key)?;
        let flag = value.as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false", report);
        }
        flag
    }

    /// An object.
    pub(crate) fn object(
        &self,
        key: &str,
        report: &mut Report<'_>,
    ) -> Option<&'a Map<String, Value>> {
        let value = self.get(key)?;
        let object = value.as_object();
        if object.is_none() {
            self.wrong_type(key, value, "an object", report);
        }
        object
    }

    /// A list; empty where there is none.
    pub(crate) fn list(&self, key: &str, report: &mut Report<'_>) -> &'a [Value] {
        match self.get(key) {
            None => &[],
            Some(Value::Array(list)) => list,
            Some(value) => {
                self.wrong_type(key, value, "a list", report);
                &[]
            }
        }
    }

    /// A list of texts; a single text is a list of one.
    pub(crate) fn texts(&self, key: &str, report: &mut Report<'_>) -> Vec<String> {
        if let Some(Value::String(one)) = self.get(key) {
            return Some(one.trim())
                .filter(|one| !one.is_empty())
                .map(str::to_owned)
                .into_iter()
                .collect();
        }
        let path = self.path.key(key);
        let mut texts = Vec::new();
        for (index, value) in self.list(key, report).iter().enumerate() {
            match value.as_str() {
                Some(text) if !text.trim().is_empty() => texts.push(text.trim().to_owned()),
                Some(_) => {}
                None => report.tell(Code::FieldType, path.index(index), wrong(value, "a text")),
            }
        }
        texts
    }

    /// An object of texts; numbers and switches are written as text.
    pub(crate) fn text_map(&self, key: &str, report: &mut Report<'_>) -> IndexMap<String, String> {
        let path = self.path.key(key);
        let mut texts = IndexMap::new();
        for (name, value) in self.object(key, report).into_iter().flatten() {
            match value {
                Value::String(text) => drop(texts.insert(name.clone(), text.clone())),
                Value::Number(_) | Value::Bool(_) => {
                    drop(texts.insert(name.clone(), value.to_string()))
                }
                _ => report.tell(Code::FieldType, path.key(name), wrong(value, "a text")),
            }
        }
        texts
    }

    /// A JSON Schema: an object, or the text of one.
    pub(crate) fn schema(&self, key: &str, report: &mut Report<'_>) -> Option<Value> {
        let value = self.get(key)?;
        match value {
            Value::Object(_) => return Some(value.clone()),
            Value::String(text) => {
                if let Ok(schema @ Value::Object(_)) = serde_json::from_str(text) {
                    let message = "the schema is written as text; in a definition it is an object";
                    report.tell(Code::InteropSchemaText, self.path.key(key), message);
                    return Some(schema);
                }
            }
            _ => {}
        }
        let message = format!(
            "{} is no JSON Schema and is left out; write an object, as in {{\"type\": \"object\", …}}",
            kind_of(value)
        );
        report.tell(Code::InteropSchema, self.path.key(key), message);
        None
    }

    fn wrong_type(&self, key: &str, value: &Value, wanted: &str, report: &mut Report<'_>) {
        report.tell(Code::FieldType, self.path.key(key), wrong(value, wanted));
    }
}

/// `5 is a number; it would be a text, and is left out`.
pub(crate) fn wrong(value: &Value, wanted: &str) -> String {
    format!("expected {wanted}, found {}; it is left out", kind_of(value))
}

/// What a value is, in words.
pub(crate) fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("`{value}`"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(text) => format!("the text \"{}\"", quote(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
