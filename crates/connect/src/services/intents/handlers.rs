//! Who could handle an intent.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::apps::{AppIntents, DeclaredIntent};
use super::super::lenient::{field, text, texts};
use crate::{Directory, MethodKey, RegisteredMethod};

/// What the names of the methods of intents begin with.
const PREFIX: &str = "Tick42.FDC3.Intents.";
/// The flag that makes such a method a handler.
pub(super) const FLAG: &str = "intent";

/// An intent, and who could handle it.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// Its name.
    pub name: String,
    /// Its handlers.
    pub handlers: Vec<IntentHandler>,
}

/// Somebody who could handle an intent.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentHandler {
    /// Name of the intent.
    pub intent: String,
    /// Name of the application.
    pub application: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What the handler calls the intent, for people.
    pub display_name: Option<String>,
    /// Types of contexts it takes; any where there are none.
    pub context_types: Vec<String>,
    /// Type of its result.
    pub result_type: Option<String>,
    /// Anything more.
    pub custom_config: Option<Value>,
    /// Whether it runs.
    pub place: HandlerPlace,
}

/// Whether a handler runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandlerPlace {
    /// The application would be started for it.
    Application,
    /// It runs.
    Instance {
        /// The instance.
        id: String,
        /// The method to call.
        method: MethodKey,
    },
}

/// Which handlers are meant: those for which everything that is set holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandlerFilter {
    /// The intent of this name.
    pub intent: Option<String>,
    /// Handlers that take contexts of this type; case does not matter.
    pub context_type: Option<String>,
    /// Handlers whose results are of this type; case does not matter.
    pub result_type: Option<String>,
    /// Handlers of these applications.
    pub applications: Option<Vec<String>>,
    /// The handler of this instance.
    pub instance: Option<String>,
}

impl IntentHandler {
    /// The instance, if it runs.
    #[must_use]
    pub fn instance(&self) -> Option<&str> {
        match &self.place {
            HandlerPlace::Instance { id, .. } => Some(id),
            HandlerPlace::Application => None,
        }
    }

    fn declared(app: &AppIntents, intent: &DeclaredIntent) -> Self {
        Self {
            intent: intent.name.clone(),
            application: app.application.clone(),
            title: app.title.clone(),
            display_name: intent.display_name.clone(),
            context_types: intent.contexts.clone(),
            result_type: intent.result_type.clone(),
            custom_config: intent.custom_config.clone(),
            place: HandlerPlace::Application,
        }
    }
}

impl HandlerFilter {
    /// The handlers of one intent.
    #[must_use]
    pub fn of(intent: impl Into<String>) -> Self {
        Self { intent: Some(intent.into()), ..Self::default() }
    }

    /// Whether a handler is meant.
    #[must_use]
    pub fn admits(&self, handler: &IntentHandler) -> bool {
        let set = |wanted: &Option<String>, holds: &dyn Fn(&str) -> bool| {
            wanted.as_deref().is_none_or(holds)
        };
        let takes = |wanted: &str| {
            let mut types = handler.context_types.iter();
            handler.context_types.is_empty() || types.any(|it| it.eq_ignore_ascii_case(wanted))
        };
        let returns = |wanted: &str| {
            handler.result_type.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(wanted))
        };
        let among = |names: &Vec<String>| names.contains(&handler.application);
        set(&self.intent, &|wanted| handler.intent == wanted)
            && set(&self.context_type, &takes)
            && set(&self.result_type, &returns)
            && set(&self.instance, &|wanted| handler.instance() == Some(wanted))
            && self.applications.as_ref().is_none_or(among)
    }
}

/// The name of the method by which applications handle an intent.
#[must_use]
pub fn method_name(intent: &str) -> String {
    format!("{PREFIX}{intent}")
}

/// Everybody who could handle an intent: first the applications that could be
/// started, in the order of the platform, then those that run, in the order in
/// which they came.
///
/// A method with the name of a handler and without its flag is none: it hides
/// no other.
#[must_use]
pub fn handlers(directory: &Directory, declared: &[AppIntents]) -> Vec<IntentHandler> {
    let mut all: Vec<_> = declared
        .iter()
        .flat_map(|app| app.intents.iter().map(|intent| IntentHandler::declared(app, intent)))
        .collect();
    for server in directory.servers() {
        let first = all.len();
        for method in server.methods() {
            let Some((intent, flag)) = listener(method) else { continue };
            if all[first..].iter().any(|known| known.intent == intent) {
                continue;
            }
            let application = server.identity.application().unwrap_or_default();
            // What the listener does not say, its definition may.
            let app = declared.iter().find(|app| app.application == application);
            let known = app.and_then(|app| app.intents.iter().find(|it| it.name == intent));
            let flag_texts = |key| field(flag, &[key]).map(|value| texts(Some(value)));
            all.push(IntentHandler {
                intent: intent.to_owned(),
                application: application.to_owned(),
                title: app.and_then(|app| app.title.clone()),
                display_name: text(flag, &["displayName"])
                    .or_else(|| known.and_then(|it| it.display_name.clone())),
                context_types: flag_texts("contextTypes")
                    .or_else(|| known.map(|it| it.contexts.clone()))
                    .unwrap_or_default(),
                result_type: text(flag, &["resultType"])
                    .or_else(|| known.and_then(|it| it.result_type.clone())),
                custom_config: field(flag, &["customConfig"])
                    .cloned()
                    .or_else(|| known.and_then(|it| it.custom_config.clone())),
                place: HandlerPlace::Instance {
                    id: server.instance().to_owned(),
                    method: method.key.clone(),
                },
            });
        }
    }
    all
}

/// The method by which an instance handles an intent.
pub(super) fn method_of(directory: &Directory, intent: &str, instance: &str) -> Option<MethodKey> {
    let mut servers = directory.servers().filter(|server| server.instance() == instance);
    servers.find_map(|server| {
        let mut methods = server.methods();
        methods
            .find(|method| listener(method).is_some_and(|(name, _)| name == intent))
            .map(|method| method.key.clone())
    })
}

/// The intent a method handles, and how.
fn listener(method: &RegisteredMethod) -> Option<(&str, &Value)> {
    let intent = method.method.name.strip_prefix(PREFIX).filter(|intent| !intent.is_empty())?;
    let metadata: &Map<String, Value> = &method.method.flags.metadata;
    let flag = metadata.get(FLAG).filter(|flag| flag.is_object())?;
    (!method.method.flags.streaming).then_some((intent, flag))
}

/// Handlers by the names of their intents.
pub(super) fn by_intent(handlers: impl Iterator<Item = IntentHandler>) -> Vec<Intent> {
    let mut intents: BTreeMap<String, Vec<IntentHandler>> = BTreeMap::new();
    for handler in handlers {
        intents.entry(handler.intent.clone()).or_default().push(handler);
    }
    intents.into_iter().map(|(name, handlers)| Intent { name, handlers }).collect()
}
