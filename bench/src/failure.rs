//! Why a measurement ended without a figure.

use std::io;

/// One failed answer ends the run: a server that is fast at failing is not fast.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The operating system refused something.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
    /// The other side speaks something else than it should.
    #[error("{0}")]
    Protocol(String),
    /// The other side answered, and the answer is not the one that was due.
    #[error("wrong answer: {0}")]
    Answer(String),
    /// Nothing happened for too long.
    #[error("{0} did not happen in {1} s")]
    TimedOut(&'static str, u64),
}

impl Failure {
    pub(crate) fn protocol(said: impl Into<String>) -> Self {
        Self::Protocol(said.into())
    }

    /// A wrong answer, cut to a length that a terminal can show.
    pub(crate) fn answer(what: &str, answer: &[u8]) -> Self {
        const SHOWN: usize = 400;
        let text = String::from_utf8_lossy(&answer[..answer.len().min(SHOWN)]);
        Self::Answer(format!("{what}: {text}"))
    }
}

/// Says what was being done when the system refused.
pub(crate) trait Doing<T> {
    fn doing(self, doing: impl Into<String>) -> Result<T, Failure>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, doing: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|source| Failure::Io { doing: doing.into(), source })
    }
}
