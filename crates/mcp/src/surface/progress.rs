//! How far a call is, told while it runs.

use tokio::sync::mpsc;

/// Steps that may wait to be told.
const WAITING: usize = 16;

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// How much is done, in any unit. A step that is not further than the one
    /// before is not told.
    pub done: f64,
    /// How much there is to do, in the same unit, if that is known.
    pub total: Option<f64>,
    /// What is going on, for people.
    pub message: Option<String>,
}

/// Tells a client how far its call is, if it asked to be told.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    steps: Option<mpsc::Sender<Step>>,
}

impl Progress {
    /// A teller, and where its steps come out.
    pub(crate) fn channel() -> (Self, mpsc::Receiver<Step>) {
        let (steps, told) = mpsc::channel(WAITING);
        (Self { steps: Some(steps) }, told)
    }

    /// Whether anybody wants to know.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.steps.is_some()
    }

    /// Tells a step. Never waits: a client that is slow to take steps misses
    /// some, and holds up no call.
    pub fn report(&self, step: Step) {
        if let Some(steps) = &self.steps {
            // Full or closed: the client is slow, or has its answer.
            let _ = steps.try_send(step);
        }
    }
}
