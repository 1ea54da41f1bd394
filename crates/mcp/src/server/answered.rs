//! A transport that ends when every request has its answer.
//!
//! At the end of its input the library stops to deliver what handlers send
//! before they answer, and then waits for those handlers in vain. So it hears of
//! the end only when there are none.

use std::collections::HashSet;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// A transport whose end comes after the last answer.
pub(super) struct Answered<T> {
    inner: T,
    /// The client asks nothing more, or is not listened to any more.
    gone: CancellationToken,
    /// Requests without answer.
    open: watch::Sender<HashSet<RequestId>>,
}

impl<T> Answered<T> {
    /// Cancels `gone` at the end of `inner`, and ends when `gone` is cancelled.
    pub(super) fn new(inner: T, gone: CancellationToken) -> Self {
        Self { inner, gone, open: watch::Sender::default() }
    }

    fn note(&self, message: &RxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.open.send_modify(|open| {
                    open.insert(request.id.clone());
                });
            }
            // What is cancelled is not answered.
            JsonRpcMessage::Notification(sent) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.send_modify(|open| {
                        open.remove(id);
                    });
                }
            }
            _ => {}
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Answered<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let sending = self.inner.send(item);
        let open = self.open.clone();
        async move {
            let sent = sending.await;
            if let Some(id) = answered {
                open.send_modify(|open| {
                    open.remove(&id);
                });
            }
            sent
        }
    }

    /// May be dropped at any point and called again.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if !self.gone.is_cancelled() {
            let message = tokio::select! {
                message = self.inner.receive() => message,
                () = self.gone.cancelled() => None,
            };
            if let Some(message) = message {
                self.note(&message);
                return Some(message);
            }
            self.gone.cancel();
        }
        let mut open = self.open.subscribe();
        // It cannot fail: the sender is ours.
        let _done = open.wait_for(HashSet::is_empty).await.is_ok();
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
