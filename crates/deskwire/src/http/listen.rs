//! Listening sockets and their connections.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tower::Service;

use super::guard::is_loopback;
use super::socket::Socket;
use crate::config::Listen;
use crate::fault::Fault;

/// Open connections, WebSockets included; further ones wait in the system's queue.
const MOST_CONNECTIONS: usize = 16_384;

/// How long the first request of a connection may take to begin and to be whole
/// up to its body, counted from the moment the connection is accepted.
const FIRST_HEAD: Duration = Duration::from_secs(15);

/// How long a connection that has asked before may be open without asking
/// again. Also what one that then sends half a request head gets.
const IDLE: Duration = Duration::from_secs(75);

/// Pause after the system refused a connection, so that running out of file
/// descriptors does not become a busy loop.
const BREATH: Duration = Duration::from_millis(100);

/// Bound sockets, all on one port.
#[derive(Debug)]
pub(crate) struct Listeners {
    sockets: Vec<TcpListener>,
    /// The address to tell people.
    pub(crate) address: SocketAddr,
    /// How long the first request of a connection may take.
    first_head: Duration,
}

/// The address that `listen` says, the first of two where it says `localhost`.
pub(crate) fn address(listen: &Listen) -> Result<SocketAddr, Fault> {
    let host = if is_both(&listen.host) {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    } else {
        listen.host.parse().map_err(|_| {
            Fault::new(format!("listen on `{}`", listen.host), "it is not an address")
                .hint("listen.host is `localhost` or an IP address.")
                .field("listen.host")
        })?
    };
    Ok(SocketAddr::new(host, listen.port))
}

fn is_both(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
}

/// Binds what `listen` says: `localhost` is 127.0.0.1, and `[::1]` where the machine has it.
pub(crate) async fn bind(listen: &Listen) -> Result<Listeners, Fault> {
    let failed = |address: SocketAddr, error: io::Error| {
        let fault = Fault::new(format!("listen on {address}"), &error);
        if error.kind() == io::ErrorKind::AddrNotAvailable {
            fault
                .hint("listen.host is `localhost` or an IP address of this machine.")
                .field("listen.host")
        } else if error.kind() == io::ErrorKind::AddrInUse {
            fault.hint(
                "Another program has the port; choose one with --port, or --port 0 for a free one.",
            )
        } else {
            fault
        }
    };
    let both = is_both(&listen.host);
    let wanted = address(listen)?;
    let first = TcpListener::bind(wanted).await.map_err(|error| failed(wanted, error))?;
    let address = first.local_addr().map_err(|error| failed(wanted, error))?;
    let mut sockets = vec![first];
    if both && is_loopback(&listen.host) {
        let second = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), address.port());
        match TcpListener::bind(second).await {
            Ok(socket) => sockets.push(socket),
            Err(error) => tracing::debug!(%second, %error, "not listening on the second loopback"),
        }
    }
    Ok(Listeners { sockets, address, first_head: FIRST_HEAD })
}

impl Listeners {
    /// Serves until `stop` ends, then lets running requests finish.
    pub(crate) async fn serve<F>(self, router: Router, stop: F)
    where
        F: Future<Output = ()> + Clone + Send + 'static,
    {
        let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let Self { sockets, first_head, .. } = self;
        let servers = sockets.into_iter().map(|socket| {
            let door = Door { router: router.clone(), permits: Arc::clone(&permits), first_head };
            serve_socket(socket, door, stop.clone())
        });
        futures_util::future::join_all(servers).await;
    }
}

/// What every connection is served with.
struct Door {
    router: Router,
    permits: Arc<Semaphore>,
    first_head: Duration,
}

async fn serve_socket(socket: TcpListener, door: Door, stop: impl Future<Output = ()>) {
    let open = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let accepted = async {
            // The semaphore is never closed, so there is always a permit to come.
            let permit = Arc::clone(&door.permits).acquire_owned().await.ok();
            (permit, socket.accept().await)
        };
        tokio::select! {
            (permit, accepted) = accepted => match accepted {
                Ok((stream, from)) => serve_connection(stream, from, &door, permit, &open),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(BREATH).await;
                }
            },
            () = &mut stop => break,
        }
    }
    drop(socket);
    open.shutdown().await;
}

fn serve_connection(
    stream: TcpStream,
    from: SocketAddr,
    door: &Door,
    permit: Option<OwnedSemaphorePermit>,
    open: &GracefulShutdown,
) {
    // Without it, an answer in two writes waits 40 ms for an acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY is not set");
    }
    let socket = Socket::new(stream, permit);
    let (router, first_head) = (door.router.clone(), door.first_head);
    let asked = Arc::new(Notify::new());
    let asks = Arc::clone(&asked);
    let service = service_fn(move |mut request: Request<Incoming>| {
        asks.notify_one();
        request.extensions_mut().insert(ConnectInfo(from));
        let mut router = router.clone();
        async move { answer(&mut router, request).await }
    });
    let mut http = Builder::new(TokioExecutor::new()).http1_only();
    http.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
    let connection = http.serve_connection_with_upgrades(TokioIo::new(socket), service);
    let connection = open.watch(connection.into_owned());
    tokio::spawn(async move {
        tokio::select! {
            ended = connection => {
                if let Err(error) = ended {
                    tracing::debug!(%from, %error, "a connection ended early");
                }
            }
            () = nothing_asked(&asked, first_head) => {
                tracing::debug!(%from, "a connection asked nothing in time");
            }
        }
    });
}

/// Ends when the first request is not there in time; never, if it is.
async fn nothing_asked(asked: &Notify, limit: Duration) {
    if tokio::time::timeout(limit, asked.notified()).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

async fn answer(
    router: &mut Router,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    // A router is always ready.
    Service::call(router, request.map(Body::new)).await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::timeout;

    use super::*;

    const REQUEST: &str = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    async fn connected(address: SocketAddr, said: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(said.as_bytes()).await.unwrap();
        stream
    }

    async fn within<T>(what: impl Future<Output = io::Result<T>>) -> T {
        timeout(Duration::from_secs(30), what).await.expect("in time").unwrap()
    }

    #[tokio::test]
    async fn connections_that_ask_nothing_are_closed_in_time() {
        let listen = Listen { host: "127.0.0.1".into(), port: 0, ..Listen::default() };
        let mut listeners = bind(&listen).await.unwrap();
        listeners.first_head = Duration::from_millis(100);
        let address = listeners.address;
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        tokio::spawn(listeners.serve(router, futures_util::future::pending().shared()));

        let mut asking = connected(address, REQUEST).await;
        let mut answer = [0; 1024];
        assert!(within(asking.read(&mut answer)).await > 0);
        for said in ["", "GET / HTTP/1.1\r\nHost: loc"] {
            let mut silent = connected(address, said).await;
            assert_eq!(within(silent.read(&mut answer)).await, 0, "{said:?}");
        }
        // One that has asked may take its time.
        within(asking.write_all(REQUEST.as_bytes())).await;
        assert!(within(asking.read(&mut answer)).await > 0);
    }
}
