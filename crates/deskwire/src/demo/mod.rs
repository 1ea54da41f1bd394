//! The demo applications: what `deskwire` shows when nothing is configured.
//!
//! Each is a peer of its own, as a real application would be, and offers its
//! work as interop methods that become tools. They share the data of one small
//! wealth manager.

mod book;
mod clients;
mod method;
mod orders;
mod portfolio;

use std::net::SocketAddr;
use std::sync::Arc;

use deskwire_connect::{Client, Options, in_process};
use deskwire_gateway::Gateway;
use deskwire_platform::Source;

use crate::fault::Fault;
use book::Book;
use method::DemoMethod;

/// The running demo applications. They leave the bus with this value.
#[derive(Debug)]
pub(crate) struct Demo {
    apps: Vec<Client>,
}

impl Demo {
    /// The applications leave the bus.
    pub(crate) async fn stop(self) {
        for app in self.apps {
            app.close().await;
        }
    }
}

/// Starts the applications on `gateway`, and returns when their methods are announced.
pub(crate) async fn start(gateway: &Gateway) -> Result<Demo, Fault> {
    let book = Arc::new(Book::load()?);
    let mut apps = Vec::new();
    for (name, methods) in [
        ("clients", clients::methods(&book)),
        ("portfolio", portfolio::methods(&book)),
        ("orders", orders::methods(&book)),
    ] {
        apps.push(start_app(gateway, name, methods).await?);
    }
    Ok(Demo { apps })
}

/// The definitions of the demo desktop: applications and workspaces. `address` is where
/// this process serves their pages.
pub(crate) fn definitions(address: SocketAddr) -> [Source; 2] {
    let origin = format!("http://demo.localhost:{}", address.port());
    [
        ("demo applications", include_str!("../../../../demo/desktop/applications.json")),
        ("demo layouts", include_str!("../../../../demo/desktop/layouts.json")),
    ]
    .map(|(label, text)| Source::Text {
        label: label.into(),
        text: text.replace("{origin}", &origin),
    })
}

async fn start_app(
    gateway: &Gateway,
    name: &str,
    methods: Vec<DemoMethod>,
) -> Result<Client, Fault> {
    let failed = |error: &dyn std::fmt::Display| {
        Fault::new(format!("start the demo application `{name}`"), error)
    };
    let bus = gateway.clone();
    let app = Client::start(in_process(move || bus.connect()), Options::new(name));
    app.ready().await.map_err(|error| failed(&error))?;
    for method in methods {
        let (definition, handler) = method.into_parts();
        app.register(definition, handler).await.map_err(|error| failed(&error))?.keep();
    }
    Ok(app)
}
