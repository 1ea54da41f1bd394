//! A platform on a gateway of its own, for tests and for trying out client
//! libraries without the product: `host <folder>` reads `<folder>/host.json`, writes
//! the URL of the gateway on a line of standard output, and runs until its
//! standard input ends.
//!
//! `host.json`: `{"sources": [path or {"url", "pollSeconds"?, "headers"?}],
//! "allowedApps"?: [names], "channels"?: [{"name", "meta"}], "allowPaths"?: [paths]}`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::AllowedNames;
use deskwire_connect::{Client, Options, in_process};
use deskwire_gateway::{Gateway, InstanceGrant, Tokens, router};
use deskwire_platform::ports::{InstanceTokens, NotAdopted, TokenError};
use deskwire_platform::{ChannelDef, Config, Platform, RestSource, Source};
use deskwire_store::Store;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[derive(Default)]
struct Host {
    sources: Vec<From>,
    allowed_apps: Option<Vec<String>>,
    channels: Vec<Channel>,
    allow_paths: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum From {
    Path(PathBuf),
    #[serde(rename_all = "camelCase")]
    Rest {
        url: String,
        poll_seconds: Option<u64>,
        #[serde(default)]
        headers: Map<String, Value>,
    },
}

#[derive(Deserialize)]
struct Channel {
    name: String,
    meta: Map<String, Value>,
}

#[tokio::main]
async fn main() {
    let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let folder = PathBuf::from(std::env::args().nth(1).expect("the folder with host.json"));
    let text = std::fs::read_to_string(folder.join("host.json")).expect("host.json");
    let host: Host = serde_json::from_str(&text).expect("a host.json that can be read");

    let user = "person";
    let config = deskwire_gateway::Config {
        user: user.into(),
        secret: None,
        limits: deskwire_gateway::Limits::default(),
    };
    let gateway = Gateway::new(config, Tokens::ephemeral().unwrap());
    let opened = gateway.clone();
    let bus = Client::start(in_process(move || opened.connect()), Options::new("Deskwire"));
    bus.ready().await.unwrap();

    let store = Store::open(&folder.join("store.db")).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut config = host.config(user, &folder);
    config.gateway_url = format!("ws://{}/gw", listener.local_addr().unwrap());
    let url = config.gateway_url.clone();
    let tokens = Arc::new(GatewayTokens(gateway.tokens().clone()));
    let platform = Platform::start(bus.clone(), store.clone(), tokens, config).await.unwrap();

    let serving = tokio::spawn(async move { axum::serve(listener, router(gateway)).await });
    platform.start_applications().await;
    println!("{url}");
    let mut rest = Vec::new();
    let _ended = tokio::io::stdin().read_to_end(&mut rest).await;
    serving.abort();
    platform.stop().await;
    store.close().await;
}

struct GatewayTokens(Tokens);

impl InstanceTokens for GatewayTokens {
    fn mint(&self, instance: &str, application: &str) -> Result<String, TokenError> {
        let grant =
            InstanceGrant { instance: instance.to_owned(), application: application.to_owned() };
        self.0.mint_instance(grant).map_err(|error| TokenError {
            instance: instance.to_owned(),
            reason: error.to_string(),
        })
    }

    fn adopt(&self, token: &str, instance: &str, application: &str) -> Result<(), NotAdopted> {
        let grant = InstanceGrant { instance: instance.into(), application: application.into() };
        self.0
            .adopt(token, &grant)
            .map_err(|error| NotAdopted { instance: instance.into(), reason: error.to_string() })
    }

    fn revoke(&self, instance: &str) {
        self.0.revoke_instance(instance);
    }
}

impl Host {
    fn config(self, user: &str, folder: &std::path::Path) -> Config {
        let mut config = Config::new(user, folder);
        config.allow_paths = self.allow_paths;
        config.app_stores =
            self.allowed_apps.iter().map(|names| AllowedNames::new(names).unwrap()).collect();
        config.channels = self
            .channels
            .into_iter()
            .map(|Channel { name, meta }| ChannelDef { name, meta, data: Map::new() })
            .collect();
        config.sources = self
            .sources
            .into_iter()
            .map(|from| match from {
                From::Path(path) => Source::Path(path),
                From::Rest { url, poll_seconds, headers } => Source::Rest(RestSource {
                    url,
                    poll: Duration::from_secs(poll_seconds.unwrap_or(60)),
                    headers: headers
                        .into_iter()
                        .map(|(name, value)| (name, value.as_str().unwrap_or_default().to_owned()))
                        .collect(),
                }),
            })
            .collect();
        config
    }
}
