//! How the demo applications describe a method that becomes a tool.

use std::sync::Arc;

use deskwire_connect::wire::{Flags, Method, Payload};
use deskwire_connect::{Call, CallFailure, Handler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::book::Book;

type Work = Arc<dyn Fn(Value) -> Result<Value, String> + Send + Sync>;

/// A method with its tool flag and its work.
pub(super) struct DemoMethod {
    definition: Method,
    work: Work,
}

/// The texts and schemas of a tool.
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) input: Value,
    pub(super) output: Value,
    pub(super) annotations: Value,
}

impl DemoMethod {
    /// A method named `Demo.<tool>`, whose arguments are read as `A`.
    pub(super) fn new<A, F>(book: &Arc<Book>, about: &About, work: F) -> Self
    where
        A: DeserializeOwned,
        F: Fn(&Book, A) -> Result<Value, String> + Send + Sync + 'static,
    {
        let flag = json!({
            "name": about.name,
            "title": about.title,
            // Schemas travel as text, so that a bus without schemas can carry them.
            "inputSchema": about.input.to_string(),
            "outputSchema": about.output.to_string(),
            "annotations": about.annotations,
        });
        let definition = Method {
            name: format!("Demo.{}", about.name),
            display_name: Some(about.title.into()),
            description: Some(about.description.into()),
            flags: Flags {
                metadata: Map::from_iter([("ioIntelMCPTool".to_owned(), flag)]),
                streaming: false,
            },
            ..Method::default()
        };
        let book = Arc::clone(book);
        let work = Arc::new(move |arguments| {
            let arguments = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
            work(&book, arguments)
        });
        Self { definition, work }
    }

    /// The definition, and the handler to register it with.
    pub(super) fn into_parts(self) -> (Method, impl Handler) {
        let Self { definition, work } = self;
        let handler = move |call: Call| {
            let result = work(call.arguments.decoded());
            std::future::ready(result.map(Payload::from).map_err(CallFailure::new))
        };
        (definition, handler)
    }
}

/// Annotations of a tool that only reads.
pub(super) fn reads() -> Value {
    json!({ "readOnlyHint": true, "openWorldHint": false })
}

/// Schema of an object whose properties are all required but those named.
pub(super) fn object(properties: Value, optional: &[&str]) -> Value {
    let required: Vec<&str> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .filter(|name| !optional.contains(name))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Schema of the id of a client.
pub(super) fn client_id() -> Value {
    json!({ "type": "string", "description": "Id of a client, such as C-1001." })
}
