//! The handle of a peer.

use std::fmt;
use std::sync::Arc;

use deskwire_wire::{Identity, PeerId};
use tokio::sync::{broadcast, oneshot, watch};

use crate::directory::{Directory, InteropEvent};
use crate::link::Connector;
use crate::shared::Shared;
use crate::{ConnectError, Options, RequestError, driver};

/// A peer of a gateway. Clones are handles of the same peer; it leaves when the
/// last one is dropped, or when one of them closes it.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
}

/// How a peer stands with its gateway.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// Not a peer, and not trying to be one before [`Client::wake`].
    Idle,
    /// Not a peer at the moment, and trying to be one.
    Connecting {
        /// Number of this attempt since the last success, from 1 on.
        attempt: u32,
        /// Why the one before failed.
        last_error: Option<ConnectError>,
    },
    /// A peer on the bus.
    Ready {
        /// The gateway's name for us on this connection.
        peer_id: PeerId,
        /// Who the gateway says we are.
        identity: Identity,
    },
    /// Refused for good.
    Refused(ConnectError),
    /// Closed.
    Closed,
}

impl Client {
    /// Starts a peer. Returns at once; the peer keeps connecting, with backoff,
    /// until it is closed or its credentials are refused.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(connector: impl Connector, options: Options) -> Self {
        let client = Self::idle(connector, options);
        client.wake();
        client
    }

    /// A peer that connects when it is woken first, and from then on is as one
    /// that was started. Until then it has an empty directory, what it is asked
    /// fails as [`RequestError::NotConnected`], and what it registers waits.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn idle(connector: impl Connector, options: Options) -> Self {
        let shared = Arc::new(Shared::new(&options));
        tokio::spawn(driver::run(Arc::clone(&shared), connector, options));
        Self { inner: Arc::new(Inner { shared }) }
    }

    /// Lets an idle peer connect. Returns at once; nothing to one that is awake.
    pub fn wake(&self) {
        self.shared().wake();
    }

    /// Waits until this is a peer on the bus, with a complete directory. Wakes
    /// an idle one.
    ///
    /// # Errors
    /// When the gateway refused for good, or the client was closed.
    pub async fn ready(&self) -> Result<(), ConnectError> {
        self.wake();
        let mut status = self.status();
        let decided = |status: &Status| !matches!(status, Status::Idle | Status::Connecting { .. });
        let decided = status.wait_for(decided).await;
        match decided.as_deref() {
            Ok(Status::Refused(error)) => Err(error.clone()),
            Ok(Status::Closed) | Err(_) => Err(ConnectError::Closed),
            Ok(_) => Ok(()),
        }
    }

    /// How the peer stands with its gateway, now and as it changes.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Status> {
        self.shared().status.subscribe()
    }

    /// Leaves the bus and ends the session, for all handles. Returns when it is done.
    pub async fn close(&self) {
        self.shared().closing.cancel();
        let ended = |status: &Status| matches!(status, Status::Closed | Status::Refused(_));
        // An error means that the driver is gone, and the session with it.
        let mut status = self.status();
        let _gone = status.wait_for(ended).await;
    }

    /// Who is on the bus. While nothing changes this is the same `Arc`.
    #[must_use]
    pub fn directory(&self) -> Arc<Directory> {
        self.shared().directory()
    }

    /// A number that moves whenever [`Client::directory`] would differ; a burst
    /// of changes moves it once.
    #[must_use]
    pub fn directory_changes(&self) -> watch::Receiver<u64> {
        self.shared().generation.subscribe()
    }

    /// Single changes of the directory, in the order of the bus. A receiver
    /// that lags is told so, and finds the truth in [`Client::directory`].
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<InteropEvent> {
        self.shared().events.subscribe()
    }

    /// A token with which another process can log in as the same user, soon.
    ///
    /// # Errors
    /// When the gateway makes none.
    pub async fn create_token(&self) -> Result<String, RequestError> {
        let (reply, token) = oneshot::channel();
        self.shared().command(|session| session.create_token(reply)).await?;
        token.await.unwrap_or(Err(RequestError::Closed))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.closing.cancel();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("status", &*self.shared().status.borrow()).finish()
    }
}
