//! `deskwire doctor`: why a tool is not there.

use std::process::ExitCode;

use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;

use super::output;
use crate::cli::DoctorArgs;
use crate::fault::Fault;

/// One line of the server's diagnostics.
#[derive(Deserialize)]
struct Finding {
    kind: String,
    name: String,
    app: Option<String>,
    visible: bool,
    stage: Option<String>,
    code: Option<String>,
    reason: Option<String>,
    fix: Option<String>,
}

impl Finding {
    /// Whether this version does not have it, which nobody here can put right.
    fn is_of_later_version(&self) -> bool {
        self.stage.as_deref() == Some("build")
    }
}

pub(super) async fn run(args: &DoctorArgs) -> Result<ExitCode, Fault> {
    let answer = ask(args).await?;
    if args.ask.json {
        output::json(&answer)?;
    }
    let findings: Vec<Finding> = serde_json::from_value(answer)
        .map_err(|error| Fault::new("read the server's diagnostics", error))?;
    let wanted = |finding: &&Finding| {
        args.name.as_ref().is_none_or(|name| {
            finding.name == *name || finding.app.as_ref().is_some_and(|app| app == name)
        })
    };
    let found: Vec<&Finding> = findings.iter().filter(wanted).collect();
    if !args.ask.json {
        print(&found, args.name.as_deref())?;
    }
    let healthy = found.iter().all(|finding| finding.visible || finding.is_of_later_version())
        && !(found.is_empty() && args.name.is_some());
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn ask(args: &DoctorArgs) -> Result<Value, Fault> {
    let url = &args.ask.url;
    let failed = |reason: &dyn std::fmt::Display| {
        Fault::new(format!("get the diagnostics of {url}"), reason).hint(
            "Start a server with `deskwire up`, or name another with --url URL. Without one, \
                 `deskwire mcp` has no tools of applications either.",
        )
    };
    let mut address = Url::parse(url)
        .and_then(|url| url.join("/api/diagnostics"))
        .map_err(|error| failed(&error))?;
    if !args.ask.declare.is_empty() {
        let names: Vec<_> = args.ask.declare.iter().map(|one| one.name()).collect();
        address.query_pairs_mut().append_pair("as", &names.join(","));
    }
    let mut request = reqwest::Client::new().get(address);
    if let Some(token) = &args.ask.token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.map_err(|error| failed(&error))?;
    match response.status() {
        StatusCode::OK => response.json().await.map_err(|error| failed(&error)),
        StatusCode::UNAUTHORIZED => Err(failed(&"it wants a token; give one with --token")),
        status => Err(failed(&format_args!("it answered {status}"))),
    }
}

fn print(found: &[&Finding], name: Option<&str>) -> Result<(), Fault> {
    let (later, found_here): (Vec<&&Finding>, Vec<&&Finding>) =
        found.iter().partition(|finding| finding.is_of_later_version());
    let (visible, hidden): (Vec<&&Finding>, Vec<&&Finding>) =
        found_here.into_iter().partition(|finding| finding.visible);
    for finding in &later {
        tell(finding, "not in this version")?;
    }
    for finding in &hidden {
        tell(finding, "not visible")?;
    }
    for finding in visible.iter().filter(|finding| finding.reason.is_some()) {
        tell(finding, "visible")?;
    }
    match (name, found.is_empty()) {
        (Some(name), true) => output::line(&format!(
            "Nothing on this bus is called `{name}`. Its application may not run, or be connected to \
             another gateway."
        )),
        _ => {
            let later = match later.len() {
                0 => String::new(),
                later => format!(", {later} not in this version"),
            };
            output::line(&format!(
                "{} visible, {} not visible{later}.",
                visible.len(),
                hidden.len()
            ))
        }
    }
}

fn tell(finding: &Finding, seen: &str) -> Result<(), Fault> {
    let of = finding.app.as_ref().map(|app| format!(" of {app}")).unwrap_or_default();
    let place: Vec<_> =
        [&finding.stage, &finding.code].into_iter().flatten().map(String::as_str).collect();
    let stage = if place.is_empty() { String::new() } else { format!(" ({})", place.join(", ")) };
    output::line(&format!("{} {}{of}: {seen}{stage}", finding.kind, finding.name))?;
    for text in [&finding.reason, &finding.fix].into_iter().flatten() {
        output::line(&format!("    {text}"))?;
    }
    Ok(())
}
