//! Global layouts: what runs, kept and started again.

use std::sync::Arc;

use deskwire_catalog::LayoutKind;
use deskwire_connect::{Call, CallFailure};
use deskwire_store::Marker;
use deskwire_wire::Identity;
use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use super::{Desk, kind, token};
use crate::layouts::Change;
use crate::running::{Running, StartCommand};
use crate::serve::Answer;
use crate::serve::message::{maybe_object, text};
use crate::serve::save_context;

impl Desk {
    /// Keeps what runs as a layout.
    pub(super) async fn save(&self, data: &Map<String, Value>) -> Answer {
        let kind = match data.get("type") {
            None => LayoutKind::Global,
            Some(_) => kind(data)?,
        };
        if kind != LayoutKind::Global {
            return Err(CallFailure::new(format!(
                "a layout of the type {} cannot be saved here; workspaces are saved by the \
                 workspaces library, other types can be imported",
                kind.as_str()
            )));
        }
        let name = text(data, "name")?;
        let options = maybe_object(data, "options")?;
        let components = join_all(
            self.instances
                .running()
                .into_iter()
                .filter(|one| is_wanted(one, &options))
                .map(|one| self.component(one, &options)),
        )
        .await;
        let document = json!({
            "name": name,
            "type": kind.as_str(),
            "context": maybe_object(data, "context")?,
            "metadata": maybe_object(data, "metadata")?,
            "components": components,
        });
        let layout = self.layouts.read(document)?;
        self.layouts.change(Change::Save(Arc::clone(&layout)), token(data)).await?;
        if options.get("setAsCurrent") != Some(&Value::Bool(false)) {
            self.layouts.mark(Marker::Current, Some((kind, layout.name.clone()))).await?;
        }
        Ok(json!(*layout.raw).into())
    }

    /// Starts what a layout holds.
    pub(super) async fn restore(&self, data: &Map<String, Value>, call: &Call) -> Answer {
        let (kind, name) = (kind(data)?, text(data, "name")?);
        if kind != LayoutKind::Global {
            return Err(CallFailure::new(format!(
                "a layout of the type {} cannot be restored here; workspaces are restored by the \
                 workspaces library",
                kind.as_str()
            )));
        }
        let Some(layout) = self.layouts.get(&kind, name) else {
            let reason = format!("there is no layout `{name}` of the type Global");
            return Err(CallFailure::new(reason));
        };
        let options = maybe_object(data, "options")?;
        let caller = call.caller_identity.as_ref();
        let mut failed = Vec::new();
        let mut leaving = None;
        if options.get("closeRunningInstances") != Some(&Value::Bool(false)) {
            for one in self.instances.running() {
                if lists(&options, "excludeFromClosing", &one.id) {
                    continue;
                }
                // The caller goes last: it is to hear of what came of it.
                if caller.and_then(Identity::instance) == Some(one.id.as_str()) {
                    leaving = Some(one);
                } else if let Err(reason) = self.instances.stop(&one.id).await {
                    failed.push(json!({ "application": one.application, "reason": reason }));
                }
            }
        }
        let shared = maybe_object(data, "context")?;
        for component in layout.components() {
            let Some(application) = application_of(component) else { continue };
            let mut context = component
                .pointer("/state/context")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default();
            context.extend(shared.clone());
            let start = StartCommand {
                application: application.to_owned(),
                context: Value::Object(context).into(),
                options: Map::new(),
                caller: caller.cloned(),
            };
            if let Err(reason) = self.instances.start(start).await {
                failed.push(json!({ "application": application, "reason": reason }));
            }
        }
        let restored = (kind, layout.name.clone());
        self.layouts.mark(Marker::Current, Some(restored.clone())).await?;
        self.layouts.restored(restored, token(data)).await;
        if let Some(one) = leaving {
            let instances = Arc::clone(&self.instances);
            tokio::spawn(async move {
                if let Err(reason) = instances.stop(&one.id).await {
                    tracing::warn!(instance = one.id, reason, "cannot stop who restored a layout");
                }
            });
        }
        let status = if failed.is_empty() { "Success" } else { "PartialSuccess" };
        Ok(json!({ "status": status, "failed": failed }).into())
    }

    /// An instance as a component, with the context it wants saved, if it says so.
    async fn component(&self, one: Arc<Running>, options: &Map<String, Value>) -> Value {
        let ignore = options.get("ignoreContexts") == Some(&Value::Bool(true));
        let context = if ignore { Value::Null } else { self.save_context(&one).await };
        json!({
            "type": "window",
            "application": one.application,
            "state": { "instanceId": one.id, "title": one.title, "context": context },
        })
    }

    async fn save_context(&self, one: &Running) -> Value {
        let own = save_context::of(&self.bus, &one.id, self.limits.save_context_timeout).await;
        own.map_or_else(|| one.context.value().clone(), Value::Object)
    }
}

fn is_wanted(one: &Running, options: &Map<String, Value>) -> bool {
    let only = options.get("instances").is_none_or(|_| lists(options, "instances", &one.id));
    only && !lists(options, "ignoreInstances", &one.id)
}

fn lists(options: &Map<String, Value>, key: &str, id: &str) -> bool {
    options.get(key).and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == id))
}

fn application_of(component: &Value) -> Option<&str> {
    let named = component.get("application").and_then(Value::as_str);
    named.or_else(|| component.pointer("/state/application").and_then(Value::as_str))
}
