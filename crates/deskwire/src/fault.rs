//! What ends a command early.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// Why a command could not do its work: what was tried, what came in the way,
/// and what to do about it.
#[derive(Debug)]
pub(crate) struct Fault {
    tried: String,
    cause: String,
    hint: Option<String>,
    /// The field of the configuration that is at fault.
    field: Option<String>,
}

impl Fault {
    /// Reads "cannot <tried>: <cause>".
    pub(crate) fn new(tried: impl Into<String>, cause: impl fmt::Display) -> Self {
        Self { tried: tried.into(), cause: cause.to_string(), hint: None, field: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says which field of the configuration is at fault.
    #[must_use]
    pub(crate) fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// With the place in the configuration, where `place` knows one for the
    /// field that is at fault.
    #[must_use]
    pub(crate) fn placed(mut self, place: impl FnOnce(&str) -> Option<String>) -> Self {
        let field = self.field.take();
        if let Some((place, field)) = field.and_then(|field| Some((place(&field)?, field))) {
            self.cause = format!("{place}: {field}: {}", self.cause);
        }
        self
    }

    /// Tells the person, and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        // A closed standard error leaves nobody to tell.
        let _ = writeln!(std::io::stderr(), "deskwire: {self}");
        ExitCode::from(2)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.tried, self.cause)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}
