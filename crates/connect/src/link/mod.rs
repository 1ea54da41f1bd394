//! Ways to a gateway: anything that yields two bounded channels of frames.

mod in_process;
mod websocket;

use deskwire_wire::{ClientFrame, ServerFrame};
use tokio::sync::mpsc;

pub use in_process::{InProcess, in_process};
pub use websocket::{WebSocketConnector, websocket};

use crate::{ConnectError, Limits};

/// An open way to a gateway. It ends when either side drops its channel.
#[derive(Debug)]
pub struct Link {
    /// Frames to the gateway, which may be slow to take them.
    pub frames: mpsc::Sender<ClientFrame>,
    /// Frames from the gateway.
    pub incoming: mpsc::Receiver<ServerFrame>,
}

/// Opens links to one gateway, a fresh one for each attempt.
pub trait Connector: Send + Sync + 'static {
    /// Opens a link. Dropping the future gives the attempt up.
    fn connect(&self, limits: &Limits) -> impl Future<Output = Result<Link, ConnectError>> + Send;

    /// Where links go, for messages.
    fn describe(&self) -> String;
}
