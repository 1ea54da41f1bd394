//! Interop method definitions.

use std::fmt;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};

use crate::{Id, Payload, shown_name};

/// Name prefix of the methods that are intent handlers.
const INTENT_PREFIX: &str = "Tick42.FDC3.Intents.";

/// A method definition in transit: its id, and the whole definition as the
/// application wrote it. Shared, as a [`Payload`] is.
#[derive(Clone)]
pub struct MethodDef {
    id: Id,
    definition: Payload,
    /// The known fields, made on first use by whoever of those that share it.
    method: Arc<OnceLock<Arc<Method>>>,
}

/// Why a method definition is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MethodDefError {
    /// `name` is absent, no string, or blank.
    #[error("method {} has no name; `name` must be a string that is not blank", shown_name(&.0.to_string()))]
    Name(Id),
    /// `flags` or `flags.metadata` is no object.
    #[error("method {}: `{}` must be an object", shown_name(&.0.to_string()), .1)]
    NotAnObject(Id, &'static str),
    /// The definition cannot be read.
    #[error("method {}: {}", shown_name(&.0.to_string()), .1)]
    Shape(Id, String),
}

impl MethodDef {
    /// A definition from its parts.
    ///
    /// # Errors
    /// As [`MethodDef::checked`].
    pub fn new(id: Id, method: &Method) -> Result<Self, MethodDefError> {
        let mut fields = match serde_json::to_value(method) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => Map::new(),
            Err(error) => return Err(MethodDefError::Shape(id, error.to_string())),
        };
        fields.insert("id".into(), json!(id));
        Self::from_parts(id, Value::Object(fields).into()).checked()
    }

    fn from_parts(id: Id, definition: Payload) -> Self {
        Self { id, definition, method: Arc::default() }
    }

    /// The client-chosen id, unique within its peer.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The whole definition, `id` included.
    #[must_use]
    pub fn definition(&self) -> &Payload {
        &self.definition
    }

    /// The definition as every client can take it.
    ///
    /// Clients read `flags.metadata` of each method, and the `intent` flag of
    /// each intent handler, without looking whether it is there: one definition
    /// without them breaks the method list, or all intents, of every other
    /// client. So what is absent is added as an empty object, and everything
    /// else stays as the application wrote it.
    ///
    /// # Errors
    /// When the name is missing, or `flags` has a shape that cannot be mended.
    pub fn checked(self) -> Result<Self, MethodDefError> {
        #[derive(Deserialize)]
        struct Probe {
            name: Option<Value>,
            flags: Option<Value>,
        }
        let Self { id, definition, method } = self;
        let probe: Probe = match definition.read("method definition") {
            Ok(probe) => probe,
            Err(error) => return Err(MethodDefError::Shape(id, error.to_string())),
        };
        let name = match probe.name {
            Some(Value::String(name)) if !name.trim().is_empty() => name,
            _ => return Err(MethodDefError::Name(id)),
        };
        let needs_intent = name.starts_with(INTENT_PREFIX);
        let mut flags = match probe.flags {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(flags)) => flags,
            Some(_) => return Err(MethodDefError::NotAnObject(id, "flags")),
        };
        let before = flags.clone();
        let metadata = flags.entry("metadata").or_insert(Value::Null);
        if metadata.is_null() {
            *metadata = json!({});
        }
        let Some(metadata) = metadata.as_object_mut() else {
            return Err(MethodDefError::NotAnObject(id, "flags.metadata"));
        };
        if needs_intent && !metadata.get("intent").is_some_and(Value::is_object) {
            metadata.insert("intent".into(), json!({}));
        }
        if !flags.get("streaming").is_some_and(Value::is_boolean) {
            flags.insert("streaming".into(), Value::Bool(false));
        }
        if flags == before {
            return Ok(Self { id, definition, method });
        }
        let shape = |error: &dyn fmt::Display| MethodDefError::Shape(id.clone(), error.to_string());
        let mut fields: IndexMap<String, Payload> =
            definition.read("method definition").map_err(|error| shape(&error))?;
        fields.insert("flags".into(), Value::Object(flags).into());
        let raw = serde_json::value::to_raw_value(&fields).map_err(|error| shape(&error))?;
        Ok(Self::from_parts(id, raw.into()))
    }

    /// The name, read each time; `None` where there is none.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Probe {
            name: String,
        }
        self.definition.read("method definition").ok().map(|Probe { name }| name)
    }

    /// The known fields of the definition. Read once for all that share it.
    ///
    /// # Errors
    /// When a known field has another type.
    pub fn method(&self) -> Result<Arc<Method>, MethodDefError> {
        if let Some(method) = self.method.get() {
            return Ok(Arc::clone(method));
        }
        let method = self.definition.read("method definition");
        let method =
            method.map_err(|error| MethodDefError::Shape(self.id.clone(), error.to_string()))?;
        Ok(Arc::clone(self.method.get_or_init(|| Arc::new(method))))
    }
}

impl PartialEq for MethodDef {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.definition == other.definition
    }
}

impl fmt::Debug for MethodDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.definition, f)
    }
}

impl Serialize for MethodDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.definition.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MethodDef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Probe {
            id: Id,
        }
        let definition = Payload::deserialize(deserializer)?;
        let Probe { id } =
            definition.read("method definition with an id").map_err(de::Error::custom)?;
        Ok(Self::from_parts(id, definition))
    }
}

/// A field that is optional: of another type, it is as good as absent. One slip
/// must not take a method from everybody that other clients can call.
fn lenient<'de, T: de::DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// The known fields of a method definition.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Name by which callers find the method.
    pub name: String,
    /// Name for people.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What the method does.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Version of the method.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// Types of the objects the method works with.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub object_types: Option<Vec<String>>,
    /// Arguments, in the signature language of the clients.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub input_signature: Option<String>,
    /// Result, in the signature language of the clients.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub result_signature: Option<String>,
    /// The flags the application set (`flags.metadata` on the wire).
    #[serde(default, with = "flags", rename = "flags")]
    pub flags: Flags,
}

/// Both halves of the `flags` wrapper.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flags {
    /// What the application set.
    pub metadata: Map<String, Value>,
    /// Whether the method is a stream.
    pub streaming: bool,
}

mod flags {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::{Map, Value};

    use super::Flags;

    #[derive(Serialize, Deserialize)]
    struct Wire {
        #[serde(default)]
        metadata: Option<Map<String, Value>>,
        #[serde(default)]
        streaming: Option<bool>,
    }

    pub(super) fn serialize<S: Serializer>(flags: &Flags, s: S) -> Result<S::Ok, S::Error> {
        Wire { metadata: Some(flags.metadata.clone()), streaming: Some(flags.streaming) }
            .serialize(s)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Flags, D::Error> {
        let wire = Option::<Wire>::deserialize(d)?;
        Ok(wire.map_or_else(Flags::default, |wire| Flags {
            metadata: wire.metadata.unwrap_or_default(),
            streaming: wire.streaming.unwrap_or_default(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(definition: &Value) -> Result<Value, MethodDefError> {
        let def: MethodDef = serde_json::from_value(definition.clone()).unwrap();
        def.checked().map(|def| def.definition().value().clone())
    }

    #[test]
    fn absent_flags_are_added_and_the_rest_is_kept() {
        assert_eq!(
            check(&json!({"id": 1, "name": "m", "extra": [1]})).unwrap(),
            json!({"id": 1, "name": "m", "extra": [1],
                   "flags": {"metadata": {}, "streaming": false}})
        );
        let whole = json!({"id": 1, "name": "m", "flags": {"metadata": {"a": 1}, "streaming": true, "x": 2}});
        assert_eq!(check(&whole).unwrap(), whole);
    }

    #[test]
    fn mending_leaves_the_text_of_the_rest_alone() {
        let text = r#"{"id":1,"name":"m","price":1.50,"big":12345678901234567890123}"#;
        let def: MethodDef = serde_json::from_str(text).unwrap();
        assert_eq!(
            def.checked().unwrap().definition().text(),
            text.replace('}', r#","flags":{"metadata":{},"streaming":false}}"#)
        );
    }

    #[test]
    fn an_intent_handler_without_its_flag_gets_one() {
        let mended = check(&json!({"id": "1", "name": "Tick42.FDC3.Intents.ViewChart",
                                   "flags": {"metadata": {}, "streaming": false}}))
        .unwrap();
        assert_eq!(mended["flags"]["metadata"], json!({"intent": {}}));
    }

    #[test]
    fn what_cannot_be_mended_is_named() {
        for (definition, text) in [
            (json!({"id": 1}), "method 1 has no name"),
            (json!({"id": 1, "name": " "}), "method 1 has no name"),
            (json!({"id": 1, "name": 5}), "method 1 has no name"),
            (json!({"id": 1, "name": "m", "flags": 5}), "`flags` must be an object"),
            (
                json!({"id": 1, "name": "m", "flags": {"metadata": []}}),
                "`flags.metadata` must be an object",
            ),
        ] {
            let error = check(&definition).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn optional_fields_of_another_type_are_absent() {
        for (field, value) in [
            ("version", json!("1.0")),
            ("version", json!(1.5)),
            ("description", json!(42)),
            ("object_types", json!("x")),
            ("display_name", json!({})),
            ("input_signature", json!(null)),
        ] {
            let definition = json!({"id": 1, "name": "m", field: value});
            let def: MethodDef = serde_json::from_value(definition).unwrap();
            let expected = Method { name: "m".into(), ..Method::default() };
            assert_eq!(*def.method().unwrap(), expected, "{field}");
        }
    }

    #[test]
    fn known_fields_round_trip() {
        let method = Method {
            name: "Demo.Add".into(),
            description: Some("adds".into()),
            version: Some(2),
            flags: Flags {
                metadata: json!({"k": 1}).as_object().cloned().unwrap(),
                streaming: true,
            },
            ..Method::default()
        };
        let def = MethodDef::new(Id::from("0"), &method).unwrap();
        assert_eq!(*def.method().unwrap(), method);
        let clone = def.clone();
        assert!(Arc::ptr_eq(&def.method().unwrap(), &clone.method().unwrap()), "read once");
        assert_eq!(
            def.definition().value(),
            &json!({"name": "Demo.Add", "description": "adds", "version": 2,
                    "flags": {"metadata": {"k": 1}, "streaming": true}, "id": "0"})
        );
    }
}
