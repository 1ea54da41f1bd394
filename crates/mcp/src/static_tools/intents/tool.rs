//! An intent as a tool: the way of a call.

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::Client;
use deskwire_connect::services::intents::{PlatformResolver, Prefer, Raise, WhenSeveral};
use deskwire_wire::shown_name;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::CallToolResult;
use serde_json::Value;

use super::super::compile::CompiledIntent;
use super::super::config::ResolutionStrategy;
use super::context::context;
use crate::call::Problem;
use crate::interop::Compiled;
use crate::schema::Validators;
use crate::surface::{CallContext, Definition, Remark, Tool};

/// A compiled tool, and who handles its intent.
pub(super) struct IntentTool {
    pub(super) bus: Client,
    pub(super) validators: Arc<Validators>,
    pub(super) tool: Arc<CompiledIntent>,
    pub(super) handled: Handled,
    /// How long an answer may take.
    pub(super) limit: Duration,
    /// How long an application may take from its start until it handles the intent.
    pub(super) deliver_within: Duration,
    pub(super) remarks: Vec<Arc<Remark>>,
}

/// Who handles an intent at the moment.
#[derive(Debug)]
pub(super) enum Handled {
    /// Some application does.
    ByApplications {
        /// The first type of contexts that one of them declares.
        context_type: Option<String>,
    },
    /// None does.
    ByNobody {
        /// Why.
        reason: String,
        /// What can be done about it.
        fix: String,
    },
}

impl Tool for IntentTool {
    fn definition(&self) -> &Definition {
        &self.tool.compiled.definition
    }

    fn remarks(&self) -> &[Arc<Remark>] {
        &self.remarks
    }

    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult> {
        self.answer(call).map(|answer| answer.unwrap_or_else(CallToolResult::from)).boxed()
    }
}

impl IntentTool {
    async fn answer(&self, call: CallContext) -> Result<CallToolResult, Problem> {
        let CallContext { arguments, cancelled, .. } = call;
        let Compiled { definition, input, output, .. } = &*self.tool.compiled;
        let tool = || definition.name().to_string();
        let context_type = match &self.handled {
            Handled::ByApplications { context_type } => context_type.as_deref(),
            Handled::ByNobody { reason, fix } => {
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
        let context = arguments.as_object().map(|fields| context(fields, context_type));
        let raised = self.bus.intents().raise(self.raise(context.unwrap_or_default()));
        let raised = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                tracing::info!(tool = %definition.name(), "call cancelled by the client");
                return Err(Problem::Cancelled(tool()));
            }
            raised = raised => raised,
        };
        let raised = raised.map_err(|error| Problem::Intent { tool: tool(), error })?;
        output.answer(raised.result.decoded(), &self.validators).map_err(|violations| {
            let application = shown_name(&raised.handler.application);
            tracing::warn!(tool = %definition.name(), %application, ?violations,
                "a result does not fit the output schema");
            Problem::Result { tool: tool(), application, violations }
        })
    }

    fn raise(&self, context: Value) -> Raise {
        let (prefer, when_several) = match self.tool.strategy {
            ResolutionStrategy::Mcp => (Prefer::Applications, WhenSeveral::First),
            ResolutionStrategy::IoConnect => {
                let resolver = PlatformResolver::new(self.bus.clone());
                (Prefer::Running, WhenSeveral::Ask(Arc::new(resolver)))
            }
        };
        Raise {
            applications: self.tool.allowed.clone(),
            // The author of the tool says what goes to whom.
            type_must_fit: false,
            prefer,
            when_several,
            deliver_within: self.deliver_within,
            answer_within: self.limit,
            ..Raise::new(self.tool.intent.clone(), context.into())
        }
    }
}
