//! `deskwire call`: one call, its result, its exit code.

use std::io::Read;
use std::process::ExitCode;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;

use super::output;
use crate::cli::CallArgs;
use crate::client;
use crate::fault::Fault;

pub(super) async fn run(args: &CallArgs) -> Result<ExitCode, Fault> {
    let arguments = arguments(&args.arguments)?;
    let url = &args.ask.url;
    let session = client::open(&args.ask).await?;
    let params = CallToolRequestParams::new(args.name.clone()).with_arguments(arguments);
    let result = match session.call_tool(params).await {
        Ok(result) => result,
        Err(error) if client::is_refused(&error) => {
            let tools =
                session.list_all_tools().await.map_err(|error| client::failed(url, &error))?;
            let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
            return Err(match names.contains(&args.name.as_str()) {
                true => client::failed(url, &error),
                false => no_such_tool(url, &args.name, &names),
            });
        }
        Err(error) => return Err(client::failed(url, &error).hint(LIST)),
    };
    // The answer is here; a server that does not say goodbye changes nothing.
    let _ = session.cancel().await;
    print(&result, args.ask.json)?;
    Ok(if result.is_error == Some(true) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How to find out what there is.
const LIST: &str = "`deskwire tools` lists what can be called.";
/// How alike names are at least, from 0 to 1, for one to be meant as the other.
const ALIKE: f64 = 0.8;
/// Names that are proposed at most.
const PROPOSED: usize = 3;

fn no_such_tool(url: &str, name: &str, names: &[&str]) -> Fault {
    let alike = |known: &&str| strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase());
    let mut near: Vec<_> = names.iter().map(|known| (alike(known), known)).collect();
    near.retain(|(alike, _)| *alike >= ALIKE);
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let near: Vec<_> = near.iter().take(PROPOSED).map(|(_, known)| format!("`{known}`")).collect();
    let hint = match near.is_empty() {
        true => LIST.to_owned(),
        false => format!("Did you mean {}? {LIST}", near.join(" or ")),
    };
    Fault::new(format!("call `{name}`"), format!("{url} shows this client no such tool")).hint(hint)
}

fn arguments(text: &str) -> Result<JsonObject, Fault> {
    let text = if text == "-" {
        let mut read = String::new();
        std::io::stdin()
            .read_to_string(&mut read)
            .map_err(|error| Fault::new("read the arguments from standard input", error))?;
        read
    } else {
        text.to_owned()
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(Fault::new("use the arguments", "they are not a JSON object")
            .hint(r#"Write them as '{"name": value}'."#)),
        Err(error) => Err(Fault::new("use the arguments", format!("they are not JSON: {error}"))
            .hint(r#"Write them as '{"name": value}'."#)),
    }
}

fn print(result: &CallToolResult, json: bool) -> Result<(), Fault> {
    if json {
        return output::json(result);
    }
    if let Some(structured) = &result.structured_content {
        return output::json(structured);
    }
    for block in &result.content {
        match block {
            ContentBlock::Text(text) => output::line(&text.text)?,
            other => output::json(other)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_not_there_is_told_with_those_that_are_like_it() {
        let names = ["demo_find_clients", "demo_find_client", "quote"];
        let told = |name| no_such_tool("http://x/mcp", name, &names).to_string();
        assert_eq!(
            told("nope"),
            "cannot call `nope`: http://x/mcp shows this client no such tool\n  \
             `deskwire tools` lists what can be called."
        );
        assert!(told("demo_findclient").contains("Did you mean `demo_find_client` or `demo_find"));
        assert!(told("Quote").contains("Did you mean `quote`?"));
    }

    #[test]
    fn arguments_are_a_json_object() {
        assert_eq!(arguments(r#"{"a":1}"#).unwrap().len(), 1);
        for (text, reason) in [("[1]", "not a JSON object"), ("{a:1}", "not JSON")] {
            let fault = arguments(text).unwrap_err().to_string();
            assert!(fault.contains(reason) && fault.contains("Write them as"), "{fault}");
        }
    }
}
