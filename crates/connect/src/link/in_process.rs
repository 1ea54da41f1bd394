//! A gateway in this process: frames travel without becoming text.

use std::fmt;

use deskwire_wire::{ClientFrame, ServerFrame};
use tokio::sync::mpsc;

use super::{Connector, Link};
use crate::{ConnectError, Limits};

/// Connects to a gateway in this process. See [`in_process`].
pub struct InProcess<F> {
    open: F,
}

/// Connects through what `open` opens, for example `move || gateway.connect()`.
pub fn in_process<F>(open: F) -> InProcess<F>
where
    F: Fn() -> (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>) + Send + Sync + 'static,
{
    InProcess { open }
}

impl<F> Connector for InProcess<F>
where
    F: Fn() -> (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>) + Send + Sync + 'static,
{
    async fn connect(&self, _limits: &Limits) -> Result<Link, ConnectError> {
        let (frames, incoming) = (self.open)();
        Ok(Link { frames, incoming })
    }

    fn describe(&self) -> String {
        "the gateway in this process".to_owned()
    }
}

impl<F> fmt::Debug for InProcess<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess")
    }
}
