//! A gateway to be a peer of, and lines to it that can be cut.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use deskwire_connect::wire::{ClientFrame, Method, Payload, ServerFrame};
use deskwire_connect::{
    Call, CallFailure, Client, ConnectError, Connector, Credentials, Handler, Limits, Link,
    Options, Reconnect, Registration,
};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// Opens a link to the gateway under test.
pub(crate) type Open =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<Link, ConnectError>> + Send>> + Send + Sync>;

/// A gateway, and a login of this test's own, which keeps tests apart that run
/// at once against one gateway. Contexts need names of their own as well.
pub(crate) struct World {
    open: Open,
    login: String,
}

impl World {
    pub(crate) fn new<C: Connector>(connector: C) -> Self {
        static TESTS: AtomicU64 = AtomicU64::new(0);
        let connector = Arc::new(connector);
        let open: Open = Arc::new(move || {
            let connector = Arc::clone(&connector);
            Box::pin(async move { connector.connect(&Limits::default()).await })
        });
        let test = TESTS.fetch_add(1, Ordering::Relaxed);
        Self { open, login: format!("suite-{}-{test}", std::process::id()) }
    }

    /// A name that no other test uses.
    pub(crate) fn name(&self, name: &str) -> String {
        format!("{}/{name}", self.login)
    }

    /// A peer that is ready.
    pub(crate) async fn peer(&self, application: &str) -> Client {
        self.peer_on(&Lines::default(), self.options(application)).await
    }

    /// A peer whose lines to the gateway can be cut.
    pub(crate) async fn peer_on(&self, lines: &Lines, options: Options) -> Client {
        let client = Client::start(self.through(lines), options);
        client.ready().await.unwrap();
        client
    }

    pub(crate) fn through(&self, lines: &Lines) -> Line {
        Line { open: Arc::clone(&self.open), lines: lines.clone() }
    }

    pub(crate) fn options(&self, application: &str) -> Options {
        let reconnect = Reconnect {
            first: Duration::from_millis(5),
            longest: Duration::from_millis(50),
            random: || 0.5,
        };
        let credentials =
            Credentials::Secret { login: self.login.clone(), secret: self.login.clone() };
        Options { reconnect, credentials, ..Options::new(application) }
    }
}

/// Lines to a gateway: may be cut, and kept from being made again.
#[derive(Clone)]
pub(crate) struct Lines(Arc<State>);

struct State {
    cut: Mutex<CancellationToken>,
    allowed: watch::Sender<bool>,
}

impl Default for Lines {
    fn default() -> Self {
        let cut = Mutex::new(CancellationToken::new());
        Self(Arc::new(State { cut, allowed: watch::Sender::new(true) }))
    }
}

impl Lines {
    /// Cuts the line there is; another one is made at once.
    pub(crate) fn cut(&self) {
        std::mem::take(&mut *self.0.cut.lock().unwrap()).cancel();
    }

    /// Cuts the line there is and lets no other be made.
    pub(crate) fn close(&self) {
        self.0.allowed.send_replace(false);
        self.cut();
    }

    /// Lets lines be made again.
    pub(crate) fn open(&self) {
        self.0.allowed.send_replace(true);
    }
}

/// A connector over [`Lines`].
pub(crate) struct Line {
    open: Open,
    lines: Lines,
}

impl Connector for Line {
    async fn connect(&self, _limits: &Limits) -> Result<Link, ConnectError> {
        let mut allowed = self.lines.0.allowed.subscribe();
        allowed.wait_for(|allowed| *allowed).await.unwrap();
        let cut = self.lines.0.cut.lock().unwrap().clone();
        let Link { frames, incoming } = (self.open)().await?;
        let (near_frames, to_forward) = mpsc::channel::<ClientFrame>(64);
        let (to_near, near_incoming) = mpsc::channel::<ServerFrame>(64);
        tokio::spawn(pass(to_forward, frames, cut.clone()));
        tokio::spawn(pass(incoming, to_near, cut));
        Ok(Link { frames: near_frames, incoming: near_incoming })
    }

    fn describe(&self) -> String {
        "the gateway under test".into()
    }
}

async fn pass<T>(mut from: mpsc::Receiver<T>, to: mpsc::Sender<T>, cut: CancellationToken) {
    let passing = async {
        while let Some(frame) = from.recv().await {
            if to.send(frame).await.is_err() {
                break;
            }
        }
    };
    tokio::select! {
        () = passing => {}
        () = cut.cancelled() => {}
    }
}

/// Waits until `check` yields something, looking whenever `changes` says so.
pub(crate) async fn eventually<T, N>(
    changes: &mut watch::Receiver<N>,
    mut check: impl FnMut() -> Option<T>,
) -> T {
    loop {
        changes.mark_unchanged();
        if let Some(found) = check() {
            return found;
        }
        changes.changed().await.unwrap();
    }
}

/// A method with a name alone.
pub(crate) fn method(name: &str) -> Method {
    Method { name: name.into(), ..Method::default() }
}

/// Registers a method that answers with its arguments and who serves it.
pub(crate) async fn serve(client: &Client, name: &str, server: &'static str) -> Registration {
    let handler = move |call: Call| async move {
        let mut result = call.arguments.value().clone();
        result["server"] = server.into();
        Ok::<_, CallFailure>(Payload::from(result))
    };
    client.register(method(name), handler).await.unwrap()
}

/// Registers a method with this handler.
pub(crate) async fn register(client: &Client, name: &str, handler: impl Handler) -> Registration {
    client.register(method(name), handler).await.unwrap()
}

pub(crate) fn payload(value: Value) -> Payload {
    value.into()
}
