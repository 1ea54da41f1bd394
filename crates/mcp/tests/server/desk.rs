//! A gateway, an MCP server on it, and applications that register methods.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure, Client, Options, Registration, in_process};
use deskwire_gateway::{Config as GatewayConfig, Gateway, Limits, Tokens};
use deskwire_mcp::{Config, HttpOptions, McpServer, Profile, Source, Surface};
use serde_json::{Value, json};
use tokio::sync::Notify;

pub(crate) struct Desk {
    pub(crate) gateway: Gateway,
    pub(crate) server: McpServer,
    pub(crate) router: axum::Router,
}

impl Desk {
    pub(crate) async fn new() -> Self {
        Self::with(Config::new("desk", "1.0.0"), options()).await
    }

    pub(crate) async fn with(config: Config, options: HttpOptions) -> Self {
        Self::with_sources(config, options, Vec::new()).await
    }

    pub(crate) async fn with_sources(
        config: Config,
        options: HttpOptions,
        sources: Vec<Box<dyn Source>>,
    ) -> Self {
        let gateway = gateway();
        let bus = join(&gateway, "mcp").await;
        let server = McpServer::with_sources(bus, config, sources);
        let router = server.http(options);
        Self { gateway, server, router }
    }

    /// An application of this name.
    pub(crate) async fn app(&self, name: &str) -> App {
        App { client: join(&self.gateway, name).await }
    }

    /// Waits until clients without capabilities see exactly these tools.
    pub(crate) async fn shows(&self, names: &[&str]) {
        self.surface_when(|surface| {
            let tools = surface.tools(Profile::NONE);
            tools.map(|tool| tool.definition().name().to_string()).eq(names.iter().copied())
        })
        .await;
    }

    pub(crate) async fn surface_when(
        &self,
        condition: impl FnMut(&Surface) -> bool,
    ) -> Arc<Surface> {
        within(self.server.surface_when(condition)).await
    }
}

pub(crate) fn gateway() -> Gateway {
    let single_user = GatewayConfig { user: "ada".into(), secret: None, limits: Limits::default() };
    Gateway::new(single_user, Tokens::ephemeral().unwrap())
}

/// The defaults but for comments on quiet streams: their timer does not follow a
/// paused clock.
pub(crate) fn options() -> HttpOptions {
    HttpOptions { keep_alive: Duration::from_secs(7 * 24 * 60 * 60), ..HttpOptions::default() }
}

/// Whatever should happen happens within this.
pub(crate) async fn within<F: Future>(future: F) -> F::Output {
    let limit = Duration::from_secs(2 * 60 * 60);
    tokio::time::timeout(limit, future).await.expect("this never happened")
}

async fn join(gateway: &Gateway, name: &str) -> Client {
    let gateway = gateway.clone();
    let client = Client::start(in_process(move || gateway.connect()), Options::new(name));
    within(client.ready()).await.unwrap();
    client
}

pub(crate) struct App {
    pub(crate) client: Client,
}

impl App {
    /// Registers a method that answers what `answer` says, and counts its calls.
    pub(crate) async fn offers<F, A>(&self, method: Method, answer: F) -> Offered
    where
        F: Fn(Value) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, CallFailure>> + Send + 'static,
    {
        let calls = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&calls);
        let handler = move |call: Call| {
            count.fetch_add(1, Ordering::SeqCst);
            let answer = answer(call.arguments.value().clone());
            async move { answer.await.map(Payload::from) }
        };
        let registration = within(self.client.register(method, handler)).await.unwrap();
        Offered { registration, calls }
    }

    /// Registers the tool of the handbook.
    pub(crate) async fn greets(&self, tool: &str) -> Offered {
        self.offers(greeting(tool), |arguments| async move {
            let name = arguments["name"].as_str().unwrap_or_default().to_owned();
            Ok(json!({"greeting": format!("Hello, {name}")}))
        })
        .await
    }

    /// Registers a greeting that says when it has begun, and waits to be let go on.
    pub(crate) async fn waits(&self, tool: &str) -> (Offered, Arc<Notify>, Arc<Notify>) {
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (say, wait) = (Arc::clone(&begun), Arc::clone(&go_on));
        let offered = self
            .offers(greeting(tool), move |_| {
                let (say, wait) = (Arc::clone(&say), Arc::clone(&wait));
                async move {
                    say.notify_one();
                    wait.notified().await;
                    Ok(json!({"greeting": "at last"}))
                }
            })
            .await;
        (offered, begun, go_on)
    }

    /// Registers a method that never answers.
    pub(crate) async fn hangs(&self, method: Method) -> Offered {
        self.offers(method, |_| std::future::pending()).await
    }
}

pub(crate) struct Offered {
    pub(crate) registration: Registration,
    calls: Arc<AtomicUsize>,
}

impl Offered {
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    pub(crate) async fn withdraw(self) {
        within(self.registration.unregister()).await.unwrap();
    }
}

/// A method with the flag.
pub(crate) fn method(tool: &str, input: Value, output: Value, extra: Value) -> Method {
    let mut flag = json!({
        "name": tool,
        "inputSchema": input.to_string(),
        "outputSchema": output.to_string(),
    });
    for (key, value) in extra.as_object().into_iter().flatten() {
        flag[key] = value.clone();
    }
    let mut method = Method { name: format!("Method.{tool}"), ..Method::default() };
    method.description = Some("A tool of an application.".into());
    method.flags.metadata.insert("ioIntelMCPTool".into(), flag);
    method
}

/// A method that greets, with the schemas of the handbook.
pub(crate) fn greeting(tool: &str) -> Method {
    greeting_with(tool, json!({}))
}

pub(crate) fn greeting_with(tool: &str, extra: Value) -> Method {
    method(
        tool,
        json!({
            "$schema": "https://json-schema.org/draft-07/schema",
            "type": "object",
            "properties": {"name": {"type": "string", "description": "Person's name"}},
            "required": ["name"],
        }),
        json!({
            "type": "object",
            "properties": {"greeting": {"type": "string"}},
            "required": ["greeting"],
        }),
        extra,
    )
}
