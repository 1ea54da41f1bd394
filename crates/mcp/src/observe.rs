//! What the outside may learn of calls: for records and figures.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::JsonObject;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The application answered, and the answer fits.
    Success,
    /// The client got an error to read.
    Error,
    /// The client no longer wanted the result.
    Cancelled,
}

/// A call that ended.
#[derive(Debug, Clone, Copy)]
pub struct FinishedCall<'a> {
    /// Name and version of the client, if it said so.
    pub client: Option<&'a str>,
    /// Name of the tool.
    pub tool: &'a str,
    /// The application behind the tool.
    pub application: Option<&'a str>,
    /// What the observer made of the arguments; see [`CallObserver::fingerprint`].
    pub fingerprint: Option<&'a str>,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
}

/// Hears of every call of a listed tool, before the client has its answer. Must
/// be quick.
pub trait CallObserver: Send + Sync + 'static {
    /// What to remember of the arguments until the call has ended; nothing by
    /// default.
    fn fingerprint(&self, arguments: &JsonObject) -> Option<String> {
        let _ = arguments;
        None
    }

    /// A call ended.
    fn finished(&self, call: &FinishedCall<'_>);
}

/// An observer, or none.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn CallObserver>>);

impl Observer {
    /// This observer.
    pub fn new(observer: impl CallObserver) -> Self {
        Self(Some(Arc::new(observer)))
    }

    /// The observer, where there is one.
    pub(crate) fn get(&self) -> Option<&dyn CallObserver> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observer").field(&self.0.is_some()).finish()
    }
}
