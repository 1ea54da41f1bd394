//! Why an application is not started, or an instance not stopped.

use std::time::Duration;

use super::model::InstanceId;
use crate::ports::TokenError;
use crate::process::Exit;

/// Why an application is not started. Each names the application, what happened, and
/// what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no such application.
    #[error(
        "there is no application `{application}`; the names that there are come from the \
         definitions that the platform reads (`deskwire apps` lists them)"
    )]
    NotFound {
        /// The name that was asked for.
        application: String,
    },
    /// Its definition says that it is not to be started.
    #[error("`{application}` is disabled by its definition; remove `disabled` to start it")]
    Disabled {
        /// Its name.
        application: String,
    },
    /// A type of application that this desktop does not start.
    #[error(
        "UnsupportedAppType: `{application}` is of type `{kind}`, which is not started here; the \
         types that are: window, exe, node"
    )]
    UnsupportedType {
        /// Its name.
        application: String,
        /// Its type, as the definition writes it.
        kind: String,
    },
    /// It may run only once, and does.
    #[error(
        "`{application}` runs already, as instance {instance}, and its definition says \
         `allowMultiple: false`; use that instance, or stop it first"
    )]
    AlreadyRunning {
        /// Its name.
        application: String,
        /// The instance that runs.
        instance: InstanceId,
    },
    /// There are as many instances as there may be.
    #[error("`{application}` is not started: {most} instances run, and more may not; stop some")]
    TooMany {
        /// Its name.
        application: String,
        /// How many may run.
        most: usize,
    },
    /// The definition does not say what to start, or not in a way that can be done.
    #[error("`{application}` cannot be started: {reason}")]
    Definition {
        /// Its name.
        application: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The program lies where programs may not be run from.
    #[error("`{application}` is not started: `{path}` is not allowed: {reason}")]
    PathNotAllowed {
        /// Its name.
        application: String,
        /// The path, as the definition writes it.
        path: String,
        /// Why, and what would be right.
        reason: String,
    },
    /// There is no such program.
    #[error("`{application}` cannot be started: there is no program `{program}` {place}")]
    ExecutableMissing {
        /// Its name.
        application: String,
        /// The program.
        program: String,
        /// Where it was looked for.
        place: String,
    },
    /// The system does not start it.
    #[error("`{application}` cannot be started: the system refuses `{program}`: {reason}")]
    NotSpawned {
        /// Its name.
        application: String,
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// Its process ended before it was at work.
    #[error("`{application}` ended before it was at work: {exit}{}", said(last))]
    ExitedAtOnce {
        /// Its name.
        application: String,
        /// How it ended.
        exit: Exit,
        /// The last line it wrote to standard error, else to standard output.
        last: Option<String>,
    },
    /// It did not come to the bus in time.
    #[error(
        "`{application}` is not on the bus after {} s; it has to connect with what it finds in \
         the variable _GD_STARTING_CONTEXT_{}",
        after.as_secs_f32(),
        said(last)
    )]
    NotReady {
        /// Its name.
        application: String,
        /// How long it had.
        after: Duration,
        /// The last line it wrote, if it is a process.
        last: Option<String>,
    },
    /// It has ended.
    #[error("`{application}` has ended: {reason}")]
    Ended {
        /// Its name.
        application: String,
        /// Why.
        reason: String,
    },
    /// What it is to be started with is too large.
    #[error(
        "`{application}` is not started: its context is {bytes} bytes; at most {most} are passed \
         on, so pass a reference to the data"
    )]
    ContextTooLarge {
        /// Its name.
        application: String,
        /// Its size, as JSON.
        bytes: usize,
        /// How large it may be.
        most: usize,
    },
    /// There is no instance of this id to wait for.
    #[error("there is no running instance `{instance}`")]
    NoInstance {
        /// The id.
        instance: InstanceId,
    },
    /// Its page was to stay an instance, and something else is that instance by now.
    #[error("`{application}` cannot go on as instance {instance}: that id is in use; reload it")]
    IdInUse {
        /// Its name.
        application: String,
        /// The id.
        instance: InstanceId,
    },
    /// No desk page is there to show it.
    #[error("`{application}` cannot be shown: no desk is open; open the desk page and try again")]
    NoDesk {
        /// Its name.
        application: String,
    },
    /// No desk page is there, and the system's browser does not take it.
    #[error(
        "`{application}` cannot be shown: no desk is open, and the system's browser does not \
         open its page: {reason}"
    )]
    NoBrowser {
        /// Its name.
        application: String,
        /// What the system says.
        reason: String,
    },
    /// The desk does not show it.
    #[error("`{application}` is not shown: {reason}")]
    NotShown {
        /// Its name.
        application: String,
        /// Why not.
        reason: String,
    },
    /// It gets no token for the bus.
    #[error("`{application}` is not started: it gets no token: {reason}")]
    NoToken {
        /// Its name.
        application: String,
        /// Why not.
        reason: String,
    },
    /// The platform is being stopped.
    #[error("`{application}` is not started: the platform is being stopped")]
    ShuttingDown {
        /// Its name.
        application: String,
    },
}

impl StartError {
    pub(crate) fn token(application: &str, error: &TokenError) -> Self {
        Self::NoToken { application: application.to_owned(), reason: error.reason.clone() }
    }
}

fn said(last: &Option<String>) -> String {
    last.as_ref().map_or_else(String::new, |line| format!("; the last it said: {line}"))
}

/// Why an instance is not stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopError {
    /// There is no such instance.
    #[error("there is no running instance `{instance}`")]
    NoInstance {
        /// The id that was asked for.
        instance: InstanceId,
    },
    /// It was not started here.
    #[error(
        "instance {instance} of `{application}` was started elsewhere and only told of itself; \
         end it where it was started"
    )]
    NotOurs {
        /// Its id.
        instance: InstanceId,
        /// Its application.
        application: String,
    },
    /// It is still there after it was killed.
    #[error(
        "instance {instance} of `{application}` (process {pid}) is still there after it was \
         killed; the system may be waiting for a device on its behalf"
    )]
    StillThere {
        /// Its id.
        instance: InstanceId,
        /// Its application.
        application: String,
        /// Its process.
        pid: u32,
    },
}
