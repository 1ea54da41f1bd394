//! A process of an application, from its start to the end of its group.

use std::fmt;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use deskwire_connect::StartingContext;

use super::environment::Surroundings;
use super::output::{Output, Source};
use super::program::Program;

/// How long what is written last may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(250);
/// The wait between two looks at a group whose first process has ended.
const LOOK: Duration = Duration::from_millis(20);
/// How long the system may take to end what is killed before that is told.
const KILL: Duration = Duration::from_secs(5);
/// The signal that asks a process to end.
#[cfg(unix)]
const SIGTERM: i32 = 15;

/// How a process has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with a code; 0 is success.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// Nobody can say.
    Unknown,
}

impl Exit {
    /// Whether it ended as it should.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self, Self::Code(0))
    }

    fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        status.code().map_or(Self::Unknown, Self::Code)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "it exited with code {code}"),
            Self::Signal(signal) => write!(f, "it was ended by signal {signal}"),
            Self::Unknown => f.write_str("it exited, nobody can say how"),
        }
    }
}

/// What a process is started with.
#[derive(Debug)]
pub(crate) struct Spawn<'a> {
    pub(crate) program: &'a Program,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) application: &'a str,
    pub(crate) instance: &'a str,
    /// The value of [`StartingContext::VARIABLE`].
    pub(crate) starting_context: &'a str,
    /// The token in it, to be kept out of the log.
    pub(crate) token: &'a str,
}

/// A process that lives, with all that it has started.
pub(crate) struct Child {
    process: Box<dyn ChildWrapper>,
    pid: u32,
    output: Output,
}

impl Child {
    /// Starts a process in a group of its own.
    pub(crate) fn spawn(spawn: &Spawn<'_>) -> io::Result<Self> {
        let Program { executable, arguments, folder, env } = spawn.program;
        let mut command = CommandWrap::with_new(executable, |command| {
            command
                .args(arguments)
                .current_dir(folder)
                .env_clear()
                .envs(spawn.surroundings.variables())
                .envs(env.iter().map(|(name, value)| (name, value)))
                .env(StartingContext::VARIABLE, spawn.starting_context)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        // For a runtime that ends before everything was stopped; see also the guard.
        command.wrap(KillOnDrop);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut process = command.spawn()?;
        let pid = process.id().ok_or_else(|| io::Error::other("it has no process id"))?;
        let source = Source {
            application: spawn.application.into(),
            instance: spawn.instance.into(),
            secret: Arc::from(spawn.token),
        };
        let output = Output::read(&source, process.stdout().take(), process.stderr().take());
        Ok(Self { process, pid, output })
    }

    /// The id of the process, and of its group.
    pub(crate) const fn pid(&self) -> u32 {
        self.pid
    }

    /// What it said that tells most.
    pub(crate) fn telling(&self) -> Option<String> {
        self.output.telling()
    }

    /// Returns when its process has ended. May be dropped and called again.
    pub(crate) async fn exited(&mut self) -> Exit {
        match self.process.wait().await {
            Ok(status) => Exit::of(status),
            Err(error) => {
                tracing::warn!(pid = self.pid, %error, "cannot say how a process has ended");
                Exit::Unknown
            }
        }
    }

    /// Asks it and all it has started to end, waits, kills what is left. Returns when
    /// all are gone.
    pub(crate) async fn stop(&mut self, within: Duration) -> Exit {
        let deadline = Instant::now() + within;
        if self.ask()
            && let Ok(exit) = timeout_at(deadline, self.exited()).await
        {
            self.end_group(deadline).await;
            return exit;
        }
        self.kill();
        let mut exit = timeout(KILL, self.exited()).await;
        while exit.is_err() {
            tracing::error!(pid = self.pid, "a killed process does not end");
            exit = timeout(KILL, self.exited()).await;
        }
        exit.unwrap_or(Exit::Unknown)
    }

    /// Its process has ended: so does all that it has started. What it wrote last is read.
    pub(crate) async fn finish(&mut self, within: Duration) {
        if is_alive(self.pid) {
            self.ask();
            self.end_group(Instant::now() + within).await;
        }
        // Whoever has left the group may hold the channels open for ever.
        let _held_open = timeout(LAST_WORDS, self.output.closed()).await;
    }

    /// Waits until nobody of the group is left, or kills them.
    async fn end_group(&mut self, deadline: Instant) {
        while is_alive(self.pid) {
            if Instant::now() >= deadline {
                self.kill();
                return;
            }
            sleep(LOOK).await;
        }
    }

    /// Asks it to end. `false` if there is no way of asking.
    fn ask(&self) -> bool {
        #[cfg(unix)]
        return self.process.signal(SIGTERM).is_ok();
        #[cfg(not(unix))]
        return false;
    }

    fn kill(&mut self) {
        if let Err(error) = self.process.start_kill() {
            tracing::debug!(pid = self.pid, %error, "a process group has ended before it was killed");
        }
    }
}

/// Whether a process group has members.
#[cfg(unix)]
fn is_alive(group: u32) -> bool {
    let Ok(group) = i32::try_from(group) else { return false };
    nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), None).is_ok()
}

/// Jobs end with their process.
#[cfg(not(unix))]
const fn is_alive(_group: u32) -> bool {
    false
}
