//! Shared contexts: their data and the four forms of change.
//!
//! A gateway stores the changed data and relays the change verbatim, so sender,
//! gateway and receivers must all apply it alike. This is the one place that does.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::{Payload, PayloadError};

/// The data of a context: top-level keys with values in their original text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    fields: IndexMap<String, Payload>,
}

/// A change of a context.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// Replaces everything.
    Reset(Document),
    /// Sets and removes by path, in order.
    Commands(Vec<Command>),
    /// Changes top-level keys.
    Fields {
        /// Keys to set.
        added: Document,
        /// Keys to merge one level deep: object into object; anything else replaces.
        updated: Document,
        /// Keys to remove.
        removed: Vec<String>,
    },
}

/// One step of [`Delta::Commands`]. A path is keys joined by `.`, without
/// escapes or array indexes; the empty path is the whole document.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "WireCommand")]
pub enum Command {
    /// Sets the value at a path; parents that are no objects become objects.
    Set {
        /// Where.
        path: String,
        /// What.
        value: Payload,
    },
    /// Removes what is at a path.
    Remove {
        /// Where.
        path: String,
    },
}

/// Why a change is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeltaError {
    /// It has another shape.
    #[error("context delta: {0}")]
    Shape(#[from] PayloadError),
    /// A path that would reach into the prototype of a JavaScript object.
    #[error("context delta: the path `{0}` is not allowed")]
    ForbiddenPath(String),
    /// The root of a context is an object.
    #[error("context delta: the whole context can only be set to an object")]
    RootNotObject,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verb {
    Set,
    Remove,
}

#[derive(Deserialize)]
struct WireCommand {
    #[serde(rename = "type")]
    verb: Verb,
    #[serde(default)]
    path: String,
    #[serde(default = "Payload::null")]
    value: Payload,
}

impl From<WireCommand> for Command {
    fn from(WireCommand { verb, path, value }: WireCommand) -> Self {
        match verb {
            Verb::Set => Self::Set { path, value },
            Verb::Remove => Self::Remove { path },
        }
    }
}

impl Delta {
    /// Reads a change. Where several forms stand together, `reset` counts
    /// alone, else `commands` alone, as in the JavaScript clients.
    ///
    /// # Errors
    /// When the change has another shape or a path that is not allowed.
    pub fn parse(payload: &Payload) -> Result<Self, DeltaError> {
        #[derive(Deserialize)]
        struct Wire {
            reset: Option<IndexMap<String, Payload>>,
            commands: Option<Vec<Command>>,
            added: Option<IndexMap<String, Payload>>,
            updated: Option<IndexMap<String, Payload>>,
            removed: Option<Vec<String>>,
        }
        let wire: Wire = payload.read("object of reset, commands, added, updated, removed")?;
        let delta = if let Some(fields) = wire.reset {
            Self::Reset(Document { fields })
        } else if let Some(commands) = wire.commands.filter(|commands| !commands.is_empty()) {
            Self::Commands(commands)
        } else {
            let document = |fields: Option<_>| Document { fields: fields.unwrap_or_default() };
            Self::Fields {
                added: document(wire.added),
                updated: document(wire.updated),
                removed: wire.removed.unwrap_or_default(),
            }
        };
        delta.check()?;
        Ok(delta)
    }

    fn check(&self) -> Result<(), DeltaError> {
        let forbidden = |path: &str| {
            let bad = |segment| matches!(segment, "__proto__" | "constructor" | "prototype");
            path.split('.').any(bad)
        };
        let paths: Vec<&str> = match self {
            Self::Reset(document) => document.fields.keys().map(String::as_str).collect(),
            Self::Commands(commands) => commands.iter().map(Command::path).collect(),
            Self::Fields { added, updated, removed } => added
                .fields
                .keys()
                .chain(updated.fields.keys())
                .chain(removed)
                .map(String::as_str)
                .collect(),
        };
        match paths.into_iter().find(|path| forbidden(path)) {
            Some(path) => Err(DeltaError::ForbiddenPath(path.to_owned())),
            None => Ok(()),
        }
    }
}

impl Command {
    fn path(&self) -> &str {
        match self {
            Self::Set { path, .. } | Self::Remove { path } => path,
        }
    }
}

impl Document {
    /// Reads the data of a context.
    ///
    /// # Errors
    /// When it is no object.
    pub fn parse(payload: &Payload) -> Result<Self, PayloadError> {
        payload.read("object (the data of a context)").map(|fields| Self { fields })
    }

    /// The data as one payload.
    #[must_use]
    pub fn to_payload(&self) -> Payload {
        match serde_json::value::to_raw_value(&self.fields) {
            Ok(raw) => raw.into(),
            Err(_) => Payload::empty_object(),
        }
    }

    /// The value of a top-level key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Payload> {
        self.fields.get(key)
    }

    /// Length of the data's text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        let fields = self.fields.iter();
        2 + fields.map(|(key, value)| key.len() + value.len() + 4).sum::<usize>()
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Applies a change.
    ///
    /// # Errors
    /// When a command sets the root to something else than an object; the
    /// commands before it stay applied.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), DeltaError> {
        match delta {
            Delta::Reset(document) => self.clone_from(document),
            Delta::Commands(commands) => {
                for command in commands {
                    self.run(command)?;
                }
            }
            Delta::Fields { added, updated, removed } => {
                for (key, value) in &added.fields {
                    self.insert(key, value.clone());
                }
                for (key, value) in &updated.fields {
                    self.merge(key, value);
                }
                for key in removed {
                    self.fields.shift_remove(key);
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, command: &Command) -> Result<(), DeltaError> {
        match command {
            Command::Set { path, value } if path.is_empty() => {
                *self = Self::parse(value).map_err(|_| DeltaError::RootNotObject)?;
            }
            Command::Set { path, value } => self.set(path, value),
            Command::Remove { path } if path.is_empty() => self.fields.clear(),
            Command::Remove { path } => self.remove(path),
        }
        Ok(())
    }

    fn set(&mut self, path: &str, value: &Payload) {
        match path.split_once('.') {
            None => self.insert(path, value.clone()),
            Some((head, rest)) => {
                let mut child = self.child(head).unwrap_or_default();
                child.set(rest, value);
                self.insert(head, child.to_payload());
            }
        }
    }

    fn remove(&mut self, path: &str) {
        match path.split_once('.') {
            None => {
                self.fields.shift_remove(path);
            }
            Some((head, rest)) => {
                if let Some(mut child) = self.child(head) {
                    child.remove(rest);
                    self.insert(head, child.to_payload());
                }
            }
        }
    }

    fn merge(&mut self, key: &str, value: &Payload) {
        let merged = match (self.child(key), Self::parse(value)) {
            (Some(mut old), Ok(new)) => {
                old.fields.extend(new.fields);
                old.to_payload()
            }
            _ => value.clone(),
        };
        self.insert(key, merged);
    }

    fn insert(&mut self, key: &str, value: Payload) {
        self.fields.insert(key.to_owned(), value);
    }

    /// The object at a top-level key, as a document of its own.
    fn child(&self, key: &str) -> Option<Self> {
        self.fields.get(key).and_then(|value| Self::parse(value).ok())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(data: Value, delta: Value, expected: &Value) {
        let mut document = Document::parse(&data.into()).unwrap();
        let delta = Delta::parse(&delta.into()).unwrap();
        document.apply(&delta).unwrap();
        assert_eq!(document.to_payload().value(), expected);
    }

    #[test]
    fn all_four_forms() {
        let data = json!({"a": 1, "o": {"p": 1}, "l": [1]});
        check(data.clone(), json!({"reset": {"fresh": 1}}), &json!({"fresh": 1}));
        check(
            data.clone(),
            json!({"added": {"n": 1}, "updated": {"o": {"q": 2}, "l": [2]}, "removed": ["a"]}),
            &json!({"o": {"p": 1, "q": 2}, "l": [2], "n": 1}),
        );
        check(
            data.clone(),
            json!({"commands": [
                {"type": "set", "path": "o.deep.k", "value": 5},
                {"type": "set", "path": "a.b", "value": null},
                {"type": "set", "path": "l.0", "value": "key, not index"},
                {"type": "remove", "path": "o.p"},
                {"type": "remove", "path": "nope.x"},
            ]}),
            &json!({"a": {"b": null}, "o": {"deep": {"k": 5}}, "l": {"0": "key, not index"}}),
        );
        check(
            data.clone(),
            json!({"commands": [{"type": "remove", "path": ""},
                                {"type": "set", "path": "x", "value": 1}]}),
            &json!({"x": 1}),
        );
        check(
            data,
            json!({"commands": [{"type": "set", "path": "", "value": {"only": true}}]}),
            &json!({"only": true}),
        );
    }

    #[test]
    fn reset_wins_over_commands_and_commands_over_fields() {
        check(
            json!({"a": 1}),
            json!({"reset": {"r": 1}, "commands": [{"type": "remove", "path": "r"}]}),
            &json!({"r": 1}),
        );
        check(
            json!({"a": 1}),
            json!({"added": {"b": 1}, "updated": {}, "removed": ["a"],
                   "commands": [{"type": "set", "path": "c", "value": 1}]}),
            &json!({"a": 1, "c": 1}),
        );
        check(
            json!({"a": 1}),
            json!({"added": {"b": 1}, "updated": {}, "removed": [], "commands": []}),
            &json!({"a": 1, "b": 1}),
        );
    }

    #[test]
    fn numbers_keep_their_text() {
        let data = Payload::parse(r#"{"o":{"price":1.50,"big":12345678901234567890123}}"#).unwrap();
        let mut document = Document::parse(&data).unwrap();
        let delta = Payload::parse(r#"{"commands":[{"type":"set","path":"o.n","value":1.0}]}"#);
        document.apply(&Delta::parse(&delta.unwrap()).unwrap()).unwrap();
        assert_eq!(
            document.to_payload().text(),
            r#"{"o":{"price":1.50,"big":12345678901234567890123,"n":1.0}}"#
        );
    }

    #[test]
    fn refusals_say_why() {
        for (delta, text) in [
            (json!([]), "not a JSON object of reset"),
            (json!({"commands": [{"type": "move", "path": "a"}]}), "unknown variant `move`"),
            (
                json!({"commands": [{"type": "set", "path": "a.__proto__.x", "value": 1}]}),
                "the path `a.__proto__.x` is not allowed",
            ),
            (json!({"added": {"constructor": 1}}), "the path `constructor` is not allowed"),
            (json!({"reset": 5}), "expected a map"),
        ] {
            let error = Delta::parse(&delta.into()).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
        let mut document = Document::default();
        let root = json!({"commands": [{"type": "set", "path": "", "value": 5}]});
        let delta = Delta::parse(&root.into()).unwrap();
        assert_eq!(document.apply(&delta), Err(DeltaError::RootNotObject));
    }
}
