//! The floor: `rmcp` by itself, with one tool and no bus behind it.

use std::sync::Arc;

use axum::Router;
use axum::serve::ListenerExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::announce;
use crate::failure::{Doing, Failure};
use crate::tools;

/// Serves the echo tool over Streamable HTTP on a free port, until the process ends.
pub(crate) async fn serve() -> Result<(), Failure> {
    let echo = Echo::new()?;
    let service = StreamableHttpService::new(
        move || Ok(echo.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default().with_json_response(true),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.doing("listening")?;
    let address = listener.local_addr().doing("listening")?;
    announce("mcp", &format!("http://{address}/mcp"))?;
    // An answer is several small writes: with Nagle's algorithm each call takes 40 ms.
    let listener = listener.tap_io(|socket| {
        let _ = socket.set_nodelay(true);
    });
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await.doing("serving")
}

/// Answers with the text it was given.
#[derive(Debug, Clone)]
struct Echo {
    tool: Tool,
}

impl Echo {
    fn new() -> Result<Self, Failure> {
        let echo = tools::echo()?;
        let tool = Tool::new(echo.tool, echo.description, Arc::new(echo.input_schema))
            .with_raw_output_schema(Arc::new(echo.output_schema));
        Ok(Self { tool })
    }
}

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("deskwire-bench", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool.clone()]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != self.tool.name {
            return Err(ErrorData::invalid_params(format!("Unknown tool {}", request.name), None));
        }
        let text = request.arguments.as_ref().and_then(|given: &JsonObject| given.get("text"));
        let said = json!({"text": text.cloned().unwrap_or(Value::Null)});
        Ok(CallToolResult::structured(said).into())
    }
}
