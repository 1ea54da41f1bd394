//! Asking an MCP server over HTTP, for the commands `tools` and `call`.

use rmcp::model::{ClientCapabilities, ClientConfig, ErrorCode, Implementation, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceError};
use serde_json::json;

use crate::cli::{AskArgs, Capability};
use crate::fault::Fault;

/// A session with a server.
pub(crate) type Session = RunningService<RoleClient, ClientConfig>;

/// Opens a session with the server that `ask` names, in the newest revision both know.
pub(crate) async fn open(ask: &AskArgs) -> Result<Session, Fault> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(ask.url.clone());
    if let Some(token) = &ask.token {
        config = config.auth_header(token.clone());
    }
    let transport = StreamableHttpClientTransport::from_config(config);
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let about = Implementation::new("deskwire-cli", env!("CARGO_PKG_VERSION"));
    let client = ClientConfig::new(capabilities(&ask.declare), about);
    client
        .serve_with_lifecycle(transport, lifecycle)
        .await
        .map_err(|error| unreachable(&ask.url, &error))
}

/// What a failed request of an open session means.
pub(crate) fn failed(url: &str, error: &ServiceError) -> Fault {
    match error {
        ServiceError::McpError(answer) => {
            Fault::new(format!("get an answer from {url}"), &answer.message)
        }
        other => Fault::new(format!("get an answer from {url}"), other),
    }
}

/// Whether the server refused the parameters, the name of a tool among them.
pub(crate) fn is_refused(error: &ServiceError) -> bool {
    matches!(error, ServiceError::McpError(answer) if answer.code == ErrorCode::INVALID_PARAMS)
}

fn unreachable(url: &str, error: &ClientInitializeError) -> Fault {
    let text = error.to_string();
    let fault = Fault::new(format!("reach an MCP server at {url}"), &text);
    if error.auth_challenge().is_some() {
        fault.hint("It wants a token: give one with --token or in DESKWIRE_TOKEN.")
    } else {
        fault.hint("Start one with `deskwire up`, or name another with --url URL.")
    }
}

fn capabilities(declare: &[Capability]) -> ClientCapabilities {
    let mut declared = serde_json::Map::new();
    for capability in declare {
        match capability {
            Capability::Sampling => declared.insert("sampling".into(), json!({})),
            Capability::Elicitation => declared.insert("elicitation".into(), json!({ "form": {} })),
            Capability::Ui => declared.insert(
                "extensions".into(),
                json!({ "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } }),
            ),
        };
    }
    // Written out as JSON, since that is what the server reads; it always fits the type.
    serde_json::from_value(declared.into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_capabilities_reach_the_wire() {
        let all = capabilities(&[Capability::Sampling, Capability::Elicitation, Capability::Ui]);
        assert_eq!(
            serde_json::to_value(all).unwrap(),
            json!({
                "sampling": {},
                "elicitation": { "form": {} },
                "extensions": {
                    "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] },
                },
            })
        );
    }
}
