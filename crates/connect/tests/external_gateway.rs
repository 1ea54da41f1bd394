//! The behaviour suite against a gateway of somebody else, whose URL stands in
//! `DESKWIRE_TEST_GATEWAY`. `tests/support/gateway-web.mjs` hosts one, and
//! `cargo xtask test gateway` runs this on it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod suite;

use deskwire_connect::websocket;
use suite::World;

async fn world() -> World {
    let url = std::env::var("DESKWIRE_TEST_GATEWAY")
        .expect("DESKWIRE_TEST_GATEWAY must name a gateway, for example ws://127.0.0.1:8385/gw");
    World::new(websocket(&url).unwrap())
}

suite::behaviours!(super::world());
