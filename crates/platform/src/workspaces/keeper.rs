//! Storing: one task that writes what has changed, batch after batch. What comes while a batch is being
//! committed goes into the next one, where only the last state of each workspace counts.

use std::collections::HashMap;
use std::sync::Arc;

use deskwire_store::OpenWorkspaces;
use futures_util::future::join_all;
use indexmap::IndexMap;
use tokio::sync::{mpsc, oneshot};

use super::ids::WorkspaceId;
use super::model::Workspace;
use super::view::record;

/// How many changes wait to be written. Whoever makes one more waits.
const QUEUED: usize = 256;

/// A change could not be stored. It is done all the same, and will be stored with the next one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("workspace {workspace} has changed, but that is not stored: {reason}")]
pub struct NotCommitted {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Why not.
    pub reason: String,
}

type Commit = oneshot::Receiver<Result<(), NotCommitted>>;
type Changed = Vec<(WorkspaceId, Option<Arc<Workspace>>)>;

/// The handle of the task.
#[derive(Debug)]
pub(super) struct Keeper {
    queue: mpsc::Sender<Batch>,
}

#[derive(Debug)]
struct Batch {
    changed: Changed,
    done: oneshot::Sender<Result<(), NotCommitted>>,
}

impl Keeper {
    /// Starts the task. It ends, with everything written, when the handle is dropped.
    pub(super) fn start(store: OpenWorkspaces) -> (Self, tokio::task::JoinHandle<()>) {
        let (queue, batches) = mpsc::channel(QUEUED);
        (Self { queue }, tokio::spawn(run(store, batches)))
    }

    /// Writes changes, after those before them. What is returned tells when they are committed.
    pub(super) async fn keep(&self, changed: Changed) -> Commit {
        let (done, commit) = oneshot::channel();
        if let Err(mpsc::error::SendError(batch)) = self.queue.send(Batch { changed, done }).await {
            let first = batch.changed.into_iter().next();
            let answer = first.map_or(Ok(()), |(workspace, _)| {
                Err(NotCommitted { workspace, reason: "the store is closed".into() })
            });
            // Whoever dropped the receiver does not want to know.
            let _unheard = batch.done.send(answer);
        }
        commit
    }
}

async fn run(store: OpenWorkspaces, mut batches: mpsc::Receiver<Batch>) {
    let mut taken = Vec::new();
    while batches.recv_many(&mut taken, QUEUED).await > 0 {
        let mut latest = IndexMap::new();
        for (id, workspace) in taken.iter().flat_map(|batch| batch.changed.iter()) {
            latest.insert(id.clone(), workspace.clone());
        }
        // Polled in this order at first, and so queued in this order.
        let writes = latest.iter().map(|(id, workspace)| write(&store, id, workspace.as_deref()));
        let failures: HashMap<WorkspaceId, NotCommitted> = join_all(writes)
            .await
            .into_iter()
            .filter_map(Result::err)
            .map(|failure| (failure.workspace.clone(), failure))
            .collect();
        for failure in failures.values() {
            tracing::error!(%failure, "a workspace is not stored");
        }
        for Batch { changed, done } in taken.drain(..) {
            let failed = changed.iter().find_map(|(id, _)| failures.get(id));
            // Whoever dropped the receiver does not want to know.
            let _unheard = done.send(failed.cloned().map_or(Ok(()), Err));
        }
    }
}

async fn write(
    store: &OpenWorkspaces,
    id: &WorkspaceId,
    workspace: Option<&Workspace>,
) -> Result<(), NotCommitted> {
    let failed = |reason: String| NotCommitted { workspace: id.clone(), reason };
    let Some(workspace) = workspace else {
        let removed = store.remove(id.as_str()).await;
        return removed.map(drop).map_err(|error| failed(error.to_string()));
    };
    let record = record::write(workspace).map_err(|error| failed(error.to_string()))?;
    if record.without_context {
        let limit = super::limits::MAX_STORED_CONTEXT;
        tracing::warn!(workspace = %id, limit, "its context is too large to be stored");
    }
    store.put(id.as_str(), &record.document).await.map_err(|error| failed(error.to_string()))
}
