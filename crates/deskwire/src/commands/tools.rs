//! `deskwire tools`: what a client sees.

use std::process::ExitCode;

use rmcp::model::Tool;
use serde_json::{Value, json};

use super::output;
use crate::cli::ToolsArgs;
use crate::client;
use crate::fault::Fault;

pub(super) async fn run(args: &ToolsArgs) -> Result<ExitCode, Fault> {
    let url = &args.ask.url;
    let session = client::open(&args.ask).await?;
    let tools = session.list_all_tools().await.map_err(|error| client::failed(url, &error))?;
    // The answer is here; a server that does not say goodbye changes nothing.
    let _ = session.cancel().await;
    if args.ask.json {
        output::json(&json!({ "tools": tools }))?;
    } else if tools.is_empty() {
        output::line(&format!("{url} offers no tools to this client."))?;
    } else {
        for tool in &tools {
            output::line(&line_of(tool))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `name(arguments): first sentence`, optional arguments with a question mark.
fn line_of(tool: &Tool) -> String {
    let names = |key: &str| tool.input_schema.get(key);
    let required: Vec<&str> = names("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let arguments: Vec<String> = names("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .map(|name| match required.contains(&name.as_str()) {
            true => name.clone(),
            false => format!("{name}?"),
        })
        .collect();
    let description = tool.description.as_deref().unwrap_or_default();
    let sentence = description.split_inclusive(". ").next().unwrap_or_default().trim();
    format!("{}({}): {sentence}", tool.name, arguments.join(", "))
}
