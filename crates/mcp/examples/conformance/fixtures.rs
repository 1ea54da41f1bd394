//! The tools that the suite calls by name, as its scenarios describe them.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deskwire_connect::wire::Method;
use deskwire_connect::{Call, Client, Directory};
use deskwire_mcp::{CallContext, Definition, Needs, Offer, Origin, Progress, Source, Step, Tool};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::{self, CallToolResult, ContentBlock, JsonObject, ResourceContents};
use serde_json::{Value, json};

/// A red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// The fixtures as a source of tools.
pub(crate) struct Fixtures(Vec<Arc<dyn Tool>>);

impl Fixtures {
    /// The fixtures; where the suite wants the list of tools to change,
    /// `application` registers another.
    pub(crate) fn new(application: &Client) -> Result<Self, serde_json::Error> {
        let application = application.clone();
        let appeared = Arc::new(AtomicUsize::new(0));
        let nothing = json!({"type": "object", "additionalProperties": false});
        let in_header = json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        });
        let tools = [
            Fixture::tool("test_simple_text", &nothing, |_| now(vec![text()])),
            Fixture::tool("test_image_content", &nothing, |_| now(vec![image()])),
            Fixture::tool("test_audio_content", &nothing, |_| now(vec![audio()])),
            Fixture::tool("test_embedded_resource", &nothing, |_| now(vec![resource()])),
            Fixture::tool("test_multiple_content_types", &nothing, |_| {
                now(vec![text(), image(), resource()])
            }),
            Fixture::tool("test_error_handling", &nothing, |_| {
                std::future::ready(CallToolResult::error(vec![text()])).boxed()
            }),
            Fixture::tool("test_tool_with_progress", &nothing, |call| steps(call.progress).boxed()),
            Fixture::tool("test_argument_in_header", &in_header, |_| now(vec![text()])),
            Fixture::tool("json_schema_2020_12_tool", &schema_of_2020(), |_| now(vec![text()])),
            Fixture::tool("test_trigger_tool_change", &nothing, move |_| {
                let count = appeared.fetch_add(1, Ordering::Relaxed);
                appear(application.clone(), format!("appeared_{count}")).boxed()
            }),
        ];
        tools.into_iter().collect::<Result<_, _>>().map(Self)
    }
}

impl Source for Fixtures {
    fn origin(&self) -> Origin {
        Origin::System
    }

    fn offer(&mut self, _: &Directory) -> Offer {
        Offer { tools: self.0.clone(), ..Offer::default() }
    }
}

/// A tool of the suite.
struct Fixture<F> {
    definition: Definition,
    answer: F,
}

impl<F> Fixture<F>
where
    F: Fn(CallContext) -> BoxFuture<'static, CallToolResult> + Send + Sync + 'static,
{
    fn tool(
        name: &'static str,
        input: &Value,
        answer: F,
    ) -> Result<Arc<dyn Tool>, serde_json::Error> {
        let input: JsonObject = serde_json::from_value(input.clone())?;
        let published = model::Tool::new(name, "A tool of the conformance suite.", input);
        let definition = Definition::new(published, Needs::NOTHING);
        Ok(Arc::new(Self { definition, answer }))
    }
}

impl<F> Tool for Fixture<F>
where
    F: Fn(CallContext) -> BoxFuture<'static, CallToolResult> + Send + Sync + 'static,
{
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn call(&self, call: CallContext) -> BoxFuture<'_, CallToolResult> {
        (self.answer)(call)
    }
}

fn now(content: Vec<ContentBlock>) -> BoxFuture<'static, CallToolResult> {
    std::future::ready(CallToolResult::success(content)).boxed()
}

fn text() -> ContentBlock {
    ContentBlock::text("This is a simple text response for testing.")
}

fn image() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

fn audio() -> ContentBlock {
    ContentBlock::audio(WAV, "audio/wav")
}

fn resource() -> ContentBlock {
    let contents = ResourceContents::text("This is an embedded resource.", "test://embedded");
    ContentBlock::resource(contents.with_mime_type("text/plain"))
}

/// Three steps, as far apart as the scenario wants them.
async fn steps(progress: Progress) -> CallToolResult {
    for done in [0.0, 50.0, 100.0] {
        progress.report(Step { done, total: Some(100.0), message: None });
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    CallToolResult::success(vec![text()])
}

/// The application registers one more tool, for good.
async fn appear(application: Client, tool: String) -> CallToolResult {
    let mut method = Method { name: format!("Application.{tool}"), ..Method::default() };
    method.description = Some("A tool that appeared.".into());
    let object = json!({"type": "object"}).to_string();
    let flag = json!({"name": tool, "inputSchema": object, "outputSchema": object});
    method.flags.metadata.insert("ioIntelMCPTool".into(), flag);
    let registered: Result<_, Box<dyn Error>> = application
        .register(method, |_: Call| std::future::ready(Ok(json!({}).into())))
        .await
        .map_err(Into::into);
    match registered {
        Ok(registration) => {
            registration.keep();
            CallToolResult::success(vec![text()])
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}

/// What clients are to be shown to the letter.
fn schema_of_2020() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
