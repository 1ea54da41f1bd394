//! Processes of a benchmark: servers that say where they are, and programs that print one line.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::repo::line;

/// How long a server may take to say where it is.
const READY: Duration = Duration::from_secs(30);
/// How often a program is asked whether it has ended.
const GLANCE: Duration = Duration::from_millis(5);
/// The end of a server's log that goes into a failure.
const TOLD: usize = 600;

/// The core a process may use; both by default.
pub(super) type Core = Option<usize>;

/// A command that runs on `core`.
pub(super) fn command(program: impl AsRef<OsStr>, core: Core) -> Command {
    let Some(core) = core else { return Command::new(program) };
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &core.to_string()]).arg(program);
    command
}

/// A server; it ends with this handle.
#[derive(Debug)]
pub(super) struct Server {
    name: &'static str,
    child: Child,
    lines: Receiver<String>,
    log: PathBuf,
    said: Vec<(String, String)>,
}

impl Server {
    /// Starts a server. What it writes to stderr goes to a file in `logs`.
    pub(super) fn start(
        name: &'static str,
        mut command: Command,
        logs: &Path,
    ) -> Result<Self, Failure> {
        let log = logs.join(format!("{name}.log"));
        let stderr = File::create(&log)
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", log.display())))?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .map_err(|error| Failure::new(format!("cannot run {}: {error}", line(&command))))?;
        let (send, lines) = sync_channel(64);
        if let Some(stdout) = child.stdout.take() {
            // Reads on when nobody listens any more: a full pipe would stop the server.
            thread::spawn(move || {
                for said in BufReader::new(stdout).lines().map_while(Result::ok) {
                    let _ = send.try_send(said);
                }
            });
        }
        Ok(Self { name, child, lines, log, said: Vec::new() })
    }

    /// The process id, under the name it is watched by.
    pub(super) fn watched(&self) -> String {
        format!("{}={}", self.name, self.child.id())
    }

    /// The name of the server in every table.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The place that the server names on a line `WHAT PLACE`.
    pub(super) fn place(&mut self, what: &str) -> Result<String, Failure> {
        let until = Instant::now() + READY;
        loop {
            if let Some((_, place)) = self.said.iter().find(|(found, _)| found == what) {
                return Ok(place.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Some((what, place)) = line.split_once(char::is_whitespace) {
                        self.said.push((what.to_owned(), place.trim().to_owned()));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(self.silent(what, "in time")),
                Err(RecvTimeoutError::Disconnected) => return Err(self.silent(what, "and ended")),
            }
        }
    }

    /// Resident memory in units of a million bytes.
    pub(super) fn resident_megabytes(&self) -> Result<f64, Failure> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(&path)
            .map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.split_ascii_whitespace().next())
            .and_then(|kib| kib.parse::<f64>().ok())
            .map(|kib| kib * 1024.0 / 1e6)
            .ok_or_else(|| Failure::new(format!("{path} has no VmRSS")))
    }

    fn silent(&self, what: &str, how: &str) -> Failure {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let from = log.char_indices().rev().nth(TOLD).map_or(0, |(at, _)| at);
        Failure::new(format!(
            "{} did not say `{what} …` {how}; {} ends with: {}",
            self.name,
            self.log.display(),
            &log[from..]
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when the process is gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a program that prints little, and returns what it printed. It is ended after `limit`.
pub(super) fn output(mut command: Command, limit: Duration) -> Result<String, Failure> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::new(format!("cannot run {}: {error}", line(&command))))?;
    let status = ended(&mut child, limit)
        .map_err(|error| Failure::new(format!("{}: {error}", line(&command))))?;
    let Some(status) = status else {
        let limit = limit.as_secs();
        return Err(Failure::new(format!("{} took more than {limit} s", line(&command))));
    };
    let mut printed = String::new();
    let mut told = String::new();
    let read = |from: Option<&mut dyn Read>, into: &mut String| {
        from.map_or(Ok(0), |from| from.read_to_string(into))
    };
    read(child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read), &mut printed)
        .and_then(|_| read(child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read), &mut told))
        .map_err(|error| Failure::new(format!("{}: {error}", line(&command))))?;
    if status.success() {
        return Ok(printed);
    }
    Err(Failure::new(format!("{}: {}", line(&command), told.trim())))
}

/// Waits for the end of a process, and brings it about when `limit` is over.
fn ended(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(GLANCE);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut shell = command("sh", None);
        shell.args(["-c", script]);
        shell
    }

    #[test]
    fn programs_print_fail_or_are_ended() {
        let limit = Duration::from_secs(20);
        assert_eq!(output(shell("echo out"), limit).unwrap(), "out\n");
        let failure = output(shell("echo why >&2; exit 3"), limit).unwrap_err().to_string();
        assert!(failure.ends_with("why"), "{failure}");
        let failure = output(shell("exec sleep 600"), Duration::ZERO).unwrap_err().to_string();
        assert!(failure.ends_with("took more than 0 s"), "{failure}");
    }

    #[test]
    fn a_server_says_where_it_is_in_any_order() {
        let logs = std::env::temp_dir();
        let script = "echo 'gateway   ws://g'; echo 'mcp  http://m'; exec sleep 600";
        let mut server = Server::start("bench-test-server", shell(script), &logs).unwrap();
        assert_eq!(server.place("mcp").unwrap(), "http://m");
        assert_eq!(server.place("gateway").unwrap(), "ws://g");

        let script = "echo broken >&2";
        let mut server = Server::start("bench-test-broken", shell(script), &logs).unwrap();
        let failure = server.place("mcp").unwrap_err().to_string();
        assert!(failure.ends_with("broken\n"), "{failure}");
    }
}
