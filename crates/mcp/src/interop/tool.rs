//! A method of an application as a tool: the way of a call.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::Payload;
use deskwire_connect::{Client, MethodKey};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::CallToolResult;
use serde_json::Value;

use super::Compiled;
use crate::call::Problem;
use crate::schema::Validators;
use crate::surface::{CallContext, Definition, Remark, Tool};

/// A compiled tool, and what is called for it.
pub(crate) struct MethodTool {
    pub(crate) bus: Client,
    pub(crate) validators: Arc<Validators>,
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) target: Target,
    /// How long an answer may take.
    pub(crate) limit: Duration,
    pub(crate) remarks: Vec<Arc<Remark>>,
}

/// What is called for a tool.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A method of one server.
    Method {
        /// The method.
        key: MethodKey,
        /// The server's application, if it has a name.
        application: Option<String>,
    },
    /// Nothing serves the tool at the moment.
    None {
        /// Why.
        reason: String,
        /// What can be done about it.
        fix: String,
    },
}

impl Tool for MethodTool {
    fn definition(&self) -> &Definition {
        &self.compiled.definition
    }

    fn remarks(&self) -> &[Arc<Remark>] {
        &self.remarks
    }

    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult> {
        self.answer(call).map(|answer| answer.unwrap_or_else(CallToolResult::from)).boxed()
    }
}

impl MethodTool {
    async fn answer(&self, call: CallContext) -> Result<CallToolResult, Problem> {
        let CallContext { arguments, cancelled, .. } = call;
        let Compiled { definition, input, output, .. } = &*self.compiled;
        let tool = || definition.name().to_string();
        let (key, application) = match &self.target {
            Target::Method { key, application } => (key, application),
            Target::None { reason, fix } => {
                let (reason, fix) = (reason.clone(), fix.clone());
                return Err(Problem::NoServer { tool: tool(), reason, fix });
            }
        };
        let checker = self
            .validators
            .get(input)
            .map_err(|error| Problem::Unchecked { tool: tool(), error })?;
        let arguments = Value::Object(arguments);
        checker
            .check(&arguments)
            .map_err(|violations| Problem::Arguments { tool: tool(), violations })?;
        let invocation = self.bus.invoke_method(key, Payload::from(arguments), self.limit);
        let returned = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                tracing::info!(tool = %definition.name(), "call cancelled by the client");
                return Err(Problem::Cancelled(tool()));
            }
            returned = invocation => returned,
        };
        let returned = returned
            .map_err(|error| Problem::Invocation { tool: tool(), error, limit: self.limit })?
            .decoded();
        output.answer(returned, &self.validators).map_err(|violations| {
            let application = application.clone().unwrap_or_else(|| "the application".into());
            tracing::warn!(tool = %definition.name(), %application, ?violations,
                "a result does not fit the output schema");
            Problem::Result { tool: tool(), application, violations }
        })
    }
}
