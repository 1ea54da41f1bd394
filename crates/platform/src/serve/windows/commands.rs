//! The commands of windows. Each is answered by a result, and by an event that echoes
//! the caller's token: the client library waits for both, for the event without end.

use deskwire_connect::Call;
use deskwire_wire::Payload;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::super::Answer;
use super::super::message::{maybe_text, object, payload, text};
use super::{Asked, in_window, view};
use crate::instances::Instance;
use crate::launch::Launcher;

/// A result, or why not.
type Done = Result<Value, String>;

pub(super) async fn of_window(
    launcher: &Launcher,
    asks: &mpsc::Sender<Asked>,
    call: &Call,
) -> Answer {
    let arguments = object(call.arguments.value())?;
    let window = text(arguments, "windowId")?;
    let done = match in_window(launcher, window) {
        Some(one) => command(launcher, &one, arguments).await,
        None => Err(format!("there is no window `{window}`")),
    };
    Ok(finish(done, "windowId", window, arguments, asks, call).await)
}

pub(super) async fn of_group(asks: &mpsc::Sender<Asked>, call: &Call) -> Answer {
    let arguments = object(call.arguments.value())?;
    let group = text(arguments, "groupId")?;
    let command = text(arguments, "command")?;
    let done = Err(format!(
        "`{command}` is not done: windows of this desk stand in workspaces, not in groups of windows"
    ));
    Ok(finish(done, "groupId", group, arguments, asks, call).await)
}

async fn command(launcher: &Launcher, one: &Instance, arguments: &Map<String, Value>) -> Done {
    let id = one.id.as_str();
    let command = maybe_text(arguments, "command").unwrap_or_default();
    match command {
        "close" => {
            launcher.stop(id).await.map_err(|error| error.to_string())?;
            Ok(json!({ "closed": true }))
        }
        "focus" | "activate" => {
            launcher.focus(id).await.map_err(|error| error.to_string())?;
            Ok(json!({}))
        }
        "setTitle" => {
            let title = arguments.get("options").and_then(|options| match options {
                Value::String(title) => Some(title.as_str()),
                options => options.get("title").and_then(Value::as_str),
            });
            let title = title.ok_or("`options` must hold the title, a text")?;
            launcher.instances().set_title(id, title);
            Ok(json!({}))
        }
        "getTitle" => Ok(json!({ "title": view::title(one) })),
        "getURL" => Ok(json!({ "url": view::url(one) })),
        "getContext" => Ok(json!({ "context": one.context.value() })),
        "updateContext" => {
            let context = updated(one, arguments)?;
            launcher.instances().set_context(id, context)?;
            Ok(json!({}))
        }
        other => Err(format!(
            "`{other}` is not done: the window is a pane of a page in a browser, which does \
             not let others do that"
        )),
    }
}

/// The context after an update; a member of `null` goes.
fn updated(one: &Instance, arguments: &Map<String, Value>) -> Result<Payload, String> {
    let Some(Value::Object(update)) = arguments.get("context") else {
        return Err("`context` must be an object".to_owned());
    };
    let mut context = match (arguments.get("replace"), one.context.value()) {
        (Some(Value::Bool(true)), _) => Map::new(),
        (_, Value::Object(context)) => context.clone(),
        _ => Map::new(),
    };
    for (key, value) in update {
        if value.is_null() {
            context.shift_remove(key);
        } else {
            context.insert(key.clone(), value.clone());
        }
    }
    Ok(payload(&context))
}

async fn finish(
    done: Done,
    key: &str,
    id: &str,
    arguments: &Map<String, Value>,
    asks: &mpsc::Sender<Asked>,
    call: &Call,
) -> Payload {
    if let Some(token) = arguments.get("token") {
        let event = json!({ "type": "CommandExecuted", key: id, "token": token, "data": {} });
        let echo = Asked::Echo { caller: call.caller.clone(), event: event.into() };
        // Without a teller the platform is being stopped, and the stream with it.
        let _stopping = asks.send(echo).await;
    }
    match done {
        Ok(result) => result.into(),
        Err(reason) => json!({ "errorMsg": reason }).into(),
    }
}
