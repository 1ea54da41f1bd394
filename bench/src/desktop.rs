//! What a desktop of many applications takes: its start, a change in a file, a save, a snapshot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use deskwire_connect::services::apps::{AppEvent, AppEvents};
use deskwire_connect::services::layouts::ImportMode;
use deskwire_connect::wire::Payload;
use deskwire_connect::{Client, InvokeOptions, Options, websocket};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::failure::{Doing, Failure};
use crate::server::Server;

/// How much of everything.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Desktop {
    /// Where configuration, definitions and data are put; anything there is lost.
    #[arg(long)]
    folder: PathBuf,
    /// Definitions, each in a file of its own.
    #[arg(long, default_value_t = 2_000)]
    definitions: usize,
    /// Times that a file is changed.
    #[arg(long, default_value_t = 20)]
    changes: usize,
    /// Layouts of 1 KiB that are saved, one after the other.
    #[arg(long, default_value_t = 100)]
    saves: usize,
    /// Windows that are open for the snapshot.
    #[arg(long, default_value_t = 1_000)]
    instances: usize,
    /// The desktop's command; `--config` and `--data` are added.
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// What was found, in milliseconds. Printed as one line of JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    /// From the start of the process until a client has the names of all definitions.
    start_ms: f64,
    /// From the write of a file until a client is told, each.
    reload_ms: Vec<f64>,
    /// From the request until a layout is durable, each.
    save_ms: Vec<f64>,
    /// From the question until a client knows all instances, each.
    snapshot_ms: Vec<f64>,
}

/// Longer than anything here may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Windows in one group.
const GROUP: usize = 50;
/// Snapshots that are taken.
const SNAPSHOTS: usize = 10;

pub(crate) async fn run(desktop: &Desktop) -> Result<Figures, Failure> {
    let config = prepare(desktop)?;
    let mut command = desktop.command.clone();
    command.extend(["--config".into(), config.display().to_string(), "--data".into()]);
    command.push(desktop.folder.join("data").display().to_string());

    let began = Instant::now();
    let mut server = Server::spawn(&command, Stdio::null())?;
    let gateway = server.place("gateway")?;
    let client = Client::start(websocket(&gateway).map_err(bus)?, Options::new("bench-desktop"));
    client.ready().await.map_err(bus)?;
    let known = client.apps().list().await.map_err(bus)?.len();
    let start_ms = ms_since(began);
    if known != desktop.definitions {
        return Err(Failure::Answer(format!("{known} of {} definitions", desktop.definitions)));
    }
    Ok(Figures {
        start_ms,
        reload_ms: reloads(&client, desktop).await?,
        save_ms: saves(&client, desktop.saves).await?,
        snapshot_ms: snapshots(&client, desktop.instances).await?,
    })
}

/// Writes the definitions and the configuration that names them.
fn prepare(desktop: &Desktop) -> Result<PathBuf, Failure> {
    // It is not there in the first run.
    let _ = fs::remove_dir_all(&desktop.folder);
    let apps = desktop.folder.join("apps");
    fs::create_dir_all(&apps).doing(format!("making {}", apps.display()))?;
    for number in 0..desktop.definitions {
        define(&apps, number, "As it began")?;
    }
    let config = desktop.folder.join("deskwire.json");
    let text = json!({ "platform": { "applications": ["apps"] } }).to_string();
    fs::write(&config, text).doing(format!("writing {}", config.display()))?;
    Ok(config)
}

fn define(apps: &Path, number: usize, caption: &str) -> Result<(), Failure> {
    let definition = json!([{
        "name": name(number),
        "title": format!("Application {number}"),
        "type": "window",
        "caption": caption,
        "details": { "url": format!("http://localhost:9/{number}/") },
        "customProperties": { "includeInWorkspaces": true },
    }]);
    let file = apps.join(format!("{}.json", name(number)));
    fs::write(&file, definition.to_string()).doing(format!("writing {}", file.display()))
}

fn name(number: usize) -> String {
    format!("app-{number:04}")
}

async fn reloads(client: &Client, desktop: &Desktop) -> Result<Vec<f64>, Failure> {
    let mut events = client.apps().events().await.map_err(bus)?;
    let apps = desktop.folder.join("apps");
    let mut times = Vec::new();
    for change in 0..desktop.changes {
        let caption = format!("Change {change}");
        let number = change * 37 % desktop.definitions;
        let began = Instant::now();
        define(&apps, number, &caption)?;
        timeout(PATIENCE, told(&mut events, &name(number)))
            .await
            .map_err(|_| Failure::TimedOut("the news of a changed file", PATIENCE.as_secs()))??;
        times.push(ms_since(began));
    }
    Ok(times)
}

/// Waits until the change of this application is told.
async fn told(events: &mut AppEvents, name: &str) -> Result<(), Failure> {
    while let Some(event) = events.next().await {
        if matches!(&event, AppEvent::ApplicationChanged(changed) if changed.name == name) {
            return Ok(());
        }
    }
    Err(Failure::protocol("the stream of applications ended"))
}

async fn saves(client: &Client, count: usize) -> Result<Vec<f64>, Failure> {
    let mut times = Vec::new();
    for number in 0..count {
        let layout = json!({
            "name": format!("layout-{number}"),
            "type": "Global",
            "metadata": { "note": "x".repeat(900) },
            "components": [],
        });
        let began = Instant::now();
        client.layouts().import([layout], ImportMode::Merge).await.map_err(bus)?;
        times.push(ms_since(began));
    }
    Ok(times)
}

/// Opens so many windows, as a desk page would, and asks for them.
async fn snapshots(client: &Client, count: usize) -> Result<Vec<f64>, Failure> {
    ask(client, "Deskwire.Frame.Attach", json!({})).await?;
    let windows: Vec<_> =
        (0..count).map(|_| json!({ "type": "window", "appName": name(0) })).collect();
    let groups: Vec<_> =
        windows.chunks(GROUP).map(|tabs| json!({ "type": "group", "children": tabs })).collect();
    let workspace = json!({ "children": [{ "type": "row", "children": groups }] });
    let create = json!({ "operation": "createWorkspace", "operationArguments": workspace });
    ask(client, "T42.Workspaces.Control", create).await?;

    let mut times = Vec::new();
    for _ in 0..SNAPSHOTS {
        let began = Instant::now();
        let known = client.apps().instances().await.map_err(bus)?.len();
        times.push(ms_since(began));
        if known != count {
            return Err(Failure::Answer(format!("{known} of {count} instances")));
        }
    }
    Ok(times)
}

async fn ask(client: &Client, method: &str, arguments: Value) -> Result<(), Failure> {
    let arguments = Payload::from(arguments);
    client.invoke(method, arguments, InvokeOptions::default()).await.map_err(bus)?;
    Ok(())
}

fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

fn bus(error: impl std::fmt::Display) -> Failure {
    Failure::protocol(error.to_string())
}
