//! The four forms of change of a shared context.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::depth::deeper_than;
use crate::document::{KEY_BYTES, MAX_DOCUMENT_DEPTH, field_len};
use crate::{Document, Payload, PayloadError};

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
        added: IndexMap<String, Payload>,
        /// Keys to merge one level deep: object into object; anything else replaces.
        updated: IndexMap<String, Payload>,
        /// Keys to remove.
        removed: Vec<String>,
    },
}

/// One step of [`Delta::Commands`]. A path is keys joined by `.`, without
/// escapes or array indexes; the empty path is the whole document.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(from = "WireCommand", tag = "type", rename_all = "lowercase")]
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
    /// A path, or a value at its place, nests deeper than clients can read.
    #[error("context delta: `{0}` nests deeper than {MAX_DOCUMENT_DEPTH} levels")]
    TooDeep(String),
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
            Self::Reset(Document::new(fields))
        } else if let Some(commands) = wire.commands.filter(|commands| !commands.is_empty()) {
            Self::Commands(commands)
        } else {
            Self::Fields {
                added: wire.added.unwrap_or_default(),
                updated: wire.updated.unwrap_or_default(),
                removed: wire.removed.unwrap_or_default(),
            }
        };
        delta.check()?;
        Ok(delta)
    }

    /// Whether the change is allowed. [`Delta::parse`] has done this check.
    ///
    /// # Errors
    /// When it would reach into prototypes, nest so deep that readers of the
    /// context would fail, or make the root something else than an object.
    pub fn check(&self) -> Result<(), DeltaError> {
        fn set<'a>(
            fields: impl IntoIterator<Item = (&'a String, &'a Payload)>,
        ) -> impl Iterator<Item = (&'a str, Option<&'a Payload>)> {
            fields.into_iter().map(|(key, value)| (key.as_str(), Some(value)))
        }
        match self {
            Self::Reset(document) => {
                check(false, document.iter().map(|(key, value)| (key, Some(value))))
            }
            Self::Commands(commands) => check(true, commands.iter().map(Command::parts)),
            Self::Fields { added, updated, removed } => {
                let removed = removed.iter().map(|key| (key.as_str(), None));
                check(false, set(added).chain(set(updated)).chain(removed))
            }
        }
    }

    /// The change as it stands in a frame. A change by commands carries the
    /// other members, empty, since some clients read them without looking.
    #[must_use]
    pub fn to_payload(&self) -> Payload {
        #[derive(Serialize)]
        struct Wire<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            reset: Option<Payload>,
            #[serde(skip_serializing_if = "Option::is_none")]
            added: Option<&'a IndexMap<String, Payload>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            updated: Option<&'a IndexMap<String, Payload>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            removed: Option<&'a [String]>,
            #[serde(skip_serializing_if = "Option::is_none")]
            commands: Option<&'a [Command]>,
        }
        let none = IndexMap::new();
        let wire = match self {
            Self::Reset(document) => Wire {
                reset: Some(document.to_payload()),
                added: None,
                updated: None,
                removed: None,
                commands: None,
            },
            Self::Commands(commands) => Wire {
                reset: None,
                added: Some(&none),
                updated: Some(&none),
                removed: Some(&[]),
                commands: Some(commands),
            },
            Self::Fields { added, updated, removed } => Wire {
                reset: None,
                added: Some(added),
                updated: Some(updated),
                removed: Some(removed),
                commands: None,
            },
        };
        // Serialising these types into memory has no way to fail.
        serde_json::value::to_raw_value(&wire)
            .map_or_else(|_| Payload::empty_object(), Payload::from)
    }

    /// Whether applying it to anything changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Reset(_) => false,
            Self::Commands(commands) => commands.is_empty(),
            Self::Fields { added, updated, removed } => {
                added.is_empty() && updated.is_empty() && removed.is_empty()
            }
        }
    }
}

/// The most that a change can add to a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Growth {
    /// To its [`len`](Document::len).
    pub text: usize,
    /// To its [`footprint`](Document::footprint) when [compact](Document::compact).
    pub footprint: usize,
}

impl Delta {
    /// The most that applying this can add to a document.
    #[must_use]
    pub fn growth(&self) -> Growth {
        let field = |key: &str, value: usize| Growth {
            text: field_len(key, value),
            footprint: field_len(key, value) + KEY_BYTES,
        };
        let all: Vec<Growth> = match self {
            Self::Reset(document) => {
                return Growth { text: document.len(), footprint: document.footprint() };
            }
            Self::Fields { added, updated, .. } => {
                added.iter().chain(updated).map(|(key, value)| field(key, value.len())).collect()
            }
            Self::Commands(commands) => commands
                .iter()
                .map(|command| match command {
                    Command::Remove { .. } => Growth::default(),
                    // Each key of the new root takes at least `"":0,` of the text.
                    Command::Set { path, value } if path.is_empty() => Growth {
                        text: value.len(),
                        footprint: value.len() + value.len() / 5 * KEY_BYTES,
                    },
                    // An object around each step of the path.
                    Command::Set { path, value } => {
                        field(path, value.len() + 6 * path.split('.').count())
                    }
                })
                .collect(),
        };
        all.into_iter().fold(Growth::default(), |sum, one| Growth {
            text: sum.text + one.text,
            footprint: sum.footprint + one.footprint,
        })
    }
}

/// Refuses what would reach into prototypes, what would nest so deep that
/// readers of the context would fail, and, of `commands`, a root that is no object.
fn check<'a>(
    commands: bool,
    changes: impl Iterator<Item = (&'a str, Option<&'a Payload>)>,
) -> Result<(), DeltaError> {
    for (path, value) in changes {
        if path.split('.').any(|key| matches!(key, "__proto__" | "constructor" | "prototype")) {
            return Err(DeltaError::ForbiddenPath(shortened(path)));
        }
        if commands
            && path.is_empty()
            && value.is_some_and(|value| !value.text().trim_start().starts_with('{'))
        {
            return Err(DeltaError::RootNotObject);
        }
        let levels = path.split('.').take(MAX_DOCUMENT_DEPTH + 1).count();
        let left = MAX_DOCUMENT_DEPTH.checked_sub(levels);
        match (left, value) {
            (Some(left), Some(value)) if !deeper_than(value.text(), left) => {}
            (Some(_), None) => {}
            _ => return Err(DeltaError::TooDeep(shortened(path))),
        }
    }
    Ok(())
}

/// A path as it fits into a message.
fn shortened(path: &str) -> String {
    const LEN: usize = 80;
    match path.char_indices().nth(LEN) {
        Some((end, _)) => format!("{}…", path.get(..end).unwrap_or_default()),
        None => path.to_owned(),
    }
}

impl Command {
    fn parts(&self) -> (&str, Option<&Payload>) {
        match self {
            Self::Set { path, value } => (path, Some(value)),
            Self::Remove { path } => (path, None),
        }
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
    fn a_change_reads_back_as_it_was_written() {
        for delta in [
            json!({"reset": {"fresh": 1}}),
            json!({"added": {"n": 1}, "updated": {"o": {"q": 2}}, "removed": ["a"]}),
            json!({"added": {}, "updated": {}, "removed": [], "commands": [
                {"type": "set", "path": "o.k", "value": 5},
                {"type": "remove", "path": "o.p"},
            ]}),
        ] {
            let parsed = Delta::parse(&delta.clone().into()).unwrap();
            assert_eq!(parsed.to_payload().value(), &delta);
        }
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

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!(0), |inner, _| json!([inner]))
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
            (
                json!({"commands": [{"type": "remove", "path": "a.".repeat(1_000_000)}]}),
                "nests deeper than 96 levels",
            ),
            (
                json!({"commands": [{"type": "set", "path": "a.".repeat(60) + "a", "value": nested(40)}]}),
                "nests deeper than 96 levels",
            ),
            (json!({"reset": {"a": nested(96)}}), "`a` nests deeper than 96 levels"),
            (json!({"reset": 5}), "expected a map"),
            (
                json!({"commands": [{"type": "set", "path": "", "value": [1]}]}),
                "the whole context can only be set to an object",
            ),
        ] {
            let error = Delta::parse(&delta.into()).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
