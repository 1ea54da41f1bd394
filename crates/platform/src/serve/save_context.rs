//! What instances want saved of their windows: `T42.HC.GetSaveContext`, as the client
//! libraries serve it.

use std::time::Duration;

use deskwire_connect::{Answers, Client, InvokeOptions, Target};
use deskwire_wire::Identity;
use serde_json::{Map, Value, json};

/// The method by which an instance says what it wants saved.
const SAVE_CONTEXT: &str = "T42.HC.GetSaveContext";

/// What an instance wants saved; `None` where it does not say so in time.
pub(crate) async fn of(
    bus: &Client,
    instance: &str,
    within: Duration,
) -> Option<Map<String, Value>> {
    let fields = Map::from_iter([("instance".to_owned(), json!(instance))]);
    let options = InvokeOptions {
        target: Target::Instance(Identity::new(fields)),
        response_timeout: within,
        ..InvokeOptions::default()
    };
    let answered = bus.invoke(SAVE_CONTEXT, json!({}).into(), options).await;
    let answer = answered.and_then(Answers::first).ok()?;
    answer.value().get("windowContext")?.as_object().cloned()
}
