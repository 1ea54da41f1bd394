//! `GET /api/diagnostics?as=sampling,elicitation,ui`: what a client sees, what it
//! does not see, and why. Without `as`, the client that declares everything.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deskwire_mcp::{Diagnostic, Kind, McpServer, Profile, Stage, UnknownCapability};
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
    /// About tools, and about what search leaves out.
    surface: Vec<Diagnostic>,
    /// About those whose name is not proved.
    unverified: Vec<Diagnostic>,
}

impl Known {
    pub(super) fn findings(&self, profile: Profile) -> Findings {
        Findings {
            surface: self.mcp.surface().diagnostics(profile),
            unverified: self.desktop.as_ref().map(Desktop::unverified).unwrap_or_default(),
        }
    }
}

impl Findings {
    /// As programs are given them.
    pub(super) fn all(&self) -> Vec<&Diagnostic> {
        self.surface.iter().chain(&self.unverified).collect()
    }

    /// Tools that the client does not see. One that this version does not have is not
    /// among them: nobody here can put that right.
    pub(super) fn withheld_tools(&self) -> usize {
        let withheld = |it: &&Diagnostic| it.kind == Kind::Tool && it.stage != Some(Stage::Build);
        self.hidden().filter(withheld).count()
    }

    /// Applications and workspaces that search leaves out, and intents that nobody handles.
    pub(super) fn left_out(&self) -> usize {
        let left_out = |it: &&Diagnostic| {
            matches!(it.kind, Kind::Application | Kind::Workspace | Kind::Intent)
        };
        self.hidden().filter(left_out).count()
    }

    fn hidden(&self) -> impl Iterator<Item = &Diagnostic> {
        self.surface.iter().filter(|finding| !finding.visible)
    }
}

pub(super) async fn list(State(known): State<Known>, Query(asked): Query<Asked>) -> Response {
    match asked.profile() {
        Ok(profile) => Json(known.findings(profile).all()).into_response(),
        Err(unknown) => unknown.into_response(),
    }
}
