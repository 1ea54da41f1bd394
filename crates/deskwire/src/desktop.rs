//! The desktop of this process: the platform as a peer of the bus, with the store behind it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::AllowedNames;
use deskwire_connect::{Client, Options, in_process};
use deskwire_gateway::{Gateway, InstanceGrant, Tokens};
use deskwire_mcp::{Definitions, DefinitionsFeed, Diagnostic};
use deskwire_platform::ports::{Browser, InstanceTokens, NotAdopted, TokenError};
use deskwire_platform::{ChannelDef, Platform, RestSource, Source};
use deskwire_store::Store;
use reqwest::Url;
use serde_json::Value;
use tokio::sync::watch;

use crate::config::{self, AppStore, DefinitionSource, Loaded};
use crate::data::DataFolder;
use crate::fault::Fault;
use crate::http::PageOrigins;
use crate::verified;

/// The name under which the platform is on the bus.
const APPLICATION: &str = "deskwire-platform";

/// The running desktop. Clones are handles of the same.
#[derive(Clone)]
pub(crate) struct Desktop {
    gateway: Gateway,
    platform: Platform,
    bus: Client,
    store: Store,
}

impl Desktop {
    /// Starts it. Returns when everything it offers is on the bus, so start it before
    /// others are let in.
    pub(crate) async fn start(
        gateway: &Gateway,
        store: Store,
        config: deskwire_platform::Config,
    ) -> Result<Self, Fault> {
        let link = gateway.clone();
        let bus = Client::start(in_process(move || link.connect()), Options::new(APPLICATION));
        bus.ready().await.map_err(|error| Fault::new("join the bus", error))?;
        let tokens = Arc::new(GatewayTokens(gateway.tokens().clone()));
        let platform = Platform::start(bus.clone(), store.clone(), tokens, config)
            .await
            .map_err(|error| Fault::new("start the platform", error))?;
        Ok(Self { gateway: gateway.clone(), platform, bus, store })
    }

    /// Refuses everybody who uses the name of a defined application without a token
    /// that fixes it.
    pub(crate) fn require_identity(&self) {
        verified::require(&self.gateway, self.platform.apps().clone());
    }

    /// Where the pages of its applications are.
    pub(crate) fn page_origins(&self) -> PageOrigins {
        PageOrigins::new(self.platform.apps().clone())
    }

    /// Peers that use the name of a defined application without such a token.
    pub(crate) fn unverified(&self) -> Vec<Diagnostic> {
        verified::doubts(&self.gateway, self.platform.apps())
    }

    /// What it has defined, now and as that changes, for as long as a receiver is there.
    pub(crate) fn definitions(&self) -> DefinitionsFeed {
        let platform = self.platform.clone();
        let mut changes = platform.catalog_changes();
        let known = move |changes: &mut watch::Receiver<u64>| Definitions {
            revision: *changes.borrow_and_update(),
            catalog: Some(platform.catalog()),
        };
        let (sender, receiver) = watch::channel(known(&mut changes));
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = sender.closed() => return,
                    changed = changes.changed() => match changed {
                        Ok(()) => sender.send_replace(known(&mut changes)),
                        Err(_) => return,
                    },
                };
            }
        });
        receiver
    }

    /// Numbers that move when [`Desktop::unverified`] may answer differently: with the definitions,
    /// and with who is on the bus.
    pub(crate) fn changes(&self) -> [watch::Receiver<u64>; 2] {
        [self.platform.catalog_changes(), self.bus.directory_changes()]
    }

    /// Starts the applications that are started with the desktop.
    pub(crate) async fn start_applications(&self) {
        self.platform.start_applications().await;
    }

    /// Ends the applications it started, leaves the bus, and closes the store.
    pub(crate) async fn stop(self) {
        self.platform.stop().await;
        self.bus.close().await;
        self.store.close().await;
    }
}

/// Opens the store in the data folder.
pub(crate) async fn open_store(data: &DataFolder) -> Result<Store, Fault> {
    let path = data.path().join("deskwire.db");
    Store::open(&path)
        .await
        .map_err(|error| Fault::new(format!("open the store {}", path.display()), error))
}

/// The platform's part of the configuration. `address` is where the gateway listens.
///
/// # Errors
/// When a name of an application store cannot be used.
pub(crate) fn platform_config(
    loaded: &Loaded,
    user: String,
    address: SocketAddr,
) -> Result<deskwire_platform::Config, Fault> {
    let platform = &loaded.config.platform;
    let sources = platform.applications.iter().chain(&platform.layouts).map(source);
    let channel = |channel: &config::Channel| ChannelDef {
        name: channel.name.clone(),
        meta: channel.look(),
        data: channel.data.clone(),
    };
    Ok(deskwire_platform::Config {
        gateway_url: format!("ws://{}/gw", reachable(address)),
        environment: "local".into(),
        region: "local".into(),
        allow_paths: platform.allow_paths.clone(),
        sources: sources.collect(),
        app_stores: platform.app_stores.iter().map(allowed_names).collect::<Result<_, _>>()?,
        channels: platform.channels.iter().flatten().map(channel).collect(),
        system_browser: platform.system_browser.then(|| Arc::new(SystemBrowser) as _),
        intent_timeout: Duration::from_millis(platform.intent_timeout_ms.get()),
        ..deskwire_platform::Config::new(user, base_of(loaded.file.as_deref()))
    })
}

/// Where a process of this machine reaches what listens at `address`.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The folder that paths of the configuration start from.
fn base_of(file: Option<&Path>) -> PathBuf {
    match file.and_then(Path::parent) {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn source(source: &DefinitionSource) -> Source {
    match source {
        DefinitionSource::Path(path) => Source::Path(path.clone()),
        DefinitionSource::Rest(rest) => Source::Rest(RestSource {
            url: rest.url.clone(),
            poll: Duration::from_secs(rest.poll_seconds.get().into()),
            headers: rest.headers.clone().into_iter().collect(),
        }),
    }
}

fn allowed_names(store: &AppStore) -> Result<AllowedNames, Fault> {
    let AppStore::InMemory { allowed_apps } = store;
    AllowedNames::new(allowed_apps).map_err(|error| {
        Fault::new("use the names of an application store", error).field("platform.appStores")
    })
}

/// The browser of the system, or whatever opens addresses there.
#[derive(Debug)]
struct SystemBrowser;

impl Browser for SystemBrowser {
    fn open(&self, url: &Url) -> Result<(), String> {
        open::that_detached(url.as_str()).map_err(|error| error.to_string())
    }
}

/// The gateway's tokens, as the platform uses them.
struct GatewayTokens(Tokens);

impl InstanceTokens for GatewayTokens {
    fn mint(&self, instance: &str, application: &str) -> Result<String, TokenError> {
        let grant = InstanceGrant { instance: instance.into(), application: application.into() };
        self.0
            .mint_instance(grant)
            .map_err(|error| TokenError { instance: instance.into(), reason: error.to_string() })
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

impl config::Channel {
    /// Its look as members see it.
    fn look(&self) -> serde_json::Map<String, Value> {
        let mut look = self.meta.more.clone();
        look.insert("color".into(), Value::String(self.meta.color.clone()));
        look
    }
}
