//! A tool, wherever it comes from.

use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::caller::Caller;
use super::diagnostics::Remark;
use super::progress::Progress;
use crate::profile::Needs;
use crate::questions::Steps;
use crate::schema::HEADER_KEYWORD;

/// What a tool looks like and who sees it.
#[derive(Debug, Clone)]
pub struct Definition {
    name: Arc<str>,
    /// What clients are shown, as JSON: lists are made of it, and little else
    /// reads it.
    text: Box<str>,
    needs: Needs,
    application: Option<String>,
    method: Option<String>,
    fingerprint: u64,
    uses_headers: bool,
    is_for_all_revisions: bool,
}

impl Definition {
    /// A tool as clients are shown it, for the clients that `needs` admits.
    #[must_use]
    pub fn new(published: rmcp::model::Tool, needs: Needs) -> Self {
        let mut hasher = DefaultHasher::new();
        // Maps of strings and JSON always serialize.
        let text = serde_json::to_string(&published).unwrap_or_default();
        hash(&serde_json::to_value(&published).unwrap_or_default(), &mut hasher);
        let output = published.output_schema.as_deref();
        Self {
            name: Arc::from(&*published.name),
            needs,
            application: None,
            method: None,
            fingerprint: hasher.finish(),
            uses_headers: text.contains(&format!("\"{HEADER_KEYWORD}\"")),
            is_for_all_revisions: output
                .is_none_or(|schema| schema.get("type").is_some_and(|kind| kind == "object")),
            text: text.into(),
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

    /// What clients are shown, as JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What clients are shown. Read from the text each time.
    #[must_use]
    pub fn published(&self) -> rmcp::model::Tool {
        // It was written from such a value.
        serde_json::from_str(&self.text).unwrap_or_default()
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

    /// Whether clients of every revision are shown the same: before 2026-07-28
    /// results are objects, and a schema of anything else is left out.
    pub(crate) fn is_for_all_revisions(&self) -> bool {
        self.is_for_all_revisions
    }

    /// A number that moves when what clients are shown moves, but for the order of
    /// fields.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// Hashes JSON, in which the order of fields means nothing.
fn hash(value: &Value, hasher: &mut impl Hasher) {
    match value {
        Value::Object(fields) => {
            hasher.write_u8(b'{');
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            for (name, value) in fields {
                hasher.write_usize(name.len());
                hasher.write(name.as_bytes());
                hash(value, hasher);
            }
            hasher.write_u8(b'}');
        }
        Value::Array(items) => {
            hasher.write_u8(b'[');
            items.iter().for_each(|item| hash(item, hasher));
            hasher.write_u8(b']');
        }
        scalar => {
            let text = scalar.to_string();
            hasher.write_usize(text.len());
            hasher.write(text.as_bytes());
        }
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
    /// Who calls.
    pub caller: Caller,
}

/// A tool: what it looks like, and what it does.
pub trait Tool: Send + Sync + 'static {
    /// What it looks like and who sees it. Constant.
    fn definition(&self) -> &Definition;

    /// What someone should look at. Constant.
    fn remarks(&self) -> &[Arc<Remark>] {
        &[]
    }

    /// The steps of a tool that may ask its client something before it does anything.
    /// A server takes these where there are some, and does not use [`Tool::call`].
    fn steps(&self) -> Option<&dyn Steps> {
        None
    }

    /// Does it, without asking. Arguments are not checked yet. What the model should
    /// read is a result with `isError`.
    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult>;
}
