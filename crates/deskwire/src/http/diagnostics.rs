//! `GET /api/diagnostics?as=sampling,elicitation,ui`: what a client sees, what it
//! does not see, and why. Without `as`, the client that declares everything.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deskwire_mcp::{Diagnostic, McpServer, Profile, UnknownCapability};
use serde::Deserialize;
use serde_json::json;

use crate::desktop::Desktop;

/// As which client somebody asks.
#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(rename = "as")]
    declared: Option<String>,
}

impl Asked {
    /// What that client declares.
    pub(super) fn profile(&self) -> Result<Profile, Unknown> {
        let Some(declared) = &self.declared else { return Ok(Profile::ALL) };
        declared
            .split(',')
            .filter(|name| !name.is_empty())
            .try_fold(Profile::NONE, |all, name| name.trim().parse().map(|one: Profile| all | one))
            .map_err(Unknown)
    }
}

/// The refusal of a capability that there is not.
pub(super) struct Unknown(UnknownCapability);

impl IntoResponse for Unknown {
    fn into_response(self) -> Response {
        let error = json!({ "code": "unknown_capability", "message": self.0.to_string() });
        (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response()
    }
}

/// Who knows what is visible.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) mcp: McpServer,
    pub(super) desktop: Option<Desktop>,
}

/// What is visible to a client, and why the rest is not.
pub(super) struct Findings {
    /// About tools.
    pub(super) tools: Vec<Diagnostic>,
    /// About what search leaves out.
    pub(super) left_out: Vec<Diagnostic>,
    /// About those whose name is not proved.
    pub(super) unverified: Vec<Diagnostic>,
}

impl Known {
    pub(super) fn findings(&self, profile: Profile) -> Findings {
        let desktop = self.desktop.as_ref();
        let left_out = desktop.map(Desktop::left_out).unwrap_or_default();
        Findings {
            tools: self.mcp.surface().diagnostics(profile),
            left_out: left_out.iter().map(Diagnostic::from).collect(),
            unverified: desktop.map(Desktop::unverified).unwrap_or_default(),
        }
    }
}

impl Findings {
    /// As programs are given them: tools first.
    pub(super) fn all(&self) -> Vec<&Diagnostic> {
        self.tools.iter().chain(&self.left_out).chain(&self.unverified).collect()
    }
}

pub(super) async fn list(State(known): State<Known>, Query(asked): Query<Asked>) -> Response {
    match asked.profile() {
        Ok(profile) => Json(known.findings(profile).all()).into_response(),
        Err(unknown) => unknown.into_response(),
    }
}
