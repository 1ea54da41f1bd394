//! Runs the application's handlers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;

use crate::handler::CallFailure;
use crate::session::{Job, Run};
use crate::shared::Shared;
use crate::streams::SubscriptionRequest;

/// Runs one handler to its end and tells the session. A panic is the handler's
/// failure, not ours.
pub(crate) async fn run(shared: Arc<Shared>, Run { id, job }: Run) {
    match job {
        Job::Call { handler, call } => {
            let method = Arc::clone(&call.method);
            let answer = AssertUnwindSafe(async move { handler.call(call).await });
            let result = answer.catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!(%method, "the handler panicked");
                Err(CallFailure::new(format!("the handler of `{method}` panicked")))
            });
            shared.command(|session| session.finish(id, result)).await;
        }
        Job::Decide { handler, key, interest } => {
            let stream = Arc::clone(&interest.stream);
            let request = SubscriptionRequest::new(Arc::clone(&shared), key, interest);
            let decision = AssertUnwindSafe(async move { handler.decide(request).await });
            if decision.catch_unwind().await.is_err() {
                tracing::error!(%stream, "the handler panicked");
            }
            shared.command(crate::session::Session::finish_silently).await;
        }
    }
}
