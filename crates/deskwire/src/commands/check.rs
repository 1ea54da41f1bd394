//! `deskwire check`: whether a configuration can be used, and whether definitions are as
//! they should be.

use std::path::Path;
use std::process::ExitCode;

use deskwire_catalog::{Catalog, Diagnostic, Severity, is_definitions};
use serde_json::{Value, json};

use super::output;
use crate::cli::CheckArgs;
use crate::config::{self, Loaded};
use crate::definitions;
use crate::fault::Fault;
use crate::http::{self, Guard};
use crate::{desktop, stack};

pub(super) fn run(args: &CheckArgs) -> Result<ExitCode, Fault> {
    match &args.path {
        Some(path) if holds_definitions(path)? => check_definitions(path, args.json),
        path => check_configuration(path.as_deref()),
    }
}

/// A folder does, and a file that looks like it; any other file is a configuration.
fn holds_definitions(path: &Path) -> Result<bool, Fault> {
    if path.is_dir() {
        return Ok(true);
    }
    let text = definitions::text_of(path)
        .map_err(|error| Fault::new(format!("read {}", path.display()), error))?;
    Ok(is_definitions(&text))
}

fn check_configuration(path: Option<&Path>) -> Result<ExitCode, Fault> {
    let loaded = config::load(path)?;
    let Some(file) = &loaded.file else {
        output::line(
            "There is no deskwire.json here; the defaults and the demo applications hold.",
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    let config = &loaded.config;
    check(&loaded).map_err(|fault| loaded.place(fault))?;
    output::line(&format!(
        "{} can be used: server `{}`, {} static tools, dynamic tools {}.",
        file.display(),
        config.server.name,
        config.server.tools.fixed.methods.len() + config.server.tools.fixed.intents.len(),
        if config.server.tools.dynamic.methods.enabled { "on" } else { "off" },
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What is wrong though it has the right form.
fn check(loaded: &Loaded) -> Result<(), Fault> {
    let config = &loaded.config;
    let address = http::address(&config.listen)?;
    Guard::new(&config.listen, config.listen.port)?;
    stack::access_keys(config)?;
    stack::mcp_config(config)?;
    desktop::platform_config(loaded, String::new(), address)?;
    Ok(())
}

fn check_definitions(path: &Path, as_json: bool) -> Result<ExitCode, Fault> {
    let catalog = read(path)?;
    if as_json {
        output::json(&json_of(&catalog))?;
    } else {
        for line in lines_of(&catalog) {
            output::line(&line)?;
        }
    }
    let failed = count(catalog.diagnostics(), Severity::Error) > 0;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn read(path: &Path) -> Result<Catalog, Fault> {
    let reads = definitions::load(path)
        .map_err(|error| Fault::new(format!("read {}", path.display()), error))?;
    Ok(Catalog::merge(reads))
}

/// A line for each problem, and one that sums up.
fn lines_of(catalog: &Catalog) -> Vec<String> {
    let problems = catalog.diagnostics();
    let mut lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("{problem} ({} {})", problem.severity.as_str(), problem.code))
        .collect();
    lines.push(format!(
        "{}, {}, {}: {}, {}, {}.",
        plural(catalog.applications().len(), "application"),
        plural(catalog.layouts().len(), "layout"),
        plural(catalog.channels().len(), "channel"),
        plural(count(problems, Severity::Error), "error"),
        plural(count(problems, Severity::Warning), "warning"),
        plural(count(problems, Severity::Note), "note"),
    ));
    lines
}

fn json_of(catalog: &Catalog) -> Value {
    json!({
        "applications": catalog.applications().iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
        "layouts": catalog
            .layouts()
            .iter()
            .map(|one| json!({ "name": one.name, "type": one.kind.as_str() }))
            .collect::<Vec<_>>(),
        "channels": catalog.channels().iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
        "diagnostics": catalog.diagnostics(),
    })
}

fn count(problems: &[Diagnostic], severity: Severity) -> usize {
    problems.iter().filter(|problem| problem.severity == severity).count()
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const GOOD: &str = r#"{"name":"clock","type":"window","details":{"url":"http://localhost:1"}}"#;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn problems_name_file_line_record_and_field() {
        let bad = "[\n  { \"name\": \"chart\", \"type\": \"window\",\n    \"details\": {\n      \"url\": \"javascript:alert(1)\" } },\n";
        let folder = folder(&[
            ("a.json", &format!("{bad}  {GOOD}\n]")),
            ("b.json", &format!("[{GOOD}]")),
            ("package.json", r#"{"name":"p","version":"1.0.0"}"#),
        ]);
        let catalog = read(folder.path()).unwrap();
        let root = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let lines: Vec<_> = lines_of(&catalog).iter().map(|line| line.replace(&root, "")).collect();
        assert_eq!(
            lines,
            [
                "a.json:4: chart: details.url: `javascript:alert(1)` is not opened: only http and \
             https addresses are; write https://… (error app.url.scheme)",
                "b.json:1: clock: name: the name belongs to the application at a.json:5, which came \
             first; this one is left out: rename one of them (warning app.duplicate)",
                "2 applications, 0 layouts, 0 channels: 1 error, 1 warning, 0 notes.",
            ]
        );
        let json = json_of(&catalog);
        assert_eq!(json["applications"], json!(["chart", "clock"]));
        assert_eq!(json["diagnostics"][0]["code"], "app.url.scheme");
        assert_eq!(json["diagnostics"][0]["severity"], "error");
        assert_eq!(json["diagnostics"][0]["line"], 4);
        assert_eq!(json["diagnostics"][0]["record"]["pointer"], "/0");
    }

    #[test]
    fn what_a_server_would_refuse_names_its_place() {
        let tool = "{ name: 'a', availability: 'constant', config: { description: 'd',\n inputSchema: {}, outputSchema: { type: 'objekt' } }, interop: { methodName: 'M' } }";
        for (text, line, told) in [
            (
                format!("{{ server: {{ tools: {{ static: {{\n methods: [\n {tool}] }} }} }} }}"),
                4,
                "server.tools.static.methods[0].config.outputSchema: not a valid schema",
            ),
            ("{ server: {\n name: ' ' } }".into(), 2, "server.name: it is blank"),
            ("{ server: { tools: {\n limit: 0 } } }".into(), 2, "server.tools.limit: "),
            (
                "{ platform: {\n appStores: [{ type: 'in-memory', details: { allowedApps: ['a*b'] } }] } }".into(),
                2,
                "platform.appStores: ",
            ),
            (
                "{ server: { tools: { dynamic: { methods: {\n guard: 'method.name.startWith(\"x\")' } } } } }".into(),
                2,
                "server.tools.dynamic.methods.guard: unknown function `startWith`",
            ),
        ] {
            let folder = folder(&[("config.json", &text)]);
            let path = folder.path().join("config.json");
            let fault = run(&CheckArgs { path: Some(path), json: false }).unwrap_err().to_string();
            assert!(fault.contains(&format!("config.json:{line}:")), "{text}\n{fault}");
            assert!(fault.contains(told), "{text}\n{fault}");
        }
    }

    #[test]
    fn only_an_error_fails() {
        let files = [
            ("good.json", format!("[{GOOD}]"), ExitCode::SUCCESS),
            ("warned.json", format!("[{GOOD}, {GOOD}]"), ExitCode::SUCCESS),
            ("broken.json", format!("[{GOOD}, {{ oops }}]"), ExitCode::FAILURE),
            ("config.json", "{ server: { name: 'desk' } }".to_owned(), ExitCode::SUCCESS),
        ];
        for (name, text, code) in files {
            let folder = folder(&[(name, &text)]);
            let args = CheckArgs { path: Some(folder.path().join(name)), json: false };
            assert_eq!(run(&args).unwrap(), code, "{name}");
        }
        let folder = folder(&[("config.json", "{ server: { nane: 'desk' } }")]);
        let path = folder.path().join("config.json");
        let fault = run(&CheckArgs { path: Some(path), json: false }).unwrap_err();
        assert!(fault.to_string().contains("server.nane"), "{fault}");
    }
}
