//! Handling intents.

use deskwire_wire::{Flags, Method};
use serde_json::{Map, Value, json};

use super::handlers::{FLAG, method_name};

/// How an intent is handled. `IntentListener { result_type: Some("order".into()),
/// ..IntentListener::new("CreateOrder") }` sets what differs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IntentListener {
    /// Name of the intent.
    pub intent: String,
    /// Types of contexts that are taken; any where there are none.
    pub context_types: Vec<String>,
    /// What to call the intent, for people.
    pub display_name: Option<String>,
    /// What is done, for people.
    pub description: Option<String>,
    /// An icon, as a URL.
    pub icon: Option<String>,
    /// Type of the results.
    pub result_type: Option<String>,
    /// Anything more.
    pub custom_config: Option<Map<String, Value>>,
}

impl IntentListener {
    /// One that takes any context.
    #[must_use]
    pub fn new(intent: impl Into<String>) -> Self {
        Self { intent: intent.into(), ..Self::default() }
    }

    /// The method that is this handler on the bus.
    pub(super) fn into_method(self) -> Method {
        let Self {
            intent,
            context_types,
            display_name,
            description,
            icon,
            result_type,
            custom_config,
        } = self;
        // It must stand there even if it says nothing: other clients read it unasked.
        let mut flag = Map::new();
        if !context_types.is_empty() {
            flag.insert("contextTypes".into(), json!(context_types));
        }
        for (key, value) in [
            ("displayName", display_name),
            ("description", description),
            ("icon", icon),
            ("resultType", result_type),
        ] {
            if let Some(value) = value {
                flag.insert(key.into(), value.into());
            }
        }
        if let Some(config) = custom_config {
            flag.insert("customConfig".into(), config.into());
        }
        let metadata = Map::from_iter([(FLAG.to_owned(), Value::Object(flag))]);
        Method {
            name: method_name(&intent),
            flags: Flags { metadata, ..Flags::default() },
            ..Method::default()
        }
    }
}
