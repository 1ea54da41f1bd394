//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The address that `tools` and `call` ask when none is given.
const DEFAULT_URL: &str = "http://127.0.0.1:4111/mcp";
/// The gateway that `mcp` joins when none is given.
const DEFAULT_GATEWAY: &str = "ws://127.0.0.1:4111/gw";

/// Connects the applications of a desktop to AI assistants.
///
/// Applications join an interop bus; every method they register with the flag
/// `ioIntelMCPTool` becomes an MCP tool, for as long as they are there.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to log to standard error, such as `warn` or `deskwire_gateway=debug`.
    #[arg(
        long,
        global = true,
        env = "DESKWIRE_LOG",
        default_value = "info",
        value_name = "FILTER"
    )]
    pub(crate) log: String,

    /// Without a command, `up` runs.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) up: UpArgs,
}

const EXAMPLES: &str = "\
Examples:
  deskwire                                    the bus, the MCP server and three demo applications
  deskwire tools                              what a model sees, one line a tool
  deskwire call find_clients '{\"query\":\"north\"}'
  deskwire doctor                             why a tool is not there
  deskwire apps                               the applications of the desktop
  deskwire mcp                                an MCP server on standard input and output,
                                              for a chat application that starts it itself
  deskwire init                               a configuration of your own, which `up` then uses

Applications join the bus at ws://127.0.0.1:4111/gw, chat applications use
http://127.0.0.1:4111/mcp.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs the bus and the MCP server, and without a configuration the demo applications.
    #[command(after_help = UP_EXAMPLES)]
    Up(UpArgs),
    /// Runs an MCP server on standard input and output, with the tools of a running bus.
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Runs the bus alone.
    Gateway(ServeArgs),
    /// Lists the tools that a client sees.
    #[command(after_help = TOOLS_EXAMPLES)]
    Tools(ToolsArgs),
    /// Says why a tool is not there.
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),
    /// Lists the applications of the desktop, and which of them run.
    #[command(after_help = APPS_EXAMPLES)]
    Apps(AppsArgs),
    /// Starts an application of the desktop.
    #[command(after_help = START_EXAMPLES)]
    Start(StartArgs),
    /// Lists the layouts of the desktop.
    #[command(after_help = LAYOUTS_EXAMPLES)]
    Layouts(LayoutsArgs),
    /// Writes a configuration to start from.
    Init(InitArgs),
    /// Reads a configuration, or definitions, and says what is wrong with them.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Calls one tool and prints its result.
    #[command(after_help = CALL_EXAMPLES)]
    Call(CallArgs),
}

const UP_EXAMPLES: &str = "\
Examples:
  deskwire up                                 on 127.0.0.1:4111
  deskwire up --port 0 --data /tmp/desk       on a free port, which is printed; state kept elsewhere
  deskwire up --config deskwire.json --no-open";

const MCP_EXAMPLES: &str = "\
In the configuration of a chat application:
  { \"mcpServers\": { \"deskwire\": { \"command\": \"deskwire\", \"args\": [\"mcp\"] } } }

The bus is joined at the first request for tools. Without one, only tools that need no application are
listed; the log on standard error, and the answer to a call, say why. Tools appear when the bus does.";

const TOOLS_EXAMPLES: &str = "\
Examples:
  deskwire tools
  deskwire tools --json                       with schemas, as the client receives them
  deskwire tools --as sampling,elicitation,ui as a client that declares these capabilities";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  deskwire doctor                             every tool that is missing, with reason and cure
  deskwire doctor greet                       one tool, or the tools of one application
  deskwire doctor --as ui                     as seen by a client that declares this alone

Without --as, the client that declares every capability is meant. The exit code is 1 when something
is missing.";

const CHECK_EXAMPLES: &str = "\
Examples:
  deskwire check                              deskwire.json here
  deskwire check apps/                        every definition in a folder, and names that clash
  deskwire check directory.json               applications, layouts or channels of one file
  deskwire check apps/ --json                 the same for a program

A problem is told as `file:line: record: field: what is wrong and what would be right`:
  apps/chart.json:12: chart: details.url: there is no address; give one as `details.url`

Definitions are io.Connect applications and layouts, FDC3 application directories and the
configurations of web platforms; comments are allowed. The exit code is 1 when there is an
error; warnings and notes change nothing. It is 2 when a configuration cannot be used.";

const CALL_EXAMPLES: &str = "\
Examples:
  deskwire call get_portfolio '{\"clientId\":\"C-1001\"}'
  deskwire call list_orders
  echo '{\"clientId\":\"C-1001\"}' | deskwire call get_portfolio -

The exit code is 0 when the tool succeeded, 1 when it answered with an error,
2 when it could not be called.";

const APPS_EXAMPLES: &str = "\
Examples:
  deskwire apps                               every application, and the instances that run
  deskwire apps --running                     only those that run
  deskwire apps --json                        all that is known of them, for programs";

const START_EXAMPLES: &str = "\
Examples:
  deskwire start orders
  deskwire start portfolio --context '{\"clientId\":\"C-1001\"}'
  deskwire start clock --no-wait              does not wait until it is on the bus

The exit code is 0 when the application is on the bus, 2 when it could not be started or did not
come.";

const LAYOUTS_EXAMPLES: &str = "\
Examples:
  deskwire layouts
  deskwire layouts --type Workspace           those that a workspace can be restored from
  deskwire layouts --json > layouts.json      whole, fit to be imported elsewhere";

/// Options of what listens.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port to listen on; 0 takes a free one, which is printed. [default: 4111]
    #[arg(long, env = "DESKWIRE_PORT")]
    pub(crate) port: Option<u16>,
    /// Folder for what must survive a restart. [default: the user's data folder]
    #[arg(long, env = "DESKWIRE_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Configuration file. [default: deskwire.json here, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UpArgs {
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
    /// Do not open the start page in a browser.
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// The bus to join.
    #[arg(long, env = "DESKWIRE_GATEWAY", default_value = DEFAULT_GATEWAY, value_name = "URL")]
    pub(crate) gateway: String,
    /// Configuration file. [default: deskwire.json here, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// Options of what asks a server.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// MCP endpoint to ask.
    #[arg(long, env = "DESKWIRE_URL", default_value = DEFAULT_URL)]
    pub(crate) url: String,
    /// Bearer token, where the server wants one.
    #[arg(long, env = "DESKWIRE_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Capabilities to declare, separated by commas.
    #[arg(long = "as", value_delimiter = ',', value_name = "CAPABILITY")]
    pub(crate) declare: Vec<Capability>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool.
    pub(crate) name: String,
    /// Arguments as a JSON object; `-` reads them from standard input.
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// A tool or an application; everything without it.
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

/// Options of what asks the platform of a running desktop.
#[derive(Debug, Args)]
pub(crate) struct BusArgs {
    /// The bus to join.
    #[arg(long, env = "DESKWIRE_GATEWAY", default_value = DEFAULT_GATEWAY, value_name = "URL")]
    pub(crate) gateway: String,
    /// Token or secret to log in with, where the bus wants one.
    #[arg(long, env = "DESKWIRE_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AppsArgs {
    #[command(flatten)]
    pub(crate) bus: BusArgs,
    /// Only those that run.
    #[arg(long)]
    pub(crate) running: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Name of the application, as `deskwire apps` lists it.
    pub(crate) name: String,
    /// What it is started with, a JSON object.
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub(crate) context: String,
    /// Do not wait until it is on the bus.
    #[arg(long)]
    pub(crate) no_wait: bool,
    #[command(flatten)]
    pub(crate) bus: BusArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LayoutsArgs {
    #[command(flatten)]
    pub(crate) bus: BusArgs,
    /// Only those of this type, such as `Workspace` or `Global`.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The file to write; its schema goes beside it.
    #[arg(default_value = "deskwire.json")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A configuration, a file of definitions, or a folder of them.
    /// [default: deskwire.json here]
    pub(crate) path: Option<PathBuf>,
    /// Print what is wrong with definitions as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a client can declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Capability {
    /// The client's model answers questions of the server.
    Sampling,
    /// The client's person answers questions of the server.
    Elicitation,
    /// The client shows MCP Apps.
    Ui,
}

impl Capability {
    /// The name on the command line and in queries.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sampling => "sampling",
            Self::Elicitation => "elicitation",
            Self::Ui => "ui",
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn up_is_the_default_and_takes_its_options_without_its_name() {
        let cli = Cli::try_parse_from(["deskwire", "--port", "0", "--no-open"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.up.serve.port, Some(0));
        assert!(cli.up.no_open);
    }

    #[test]
    fn capabilities_are_a_list() {
        let cli = Cli::try_parse_from(["deskwire", "tools", "--as", "sampling,ui"]).unwrap();
        let Some(Command::Tools(tools)) = cli.command else { panic!("not tools") };
        assert_eq!(tools.ask.declare, [Capability::Sampling, Capability::Ui]);
    }
}
