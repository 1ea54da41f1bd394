//! `cargo xtask test`: everything that must hold before a change is pushed.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use clap::ValueEnum;

use crate::failure::Failure;
use crate::repo::{Repo, answers, run as run_command};
use crate::steps::Steps;
use crate::tidy::metadata::Metadata;
use crate::{setup, tidy};

/// A part that can be run by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The rules that no compiler knows.
    Tidy,
    /// Format, lints, unit and integration tests, examples in the documentation.
    Rust,
    /// Our client against the original's open gateway.
    Gateway,
    /// The binary against the npm clients.
    Node,
    /// The MCP server under the official conformance suite.
    Conformance,
    /// The binary against MCP clients of other makers: the inspector, Python.
    Clients,
    /// What is seen in a browser: types, tests without one, tests in Chromium.
    Web,
}

/// The npm package of the tests.
const NODE_TESTS: &str = "tests";

/// The npm package of the programs that judge us, with a newer Node for them.
const OUTSIDE: &str = "tests/outside";

/// The Python packages of the clients.
const PYTHON_CLIENT: &str = "tests/outside/clients/python";
/// The npm workspace of the web.
const WEB: &str = "web";

/// Runs the parts that are named, or all of them, cheapest first.
pub(crate) fn run(repo: &Repo, parts: &[Part]) -> Result<(), Failure> {
    let mut steps = Steps::start();
    for part in Part::value_variants() {
        if !parts.is_empty() && !parts.contains(part) {
            continue;
        }
        match part {
            Part::Tidy => steps.step("tidy", || tidy::run(repo))?,
            Part::Rust => rust(repo, &mut steps)?,
            Part::Gateway => gateway(repo, &mut steps)?,
            Part::Node => node(repo, &mut steps)?,
            Part::Conformance => conformance(repo, &mut steps)?,
            Part::Clients => clients(repo, &mut steps)?,
            Part::Web => web(repo, &mut steps)?,
        }
    }
    println!("\n=== {}", steps.summary());
    Ok(())
}

fn rust(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    let cargo = |args: &[&str]| run_command(&mut repo.cargo(args));
    steps.step("format", || cargo(&["fmt", "--all", "--check"]))?;
    if answers(&mut repo.cargo(&["deny", "--version"])) {
        steps.step("licences and sources", || {
            cargo(&["deny", "check", "licenses", "bans", "sources"])
        })?;
    }
    steps.step("lints", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
    })?;
    steps.step("unit and integration tests", || cargo_tests(repo, &["--workspace"], &[]))?;
    steps.step("an embedded web", || {
        let fixture = repo.path("crates/web-assets/tests/fixture");
        // In a folder of its own, since the variable would build the others anew.
        let suite = ["-p", "deskwire-web-assets", "--target-dir", "target/embedded"];
        cargo_tests(repo, &suite, &[("DESKWIRE_WEB_DIST", &fixture.to_string_lossy())])
    })?;
    steps.step("examples in the documentation", || cargo(&["test", "--workspace", "--doc"]))
}

fn gateway(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    node_packages(repo, steps)?;
    steps.step("our client on the original's open gateway", || {
        let reference = ReferenceGateway::start(repo)?;
        let suite = ["-p", "deskwire-connect", "--features", "external-gateway"];
        let suite = [&suite[..], &["--test", "external_gateway"]].concat();
        cargo_tests(repo, &suite, &[("DESKWIRE_TEST_GATEWAY", &reference.url)])
    })
}

fn node(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    node_packages(repo, steps)?;
    steps.step("types of the npm tests", || npm(repo, &["run", "--silent", "check"], &[]))?;
    let binary = binary(repo, steps)?;
    steps.step("the host of the platform's tests", || {
        run_command(&mut repo.cargo(&["build", "-p", "deskwire-platform", "--example", "host"]))
    })?;
    steps.step("npm clients against real processes", || {
        npm(repo, &["test", "--silent"], &[("DESKWIRE_BIN", binary)])
    })
}

fn conformance(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    outside_packages(repo, steps)?;
    steps.step("the server with the suite's fixtures", || {
        // With the features that the tests of the workspace compile it with.
        run_command(&mut repo.cargo(&["build", "--workspace", "--example", "conformance"]))
    })?;
    steps.step("the conformance suite", || {
        let host = built(repo, "examples/conformance")?;
        let script = ["run", "--silent", "test:conformance"];
        npm(repo, &script, &[("DESKWIRE_CONFORMANCE_HOST", host)])
    })
}

fn clients(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    node_packages(repo, steps)?;
    outside_packages(repo, steps)?;
    steps.step("Python packages", || setup::python(repo, PYTHON_CLIENT))?;
    let binary = binary(repo, steps)?;
    steps.step("clients of other makers", || {
        npm(repo, &["run", "--silent", "test:clients"], &[("DESKWIRE_BIN", binary)])
    })
}

/// Runs npm in the folder of the tests.
fn npm(repo: &Repo, args: &[&str], env: &[(&str, PathBuf)]) -> Result<(), Failure> {
    let mut command = repo.command("npm", args);
    run_command(command.current_dir(repo.path(NODE_TESTS)).envs(env.iter().cloned()))
}

/// Builds the binary and says where it is.
fn binary(repo: &Repo, steps: &mut Steps) -> Result<PathBuf, Failure> {
    steps.step("the binary", || run_command(&mut repo.cargo(&["build", "-p", "deskwire"])))?;
    built(repo, "deskwire")
}

fn built(repo: &Repo, program: &str) -> Result<PathBuf, Failure> {
    Ok(Metadata::read(repo)?.target_directory.join("debug").join(program))
}

fn web(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    steps.step("npm packages of the web", || {
        setup::node(repo)?;
        setup::npm(repo, WEB)
    })?;
    let npm = |script: &str, env: &[(&str, PathBuf)]| {
        let mut command = repo.command("npm", &["run", "--silent", script]);
        run_command(command.current_dir(repo.path(WEB)).envs(env.iter().cloned()))
    };
    steps.step("types of the web", || npm("check", &[]))?;
    steps.step("the web without a browser", || npm("test", &[]))?;
    steps.step("the pages", || npm("build", &[]))?;
    let binary = binary(repo, steps)?;
    steps.step("the web in Chromium", || {
        setup::chromium(repo)?;
        npm("test:browser", &[("DESKWIRE_BIN", binary)])
    })
}

/// What all npm parts need; quick when it is there already.
fn node_packages(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    steps.step("npm packages", || {
        setup::node(repo)?;
        setup::npm(repo, NODE_TESTS)
    })
}

fn outside_packages(repo: &Repo, steps: &mut Steps) -> Result<(), Failure> {
    steps.step("npm packages of the programs that judge us", || {
        setup::node(repo)?;
        setup::npm(repo, OUTSIDE)
    })
}

/// Tests by nextest, or by cargo alone where that is not installed.
fn cargo_tests(repo: &Repo, suite: &[&str], env: &[(&str, &str)]) -> Result<(), Failure> {
    let runner: &[&str] = if answers(&mut repo.cargo(&["nextest", "--version"])) {
        &["nextest", "run"]
    } else {
        println!(
            "cargo-nextest is not installed (cargo install cargo-nextest --locked): cargo test instead"
        );
        &["test"]
    };
    run_command(repo.cargo(&[runner, suite].concat()).envs(env.iter().copied()))
}

/// The original's open gateway, for as long as this lives.
struct ReferenceGateway {
    process: Child,
    url: String,
}

impl ReferenceGateway {
    fn start(repo: &Repo) -> Result<Self, Failure> {
        let cannot = |why: &str| Failure::new(format!("cannot start gateway-web: {why}"));
        let mut process = repo
            .command("node", &["tests/support/gateway-web.mjs", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| cannot(&error.to_string()))?;
        let stdout = process.stdout.take().ok_or_else(|| cannot("it has no stdout"))?;
        let mut gateway = Self { process, url: String::new() };
        BufReader::new(stdout)
            .read_line(&mut gateway.url)
            .map_err(|error| cannot(&error.to_string()))?;
        gateway.url.truncate(gateway.url.trim_end().len());
        if gateway.url.is_empty() {
            return Err(cannot("it ended without a URL"));
        }
        Ok(gateway)
    }
}

impl Drop for ReferenceGateway {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
