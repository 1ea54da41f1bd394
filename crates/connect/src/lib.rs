//! A peer on the bus: session, interop, streams, shared contexts.
//!
//! [`Client::start`] makes a peer of any gateway of this protocol, in this
//! process or behind a WebSocket, and keeps it one over reconnects.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use deskwire_connect::{Call, CallFailure, Client, InvokeOptions, Options, websocket};
//! use deskwire_connect::wire::{Method, Payload};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::start(websocket("ws://localhost:8385/gw")?, Options::new("calculator"));
//! client.ready().await?;
//!
//! let add = Method { name: "Demo.Add".into(), ..Method::default() };
//! let registration = client
//!     .register(add, |call: Call| async move {
//!         let (a, b): (Option<f64>, Option<f64>) =
//!             (call.arguments.value()["a"].as_f64(), call.arguments.value()["b"].as_f64());
//!         let sum = a.zip(b).map(|(a, b)| a + b).ok_or("a and b must be numbers")?;
//!         Ok::<_, CallFailure>(Payload::from(json!({"sum": sum})))
//!     })
//!     .await?;
//!
//! let arguments = Payload::from(json!({"a": 1, "b": 2}));
//! let answers = client.invoke("Demo.Add", arguments, InvokeOptions::default()).await?;
//! assert_eq!(answers.first()?.value()["sum"], 3.0);
//! # drop(registration);
//! # Ok(())
//! # }
//! ```
//!
//! Inside, [`session`](mod@session) decides everything and does no I/O; the
//! driver feeds it from a link, and handles reach it through a lock that nobody
//! waits under. The clients of desktop services (applications, intents,
//! layouts, workspaces, channels, preferences) are in [`services`], one module
//! each, on top of [`Client`] alone.

mod bus;
mod client;
mod contexts;
mod credentials;
mod directory;
mod driver;
mod error;
mod handler;
mod invoke;
mod limits;
mod link;
mod mailbox;
mod options;
mod reconnect;
mod register;
mod runner;
pub mod services;
mod session;
mod shared;
mod starting_context;
mod streams;
mod target;

pub use deskwire_wire as wire;

pub use bus::{Publication, TopicEvent, TopicSubscription, Topics};
pub use client::{Client, Status};
pub use contexts::{ContextChange, ContextSubscription, Contexts};
pub use credentials::Credentials;
pub use directory::{Directory, InteropEvent, MethodKey, RegisteredMethod, Server};
pub use error::{
    ConnectError, ContextError, InvokeError, RegisterError, RequestError, SubscribeError,
};
pub use handler::{Call, CallFailure, Handler};
pub use invoke::{Answer, Answers, InvokeOptions};
pub use limits::Limits;
pub use link::{Connector, InProcess, Link, WebSocketConnector, in_process, websocket};
pub use options::Options;
pub use reconnect::Reconnect;
pub use register::Registration;
pub use starting_context::{StartingContext, StartingContextError};
pub use streams::{
    Publisher, StreamEvent, StreamHandler, SubscribeOptions, Subscriber, Subscription,
    SubscriptionRequest,
};
pub use target::Target;
