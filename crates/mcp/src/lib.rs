//! MCP server whose tools come from a bus: who sees which and why, calls,
//! checks, answers; over Streamable HTTP and standard input and output.
//!
//! [`McpServer::new`] makes a server of everything that applications on a bus
//! register as tools, and of the [`StaticTools`] of its configuration. What it offers at a moment is a [`Surface`]: an immutable
//! snapshot of tools, in order, with a reason for each one that is not among
//! them. What a client sees of it depends on the client's [`Profile`].
//!
//! ```no_run
//! use deskwire_connect::{Client, Options, websocket};
//! use deskwire_mcp::{Config, HttpOptions, McpServer};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let bus = Client::start(websocket("ws://localhost:8385/gw")?, Options::new("mcp"));
//! let server = McpServer::new(bus, Config::new("desk", env!("CARGO_PKG_VERSION")));
//! let router = axum::Router::new().nest("/mcp", server.http(HttpOptions::default()));
//! # Ok(())
//! # }
//! ```
//!
//! Pure parts (`schema`, `text`, `surface`, `call`; `dynamic` and `static_tools` up
//! to the call, which is in `interop`)
//! know no transport and no clock; `server` is the rim. rmcp's model types are
//! the vocabulary everywhere, its services and transports stay in `server`.

mod bus;
mod call;
mod config;
mod dynamic;
mod interop;
mod names;
mod observe;
mod profile;
mod questions;
pub mod schema;
mod search;
mod server;
mod static_tools;
mod surface;
mod system;
mod text;

pub use config::{Config, DynamicMethods};
pub use dynamic::{Guard, MethodView, ServerView};
pub use observe::{CallObserver, FinishedCall, Observer, Outcome};
pub use profile::{Needs, Profile, UnknownCapability};
pub use questions::{Answer, Asked, Case, Plan, Question, Steps, Turn};
pub use search::{Definitions, DefinitionsFeed, SearchGuard, SearchGuards};
pub use server::{Doors, HttpOptions, McpServer, ServeError, SessionLimits, SurfaceChanges};
pub use static_tools::{
    Availability, InvalidStaticTools, ResolutionStrategy, StaticAnnotations, StaticFault,
    StaticIntent, StaticIntentInterop, StaticInterop, StaticMethod, StaticToolConfig, StaticTools,
    StaticToolsConfig,
};
pub use surface::{
    CallContext, Caller, Definition, Diagnostic, Entry, Found, Kind, Offer, Origin, Progress,
    Remark, RemarkCode, Revision, Rules, Source, Stage, Step, Surface, Tool, View, Withheld,
};
pub use system::{InvalidSystemTool, Matching, SearchSettings, SystemTools, ToolSettings};
