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
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::Service;

use super::guard::is_loopback;
use super::socket::Socket;
use crate::config::Listen;
use crate::fault::Fault;

/// Open connections, WebSockets included; further ones wait in the system's queue.
const MOST_CONNECTIONS: usize = 16_384;

/// How long a connection may be open without asking anything. Also what a
/// client that sends half a request head gets.
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
}

/// Binds what `listen` says: `localhost` is 127.0.0.1, and `[::1]` where the machine has it.
pub(crate) async fn bind(listen: &Listen) -> Result<Listeners, Fault> {
    let failed = |address: SocketAddr, error: io::Error| {
        let fault = Fault::new(format!("listen on {address}"), &error);
        if error.kind() == io::ErrorKind::AddrInUse {
            fault.hint(
                "Another program has the port; choose one with --port, or --port 0 for a free one.",
            )
        } else {
            fault
        }
    };
    let both = listen.host.eq_ignore_ascii_case("localhost");
    let host = if both {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    } else {
        listen.host.parse().map_err(|_| {
            Fault::new(format!("listen on `{}`", listen.host), "it is not an address")
                .hint("listen.host is `localhost` or an IP address.")
        })?
    };
    let wanted = SocketAddr::new(host, listen.port);
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
    Ok(Listeners { sockets, address })
}

impl Listeners {
    /// Serves until `stop` ends, then lets running requests finish.
    pub(crate) async fn serve<F>(self, router: Router, stop: F)
    where
        F: Future<Output = ()> + Clone + Send + 'static,
    {
        let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let servers = self
            .sockets
            .into_iter()
            .map(|socket| serve_socket(socket, router.clone(), Arc::clone(&permits), stop.clone()));
        futures_util::future::join_all(servers).await;
    }
}

async fn serve_socket(
    socket: TcpListener,
    router: Router,
    permits: Arc<Semaphore>,
    stop: impl Future<Output = ()>,
) {
    let open = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let accepted = async {
            // The semaphore is never closed, so there is always a permit to come.
            let permit = Arc::clone(&permits).acquire_owned().await.ok();
            (permit, socket.accept().await)
        };
        tokio::select! {
            (permit, accepted) = accepted => match accepted {
                Ok((stream, from)) => serve_connection(stream, from, router.clone(), permit, &open),
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
    router: Router,
    permit: Option<OwnedSemaphorePermit>,
    open: &GracefulShutdown,
) {
    // Without it, an answer in two writes waits 40 ms for an acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY is not set");
    }
    let socket = Socket::new(stream, permit);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(from));
        let mut router = router.clone();
        async move { answer(&mut router, request).await }
    });
    let mut http = Builder::new(TokioExecutor::new()).http1_only();
    http.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
    let connection = http.serve_connection_with_upgrades(TokioIo::new(socket), service);
    let connection = open.watch(connection.into_owned());
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%from, %error, "a connection ended early");
        }
    });
}

async fn answer(
    router: &mut Router,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    // A router is always ready.
    Service::call(router, request.map(Body::new)).await
}
