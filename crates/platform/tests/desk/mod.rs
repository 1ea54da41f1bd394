//! A gateway with a platform on it, and what a test does with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::Payload;
use deskwire_connect::{
    Client, InvokeOptions, Options, SubscribeOptions, Subscription, in_process,
};
use deskwire_gateway::{Gateway, InstanceGrant, Limits, Tokens};
use deskwire_platform::ports::{InstanceTokens, NotAdopted, TokenError};
use deskwire_platform::{Config, Platform, Source};
use deskwire_store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;

/// How long anything may take before the test says that it will not come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A desktop in a folder of its own.
pub(crate) struct Desk {
    pub(crate) platform: Platform,
    pub(crate) folder: TempDir,
    gateway: Gateway,
    store: Store,
}

/// The tokens of the gateway, as the product hands them over.
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

impl Desk {
    /// A desktop whose configuration is what `configure` makes of the default.
    pub(crate) async fn start(configure: impl FnOnce(&mut Config, &Path)) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), configure).await
    }

    pub(crate) async fn start_in(
        folder: TempDir,
        configure: impl FnOnce(&mut Config, &Path),
    ) -> Self {
        let config = deskwire_gateway::Config {
            user: "person".into(),
            secret: None,
            limits: Limits::default(),
        };
        let gateway = Gateway::new(config, Tokens::ephemeral().unwrap());
        let bus = peer(&gateway, "Deskwire").await;
        let store = Store::open(&folder.path().join("store.db")).await.unwrap();
        let mut config = Config::new("person", folder.path());
        configure(&mut config, folder.path());
        let tokens = Arc::new(GatewayTokens(gateway.tokens().clone()));
        let platform = Platform::start(bus, store.clone(), tokens, config).await.unwrap();
        Self { platform, folder, gateway, store }
    }

    /// Ends it, and starts it again with another configuration on the same data.
    pub(crate) async fn restart(self, configure: impl FnOnce(&mut Config, &Path)) -> Self {
        let Self { platform, folder, gateway, store } = self;
        platform.stop().await;
        store.close().await;
        gateway.shutdown().await;
        Self::start_in(folder, configure).await
    }

    /// Another peer of the bus.
    pub(crate) async fn peer(&self, application: &str) -> Client {
        peer(&self.gateway, application).await
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file as editors do: all at once, under another name first.
    pub(crate) fn write(&self, name: &str, content: &Value) {
        write(self.folder.path(), name, content);
    }

    /// Waits until the catalog is as it should be.
    pub(crate) async fn until(&self, what: &str, look: impl Fn(&Platform) -> bool) {
        let mut changes = self.platform.catalog_changes();
        let wait = async {
            while !look(&self.platform) {
                changes.changed().await.unwrap();
            }
        };
        if timeout(PATIENCE, wait).await.is_err() {
            let names = self.names();
            let told = self.platform.diagnostics();
            panic!("waited for {what}; there are {names:?}, and {told:?}");
        }
    }

    /// Names of the applications, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.platform)
    }

    /// The codes of all diagnostics.
    pub(crate) fn codes(&self) -> Vec<String> {
        codes(&self.platform)
    }
}

pub(crate) fn names(platform: &Platform) -> Vec<String> {
    platform.catalog().applications().iter().map(|app| app.name.clone()).collect()
}

pub(crate) fn codes(platform: &Platform) -> Vec<String> {
    platform.diagnostics().iter().map(|one| one.code.to_string()).collect()
}

/// A source that is a file or folder.
pub(crate) fn path(name: &str) -> Source {
    Source::Path(name.into())
}

/// Definitions of window applications.
pub(crate) fn apps(names: &[&str]) -> Value {
    names.iter().map(|name| app(name)).collect()
}

pub(crate) fn app(name: &str) -> Value {
    json!({ "name": name, "type": "window", "details": { "url": "http://localhost/" } })
}

pub(crate) fn write(folder: &Path, name: &str, content: &Value) {
    let temporary = folder.join(format!(".{}.tmp", name.replace('/', "_")));
    std::fs::write(&temporary, content.to_string()).unwrap();
    std::fs::rename(temporary, folder.join(name)).unwrap();
}

async fn peer(gateway: &Gateway, application: &str) -> Client {
    let gateway = gateway.clone();
    let client = Client::start(in_process(move || gateway.connect()), Options::new(application));
    client.ready().await.unwrap();
    client
}

/// What a method answers, or why not.
pub(crate) async fn ask(client: &Client, method: &str, arguments: Value) -> Result<Value, String> {
    let answers = client.invoke(method, arguments.into(), InvokeOptions::default()).await;
    let answer = answers.map_err(|error| error.to_string())?.first();
    answer.map(|payload| payload.value().clone()).map_err(|error| error.to_string())
}

/// A command of `T42.ACS.Command`.
pub(crate) async fn command(client: &Client, name: &str, data: Value) -> Result<Value, String> {
    ask(client, "T42.ACS.Command", json!({ "command": name, "data": data })).await
}

/// Subscribes to a stream.
pub(crate) async fn follow(client: &Client, stream: &str, arguments: Value) -> Subscription {
    let arguments: Payload = arguments.into();
    client.subscribe(stream, arguments, SubscribeOptions::default()).await.unwrap()
}

/// The next event of a stream.
pub(crate) async fn next(subscription: &mut Subscription) -> Value {
    let event = timeout(PATIENCE, subscription.next()).await.expect("an event in time");
    event.expect("the stream goes on").data.value().clone()
}
