//! The behaviour suite against our own gateway, in this process and over a
//! WebSocket.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod suite;

use deskwire_connect::{in_process, websocket};
use deskwire_gateway::{Config, Gateway, Limits, Tokens, router};
use suite::World;
use tokio::net::TcpListener;

fn gateway() -> Gateway {
    let config = Config { user: "person".into(), secret: None, limits: Limits::default() };
    Gateway::new(config, Tokens::ephemeral().unwrap())
}

mod within_the_process {
    use super::*;

    async fn world() -> World {
        let gateway = gateway();
        World::new(in_process(move || gateway.connect()))
    }

    suite::behaviours!(super::world());
}

mod over_a_websocket {
    use super::*;

    async fn world() -> World {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = router(gateway());
        tokio::spawn(async move { axum::serve(listener, app).await });
        World::new(websocket(&format!("ws://{address}/gw")).unwrap())
    }

    suite::behaviours!(super::world());
}
