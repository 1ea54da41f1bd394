//! A platform that starts real programs, and what a test does with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{
    Client, InvokeOptions, Options, StartingContext, SubscribeOptions, Subscription, in_process,
};
use deskwire_gateway::{Gateway, InstanceGrant, Limits, Tokens};
use deskwire_platform::instances::{Instance, InstanceEvent, StartError, StartOptions, StartedBy};
use deskwire_platform::ports::{InstanceTokens, NotAdopted, TokenError};
use deskwire_platform::{Config, Platform, Source};
use deskwire_store::Store;
use deskwire_wire::Payload;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::broadcast;
use tokio::time::timeout;

/// How long anything may take before the test says that it will not come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A desktop in a folder of its own.
pub(crate) struct Desk {
    pub(crate) platform: Platform,
    pub(crate) folder: TempDir,
    gateway: Gateway,
}

struct GatewayTokens(Tokens);

impl InstanceTokens for GatewayTokens {
    fn mint(&self, instance: &str, application: &str) -> Result<String, TokenError> {
        if application == "outcast" {
            let reason = "outcasts get none".to_owned();
            return Err(TokenError { instance: instance.to_owned(), reason });
        }
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

impl Desk {
    /// A desktop with these applications.
    pub(crate) async fn start(applications: Value) -> Self {
        Self::configured(applications, |_| {}).await
    }

    pub(crate) async fn configured(
        applications: Value,
        configure: impl FnOnce(&mut Config),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("apps.json"), applications.to_string()).unwrap();
        let gateway = Gateway::new(
            deskwire_gateway::Config {
                user: "person".into(),
                secret: None,
                limits: Limits::default(),
            },
            Tokens::ephemeral().unwrap(),
        );
        let bus = Client::start(link(&gateway), Options::new("Deskwire"));
        bus.ready().await.unwrap();
        let store = Store::open(&folder.path().join("store.db")).await.unwrap();
        let mut config = Config::new("person", folder.path());
        config.sources = vec![Source::Path("apps.json".into())];
        config.gateway_url = "ws://localhost:1/gw".into();
        config.environment = "TEST".into();
        config.region = "HERE".into();
        configure(&mut config);
        let tokens = Arc::new(GatewayTokens(gateway.tokens().clone()));
        let platform = Platform::start(bus, store, tokens, config).await.unwrap();
        Self { platform, folder, gateway }
    }

    /// The bus.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a shell script.
    pub(crate) fn script(&self, name: &str, lines: &str) {
        script(self.folder.path(), name, lines);
    }

    /// Starts an application, as a platform's own part would.
    pub(crate) async fn launch(&self, name: &str) -> Result<Arc<Instance>, StartError> {
        self.launch_with(name, json!({})).await
    }

    pub(crate) async fn launch_with(
        &self,
        name: &str,
        options: Value,
    ) -> Result<Arc<Instance>, StartError> {
        let options = StartOptions::read(options.as_object().cloned().unwrap_or_else(Map::new));
        let context = Payload::from(json!({ "for": name }));
        let launcher = self.platform.launcher();
        timeout(PATIENCE, launcher.start(name, context, options, StartedBy::default()))
            .await
            .expect("an answer in time")
    }

    pub(crate) async fn stop(&self, instance: &Instance) {
        let stopped = self.platform.launcher().stop(instance.id.as_str());
        timeout(PATIENCE, stopped).await.expect("an end in time").unwrap();
    }

    /// A peer of the bus.
    pub(crate) async fn peer(&self, application: &str) -> Client {
        let client = Client::start(link(&self.gateway), Options::new(application));
        client.ready().await.unwrap();
        client
    }

    /// A peer that logs in with a starting context.
    pub(crate) async fn peer_of(&self, context: &StartingContext) -> Client {
        let client = Client::start(link(&self.gateway), context.options("nobody"));
        client.ready().await.unwrap();
        client
    }

    /// The starting context that a program of these tests has written down.
    pub(crate) async fn starting_context(&self, file: &str) -> StartingContext {
        StartingContext::parse(&self.read(file).await).unwrap()
    }

    /// What is in a file, once it is complete: its last line is `end`.
    pub(crate) async fn read(&self, file: &str) -> String {
        let path = self.path(file);
        until(&format!("{file} to be written"), || {
            let text = std::fs::read_to_string(&path).ok()?;
            text.strip_suffix("end\n").map(str::to_owned)
        })
        .await
    }
}

pub(crate) fn script(folder: &Path, name: &str, lines: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn link(gateway: &Gateway) -> impl deskwire_connect::Connector + use<> {
    let gateway = gateway.clone();
    in_process(move || gateway.connect())
}

/// A program with this script.
pub(crate) fn exe(name: &str, command: &str) -> Value {
    json!({ "name": name, "type": "exe", "details": { "command": command } })
}

/// Waits for something that gives no sign of itself: a file, the end of a process.
pub(crate) async fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let mut ticks = tokio::time::interval(Duration::from_millis(10));
    let wait = async {
        loop {
            if let Some(found) = look() {
                return found;
            }
            ticks.tick().await;
        }
    };
    timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// Whether a process lives; one that nobody has buried does not.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| !rest.starts_with(" Z")))
}

/// The processes of a group that live.
pub(crate) fn group(group: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap();
    all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| is_alive(*pid))
        .filter(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // After the name: state, parent, group.
            let rest = stat.rsplit(')').next().unwrap_or_default();
            rest.split_whitespace().nth(2) == Some(&group.to_string())
        })
        .collect()
}

/// News of one instance, by their names, up to its end.
pub(crate) async fn story(
    events: &mut broadcast::Receiver<InstanceEvent>,
    application: &str,
) -> Vec<&'static str> {
    let mut story = Vec::new();
    loop {
        let event = timeout(PATIENCE, events.recv()).await.expect("news in time").unwrap();
        if event.instance().application.name != application {
            continue;
        }
        story.push(match event {
            InstanceEvent::Started(_) => "started",
            InstanceEvent::Ready(_) => "ready",
            InstanceEvent::Updated(_) => "updated",
            InstanceEvent::Titled(_) => "titled",
            InstanceEvent::ContextChanged(_) => "context",
            InstanceEvent::Stopped(_) => "stopped",
            InstanceEvent::Failed(_) => "failed",
        });
        if matches!(event, InstanceEvent::Stopped(_) | InstanceEvent::Failed(_)) {
            return story;
        }
    }
}

/// What a method answers, or why not.
pub(crate) async fn ask(client: &Client, method: &str, arguments: Value) -> Result<Value, String> {
    let answers = client.invoke(method, arguments.into(), InvokeOptions::default()).await;
    let answer = answers.map_err(|error| error.to_string())?.first();
    answer.map(|payload| payload.value().clone()).map_err(|error| error.to_string())
}

/// Subscribes to a stream.
pub(crate) async fn subscribe(client: &Client, stream: &str, arguments: Value) -> Subscription {
    client.subscribe(stream, arguments.into(), SubscribeOptions::default()).await.unwrap()
}
