//! Why a command ended, and the exit code it ends with.

use std::fmt;

/// A failure that is told to the person who ran the command.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    /// The exit code; that of the program that failed, where one did.
    pub(crate) code: u8,
}

impl Failure {
    /// A failure of our own.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// The same with the exit code of the program that failed.
    pub(crate) fn with_code(self, code: Option<i32>) -> Self {
        let code = code.and_then(|code| u8::try_from(code).ok()).filter(|code| *code != 0);
        Self { code: code.unwrap_or(1), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
