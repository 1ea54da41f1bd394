//! The parts of one process, started in order and stopped in the other.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::{Client, Options, in_process};
use deskwire_gateway::{AccessKey, Gateway, Tokens};
use deskwire_mcp::{DynamicMethods, McpServer, Observer, StaticFault, StaticTools};
use deskwire_web_assets::Web;
use futures_util::FutureExt;
use futures_util::future::Shared;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::audit::Audit;
use crate::cli::ServeArgs;
use crate::config::{self, Config, JwtKey};
use crate::data::DataFolder;
use crate::demo::{self, Demo};
use crate::desktop::{self, Desktop};
use crate::fault::Fault;
use crate::http::{self, Guard, Services};

/// The name under which Deskwire itself is on the bus.
pub(crate) const APPLICATION: &str = "deskwire";

/// How long open requests may take to end when the process stops.
const GRACE: Duration = Duration::from_secs(2);

/// What to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Bus, MCP server and, without a configuration, the demo.
    Everything,
    /// The bus.
    GatewayAlone,
}

/// The running parts.
pub(crate) struct Stack {
    address: SocketAddr,
    gateway: Gateway,
    desktop: Option<Desktop>,
    mcp: Option<(McpServer, Client)>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
    demo: Option<Demo>,
    _data: DataFolder,
}

impl Stack {
    /// Starts the parts, and returns when all of them answer.
    pub(crate) async fn start(args: &ServeArgs, parts: Parts) -> Result<Self, Fault> {
        let loaded = config::load(args.config.as_deref())?;
        let placed = |fault| loaded.place(fault);
        let with_demo = parts == Parts::Everything && loaded.file.is_none();
        let mut config = if with_demo { Config::of_demo() } else { loaded.config.clone() };
        if let Some(port) = args.port {
            config.listen.port = port;
        }
        raise_file_limit();
        let data = DataFolder::open(args.data.as_deref().or(config.data.as_deref()))?;
        // Bound first, so that a taken port is told before anything starts.
        let listeners = http::bind(&config.listen).await.map_err(placed)?;
        let guard = Guard::new(&config.listen, listeners.address.port()).map_err(placed)?;
        let tokens = Tokens::new(&data.token_key()?)
            .map_err(|error| Fault::new("use the token key", error))?
            .with_access_keys(access_keys(&config).map_err(placed)?);
        // Before anybody counts.
        let metrics = http::collect_metrics()?;
        let gateway = Gateway::new(gateway_config(&config), tokens);
        // Before others are let in: clients look for the platform's methods at once.
        let desktop = match parts {
            Parts::Everything => {
                let user = user_name();
                let mut settings =
                    desktop::platform_config(&loaded, user, listeners.address).map_err(placed)?;
                if with_demo {
                    settings.sources.extend(demo::definitions(listeners.address));
                }
                let store = desktop::open_store(&data).await?;
                let desktop = Desktop::start(&gateway, store, settings).await?;
                if config.platform.strict_identity {
                    desktop.require_identity();
                }
                Some(desktop)
            }
            Parts::GatewayAlone => None,
        };
        let guard = match &desktop {
            Some(desktop) => guard.with_pages(desktop.page_origins()),
            None => guard,
        };
        let mcp = match parts {
            Parts::Everything => {
                let mut config = deskwire_mcp::Config {
                    bus_address: Some(format!("ws://{}/gw", listeners.address)),
                    observer: Observer::new(
                        Audit::open(config.audit.path.as_deref()).map_err(placed)?,
                    ),
                    ..mcp_config(&config).map_err(placed)?
                };
                if let Some((system, desktop)) = config.system.as_mut().zip(desktop.as_ref()) {
                    system.definitions = Some(desktop.definitions());
                }
                Some(start_mcp(&gateway, config).await?)
            }
            Parts::GatewayAlone => None,
        };
        let demo = if with_demo { Some(demo::start(&gateway).await?) } else { None };

        let address = listeners.address;
        let services = Services {
            gateway: gateway.clone(),
            mcp: mcp.as_ref().map(|(mcp, _)| mcp.clone()),
            desktop: desktop.clone(),
            web: Web::of_this_build(),
            demo: with_demo.then(|| desktop::reachable(address)),
            metrics,
        };
        let router = http::router(services, guard);
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped: Shared<_> = stopped.map(|_| ()).boxed().shared();
        let server = tokio::spawn(listeners.serve(router, stopped));
        if let Some(desktop) = &desktop {
            desktop.start_applications().await;
        }
        Ok(Self { address, gateway, desktop, mcp, stop, server, demo, _data: data })
    }

    /// Where the parts answer.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Runs until the process is told to stop, then ends every connection in good order.
    pub(crate) async fn run_until(
        mut self,
        told_to_stop: impl Future<Output = ()>,
    ) -> Result<(), Fault> {
        tokio::select! {
            ended = &mut self.server => {
                // It ends before it is told only when it panicked.
                return ended.map_err(|error| Fault::new("serve HTTP", error));
            }
            () = told_to_stop => tracing::info!("stopping"),
        }
        // Fails when the server ended by itself, which needs no telling.
        let _ = self.stop.send(());
        if let Some((mcp, bus)) = self.mcp {
            mcp.shutdown().await;
            bus.close().await;
        }
        if let Some(demo) = self.demo {
            demo.stop().await;
        }
        if let Some(desktop) = self.desktop {
            desktop.stop().await;
        }
        self.gateway.shutdown().await;
        if tokio::time::timeout(GRACE, self.server).await.is_err() {
            tracing::warn!("some requests did not end within {GRACE:?} and were cut off");
        }
        Ok(())
    }
}

/// Starts the MCP server as a peer of `gateway`.
pub(crate) async fn start_mcp(
    gateway: &Gateway,
    config: deskwire_mcp::Config,
) -> Result<(McpServer, Client), Fault> {
    let link = gateway.clone();
    let bus = Client::start(in_process(move || link.connect()), Options::new(APPLICATION));
    bus.ready().await.map_err(|error| Fault::new("join the bus", error))?;
    Ok((McpServer::new(bus.clone(), config), bus))
}

/// The gateway's part of the configuration.
pub(crate) fn gateway_config(config: &Config) -> deskwire_gateway::Config {
    deskwire_gateway::Config {
        user: user_name(),
        // A hello cannot carry the bearer token of HTTP, so the token is the password, too.
        secret: config.gateway.auth.secret.clone().or_else(|| config.listen.token.clone()),
        limits: config.gateway.limits.clone(),
    }
}

pub(crate) fn access_keys(config: &Config) -> Result<Vec<AccessKey>, Fault> {
    let key = |(at, key): (usize, &JwtKey)| {
        match key {
            JwtKey::HS256 { secret } => AccessKey::hs256(secret.as_bytes()),
            JwtKey::RS256 { public_key } => AccessKey::rs256(public_key.as_bytes()),
            JwtKey::ES256 { public_key } => AccessKey::es256(public_key.as_bytes()),
        }
        .map_err(|error| {
            let field = format!("gateway.auth.jwt.keys[{at}]");
            Fault::new(format!("use {field}"), error).field(field)
        })
    };
    config.gateway.auth.jwt.keys.iter().enumerate().map(key).collect()
}

/// The MCP server's part of the configuration.
///
/// # Errors
/// When a static tool cannot be published, or a system tool cannot have its name.
pub(crate) fn mcp_config(config: &Config) -> Result<deskwire_mcp::Config, Fault> {
    let tools = &config.server.tools;
    let static_tools = StaticTools::new(&tools.fixed).map_err(|error| {
        // The first is told with its place in the file, the others with their names.
        let field =
            error.faults.first().map_or_else(|| "server.tools.static".into(), StaticFault::path);
        let mut faults = error.faults.iter();
        let first = faults.next().map(|first| format!("{}; {}", first.reason, first.fix));
        let told = first.into_iter().chain(faults.map(StaticFault::to_string));
        Fault::new(format!("use {field}"), told.collect::<Vec<_>>().join("\n")).field(field)
    })?;
    if config.server.name.trim().is_empty() {
        let fault = Fault::new("use server.name", "it is blank");
        return Err(fault
            .hint("Clients show this name; `deskwire` is a good one.")
            .field("server.name"));
    }
    let system = tools.system.settings();
    system.check().map_err(|error| {
        let field = format!("server.tools.system.{}", error.field);
        Fault::new(format!("use {field}"), format!("{}; {}", error.reason, error.fix)).field(field)
    })?;
    let methods = &tools.dynamic.methods;
    Ok(deskwire_mcp::Config {
        system: Some(system),
        response_timeout: Duration::from_millis(tools.response_timeout_ms.get()),
        intent_timeout: Duration::from_millis(config.platform.intent_timeout_ms.get()),
        tool_limit: tools.limit.map(NonZeroUsize::get),
        static_tools,
        dynamic: DynamicMethods {
            enabled: methods.enabled,
            guard: methods.guard.as_ref().map(method_guard),
        },
        ..deskwire_mcp::Config::new(config.server.name.clone(), env!("CARGO_PKG_VERSION"))
    })
}

fn method_guard(guard: &config::Guard<config::MethodSubject>) -> deskwire_mcp::Guard {
    let guard = guard.clone();
    Arc::new(move |method, server| {
        guard.allows(&[
            (
                "method",
                json!({
                    "name": method.name,
                    "description": method.description,
                    "flags": method.flags,
                }),
            ),
            (
                "server",
                json!({
                    "applicationName": server.application_name,
                    "instance": server.instance,
                    "user": server.user,
                }),
            ),
        ])
    })
}

/// The one user of the desktop, by the name the system knows.
fn user_name() -> String {
    ["USER", "USERNAME", "LOGNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|user| !user.is_empty()))
        .unwrap_or_else(|| "user".into())
}

/// Each peer is an open file; the usual soft limit of 1 024 is fewer than the bus allows.
fn raise_file_limit() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "open files"),
        Err(error) => tracing::warn!(%error, "the limit of open files stays as it is"),
    }
}
