//! A tool, wherever it comes from.

use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::model::{CallToolResult, JsonObject};
use tokio_util::sync::CancellationToken;

use super::diagnostics::Remark;
use super::progress::Progress;
use crate::profile::Needs;

/// The keyword by which a schema has an argument repeated in an HTTP header.
const HEADER_KEYWORD: &str = "\"x-mcp-header\"";

/// What a tool looks like and who sees it.
#[derive(Debug, Clone)]
pub struct Definition {
    name: Arc<str>,
    published: rmcp::model::Tool,
    needs: Needs,
    application: Option<String>,
    method: Option<String>,
    fingerprint: u64,
    bytes: usize,
    uses_headers: bool,
}

impl Definition {
    /// A tool as clients are shown it, for the clients that `needs` admits.
    #[must_use]
    pub fn new(published: rmcp::model::Tool, needs: Needs) -> Self {
        let mut hasher = DefaultHasher::new();
        // Maps of strings and JSON always serialize.
        let text = serde_json::to_string(&published).unwrap_or_default();
        hasher.write(text.as_bytes());
        Self {
            name: Arc::from(&*published.name),
            published,
            needs,
            application: None,
            method: None,
            fingerprint: hasher.finish(),
            bytes: text.len(),
            uses_headers: text.contains(HEADER_KEYWORD),
        }
    }

    /// Names the application the tool comes from, for diagnostics.
    #[must_use]
    pub fn from_application(mut self, application: impl Into<String>) -> Self {
        self.application = Some(application.into());
        self
    }

    /// Names the interop method behind the tool, for diagnostics.
    #[must_use]
    pub fn from_method(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// What clients are shown.
    #[must_use]
    pub fn published(&self) -> &rmcp::model::Tool {
        &self.published
    }

    /// Which clients see it.
    #[must_use]
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// The application it comes from.
    #[must_use]
    pub fn application(&self) -> Option<&str> {
        self.application.as_deref()
    }

    /// The interop method behind it.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.method.as_deref()
    }

    /// Whether clients may be told to repeat arguments in HTTP headers.
    pub(crate) fn uses_headers(&self) -> bool {
        self.uses_headers
    }

    /// How much room it takes in a list.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A number that moves when what clients are shown moves.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// One call of a tool.
#[derive(Debug, Clone)]
pub struct CallContext {
    /// The arguments, as the client sent them.
    pub arguments: JsonObject,
    /// Cancelled when the client no longer wants the result.
    pub cancelled: CancellationToken,
    /// Tells the client how far the call is.
    pub progress: Progress,
}

/// A tool: what it looks like, and what it does.
pub trait Tool: Send + Sync + 'static {
    /// What it looks like and who sees it. Constant.
    fn definition(&self) -> &Definition;

    /// What someone should look at. Constant.
    fn remarks(&self) -> &[Arc<Remark>] {
        &[]
    }

    /// Does it. Arguments are not checked yet. What the model should read is a
    /// result with `isError`.
    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult>;
}
