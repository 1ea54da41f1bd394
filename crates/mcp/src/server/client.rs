//! What a client declared, in terms of profiles.

use axum::body::Bytes;
use rmcp::model::ClientCapabilities;
use serde::Deserialize;
use serde_json::Value;

use crate::profile::Profile;

tokio::task_local! {
    /// The request of 2026-07-28 that is served: the library does not say whose it
    /// is when it asks about a tool.
    static ASKED: Bytes;
}

/// Serves a request with this body.
pub(super) async fn serving<F: Future>(body: Bytes, served: F) -> F::Output {
    ASKED.scope(body, served).await
}

/// The profile of the client whose request is served here.
pub(super) fn asking() -> Profile {
    #[derive(Deserialize)]
    struct Request {
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        #[serde(rename = "_meta")]
        meta: Meta,
    }
    #[derive(Deserialize)]
    struct Meta {
        #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
        capabilities: ClientCapabilities,
    }
    let read = ASKED.try_with(|body| serde_json::from_slice::<Request>(body));
    let capabilities = read.ok().and_then(Result::ok).map(|it| it.params.meta.capabilities);
    profile(capabilities.as_ref())
}

/// The extension by which a client says that it shows MCP Apps.
const UI_EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The one kind of view there is.
const UI_MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The capability by which a client says that it brings the working context.
const WORKING_CONTEXT: &str = "workingContext";

/// The profile of a client with these capabilities.
pub(super) fn profile(capabilities: Option<&ClientCapabilities>) -> Profile {
    let Some(capabilities) = capabilities else { return Profile::NONE };
    let mut profile = Profile::NONE;
    if capabilities.sampling.is_some() {
        profile = profile | Profile::SAMPLING;
    }
    // Without a mode it is a form, as before there were modes.
    let form =
        |modes: &rmcp::model::ElicitationCapability| modes.form.is_some() || modes.url.is_none();
    if capabilities.elicitation.as_ref().is_some_and(form) {
        profile = profile | Profile::ELICITATION;
    }
    let ui = capabilities.extensions.as_ref().and_then(|extensions| extensions.get(UI_EXTENSION));
    let types = ui.and_then(|ui| ui.get("mimeTypes")).and_then(Value::as_array);
    if types.is_some_and(|types| types.iter().any(|it| it == UI_MIME_TYPE)) {
        profile = profile | Profile::UI;
    }
    let experimental = capabilities.experimental.as_ref();
    if experimental.is_some_and(|experimental| experimental.contains_key(WORKING_CONTEXT)) {
        profile = profile | Profile::WORKING_CONTEXT;
    }
    profile
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn capabilities_make_a_profile() {
        for (capabilities, expected) in [
            (json!({}), Profile::NONE),
            (json!({"roots": {}}), Profile::NONE),
            (json!({"sampling": {}}), Profile::SAMPLING),
            (json!({"elicitation": {}}), Profile::ELICITATION),
            (json!({"elicitation": {"form": {}, "url": {}}}), Profile::ELICITATION),
            (json!({"elicitation": {"url": {}}}), Profile::NONE),
            (json!({"extensions": {"io.modelcontextprotocol/ui": {}}}), Profile::NONE),
            (
                json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}}),
                Profile::NONE,
            ),
            (
                json!({"extensions": {"io.modelcontextprotocol/ui":
                       {"mimeTypes": ["text/html", "text/html;profile=mcp-app"]}}}),
                Profile::UI,
            ),
            (json!({"experimental": {"workingContext": {}}}), Profile::WORKING_CONTEXT),
        ] {
            let read: ClientCapabilities = serde_json::from_value(capabilities.clone()).unwrap();
            assert_eq!(profile(Some(&read)), expected, "{capabilities}");
        }
        assert_eq!(profile(None), Profile::NONE);
    }
}
