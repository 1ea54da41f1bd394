//! The upgrade route.

use std::net::SocketAddr;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};

use crate::broker::{Admission, LinkInfo};
use crate::gateway::Gateway;

/// Per socket; there may be thousands, and most frames are small.
const READ_BUFFER: usize = 4 * 1024;
/// Once more than this many bytes are gathered, they are written. A socket keeps
/// a buffer for the most it ever gathered: this, and a frame.
const WRITE_BUFFER: usize = 3 * 1024;

/// `GET /gw`: the WebSocket upgrade.
///
/// Reads `Extension<Admission>` (absent means [`Admission::Anonymous`]) and, for
/// `identity.machine`, `ConnectInfo<SocketAddr>`. Whoever binds the listener
/// sets `TCP_NODELAY` on what it accepts, without which small frames wait for
/// each other.
pub fn router(gateway: Gateway) -> Router {
    Router::new().route("/gw", get(upgrade)).with_state(gateway)
}

async fn upgrade(
    State(gateway): State<Gateway>,
    admission: Option<Extension<Admission>>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let admission = admission.map_or(Admission::Anonymous, |Extension(admission)| admission);
    let address = address.map(|Extension(ConnectInfo(address))| address.ip());
    let limit = gateway.inner.limits.inbound_frame_bytes;
    let Ok(permit) = gateway.inner.sockets.clone().try_acquire_owned() else {
        let reason = "the gateway has as many sockets as it may have\n";
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(limit)
        .max_frame_size(limit)
        .on_upgrade(move |socket| async move {
            gateway.serve(socket, LinkInfo::socket(address, admission)).await;
            drop(permit);
        })
}
