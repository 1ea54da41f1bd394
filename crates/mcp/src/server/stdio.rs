//! One client over a pair of streams, such as standard input and output.

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::client;
use super::handler::Handler;
use super::held::UntilEnd;
use super::watch::Known;

/// Why a client was not served to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// What the client sent first begins no session.
    #[error("the client began no session: {0}")]
    Handshake(String),
    /// The task that served the client failed.
    #[error("serving the client failed: {0}")]
    Task(String),
}

pub(super) async fn serve<R, W>(server: &McpServer, read: R, write: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // The library lets requests go on for a while when the client is gone;
    // subscriptions would all of it.
    let gone = CancellationToken::new();
    let known = Known::default();
    let handler = Handler::for_pipes(server.clone(), known.clone(), gone.clone());
    let streams = (UntilEnd::new(read, gone), write);
    let service = match handler.serve_with_ct(streams, server.closing_token()).await {
        Ok(service) => service,
        // It left before it said anything, as probes do, or we are closing.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    let _serving = server.serving();
    let peer = service.peer().clone();
    // Clients of 2026-07-28 have no such state; they listen.
    let profile = peer.peer_info().map(|info| client::profile(Some(&info.capabilities)));
    let ended = service.waiting();
    let told = async {
        if let Some(profile) = profile {
            let mut changes = server.changes(profile, known);
            while changes.next().await.is_some() && peer.notify_tool_list_changed().await.is_ok() {}
        }
        std::future::pending::<()>().await;
    };
    let reason = tokio::select! {
        reason = ended => reason,
        () = told => return Ok(()),
    };
    match reason {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Task(error.to_string())),
        Ok(_) => Ok(()),
    }
}
