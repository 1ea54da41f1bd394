//! The port to the MCP library: its requests in, answers of the surface out.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use deskwire_wire::{excerpt, shown_name};
use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ServerHandler, model};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::asking::Asking;
use super::progress::reported;
use super::sessions::Sessions;
use super::watch::Known;
use super::{McpServer, client, lists};
use crate::call::Problem;
use crate::dynamic::panic_message;
use crate::observe::{CallObserver, FinishedCall, Outcome};
use crate::profile::Profile;
use crate::surface::{CallContext, Caller, Definition, Found, Progress, Tool};

/// Longest name of a tool that nobody knows, as it is repeated, in characters.
const MAX_NAME: usize = 80;

/// Longest name of a thread that is passed on, in bytes.
const MAX_THREAD: usize = 256;

/// Methods that are served. With unreadable parameters the library hands them
/// on as if it did not know them.
const SERVED: [&str; 4] = ["server/discover", "tools/list", "tools/call", "subscriptions/listen"];

/// The same, of the revisions before 2026-07-28 alone.
const SERVED_IN_SESSIONS: [&str; 2] = ["initialize", "ping"];

/// Serves the requests of one client, or of one request of 2026-07-28.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    server: McpServer,
    /// Where the client may have a session over HTTP.
    sessions: Option<Arc<Sessions>>,
    /// What the client knows, where it is the only one.
    known: Option<Known>,
    /// The client is asked one thing at a time.
    turns: Arc<Semaphore>,
    /// The client will ask nothing more, or the server answers nothing more.
    gone: CancellationToken,
}

impl Handler {
    pub(super) fn for_http(server: McpServer, sessions: Arc<Sessions>) -> Self {
        let gone = server.draining_token().clone();
        Self { server, sessions: Some(sessions), known: None, turns: one_at_a_time(), gone }
    }

    /// The same for another client.
    pub(super) fn of_another_client(&self) -> Self {
        Self { turns: one_at_a_time(), ..self.clone() }
    }

    pub(super) fn for_pipes(server: McpServer, known: Known, gone: CancellationToken) -> Self {
        Self { server, sessions: None, known: Some(known), turns: one_at_a_time(), gone }
    }

    /// Runs a call; what it asks goes to the client in the way of its revision.
    async fn run(
        &self,
        tool: &dyn Tool,
        call: CallContext,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(steps) = tool.steps() else { return Ok(tool.call(call).await.into()) };
        let asking = Asking { tool: tool.definition().name(), steps, call };
        if context.protocol_version().is_some_and(|it| it >= ProtocolVersion::V_2026_07_28) {
            asking.in_rounds(self.server.questions(), request).await
        } else {
            Ok(asking.in_session(context, &self.turns).await.into())
        }
    }
}

fn one_at_a_time() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(1))
}

/// The answer to a method that is not served.
fn not_served(method: &str) -> ErrorData {
    let (method, served) = (shown_name(method), SERVED.join(", "));
    let words = format!("unknown method `{method}`; this server serves {served}");
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, words, None)
}

/// Methods of MCP that are not served; the library would answer with their name alone.
macro_rules! not_served {
    ($($name:ident($params:ty) -> $result:ty = $method:literal;)*) => {
        $(async fn $name(
            &self,
            _: $params,
            _: RequestContext<RoleServer>,
        ) -> Result<$result, ErrorData> {
            Err(not_served($method))
        })*
    };
}

fn profile(context: &RequestContext<RoleServer>) -> Profile {
    client::profile(context.client_capabilities().as_ref())
}

/// The thread of the chat that a call names.
fn thread(request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Option<String> {
    let named = |meta: &model::RequestMetaObject| {
        let thread = meta.0.0.get("threadId").and_then(Value::as_str)?;
        (!thread.is_empty() && thread.len() <= MAX_THREAD).then(|| thread.to_owned())
    };
    request.meta.as_ref().and_then(named).or_else(|| named(&context.meta))
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.server.info().clone()
    }

    /// The tool whose schema says which headers of a call repeat its arguments, if
    /// the client that is served here sees it.
    fn get_tool(&self, name: &str) -> Option<model::Tool> {
        let surface = self.server.surface();
        let definition = surface.named(name)?.definition();
        if !definition.uses_headers() {
            return None;
        }
        let is_seen = matches!(surface.find(client::asking(), name), Found::Tool(_));
        is_seen.then(|| definition.published())
    }

    not_served! {
        complete(CompleteRequestParams) -> CompleteResult = "completion/complete";
        get_prompt(GetPromptRequestParams) -> GetPromptResponse = "prompts/get";
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult = "prompts/list";
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult = "resources/list";
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult
            = "resources/templates/list";
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse = "resources/read";
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "unknown cursor; all tools are listed at once, without a cursor",
                None,
            ));
        }
        let moment = self.server.present().await;
        let profile = profile(&context);
        if let Some(sessions) = &self.sessions {
            sessions.listed(&context.extensions, moment.told(profile));
        }
        if let Some(known) = &self.known {
            known.learn(moment.told(profile));
        }
        let view = moment.surface.view(profile);
        view.listed();
        let speaks_latest =
            context.protocol_version().is_some_and(|it| it >= ProtocolVersion::V_2026_07_28);
        // The library shows older clients less of some tools.
        if (speaks_latest || view.is_for_all_revisions())
            && let Some(list) =
                lists::answer(&context.extensions, moment.surface.list_text(profile))
        {
            return Ok(list);
        }
        let tools = moment.surface.tools(profile);
        let tools = tools.map(|tool| tool.definition().published()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let moment = self.server.present().await;
        let moment = self.server.ready(moment, profile(&context), &request.name).await;
        let tool = match moment.surface.find(profile(&context), &request.name) {
            Found::Tool(tool) => tool,
            Found::Departed => {
                let problem = Problem::Gone(request.name.into_owned());
                return Ok(CallToolResult::from(problem).into());
            }
            Found::OutOfReach(bus) => {
                let problem = Problem::NoServer {
                    tool: excerpt(&request.name, MAX_NAME),
                    reason: bus.reason.clone(),
                    fix: bus.fix.clone(),
                };
                return Ok(CallToolResult::from(problem).into());
            }
            Found::Unknown => {
                let name = excerpt(&request.name, MAX_NAME);
                return Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None));
            }
        };
        let _working = self.server.working();
        let watch = CallWatch::start(&self.server, tool.definition(), &request, &context);
        let caller = Caller {
            profile: profile(&context),
            surface: Arc::clone(&moment.surface),
            thread: thread(&request, &context),
        };
        let arguments = request.arguments.clone().unwrap_or_default();
        let cancelled = context.ct.clone();
        let call = reported(&context, |progress: Progress| {
            let call = CallContext { arguments, cancelled, progress, caller };
            self.run(&**tool, call, request, &context)
        });
        let answer = AssertUnwindSafe(call).catch_unwind().await;
        let answer = answer.unwrap_or_else(|panic| {
            let name = tool.definition().name();
            tracing::error!(tool = %name, panic = panic_message(&*panic), "a tool panicked");
            Ok(CallToolResult::from(Problem::Panicked(name.to_string())).into())
        });
        if let Ok(CallToolResponse::Complete(result)) = &answer {
            watch.end(result, context.ct.is_cancelled());
        }
        answer
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.server.info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Some(_place) = self.server.take_listener_place() else {
            return Err(ErrorData::internal_error(
                "too many clients listen; try again later",
                None,
            ));
        };
        self.server.wake();
        let mut changes = self.server.changes(profile(context.request_context()), Known::default());
        let wanted = context.accepted().tools_list_changed == Some(true);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.gone.cancelled() => return Ok(()),
                change = changes.next(), if wanted => {
                    // A client that cannot be told any more has left.
                    if change.is_none() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        let has_sessions =
            context.meta.protocol_version().is_none_or(|it| it < ProtocolVersion::V_2026_07_28);
        let is_served = SERVED.contains(&method.as_str())
            || (has_sessions && SERVED_IN_SESSIONS.contains(&method.as_str()));
        Err(if is_served {
            ErrorData::invalid_params(format!("the parameters of {method} cannot be read"), None)
        } else {
            not_served(&method)
        })
    }
}

/// One call, for whoever observes calls.
struct CallWatch<'a> {
    observer: Option<&'a dyn CallObserver>,
    definition: &'a Definition,
    client: Option<String>,
    fingerprint: Option<String>,
    started: Instant,
}

impl<'a> CallWatch<'a> {
    fn start(
        server: &'a McpServer,
        definition: &'a Definition,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let observer = server.observer();
        let client = observer
            .and_then(|_| context.client_info())
            .map(|client| format!("{}/{}", shown_name(&client.name), shown_name(&client.version)));
        let fingerprint = observer
            .zip(request.arguments.as_ref())
            .and_then(|(observer, arguments)| observer.fingerprint(arguments));
        Self { observer, definition, client, fingerprint, started: Instant::now() }
    }

    fn end(self, result: &CallToolResult, cancelled: bool) {
        let Some(observer) = self.observer else { return };
        let outcome = match result.is_error {
            _ if cancelled => Outcome::Cancelled,
            Some(true) => Outcome::Error,
            _ => Outcome::Success,
        };
        observer.finished(&FinishedCall {
            client: self.client.as_deref(),
            tool: self.definition.name(),
            application: self.definition.application(),
            fingerprint: self.fingerprint.as_deref(),
            outcome,
            elapsed: self.started.elapsed(),
        });
    }
}

/// What clients are told about the server.
pub(super) fn info(config: &crate::Config) -> ServerConfig {
    let capabilities =
        model::ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
    let mut implementation =
        model::Implementation::new(config.name.clone(), config.version.clone());
    implementation.title.clone_from(&config.title);
    ServerConfig::new(capabilities)
        .with_server_info(implementation)
        .with_instructions(config.instructions.clone())
}
