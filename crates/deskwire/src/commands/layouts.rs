//! `deskwire layouts`: the layouts of the desktop.

use std::process::ExitCode;

use deskwire_connect::services::layouts::Layout;
use serde_json::{Value, json};

use super::{bus, output};
use crate::cli::LayoutsArgs;
use crate::fault::Fault;

pub(super) async fn run(args: &LayoutsArgs) -> Result<ExitCode, Fault> {
    let client = bus::join(&args.bus).await?;
    let layouts = client.layouts().list().await;
    bus::leave(&client).await;
    let mut layouts =
        layouts.map_err(|error| bus::failed("list the layouts", &args.bus, &error))?;
    if let Some(kind) = &args.kind {
        layouts.retain(|layout| layout.kind.eq_ignore_ascii_case(kind));
    }
    if args.bus.json {
        let documents: Vec<&Value> = layouts.iter().map(|layout| &layout.document).collect();
        output::json(&json!({ "layouts": documents }))?;
    } else if layouts.is_empty() {
        let which = args.kind.as_ref().map(|kind| format!(" of type {kind}")).unwrap_or_default();
        output::line(&format!("No layout{which} on the desktop at {}.", args.bus.gateway))?;
    } else {
        for line in lines(&layouts) {
            output::line(&output::shown(&line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One line for each layout, in columns: name, type, what its author says.
fn lines(layouts: &[Layout]) -> Vec<String> {
    let width = |of: fn(&Layout) -> &str| {
        layouts.iter().map(|layout| of(layout).chars().count()).max().unwrap_or(0)
    };
    let (names, kinds) = (width(|layout| &layout.name), width(|layout| &layout.kind));
    let line = |layout: &Layout| {
        let description = layout.metadata.get("description").and_then(Value::as_str);
        let description = description.unwrap_or_default();
        let line = format!("{:names$}  {:kinds$}  {description}", layout.name, layout.kind);
        line.trim_end().to_owned()
    };
    layouts.iter().map(line).collect()
}
