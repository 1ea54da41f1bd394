//! Load on an MCP server.

mod client;
mod http;
mod reply;
pub(crate) mod start;

use std::rc::Rc;
use std::time::{Duration, Instant};

pub(crate) use client::{Client, Era};
use serde::Serialize;
use tokio::time::sleep;

use crate::failure::Failure;
use crate::load::{self, Lane, Lanes, Plan, Report};
use crate::tools;

/// How often a list that is waited for is asked for.
const GLANCE: Duration = Duration::from_millis(20);

/// Tools that were waited for. Printed as one line of JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Awaited {
    tools: usize,
    after_ms: f64,
}

/// Where the load goes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Target {
    /// URL of the MCP endpoint.
    #[arg(long)]
    url: String,
    /// How the client introduces itself.
    #[arg(long, value_enum, default_value = "session")]
    era: Era,
    /// Connections, each with one request at a time, and each with a session of its own.
    #[arg(long, default_value_t = 1)]
    connections: usize,
}

impl Target {
    async fn connect(&self) -> Result<Vec<Client>, Failure> {
        let mut clients = Vec::with_capacity(self.connections);
        for _ in 0..self.connections {
            clients.push(Client::connect(&self.url, self.era).await?);
        }
        Ok(clients)
    }
}

/// `tools/call` of the echo tool, again and again, each time with another text.
pub(crate) async fn calls(target: &Target, plan: &Plan) -> Result<Report, Failure> {
    let tool: Rc<str> = tools::echo()?.tool.into();
    let clients = target.connect().await?;
    load::run(plan, |window| {
        let lane = |(number, mut client): (usize, Client)| -> Lane {
            let (window, tool) = (Rc::clone(window), Rc::clone(&tool));
            Box::pin(async move {
                for turn in 0_u64.. {
                    let text = format!("message {turn} of connection {number}");
                    let began = Instant::now();
                    client.echo(&tool, &text).await?;
                    window.record(began);
                    if window.closed() {
                        break;
                    }
                }
                client.close().await
            })
        };
        Lanes { asking: clients.into_iter().enumerate().map(lane).collect(), ..Lanes::default() }
    })
    .await
}

/// `tools/list`, again and again, each time the whole list.
pub(crate) async fn lists(target: &Target, tools: usize, plan: &Plan) -> Result<Report, Failure> {
    let clients = target.connect().await?;
    load::run(plan, |window| {
        let lane = |mut client: Client| -> Lane {
            let window = Rc::clone(window);
            Box::pin(async move {
                while !window.closed() {
                    let began = Instant::now();
                    let list = client.list_tools().await?;
                    if list.tools != tools {
                        let found = list.tools;
                        return Err(Failure::protocol(format!("{found} tools, not {tools}")));
                    }
                    window.record(began);
                    window.note_answer_bytes(list.bytes);
                }
                client.close().await
            })
        };
        Lanes { asking: clients.into_iter().map(lane).collect(), ..Lanes::default() }
    })
    .await
}

/// Waits until a new client finds exactly `tools` tools.
pub(crate) async fn await_tools(
    target: &Target,
    tools: usize,
    limit: Duration,
) -> Result<Awaited, Failure> {
    let began = Instant::now();
    loop {
        let mut client = Client::connect(&target.url, target.era).await?;
        let found = client.list_tools().await?.tools;
        client.close().await?;
        if found == tools {
            return Ok(Awaited { tools, after_ms: began.elapsed().as_secs_f64() * 1e3 });
        }
        if began.elapsed() > limit {
            let limit = limit.as_secs();
            return Err(Failure::protocol(format!("{found} tools, not {tools}, after {limit} s")));
        }
        sleep(GLANCE).await;
    }
}
