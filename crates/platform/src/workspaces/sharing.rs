//! What the applications of workspaces share: bus contexts that the platform makes, follows and ends.
//!
//! One task for each workspace. What is to be written is a value that it watches, so that nobody waits
//! for it, and only the last counts.

use std::collections::HashMap;
use std::time::Duration;

use deskwire_connect::wire::Payload;
use deskwire_connect::{Client, ContextChange, ContextSubscription};
use deskwire_layout::Object;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::handle::Requests;
use super::ids::WorkspaceId;
use super::model::context_name;

/// How long to wait before a context that cannot be followed is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// The contexts of all workspaces.
#[derive(Debug)]
pub(super) struct Sharing {
    bus: Client,
    requests: Requests,
    shared: HashMap<WorkspaceId, Shared>,
}

#[derive(Debug)]
struct Shared {
    wanted: watch::Sender<(u64, Object)>,
    written: watch::Receiver<u64>,
    task: JoinHandle<()>,
}

/// Tells when something is on the bus.
#[derive(Debug)]
pub(super) struct Written {
    version: u64,
    is_new: bool,
    written: watch::Receiver<u64>,
}

impl Written {
    /// Whether it is the first that is written into this context.
    pub(super) const fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns when it is on the bus, or the workspace is gone.
    pub(super) async fn wait(mut self) {
        let version = self.version;
        // An error means that the workspace is gone, and its context with it.
        let _gone = self.written.wait_for(|written| *written >= version).await;
    }
}

impl Sharing {
    pub(super) fn new(bus: Client, requests: Requests) -> Self {
        Self { bus, requests, shared: HashMap::new() }
    }

    /// Puts data into the context of a workspace, which is made if there is none.
    pub(super) fn write(&mut self, id: &WorkspaceId, data: Object) -> Written {
        let (bus, requests, mut is_new) = (&self.bus, &self.requests, false);
        let shared = self.shared.entry(id.clone()).or_insert_with(|| {
            let (wanted, wishes) = watch::channel((0, Object::new()));
            let (done, written) = watch::channel(0);
            is_new = true;
            let follower = Follower {
                bus: bus.clone(),
                requests: requests.clone(),
                id: id.clone(),
                last: Object::new(),
                done,
            };
            Shared { wanted, written, task: tokio::spawn(follower.run(wishes)) }
        });
        let mut version = 0;
        shared.wanted.send_modify(|wanted| {
            *wanted = (wanted.0 + 1, data);
            version = wanted.0;
        });
        Written { version, is_new, written: shared.written.clone() }
    }

    /// Ends the context of a workspace.
    pub(super) fn end(&mut self, id: &WorkspaceId) {
        if let Some(shared) = self.shared.remove(id) {
            shared.task.abort();
            let (bus, name) = (self.bus.clone(), context_name(id));
            tokio::spawn(async move {
                if let Err(error) = bus.contexts().destroy(&name).await {
                    tracing::debug!(%error, context = name, "cannot end a context");
                }
            });
        }
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        for shared in self.shared.values() {
            shared.task.abort();
        }
    }
}

struct Follower {
    bus: Client,
    requests: Requests,
    id: WorkspaceId,
    /// What was in the context when last seen.
    last: Object,
    done: watch::Sender<u64>,
}

impl Follower {
    async fn run(mut self, mut wishes: watch::Receiver<(u64, Object)>) {
        let name = context_name(&self.id);
        loop {
            self.write(&name, &mut wishes).await;
            match self.bus.contexts().subscribe(&name).await {
                Ok(subscription) => {
                    if !self.follow(subscription, &name, &mut wishes).await {
                        return;
                    }
                    // Somebody destroyed it; it is made anew from what is known.
                    self.set(&name, self.last.clone()).await;
                }
                Err(error) => {
                    tracing::warn!(%error, context = name, "cannot follow a context, trying again");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    /// Follows the context until it is gone. `false` when the workspace is gone.
    async fn follow(
        &mut self,
        mut subscription: ContextSubscription,
        name: &str,
        wishes: &mut watch::Receiver<(u64, Object)>,
    ) -> bool {
        loop {
            tokio::select! {
                wish = wishes.changed() => match wish {
                    Ok(()) => {
                        wishes.mark_changed();
                        self.write(name, wishes).await;
                    }
                    Err(_) => return false,
                },
                change = subscription.next() => match change {
                    Some(change) => {
                        self.last = data(&change);
                        let told = self.requests.context_changed(&self.id, self.last.clone()).await;
                        if !told {
                            return false;
                        }
                    }
                    None => return true,
                },
            }
        }
    }

    /// Writes what is wanted, if that is new.
    async fn write(&mut self, name: &str, wishes: &mut watch::Receiver<(u64, Object)>) {
        if wishes.has_changed().unwrap_or(false) {
            let (version, data) = wishes.borrow_and_update().clone();
            self.last.clone_from(&data);
            self.set(name, data).await;
            self.done.send_replace(version);
        }
    }

    async fn set(&self, name: &str, data: Object) {
        let data = Payload::from(serde_json::Value::Object(data));
        if let Err(error) = self.bus.contexts().set(name, data).await {
            tracing::warn!(%error, context = name, "cannot write a context");
        }
    }
}

fn data(change: &ContextChange) -> Object {
    change.data.to_payload().value().as_object().cloned().unwrap_or_default()
}
