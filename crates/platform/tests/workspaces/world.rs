//! A gateway, a store, workspaces served on it, and peers that use them.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::Payload;
use deskwire_connect::{
    Client, InvokeError, InvokeOptions, Options, SubscribeOptions, Subscription, in_process,
};
use deskwire_gateway::{Config, Gateway, Limits, Tokens};
use deskwire_platform::workspaces::Workspaces;
use deskwire_store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::windows::{Shelf, Windows, shelf};

/// Longer than any of this takes, leases included.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Desktop {
    gateway: Gateway,
    bus: Client,
    store: Store,
    folder: TempDir,
    pub windows: Arc<Windows>,
    pub layouts: Arc<Shelf>,
    pub workspaces: Workspaces,
}

impl Desktop {
    pub async fn start() -> Self {
        Self::with_layouts([]).await
    }

    pub async fn with_layouts(layouts: impl IntoIterator<Item = Value>) -> Self {
        Self::on(tempfile::tempdir().unwrap(), shelf(layouts)).await
    }

    async fn on(folder: TempDir, layouts: Arc<Shelf>) -> Self {
        let config = Config { user: "person".into(), secret: None, limits: Limits::default() };
        let gateway = Gateway::new(config, Tokens::ephemeral().unwrap());
        let bus = peer(&gateway, "platform").await;
        let store = Store::open(&folder.path().join("store.db")).await.unwrap();
        let windows = Arc::<Windows>::default();
        let started =
            Workspaces::start(bus.clone(), store.workspaces(), windows.clone(), layouts.clone());
        let workspaces = started.await.unwrap();
        Self { gateway, bus, store, folder, windows, layouts, workspaces }
    }

    /// Ends, and starts anew on the same data.
    pub async fn restart(self) -> Self {
        self.workspaces.stop().await;
        self.bus.close().await;
        self.store.close().await;
        Self::on(self.folder, self.layouts).await
    }

    pub async fn client(&self, application: &str) -> Peer {
        Peer(peer(&self.gateway, application).await)
    }

    /// A page with a frame, which has heard how everything is.
    pub async fn page(&self, frame: Option<&str>) -> Page {
        let peer = self.client("desk").await;
        let attached = peer.call("Deskwire.Frame.Attach", json!({ "frameId": frame })).await;
        let frame = attached.unwrap()["frameId"].as_str().unwrap().to_owned();
        let events = peer
            .0
            .subscribe(
                "Deskwire.Frame.Events",
                json!({ "frameId": frame }).into(),
                SubscribeOptions::default(),
            )
            .await
            .unwrap();
        let mut page = Page { peer, frame, events };
        page.until(|event| event["type"] == "snapshot").await;
        page
    }
}

async fn peer(gateway: &Gateway, application: &str) -> Client {
    let gateway = gateway.clone();
    let client = Client::start(in_process(move || gateway.connect()), Options::new(application));
    client.ready().await.unwrap();
    client
}

#[derive(Clone)]
pub struct Peer(pub Client);

impl Peer {
    /// The result of a method, or the words of its refusal.
    pub async fn call(&self, method: &str, arguments: Value) -> Result<Value, String> {
        let options = InvokeOptions { wait_for_method: PATIENCE, ..InvokeOptions::default() };
        let answers = self.0.invoke(method, Payload::from(arguments), options).await.unwrap();
        match answers.first() {
            Ok(result) => Ok(result.value().clone()),
            Err(InvokeError::Failed { reason, .. }) => Err(reason),
            Err(error) => panic!("{method}: {error}"),
        }
    }

    /// The result of an operation, or the words of its refusal.
    pub async fn control(&self, operation: &str, arguments: Value) -> Result<Value, String> {
        let call = json!({ "operation": operation, "operationArguments": arguments });
        self.call("T42.Workspaces.Control", call).await
    }

    /// Makes a workspace of these children. Gives its snapshot.
    pub async fn create(&self, children: Value) -> Value {
        self.control("createWorkspace", json!({ "children": children })).await.unwrap()
    }

    pub async fn listen(&self, stream: &str, branch: &str) -> Events {
        let arguments = json!({ "branch": branch, "type": "workspace" });
        let stream = format!("T42.Workspaces.Stream.{stream}");
        let subscribed =
            self.0.subscribe(&stream, arguments.into(), SubscribeOptions::default()).await;
        Events(subscribed.unwrap())
    }
}

pub struct Events(Subscription);

impl Events {
    /// The next action, and its payload.
    pub async fn next(&mut self) -> (String, Value) {
        let event = timeout(PATIENCE, self.0.next()).await.expect("an event in time").unwrap();
        let event = event.data.value().clone();
        (event["action"].as_str().unwrap().to_owned(), event["payload"].clone())
    }
}

pub struct Page {
    pub peer: Peer,
    pub frame: String,
    events: Subscription,
}

impl Page {
    /// The first event from here on that passes.
    pub async fn until(&mut self, passes: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = timeout(PATIENCE, self.events.next()).await.expect("an event in time");
            let event = event.expect("the stream goes on").data;
            if passes(event.value()) {
                return event.value().clone();
            }
        }
    }

    /// A workspace, as soon as the page hears of one that passes.
    pub async fn workspace(&mut self, passes: impl Fn(&Value) -> bool) -> Value {
        let event =
            self.until(|event| event["type"] == "workspace" && passes(&event["workspace"])).await;
        event["workspace"].clone()
    }

    pub async fn edit(&self, workspace: &Value, op: Value) -> Result<Value, String> {
        let (id, rev) = (&workspace["id"], &workspace["rev"]);
        let edit = json!({ "workspaceId": id, "baseRev": rev, "op": op });
        self.peer.call("Deskwire.Frame.Edit", edit).await
    }

    /// The page is closed, or crashes.
    pub async fn leave(self) {
        self.peer.0.close().await;
    }
}

/// States of windows of a `W`, by application.
pub fn states(workspace: &Value) -> Vec<(String, String)> {
    let windows = workspace["windows"].as_object().unwrap().values();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    windows.map(|window| (text(&window["appName"]), text(&window["state"]))).collect()
}

/// The windows of a snapshot, by application.
pub fn window<'a>(snapshot: &'a Value, app: &str) -> &'a Value {
    fn find<'a>(children: &'a Value, app: &str) -> Option<&'a Value> {
        children.as_array()?.iter().find_map(|child| {
            if child["config"]["appName"] == app {
                Some(child)
            } else {
                find(&child["children"], app)
            }
        })
    }
    find(&snapshot["children"], app).expect("a window of this application")
}

pub fn app(name: &str) -> Value {
    json!({ "type": "window", "appName": name })
}
