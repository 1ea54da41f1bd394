//! What changes about applications and instances.

use std::collections::VecDeque;

use futures_util::FutureExt;
use serde_json::Value;

use super::super::lenient::{flag, list, text};
use super::model::{Application, Instance};
use crate::{SubscribeError, Subscription};

/// A change of the applications and instances of a desktop.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AppEvent {
    /// What was told before is void; what there is follows.
    Snapshot,
    /// An application is defined.
    ApplicationAdded(Application),
    /// The definition of an application is another one.
    ApplicationChanged(Application),
    /// The application of this name is not defined any more.
    ApplicationRemoved(String),
    /// An instance exists.
    InstanceStarted(Instance),
    /// An instance is on the bus.
    InstanceReady(Instance),
    /// Title, context or peers of an instance are others.
    InstanceUpdated(Instance),
    /// An instance has ended.
    InstanceStopped(Instance),
    /// An instance could not be started.
    InstanceFailed {
        /// As it was to be.
        instance: Instance,
        /// Why, if the platform says so.
        reason: Option<String>,
    },
}

/// Changes of the applications and instances of a desktop, in order. After a
/// reconnect they begin anew, with [`AppEvent::Snapshot`].
#[derive(Debug)]
pub struct AppEvents {
    subscription: Subscription,
    queue: VecDeque<AppEvent>,
}

impl AppEvents {
    pub(super) fn new(subscription: Subscription) -> Self {
        Self { subscription, queue: VecDeque::new() }
    }

    /// The next change, or `None` when none will follow; then
    /// [`AppEvents::ended`] says why. May be dropped and asked again.
    pub async fn next(&mut self) -> Option<AppEvent> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            let event = self.subscription.next().await?;
            self.queue = read(&event.data.decoded()).into();
        }
    }

    /// All changes of the next event of the stream.
    pub(super) async fn next_all(&mut self) -> Option<Vec<AppEvent>> {
        let first = self.next().await?;
        Some(std::iter::once(first).chain(self.queue.drain(..)).collect())
    }

    /// Drops what has come and was not read.
    pub(super) fn forget_queued(&mut self) {
        self.queue.clear();
        while let Some(Some(_)) = self.subscription.next().now_or_never() {}
    }

    /// Why no change will follow; `None` while some may.
    #[must_use]
    pub fn ended(&self) -> Option<SubscribeError> {
        self.subscription.ended()
    }
}

/// The changes that one event of the stream tells: definitions first, since
/// instances name them, and endings last.
fn read(event: &Value) -> Vec<AppEvent> {
    let mut changes = Vec::new();
    if flag(event, &["isSnapshot", "IsSnapshot"]) == Some(true) {
        changes.push(AppEvent::Snapshot);
    }
    let records = |key: &str| list(event.get(key));
    let applications = |key: &str| records(key).filter_map(Application::read);
    let instances = |key: &str| records(key).filter_map(Instance::read);
    let removed = records("OnApplicationRemoved").filter_map(|it| text(it, &["Name", "name"]));
    changes.extend(removed.map(AppEvent::ApplicationRemoved));
    changes.extend(applications("OnApplicationAdded").map(AppEvent::ApplicationAdded));
    changes.extend(applications("OnApplicationChanged").map(AppEvent::ApplicationChanged));
    changes.extend(instances("OnApplicationStarted").map(AppEvent::InstanceStarted));
    changes.extend(instances("OnApplicationAgmServerReady").map(AppEvent::InstanceReady));
    changes.extend(instances("OnApplicationUpdated").map(AppEvent::InstanceUpdated));
    changes.extend(records("OnApplicationStartFailed").filter_map(|record| {
        let reason = text(record, &["Reason", "reason", "Message", "message"]);
        Some(AppEvent::InstanceFailed { instance: Instance::read(record)?, reason })
    }));
    changes.extend(instances("OnApplicationStopped").map(AppEvent::InstanceStopped));
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// One line for each change.
    fn told(event: &Value) -> Vec<String> {
        let line = |change| match change {
            AppEvent::Snapshot => "snapshot".to_owned(),
            AppEvent::ApplicationAdded(app) => format!("added {}", app.name),
            AppEvent::ApplicationChanged(app) => format!("changed {}", app.name),
            AppEvent::ApplicationRemoved(name) => format!("removed {name}"),
            AppEvent::InstanceStarted(one) => format!("started {} {}", one.application, one.id),
            AppEvent::InstanceReady(one) => format!("ready {}", one.id),
            AppEvent::InstanceUpdated(one) => format!("updated {}", one.id),
            AppEvent::InstanceStopped(one) => format!("stopped {}", one.id),
            AppEvent::InstanceFailed { instance, reason } => {
                format!("failed {}: {}", instance.id, reason.unwrap_or_default())
            }
        };
        read(event).into_iter().map(line).collect()
    }

    #[test]
    fn an_event_tells_several_changes_in_either_form_of_lists() {
        let event = json!({
            "isSnapshot": true,
            "OnApplicationStarted": {"0": {"Id": "i-1", "Name": "orders"}},
            "OnApplicationAdded": [{"Name": "orders"}, {"name": "chart"}],
            "OnApplicationAgmServerReady": [{"Id": "i-1", "Name": "orders", "AgmServers": [{"instance": "i-1"}]}],
        });
        assert_eq!(
            told(&event),
            ["snapshot", "added orders", "added chart", "started orders i-1", "ready i-1"]
        );
    }

    #[test]
    fn odd_records_hide_nothing() {
        let event = json!({
            "OnApplicationAdded": [7, {"Name": " "}, {"Name": "orders"}],
            "OnApplicationStarted": "none",
            "OnApplicationStartFailed": [{"Id": "i-2", "Name": "orders", "Reason": "no such file"}, null],
            "OnApplicationStopped": [{"Id": "i-3"}, {"Id": "i-4", "Name": "chart"}],
        });
        assert_eq!(told(&event), ["added orders", "failed i-2: no such file", "stopped i-4"]);
        assert!(told(&json!(null)).is_empty());
    }
}
