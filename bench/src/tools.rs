//! The tools of the benchmark. `tools.json` defines them for every language.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// Length of the number in the name of one of many tools.
const DIGITS: usize = 4;

/// The tool that answers with what it was given.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolDef {
    /// Name of the method on the bus.
    pub(crate) method: String,
    pub(crate) description: String,
    /// Name of the MCP tool.
    pub(crate) tool: String,
    pub(crate) input_schema: Map<String, Value>,
    pub(crate) output_schema: Map<String, Value>,
}

#[derive(Deserialize)]
struct Tools {
    echo: ToolDef,
    many: ToolDef,
}

fn all() -> Result<Tools, Failure> {
    serde_json::from_str(include_str!("../tools.json"))
        .map_err(|error| Failure::protocol(format!("tools.json: {error}")))
}

/// The tool that answers with the text it was given.
pub(crate) fn echo() -> Result<ToolDef, Failure> {
    Ok(all()?.echo)
}

/// `count` tools alike, apart from their names and descriptions.
pub(crate) fn many(count: usize) -> Result<Vec<ToolDef>, Failure> {
    let template = all()?.many;
    let numbered = |number: usize| {
        let name = |text: &str| text.replace('#', &format!("{number:0DIGITS$}"));
        ToolDef {
            method: name(&template.method),
            description: name(&template.description),
            tool: name(&template.tool),
            ..template.clone()
        }
    };
    Ok((0..count).map(numbered).collect())
}
