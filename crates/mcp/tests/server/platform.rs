//! A stand-in for a platform: it knows applications and starts them.

use std::sync::{Arc, Mutex};

use deskwire_connect::services::intents::IntentListener;
use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure, Client, Options, Registration, in_process};
use deskwire_gateway::Gateway;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::desk::{Desk, within};

/// What an application does once it is started: it gets its peer and what it
/// was started with.
pub(crate) type Program = fn(Client, Value) -> BoxFuture<'static, ()>;

pub(crate) struct Platform {
    /// Names of the applications that were started.
    started: Arc<Mutex<Vec<String>>>,
    _client: Client,
    _registrations: Vec<Registration>,
}

impl Platform {
    /// One that knows these applications, in the form of definitions, and runs
    /// this program for each that is started.
    pub(crate) async fn new(desk: &Desk, apps: Value, program: Program) -> Self {
        let client = desk.app("platform").await.client;
        let started = Arc::new(Mutex::new(Vec::new()));
        let get = move |call: Call| {
            let wanted = call.arguments.value().pointer("/v2/apps").cloned();
            let is_wanted = |app: &&Value| {
                wanted.as_ref().is_none_or(|it| it.as_array().unwrap().contains(&app["name"]))
            };
            let all: Vec<_> = apps.as_array().unwrap().iter().filter(is_wanted).cloned().collect();
            async move { Ok::<_, CallFailure>(Payload::from(json!({"applications": all}))) }
        };
        let (log, gateway) = (Arc::clone(&started), desk.gateway.clone());
        let start = move |call: Call| {
            let question = call.arguments.value();
            let name = question["Name"].as_str().unwrap().to_owned();
            let context = question["Context"].clone();
            let number = {
                let mut log = log.lock().unwrap();
                log.push(name.clone());
                log.len()
            };
            let id = format!("{name}-{number}");
            let (gateway, instance) = (gateway.clone(), id.clone());
            tokio::spawn(async move {
                let client = join(gateway, &name, &instance).await;
                program(client.clone(), context).await;
                // It stays until the test ends.
                std::future::pending::<()>().await;
            });
            async move { Ok::<_, CallFailure>(Payload::from(json!({"Id": id}))) }
        };
        let method = |name: &str| Method { name: name.into(), ..Method::default() };
        let registrations = vec![
            client.register(method("T42.ACS.GetApplications"), get).await.unwrap(),
            client.register(method("T42.ACS.StartApplication"), start).await.unwrap(),
        ];
        Self { started, _client: client, _registrations: registrations }
    }

    pub(crate) fn started(&self) -> Vec<String> {
        self.started.lock().unwrap().clone()
    }
}

async fn join(gateway: Gateway, application: &str, instance: &str) -> Client {
    let mut options = Options::new(application);
    options.identity.insert("instance".into(), instance.into());
    let client = Client::start(in_process(move || gateway.connect()), options);
    within(client.ready()).await.unwrap();
    client
}

/// Handles an intent by this, as `io.intents.register` does.
pub(crate) async fn handles<F>(client: &Client, intent: &str, answer: F) -> Registration
where
    F: Fn(Value) -> Value + Send + Sync + 'static,
{
    let handler = move |call: Call| {
        let answer = Payload::from(answer(call.arguments.value().clone()));
        async move { Ok::<_, CallFailure>(answer) }
    };
    within(client.intents().register(IntentListener::new(intent), handler)).await.unwrap()
}
