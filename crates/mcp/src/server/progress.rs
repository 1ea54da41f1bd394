//! Tells clients how far their calls are.

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::surface::{Progress, Step};

/// Runs a call. Its client is told of the steps as they come, and of all that
/// were reported before it has the answer.
pub(super) async fn reported<F: Future>(
    context: &RequestContext<RoleServer>,
    call: impl FnOnce(Progress) -> F,
) -> F::Output {
    let Some(token) = context.meta.get_progress_token() else {
        return call(Progress::default()).await;
    };
    let (progress, steps) = Progress::channel();
    let ended = CancellationToken::new();
    let run = async {
        let _ended = ended.clone().drop_guard();
        call(progress).await
    };
    // In the task of the request, which is how the library knows its stream.
    tokio::join!(run, tell(&context.peer, token, steps, &ended)).0
}

/// Tells steps until the call has ended or the client has left.
async fn tell(
    peer: &Peer<RoleServer>,
    token: ProgressToken,
    mut steps: mpsc::Receiver<Step>,
    ended: &CancellationToken,
) {
    let mut last = f64::NEG_INFINITY;
    loop {
        if ended.is_cancelled() {
            // What is reported from now on comes after the answer.
            steps.close();
        }
        let step = tokio::select! {
            biased;
            step = steps.recv() => step,
            () = ended.cancelled(), if !ended.is_cancelled() => continue,
        };
        let Some(step) = step else { return };
        // Clients are promised that it grows.
        if step.done <= last || !step.done.is_finite() {
            continue;
        }
        last = step.done;
        let mut told = ProgressNotificationParam::new(token.clone(), step.done);
        told.total = step.total;
        told.message = step.message;
        if peer.notify_progress(told).await.is_err() {
            return;
        }
    }
}
