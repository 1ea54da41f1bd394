//! Workspaces on a gateway of its own, for trying out client libraries without the product: writes the
//! URL of the gateway on a line of standard output, and runs until its standard input ends. One page of
//! Rust is attached, for which every window loads at once; `--no-page` leaves it out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub
)]

#[allow(dead_code, reason = "tests use more of it")]
#[path = "../tests/support/windows.rs"]
mod windows;

use std::sync::Arc;

use deskwire_connect::wire::Payload;
use deskwire_connect::{Client, InvokeOptions, Options, SubscribeOptions, in_process};
use deskwire_gateway::{Config, Gateway, Limits, Tokens, router};
use deskwire_platform::workspaces::Workspaces;
use deskwire_store::Store;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use windows::{Windows, shelf};

#[tokio::main]
async fn main() {
    let config = Config { user: "person".into(), secret: None, limits: Limits::default() };
    let gateway = Gateway::new(config, Tokens::ephemeral().unwrap());
    let bus = peer(&gateway, "platform").await;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.db")).await.unwrap();
    let windows = Arc::<Windows>::default();
    let workspaces = Workspaces::start(bus, store.workspaces(), windows, shelf([])).await.unwrap();
    if !std::env::args().any(|argument| argument == "--no-page") {
        tokio::spawn(page(peer(&gateway, "desk").await));
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("ws://{}/gw", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, router(gateway)).await });
    let mut rest = Vec::new();
    let _ended = tokio::io::stdin().read_to_end(&mut rest).await;
    serving.abort();
    workspaces.stop().await;
    store.close().await;
}

async fn peer(gateway: &Gateway, application: &str) -> Client {
    let gateway = gateway.clone();
    let client = Client::start(in_process(move || gateway.connect()), Options::new(application));
    client.ready().await.unwrap();
    client
}

/// A page that loads every window at once.
async fn page(peer: Client) {
    let call = async |method: &str, arguments: Value| {
        let answers = peer.invoke(method, Payload::from(arguments), InvokeOptions::default()).await;
        answers.unwrap().first().map(|result| result.value().clone())
    };
    let attached = call("Deskwire.Frame.Attach", json!({})).await.unwrap();
    let bounds = json!({ "bounds": { "left": 0, "top": 0, "width": 1200, "height": 800 } });
    call("Deskwire.Frame.Report", bounds).await.unwrap();
    let subscribed =
        peer.subscribe("Deskwire.Frame.Events", attached.into(), SubscribeOptions::default()).await;
    let mut events = subscribed.unwrap();
    while let Some(event) = events.next().await {
        let windows = event.data.value()["workspace"]["windows"].as_object().cloned();
        for window in windows.unwrap_or_default().values() {
            if window["state"] == "loading" {
                let loaded = json!({ "windowId": window["windowId"], "state": "loaded" });
                // It may be gone already.
                let _gone = call("Deskwire.Frame.Report", loaded).await;
            }
        }
    }
}
