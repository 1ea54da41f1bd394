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
    let result = session.call_tool(params).await.map_err(|error| {
        client::failed(url, &error).hint("`deskwire tools` lists what can be called.")
    })?;
    // The answer is here; a server that does not say goodbye changes nothing.
    let _ = session.cancel().await;
    print(&result, args.ask.json)?;
    Ok(if result.is_error == Some(true) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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
    fn arguments_are_a_json_object() {
        assert_eq!(arguments(r#"{"a":1}"#).unwrap().len(), 1);
        for (text, reason) in [("[1]", "not a JSON object"), ("{a:1}", "not JSON")] {
            let fault = arguments(text).unwrap_err().to_string();
            assert!(fault.contains(reason) && fault.contains("Write them as"), "{fault}");
        }
    }
}
