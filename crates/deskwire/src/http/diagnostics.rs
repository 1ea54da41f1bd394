//! `GET /api/diagnostics?as=sampling,elicitation,ui`: what a client sees, what it
//! does not see, and why. Without `as`, the client that declares everything.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deskwire_mcp::{Diagnostic, McpServer, Profile};
use serde::Deserialize;
use serde_json::json;

use crate::desktop::Desktop;

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(rename = "as")]
    declared: Option<String>,
}

/// Who knows what is visible.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) mcp: McpServer,
    pub(super) desktop: Option<Desktop>,
}

impl Known {
    /// Tools first, then what search leaves out.
    fn findings(&self, profile: Profile) -> Vec<Diagnostic> {
        let mut findings = self.mcp.surface().diagnostics(profile);
        if let Some(desktop) = &self.desktop {
            findings.extend(desktop.left_out().iter().map(Diagnostic::from));
        }
        findings
    }
}

pub(super) async fn list(State(known): State<Known>, Query(asked): Query<Asked>) -> Response {
    let profile = match asked.declared.as_deref() {
        None => Ok(Profile::ALL),
        Some(declared) => declared
            .split(',')
            .filter(|name| !name.is_empty())
            .try_fold(Profile::NONE, |all, name| name.trim().parse().map(|one: Profile| all | one)),
    };
    match profile {
        Ok(profile) => Json(known.findings(profile)).into_response(),
        Err(unknown) => {
            let error = json!({ "code": "unknown_capability", "message": unknown.to_string() });
            (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response()
        }
    }
}
