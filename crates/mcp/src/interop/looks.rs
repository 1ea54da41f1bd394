//! What clients are shown of a tool.

use rmcp::model::{JsonObject, MetaObject, ToolAnnotations};
use serde_json::Value;

use crate::profile::{Needs, Profile};
use crate::schema::Published;
use crate::surface::Definition;

/// What clients are shown of a tool, cleaned and checked.
#[derive(Debug)]
pub(crate) struct Looks<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) annotations: Option<ToolAnnotations>,
    pub(crate) meta: JsonObject,
    pub(crate) input: Published,
    pub(crate) output: Option<Published>,
}

impl Looks<'_> {
    /// The definition, and with it who sees the tool.
    pub(crate) fn into_definition(self) -> Definition {
        let Self { name, title, description, annotations, meta, input, output } = self;
        let needs = needs(&meta);
        let mut tool = rmcp::model::Tool::new(name.to_owned(), description, input.schema);
        tool.title = title;
        tool.output_schema = output.map(|published| published.schema);
        tool.annotations = annotations;
        tool.meta = Some(meta).filter(|meta| !meta.is_empty()).map(MetaObject);
        Definition::new(tool, needs)
    }
}

/// A tool with a view of its own is for clients that can show it.
fn needs(meta: &JsonObject) -> Needs {
    let nested = meta.get("ui").and_then(|ui| ui.get("resourceUri"));
    let uri = nested.or_else(|| meta.get("ui/resourceUri")).and_then(Value::as_str);
    if uri.is_some_and(|uri| uri.starts_with("ui://")) {
        Needs::present(Profile::UI)
    } else {
        Needs::NOTHING
    }
}
