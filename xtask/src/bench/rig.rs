//! What every part of the benchmark needs: the programs, the servers, and how long things may take.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::load::Load;
use super::process::{Core, Server, command, output};
use crate::failure::Failure;
use crate::repo::{self, Repo};
use crate::setup;

/// How often and how long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Alternating repeats.
    pub(super) repeats: usize,
    /// Repeats of what is measured for the record.
    pub(super) record_repeats: usize,
    /// Starts of a server.
    pub(super) starts: usize,
    /// Seconds before each measurement.
    pub(super) warm_up: f64,
    /// Seconds of each measurement.
    pub(super) measure: f64,
    /// Idle peers whose memory is measured.
    pub(super) idle_peers: usize,
}

impl Plan {
    pub(super) const FULL: Self = Self {
        repeats: 5,
        record_repeats: 3,
        starts: 10,
        warm_up: 0.5,
        measure: 2.0,
        idle_peers: 2_000,
    };
    /// Shows that everything runs; its figures mean nothing.
    pub(super) const QUICK: Self = Self {
        repeats: 2,
        record_repeats: 1,
        starts: 2,
        warm_up: 0.1,
        measure: 1.0,
        idle_peers: 100,
    };
}

/// Seconds beyond warm-up and measurement after which a load is taken to hang.
const PATIENCE: f64 = 60.0;

/// Programs and folders of a run.
#[derive(Debug)]
pub(super) struct Rig {
    pub(super) plan: Plan,
    deskwire: PathBuf,
    load: PathBuf,
    peers: PathBuf,
    scratch: PathBuf,
}

/// Who answers behind the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Responder {
    /// Written with `deskwire-connect`.
    Connect,
    /// Written with `@interopio/core`.
    Core,
}

/// The class of the TypeScript SDK that the peer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    McpServer,
    Server,
}

impl Rig {
    /// Builds everything for release, installs the Node peers, and makes a folder for this run.
    pub(super) fn prepare(repo: &Repo, plan: Plan) -> Result<Self, Failure> {
        setup::node(repo)?;
        setup::npm(repo, "bench/peers")?;
        repo::run(&mut repo.cargo(&[
            "build",
            "--release",
            "-p",
            "deskwire",
            "-p",
            "deskwire-bench",
        ]))?;
        let target = target_folder(repo)?;
        let scratch = target.join("bench");
        // What an earlier run left would be loaded again.
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)
            .map_err(|error| Failure::new(format!("cannot make {}: {error}", scratch.display())))?;
        Ok(Self {
            plan,
            deskwire: target.join("release/deskwire"),
            load: target.join("release/deskwire-bench"),
            peers: repo.path("bench/peers"),
            scratch,
        })
    }

    // --- servers ---

    /// Deskwire with its own gateway, an empty configuration and an empty data folder.
    pub(super) fn deskwire(&self, core: Core) -> Result<Server, Failure> {
        self.start("deskwire", self.deskwire_command(core)?)
    }

    /// The command line of [`Rig::deskwire`].
    pub(super) fn deskwire_command(&self, core: Core) -> Result<Command, Failure> {
        let mut command = self.configured("up", core)?;
        command.args(["--port", "0", "--no-open", "--data"]).arg(self.scratch.join("data"));
        Ok(command)
    }

    /// Deskwire's gateway alone.
    pub(super) fn gateway(&self, core: Core) -> Result<Server, Failure> {
        let mut command = self.configured("gateway", core)?;
        command.args(["--port", "0", "--data"]).arg(self.scratch.join("data"));
        self.start("deskwire", command)
    }

    /// The command line of Deskwire as a server on standard input and output.
    pub(super) fn stdio_command(&self, gateway: &str) -> Result<Command, Failure> {
        let mut command = self.configured("mcp", None)?;
        command.args(["--gateway", gateway]);
        Ok(command)
    }

    /// A command of Deskwire with an empty configuration.
    fn configured(&self, name: &str, core: Core) -> Result<Command, Failure> {
        let config = self.scratch.join("deskwire.json");
        fs::write(&config, "{}")
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", config.display())))?;
        let mut command = command(&self.deskwire, core);
        command.arg(name).arg("--config").arg(config);
        Ok(command)
    }

    /// The Node peer on a gateway.
    pub(super) fn node_peer(&self, api: Api, gateway: &str, core: Core) -> Result<Server, Failure> {
        let name = match api {
            Api::McpServer => "node-mcpserver",
            Api::Server => "node-server",
        };
        self.start(name, self.node_peer_command(api, gateway, core))
    }

    /// The command line of [`Rig::node_peer`].
    pub(super) fn node_peer_command(&self, api: Api, gateway: &str, core: Core) -> Command {
        let mut command = self.node("mcp.mjs", core);
        let api = match api {
            Api::McpServer => "McpServer",
            Api::Server => "Server",
        };
        command.args(["--gateway", gateway, "--api", api]);
        command
    }

    /// The original's open gateway.
    pub(super) fn gateway_web(&self, core: Core) -> Result<Server, Failure> {
        self.start("gateway-web", self.node("gateway-web.mjs", core))
    }

    /// `rmcp` with the echo tool and without a bus.
    pub(super) fn echo(&self, core: Core) -> Result<Server, Failure> {
        let mut command = command(&self.load, core);
        command.arg("echo");
        self.start("rmcp-echo", command)
    }

    /// The application behind the tools, with `tools` of them or the echo tool; ready when this returns.
    pub(super) fn responder(
        &self,
        kind: Responder,
        gateway: &str,
        tools: Option<usize>,
        core: Core,
    ) -> Result<Server, Failure> {
        let mut command = match kind {
            Responder::Connect => {
                let mut command = command(&self.load, core);
                command.arg("responder");
                command
            }
            Responder::Core => self.node("responder.mjs", core),
        };
        command.args(["--gateway", gateway]);
        if let Some(tools) = tools {
            command.args(["--tools", &tools.to_string()]);
        }
        let mut server = self.start("responder", command)?;
        server.place("responder")?;
        Ok(server)
    }

    fn node(&self, script: &str, core: Core) -> Command {
        let mut command = command("node", core);
        command.arg(self.peers.join(script)).env("NODE_ENV", "production");
        command
    }

    fn start(&self, name: &'static str, command: Command) -> Result<Server, Failure> {
        Server::start(name, command, &self.scratch)
    }

    // --- load ---

    /// A run of the load generator that prints `T`.
    pub(super) fn generate<T: DeserializeOwned>(
        &self,
        core: Core,
        arguments: &[&str],
    ) -> Result<T, Failure> {
        let mut command = command(&self.load, core);
        command.args(arguments);
        let limit = PATIENCE + self.plan.warm_up + self.plan.measure;
        let printed = output(command, Duration::from_secs_f64(limit))?;
        serde_json::from_str(&printed)
            .map_err(|error| Failure::new(format!("{printed:?} is no report: {error}")))
    }

    /// A measurement: a load as planned.
    pub(super) fn measure(
        &self,
        core: Core,
        arguments: &[&str],
        watched: &[&Server],
    ) -> Result<Load, Failure> {
        let mut arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        arguments.extend([
            format!("--warm-up={}", self.plan.warm_up),
            format!("--measure={}", self.plan.measure),
        ]);
        arguments.extend(watched.iter().map(|server| format!("--watch={}", server.watched())));
        self.generate(core, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// What a desktop of many applications takes, in a process of its own.
    pub(super) fn desktop<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let folder = self.scratch.join("desktop").display().to_string();
        let program = self.deskwire.display().to_string();
        let up = ["up", "--port", "0", "--no-open"];
        let arguments = [&["desktop", "--folder", &folder, "--", &program][..], &up].concat();
        self.generate(None, &arguments)
    }

    /// Waits until an MCP server lists exactly `tools` tools.
    pub(super) fn await_tools(&self, url: &str, tools: usize) -> Result<(), Failure> {
        let tools = tools.to_string();
        self.generate::<serde_json::Value>(None, &["await-tools", "--url", url, "--tools", &tools])
            .map(|_| ())
    }
}

fn target_folder(repo: &Repo) -> Result<PathBuf, Failure> {
    let described =
        repo::output(&mut repo.cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str::<serde_json::Value>(&described)
        .ok()
        .and_then(|described| {
            Some(Path::new(described.get("target_directory")?.as_str()?).to_owned())
        })
        .ok_or_else(|| Failure::new("cargo metadata names no target_directory"))
}
