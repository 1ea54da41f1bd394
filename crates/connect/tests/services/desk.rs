//! A gateway, peers of it, and a stand-in for a platform.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deskwire_connect::services::intents::IntentListener;
use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{
    Call, CallFailure, Client, Options, Publisher, Registration, SubscriptionRequest, in_process,
};
use deskwire_gateway::{Config, Gateway, Limits, Tokens};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::watch;

/// A gateway with peers.
#[derive(Clone)]
pub(crate) struct Desk {
    gateway: Gateway,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let config = Config { user: "ada".into(), secret: None, limits: Limits::default() };
        Self { gateway: Gateway::new(config, Tokens::ephemeral().unwrap()) }
    }

    /// A peer.
    pub(crate) async fn peer(&self, application: &str) -> Client {
        self.join(Options::new(application)).await
    }

    /// A peer that is this instance.
    pub(crate) async fn instance(&self, application: &str, id: &str) -> Client {
        let mut options = Options::new(application);
        options.identity.insert("instance".into(), id.into());
        self.join(options).await
    }

    async fn join(&self, options: Options) -> Client {
        let gateway = self.gateway.clone();
        let client = Client::start(in_process(move || gateway.connect()), options);
        within(client.ready()).await.unwrap();
        client
    }
}

/// Whatever should happen happens within this.
pub(crate) async fn within<F: Future>(future: F) -> F::Output {
    let limit = Duration::from_secs(2 * 60 * 60);
    tokio::time::timeout(limit, future).await.expect("this never happened")
}

/// What an application does once it is started: gets the desk, its name and its instance.
pub(crate) type Program = fn(Desk, String, String) -> BoxFuture<'static, ()>;

/// A stand-in for a platform.
pub(crate) struct Platform {
    pub(crate) events: Arc<Publisher>,
    /// What it was asked to start.
    pub(crate) started: watch::Receiver<Vec<Value>>,
    /// The instances it was asked to stop.
    pub(crate) stopped: watch::Receiver<Vec<String>>,
    _client: Client,
    _registrations: Vec<Registration>,
}

impl Platform {
    /// One that knows these applications, in the form of definitions, and runs
    /// this program for each that is started.
    pub(crate) async fn new(desk: &Desk, apps: Value, program: Program) -> Self {
        let client = desk.peer("platform").await;
        let events = client
            .register_stream(named("T42.ACS.OnEvent"), |request: SubscriptionRequest| async move {
                if let Some(subscriber) = request.accept_on("").await {
                    subscriber.push(json!({"isSnapshot": true}).into()).await.unwrap();
                }
            })
            .await
            .unwrap();
        let events = Arc::new(events);
        let (log, started) = watch::channel(Vec::new());
        let (stop, stopped) = watch::channel(Vec::new());
        let known = apps.clone();
        let get = move |call: Call| {
            let wanted = call.arguments.value().pointer("/v2/apps").cloned();
            let is_wanted = |app: &&Value| {
                wanted.as_ref().is_none_or(|it| it.as_array().unwrap().contains(&app["name"]))
            };
            let all: Vec<_> = known.as_array().unwrap().iter().filter(is_wanted).cloned().collect();
            async move { Ok::<_, CallFailure>(Payload::from(json!({"applications": all}))) }
        };
        let desk = desk.clone();
        let start = move |call: Call| {
            let question = call.arguments.value().clone();
            let name = question["Name"].as_str().unwrap().to_owned();
            let is_known = apps.as_array().unwrap().iter().any(|app| app["name"] == name.as_str());
            log.send_modify(|log| log.push(question));
            let number = log.borrow().len();
            let id = format!("{name}-{number}");
            if is_known {
                tokio::spawn(program(desk.clone(), name.clone(), id.clone()));
            }
            async move {
                match is_known {
                    true => Ok(Payload::from(json!({"Id": id, "Name": name}))),
                    false => Err(CallFailure::new("no such application")),
                }
            }
        };
        let end = move |call: Call| {
            let id = call.arguments.value()["Id"].as_str().unwrap().to_owned();
            stop.send_modify(|stopped| stopped.push(id));
            async move { Ok::<_, CallFailure>(Payload::empty_object()) }
        };
        let registrations = vec![
            client.register(named("T42.ACS.GetApplications"), get).await.unwrap(),
            client.register(named("T42.ACS.StartApplication"), start).await.unwrap(),
            client.register(named("T42.ACS.StopApplication"), end).await.unwrap(),
        ];
        Self { events, started, stopped, _client: client, _registrations: registrations }
    }

    pub(crate) async fn tells(&self, event: Value) {
        self.events.push(event.into()).await.unwrap();
    }
}

pub(crate) fn named(name: &str) -> Method {
    Method { name: name.into(), ..Method::default() }
}

/// A handler of an intent that counts what comes.
pub(crate) struct Listening {
    pub(crate) registration: Registration,
    calls: Arc<AtomicUsize>,
}

impl Listening {
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// Handles an intent and returns this.
pub(crate) async fn listens(client: &Client, intent: &str, answer: Value) -> Listening {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let handler = move |_: Call| {
        count.fetch_add(1, Ordering::SeqCst);
        let answer = Payload::from(answer.clone());
        async move { Ok::<_, CallFailure>(answer) }
    };
    let registration = client.intents().register(IntentListener::new(intent), handler);
    Listening { registration: within(registration).await.unwrap(), calls }
}

/// A program that does nothing.
pub(crate) fn idle(_: Desk, _: String, _: String) -> BoxFuture<'static, ()> {
    Box::pin(async {})
}

/// A program that joins the bus and stays, without handling anything.
pub(crate) fn silent(desk: Desk, name: String, id: String) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let _client = desk.instance(&name, &id).await;
        std::future::pending::<()>().await;
    })
}
