//! The data of a shared context.
//!
//! A gateway stores the changed data and relays the change verbatim, so sender,
//! gateway and receivers must all apply it alike. This is the one place that does.

use std::sync::OnceLock;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::depth::deeper_than;
use crate::{Command, Delta, DeltaError, MAX_DEPTH, Payload, PayloadError};

/// How deep the data of a context may nest: less than a frame by what a frame
/// puts around it.
pub const MAX_DOCUMENT_DEPTH: usize = MAX_DEPTH - 4;

/// The data of a context: values by key, in their original text.
///
/// Objects are opened one by one, as changes reach into them, and stay open.
/// So a change costs what it touches, however large the context is, and a
/// context that nobody changes stays one piece of text.
#[derive(Debug, Clone, Default)]
pub struct Document {
    root: Object,
}

#[derive(Debug, Clone, Default)]
struct Object {
    fields: IndexMap<String, Node>,
    /// Bytes of all fields as text, each with a comma.
    fields_len: usize,
    /// Keys here and below.
    keys: usize,
    /// The text, while nothing changes.
    text: OnceLock<Payload>,
}

#[derive(Debug, Clone)]
enum Node {
    Closed(Payload),
    Open(Box<Object>),
}

/// What a key takes in memory besides its text.
pub(crate) const KEY_BYTES: usize = 192;

impl Document {
    pub(crate) fn new(fields: IndexMap<String, Payload>) -> Self {
        Self { root: Object::new(fields) }
    }

    /// Reads the data of a context.
    ///
    /// # Errors
    /// When it is no object, or nests deeper than [`MAX_DOCUMENT_DEPTH`].
    pub fn parse(payload: &Payload) -> Result<Self, PayloadError> {
        let expected = "object (the data of a context)";
        if deeper_than(payload.text(), MAX_DOCUMENT_DEPTH) {
            let reason = format!("it nests deeper than {MAX_DOCUMENT_DEPTH} levels");
            return Err(PayloadError::new(expected, reason));
        }
        payload.read(expected).map(Self::new)
    }

    /// The data as one payload.
    #[must_use]
    pub fn to_payload(&self) -> Payload {
        self.root.payload().clone()
    }

    /// The value of a top-level key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Payload> {
        self.root.fields.get(key).map(Node::payload)
    }

    /// The value at a path of keys joined by `.`.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<Payload> {
        self.root.at(path)
    }

    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Payload)> {
        self.root.fields.iter().map(|(key, node)| (key.as_str(), node.payload()))
    }

    /// Length of the data's text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.root.len()
    }

    /// About the bytes that the data takes in memory.
    #[must_use]
    pub fn footprint(&self) -> usize {
        self.len() + self.root.keys * KEY_BYTES
    }

    /// Closes what changes have opened: the least [`footprint`](Self::footprint)
    /// for the same data.
    pub fn compact(&mut self) {
        for node in self.root.fields.values_mut() {
            if let Node::Open(object) = node {
                self.root.keys -= object.keys;
                *node = Node::Closed(object.payload().clone());
            }
        }
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root.fields.is_empty()
    }

    /// Applies a change.
    ///
    /// # Errors
    /// When a command sets the root to something else than an object, which
    /// [`Delta::parse`] refuses already; the commands before it stay applied.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), DeltaError> {
        match delta {
            Delta::Reset(document) => self.clone_from(document),
            Delta::Commands(commands) => {
                for command in commands {
                    self.run(command)?;
                }
            }
            Delta::Fields { added, updated, removed } => {
                for (key, value) in added {
                    self.root.set(key, value);
                }
                for (key, value) in updated {
                    self.root.merge(key, value);
                }
                for key in removed {
                    self.root.take(key);
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
            Command::Set { path, value } => self.root.set_at(path, value),
            Command::Remove { path } if path.is_empty() => *self = Self::default(),
            Command::Remove { path } => self.root.remove_at(path),
        }
        Ok(())
    }
}

impl FromIterator<(String, Payload)> for Document {
    fn from_iter<I: IntoIterator<Item = (String, Payload)>>(fields: I) -> Self {
        Self::new(fields.into_iter().collect())
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.to_payload() == other.to_payload()
    }
}

impl Object {
    fn new(fields: IndexMap<String, Payload>) -> Self {
        let fields_len = fields.iter().map(|(key, value)| field_len(key, value.len())).sum();
        let keys = fields.len();
        let fields = fields.into_iter().map(|(key, value)| (key, Node::Closed(value))).collect();
        Self { fields, fields_len, keys, text: OnceLock::new() }
    }

    fn len(&self) -> usize {
        // Two braces, and no comma after the last field.
        2 + self.fields_len.saturating_sub(1)
    }

    fn payload(&self) -> &Payload {
        self.text.get_or_init(|| match serde_json::value::to_raw_value(&self.fields) {
            Ok(raw) => raw.into(),
            Err(_) => Payload::empty_object(),
        })
    }

    fn at(&self, path: &str) -> Option<Payload> {
        let Some((head, rest)) = path.split_once('.') else {
            return self.fields.get(path).map(|node| node.payload().clone());
        };
        match self.fields.get(head)? {
            Node::Open(object) => object.at(rest),
            Node::Closed(payload) => Self::new(payload.read("object").ok()?).at(rest),
        }
    }

    /// Sets a value at a path; what is on the way and no object becomes one.
    fn set_at(&mut self, path: &str, value: &Payload) {
        match path.split_once('.') {
            None => self.set(path, value),
            Some((head, rest)) => self.within(head, true, |child| child.set_at(rest, value)),
        }
    }

    fn remove_at(&mut self, path: &str) {
        match path.split_once('.') {
            None => self.take(path),
            Some((head, rest)) => self.within(head, false, |child| child.remove_at(rest)),
        }
    }

    fn set(&mut self, key: &str, value: &Payload) {
        self.put(key, Node::Closed(value.clone()));
    }

    /// Object into object; anything else replaces.
    fn merge(&mut self, key: &str, value: &Payload) {
        let new: Result<IndexMap<String, Payload>, _> = value.read("object");
        let mut merged = false;
        if let Ok(new) = new {
            self.within(key, false, |child| {
                merged = true;
                for (key, value) in &new {
                    child.set(key, value);
                }
            });
        }
        if !merged {
            self.set(key, value);
        }
    }

    fn put(&mut self, key: &str, node: Node) {
        self.text.take();
        self.keys += node.keys() + 1;
        self.fields_len += field_len(key, node.len());
        if let Some(old) = self.fields.insert(key.to_owned(), node) {
            self.keys -= old.keys() + 1;
            self.fields_len -= field_len(key, old.len());
        }
    }

    /// Removes a key. The last key takes its place: nothing depends on the
    /// order of keys, and closing the gap would cost as much as all of them.
    fn take(&mut self, key: &str) {
        if let Some(old) = self.fields.swap_remove(key) {
            self.text.take();
            self.keys -= old.keys() + 1;
            self.fields_len -= field_len(key, old.len());
        }
    }

    /// Changes the object at a key; where there is none, makes one or does nothing.
    fn within(&mut self, key: &str, make: bool, change: impl FnOnce(&mut Self)) {
        let node = match self.fields.get_mut(key) {
            Some(node) => node,
            None if make => {
                self.put(key, Node::Open(Box::default()));
                let Some(node) = self.fields.get_mut(key) else { return };
                node
            }
            None => return,
        };
        let (len, keys) = (node.len(), node.keys());
        if let Node::Closed(payload) = node {
            *node = match payload.read("object") {
                Ok(fields) => Node::Open(Box::new(Self::new(fields))),
                Err(_) if make => Node::Open(Box::default()),
                Err(_) => return,
            };
        }
        if let Node::Open(child) = node {
            change(child);
        }
        self.fields_len = self.fields_len - len + node.len();
        self.keys = self.keys - keys + node.keys();
        self.text.take();
    }
}

impl Node {
    fn payload(&self) -> &Payload {
        match self {
            Self::Closed(payload) => payload,
            Self::Open(object) => object.payload(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Closed(payload) => payload.len(),
            Self::Open(object) => object.len(),
        }
    }

    fn keys(&self) -> usize {
        match self {
            Self::Closed(_) => 0,
            Self::Open(object) => object.keys,
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Closed(payload) => payload.serialize(serializer),
            Self::Open(object) => object.fields.serialize(serializer),
        }
    }
}

/// A key as text, its quotes, colon and comma, and its value.
pub(crate) fn field_len(key: &str, value_len: usize) -> usize {
    let escapes = key.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
        0x00..=0x1F => 5,
        _ => 0,
    });
    key.len() + escapes.sum::<usize>() + 4 + value_len
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// The delta language over plain values, as simple as it gets.
    fn model(value: &mut Value, path: &str, new: Option<&Value>) {
        let (head, rest) = path.split_once('.').map_or((path, None), |(h, r)| (h, Some(r)));
        if !value.is_object() {
            *value = json!({});
        }
        let fields = value.as_object_mut().unwrap();
        match (rest, new) {
            (None, Some(new)) => {
                fields.insert(head.into(), new.clone());
            }
            (None, None) => {
                fields.remove(head);
            }
            (Some(rest), Some(_)) => model(fields.entry(head).or_insert(json!({})), rest, new),
            (Some(rest), None) => {
                if let Some(child) = fields.get_mut(head).filter(|child| child.is_object()) {
                    model(child, rest, None);
                }
            }
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(1)), Just(json!("x")), Just(json!([1])), Just(json!({}))];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop::collection::hash_map("[abc\"\n\u{1}]", inner, 0..3).prop_map(|map| json!(map))
        })
    }

    proptest! {
        #[test]
        fn commands_do_what_the_model_does(
            start in values(),
            steps in prop::collection::vec(("[abc](\\.[abc\"\n\u{1}]){0,3}", prop::option::of(values())), 1..20),
        ) {
            let start = if start.is_object() { start } else { json!({}) };
            let mut document = Document::parse(&start.clone().into()).unwrap();
            let mut expected = start;
            for (path, value) in steps {
                model(&mut expected, &path, value.as_ref());
                let command = match value {
                    Some(value) => json!({"type": "set", "path": path, "value": value}),
                    None => json!({"type": "remove", "path": path}),
                };
                let delta = Delta::parse(&json!({"commands": [command]}).into()).unwrap();
                let mut before = document.clone();
                before.compact();
                document.apply(&delta).unwrap();
                let payload = document.to_payload();
                prop_assert_eq!(payload.value(), &expected);
                prop_assert_eq!(document.len(), payload.len());
                let mut compact = document.clone();
                compact.compact();
                prop_assert_eq!(compact.root.keys, expected.as_object().unwrap().len());
                prop_assert_eq!(&compact, &document);
                let growth = delta.growth();
                prop_assert!(compact.len() <= before.len() + growth.text);
                prop_assert!(compact.footprint() <= before.footprint() + growth.footprint);
                for (key, value) in expected.as_object().unwrap() {
                    prop_assert_eq!(document.get(key).map(Payload::value), Some(value));
                }
            }
        }
    }

    #[test]
    fn a_path_finds_its_value_whether_opened_or_not() {
        let mut document =
            Document::parse(&json!({"o": {"p": {"q": 1}}, "l": [1]}).into()).unwrap();
        let open = json!({"commands": [{"type": "set", "path": "o.p.r", "value": 2}]});
        for _ in 0..2 {
            for (path, found) in
                [("o.p.q", Some(json!(1))), ("l", Some(json!([1]))), ("l.0", None), ("o.x.y", None)]
            {
                assert_eq!(document.at(path).map(|value| value.value().clone()), found, "{path}");
            }
            document.apply(&Delta::parse(&open.clone().into()).unwrap()).unwrap();
        }
        assert_eq!(document.at("o.p").unwrap().value(), &json!({"q": 1, "r": 2}));
    }

    #[test]
    fn many_changes_of_a_large_value_cost_what_they_touch() {
        let large: serde_json::Map<_, _> =
            (0..20_000).map(|n| (format!("k{n}"), json!(n))).collect();
        let mut document = Document::parse(&json!({"large": large}).into()).unwrap();
        let commands: Vec<_> = (0..20_000)
            .map(|n| json!({"type": "set", "path": format!("large.k{n}"), "value": n + 1}))
            .collect();
        let delta = Delta::parse(&json!({"commands": commands}).into()).unwrap();
        document.apply(&delta).unwrap();
        assert_eq!(document.to_payload().value()["large"]["k19999"], 20_000);
    }
}
