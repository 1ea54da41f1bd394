//! The audit file: one line of JSON for each call of a tool, and its metrics.
//!
//! A line is written in one piece before the client has its answer, so it is
//! there even if the process is killed a moment later. Arguments are not in it,
//! only their hash: they may hold what the file's readers must not see.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chrono::{SecondsFormat, Utc};
use deskwire_mcp::{CallObserver, FinishedCall, Outcome};
use metrics::{Counter, Histogram, counter, histogram};
use rmcp::model::JsonObject;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::fault::Fault;

/// Watches calls of tools.
#[derive(Debug)]
pub(crate) struct Audit {
    file: Option<Mutex<File>>,
    succeeded: Counter,
    failed: Counter,
    cancelled: Counter,
    seconds: Histogram,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    at: String,
    client: Option<&'a str>,
    tool: &'a str,
    app: Option<&'a str>,
    arguments_sha256: Option<&'a str>,
    outcome: &'static str,
    duration_ms: u64,
}

impl Audit {
    /// Appends to `path`, made if absent; without one, counts only.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Fault> {
        let file = match path {
            None => None,
            Some(path) => Some(Mutex::new(
                OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
                    Fault::new(format!("open the audit file {}", path.display()), error)
                        .hint("Change audit.path in deskwire.json.")
                        .field("audit.path")
                })?,
            )),
        };
        let calls =
            |outcome: &'static str| counter!("deskwire_tool_calls_total", "outcome" => outcome);
        Ok(Self {
            file,
            succeeded: calls("success"),
            failed: calls("error"),
            cancelled: calls("cancelled"),
            seconds: histogram!("deskwire_tool_call_seconds"),
        })
    }
}

impl CallObserver for Audit {
    fn fingerprint(&self, arguments: &JsonObject) -> Option<String> {
        self.file.as_ref()?;
        let text = serde_json::to_vec(arguments).ok()?;
        Some(Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn finished(&self, call: &FinishedCall<'_>) {
        let (counter, outcome) = match call.outcome {
            Outcome::Success => (&self.succeeded, "success"),
            Outcome::Error => (&self.failed, "error"),
            Outcome::Cancelled => (&self.cancelled, "cancelled"),
        };
        counter.increment(1);
        self.seconds.record(call.elapsed.as_secs_f64());
        let Some(file) = &self.file else { return };
        let line = Line {
            at: Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true),
            client: call.client,
            tool: call.tool,
            app: call.application,
            arguments_sha256: call.fingerprint,
            outcome,
            duration_ms: call.elapsed.as_millis().try_into().unwrap_or(u64::MAX),
        };
        let written =
            serde_json::to_string(&line).map_err(std::io::Error::from).and_then(|mut text| {
                text.push('\n');
                file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
            });
        if let Err(error) = written {
            tracing::error!(%error, tool = call.tool, "a call is missing in the audit file");
        }
    }
}
