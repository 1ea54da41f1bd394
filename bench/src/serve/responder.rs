//! The application behind the tools, written with `deskwire-connect`.

use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure, Client, Credentials, Options, websocket};
use serde_json::{Value, json};

use super::announce;
use crate::failure::Failure;
use crate::tools::{self, ToolDef};

/// Registers the echo tool, or `count` tools in its place, and answers until the process ends.
pub(crate) async fn serve(gateway: &str, count: Option<usize>) -> Result<(), Failure> {
    let connector = websocket(gateway).map_err(bus)?;
    let credentials = Credentials::Secret { login: "bench".to_owned(), secret: "bench".to_owned() };
    let client =
        Client::start(connector, Options { credentials, ..Options::new("bench-responder") });
    client.ready().await.map_err(bus)?;

    match count {
        None => {
            let echo = |call: Call| async move { Ok::<_, CallFailure>(call.arguments) };
            client.register(method(&tools::echo()?), echo).await.map_err(bus)?.keep();
        }
        Some(count) => {
            for tool in tools::many(count)? {
                let fill = |_: Call| async {
                    Ok::<_, CallFailure>(Payload::from(json!({"orderId": "o-1", "price": 1.5})))
                };
                client.register(method(&tool), fill).await.map_err(bus)?.keep();
            }
        }
    }
    announce("responder", "ready")?;
    std::future::pending().await
}

/// A tool as the method of an application.
fn method(tool: &ToolDef) -> Method {
    let mut method = Method {
        name: tool.method.clone(),
        description: Some(tool.description.clone()),
        ..Method::default()
    };
    let text = |schema| Value::Object(schema).to_string();
    method.flags.metadata.insert(
        "ioIntelMCPTool".to_owned(),
        json!({
            "name": tool.tool,
            "inputSchema": text(tool.input_schema.clone()),
            "outputSchema": text(tool.output_schema.clone()),
        }),
    );
    method
}

fn bus(error: impl std::fmt::Display) -> Failure {
    Failure::protocol(error.to_string())
}
