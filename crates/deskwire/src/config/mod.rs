//! `deskwire.json`: what can be configured, and its defaults.

mod guard;
mod place;
mod platform;
mod read;
mod schema;
mod system;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use deskwire_mcp::StaticToolsConfig;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use guard::{Guard, MethodSubject};
pub(crate) use platform::{AppStore, Channel, DefinitionSource, Platform};
pub(crate) use read::{Loaded, load};
pub(crate) use schema::{SCHEMA_FILE, text as schema};
use system::SystemTools;

/// Configuration of Deskwire. Every part may be left out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Where editors find the schema of this file.
    #[serde(rename = "$schema")]
    pub(crate) schema: Option<String>,
    /// The MCP server and its tools.
    pub(crate) server: Server,
    /// Another name for `server`; where both stand, this is the block that counts.
    mcp_core_server: Option<Server>,
    /// Applications and layouts, and what runs them.
    pub(crate) platform: Platform,
    /// Another place for `platform.appStores`.
    app_stores: Vec<AppStore>,
    /// What our own gateway accepts.
    pub(crate) gateway: Gateway,
    /// Where the process listens.
    pub(crate) listen: Listen,
    /// Folder for what must survive a restart.
    pub(crate) data: Option<PathBuf>,
    /// Record of tool calls.
    pub(crate) audit: Audit,
    /// Accepted and ignored, so that configurations written for the original load.
    #[schemars(with = "Option<String>")]
    pub(crate) license_key: Option<serde::de::IgnoredAny>,
}

/// The MCP server.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Server {
    /// The name that clients show, and put before the names of tools.
    pub(crate) name: String,
    /// The tools.
    pub(crate) tools: Tools,
    /// Another name for `listen.port`, as the original's HTTP package has it.
    port: Option<u16>,
}

impl Default for Server {
    fn default() -> Self {
        Self { name: "deskwire".into(), tools: Tools::default(), port: None }
    }
}

impl Config {
    /// What holds for the demo, which has no configuration file: the defaults, but that
    /// every client gets search.
    pub(crate) fn of_demo() -> Self {
        let mut demo = Self::default();
        demo.server.tools.system = demo.server.tools.system.matching_as_can_be();
        demo
    }

    /// The configuration with every value under its own name.
    fn settled(mut self) -> Self {
        if let Some(port) = self.server.port.take() {
            self.listen.port = port;
        }
        if let Some(core) = self.mcp_core_server.take() {
            self.server = core;
        }
        self.platform.app_stores.append(&mut self.app_stores);
        self
    }
}

/// The tools, by where they come from.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Tools {
    /// Tools of Deskwire itself.
    pub(crate) system: SystemTools,
    /// Tools that this file defines.
    #[serde(rename = "static")]
    pub(crate) fixed: StaticToolsConfig,
    /// Tools that applications register at run time.
    pub(crate) dynamic: Dynamic,
    /// The most tools a client is shown; no limit without it.
    pub(crate) limit: Option<NonZeroUsize>,
    /// How long a tool may take that names no time of its own, in milliseconds.
    pub(crate) response_timeout_ms: NonZeroU64,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            system: SystemTools::default(),
            fixed: StaticToolsConfig::default(),
            dynamic: Dynamic::default(),
            limit: None,
            response_timeout_ms: NonZeroU64::MIN.saturating_add(29_999),
        }
    }
}

/// Tools that applications register at run time.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Dynamic {
    /// Interop methods with the flag `ioIntelMCPTool`.
    pub(crate) methods: DynamicMethods,
}

/// Interop methods with the flag `ioIntelMCPTool`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct DynamicMethods {
    /// Whether they become tools at all.
    pub(crate) enabled: bool,
    /// Which of them do: an expression in CEL over `method` (`name`,
    /// `description`, `flags`) and `server` (`applicationName`, `instance`, `user`).
    pub(crate) guard: Option<Guard<MethodSubject>>,
}

impl Default for DynamicMethods {
    fn default() -> Self {
        Self { enabled: true, guard: None }
    }
}

/// Our own gateway.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Gateway {
    /// Credentials.
    pub(crate) auth: GatewayAuth,
    /// How much peers may take.
    pub(crate) limits: deskwire_gateway::Limits,
}

/// What a login must bring.
#[derive(Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct GatewayAuth {
    /// Password that every login by secret must give. Without one, any will do.
    pub(crate) secret: Option<String>,
    /// Access tokens that somebody else signs, such as a single sign-on.
    pub(crate) jwt: Jwt,
}

/// Access tokens that somebody else signs.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Jwt {
    /// Keys of which one must have signed.
    pub(crate) keys: Vec<JwtKey>,
}

/// A key by its algorithm.
#[derive(Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "algorithm", deny_unknown_fields)]
pub(crate) enum JwtKey {
    /// A shared secret.
    HS256 {
        /// The secret.
        secret: String,
    },
    /// A public RSA key.
    #[serde(rename_all = "camelCase")]
    RS256 {
        /// The key in PEM.
        public_key: String,
    },
    /// A public P-256 key.
    #[serde(rename_all = "camelCase")]
    ES256 {
        /// The key in PEM.
        public_key: String,
    },
}

impl std::fmt::Debug for JwtKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JwtKey")
    }
}

impl std::fmt::Debug for GatewayAuth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GatewayAuth").finish_non_exhaustive()
    }
}

/// Where the process listens.
#[derive(Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Listen {
    /// Address to bind. `localhost` stands for 127.0.0.1 and `[::1]`.
    pub(crate) host: String,
    /// Port; 0 takes a free one.
    pub(crate) port: u16,
    /// Web origins, besides our own, that may use the server, such as `https://chat.example.com`.
    pub(crate) allowed_origins: Vec<String>,
    /// Bearer token that every request must carry. Required when bound elsewhere than to loopback.
    pub(crate) token: Option<String>,
}

impl Default for Listen {
    fn default() -> Self {
        Self { host: "localhost".into(), port: 4111, allowed_origins: Vec::new(), token: None }
    }
}

impl std::fmt::Debug for Listen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listen")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("allowed_origins", &self.allowed_origins)
            .finish_non_exhaustive()
    }
}

/// Record of tool calls.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Audit {
    /// File that gets one line of JSON for each call; none without it.
    pub(crate) path: Option<PathBuf>,
}
