//! The server that the official conformance suite is run against: a bus with one
//! application, and the suite's fixtures as one more source of tools, beside
//! those of applications. Prints its URL, and serves until it is killed.
#![expect(clippy::print_stdout, reason = "whoever starts it reads the URL there")]

mod fixtures;

use std::error::Error;

use axum::serve::ListenerExt;
use deskwire_connect::{Client, Options, in_process};
use deskwire_gateway::{Config as GatewayConfig, Gateway, Limits, Tokens};
use deskwire_mcp::{Config, Doors, HttpOptions, McpServer};
use fixtures::Fixtures;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let config =
        GatewayConfig { user: "conformance".into(), secret: None, limits: Limits::default() };
    let gateway = Gateway::new(config, Tokens::ephemeral()?);
    let join = |application: &str| {
        let gateway = gateway.clone();
        Client::start(in_process(move || gateway.connect()), Options::new(application))
    };
    let (bus, application) = (join("mcp"), join("application"));
    tokio::try_join!(bus.ready(), application.ready())?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;

    let config = Config::new("conformance", env!("CARGO_PKG_VERSION"));
    let fixtures = Fixtures::new(&application)?;
    let server = McpServer::with_sources(bus, config, vec![Box::new(fixtures)]);
    // As the binary does it: pages of the server itself may use it, others may not.
    let doors =
        Doors::Here { hosts: vec!["127.0.0.1".into()], origins: vec![format!("http://{address}")] };
    let options = HttpOptions { doors, ..HttpOptions::default() };
    let router = axum::Router::new().nest("/mcp", server.http(options));

    println!("http://{address}/mcp");
    // Where it cannot be set, answers are slow and nothing else.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, router).await?;
    Ok(())
}
