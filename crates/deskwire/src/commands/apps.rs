//! `deskwire apps`: the applications of the desktop, and which of them run.

use std::process::ExitCode;

use deskwire_connect::services::apps::{Application, Instance};
use serde_json::{Value, json};

use super::{bus, output};
use crate::cli::AppsArgs;
use crate::fault::Fault;

pub(super) async fn run(args: &AppsArgs) -> Result<ExitCode, Fault> {
    let client = bus::join(&args.bus).await?;
    let asked = async {
        let apps = client.apps().list().await?;
        Ok((apps, client.apps().instances().await?))
    };
    let asked = asked.await;
    bus::leave(&client).await;
    let (mut apps, instances) =
        asked.map_err(|error| bus::failed("list the applications", &args.bus, &error))?;
    if args.running {
        apps.retain(|app| instances.iter().any(|instance| instance.application == app.name));
    }
    if args.bus.json {
        let apps: Vec<_> = apps.iter().map(|app| to_json(app, &instances)).collect();
        output::json(&json!({ "apps": apps }))?;
    } else if apps.is_empty() {
        let which = if args.running { "runs" } else { "is defined" };
        output::line(&format!("No application {which} on the desktop at {}.", args.bus.gateway))?;
    } else {
        for line in lines(&apps, &instances) {
            output::line(&output::shown(&line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One line for each application, in columns: name, type, title; then what runs.
fn lines(apps: &[Application], instances: &[Instance]) -> Vec<String> {
    let width = |of: fn(&Application) -> &str| {
        apps.iter().map(|app| of(app).chars().count()).max().unwrap_or(0)
    };
    let (names, kinds) = (width(|app| &app.name), width(kind));
    let line = |app: &Application| {
        let running: Vec<_> = of(app, instances).map(|one| one.id.as_str()).collect();
        let running = match running.is_empty() {
            true => String::new(),
            false => format!("  runs: {}", running.join(", ")),
        };
        let title = app.title.as_deref().unwrap_or_default();
        format!("{:names$}  {:kinds$}  {title}{running}", app.name, kind(app)).trim_end().to_owned()
    };
    apps.iter().map(line).collect()
}

fn kind(app: &Application) -> &str {
    app.kind.as_deref().unwrap_or("-")
}

fn of<'a>(app: &Application, instances: &'a [Instance]) -> impl Iterator<Item = &'a Instance> {
    let name = app.name.clone();
    instances.iter().filter(move |instance| instance.application == name)
}

fn to_json(app: &Application, instances: &[Instance]) -> Value {
    let running: Vec<_> =
        of(app, instances).map(|one| json!({ "id": one.id, "title": one.title })).collect();
    json!({
        "name": app.name,
        "title": app.title,
        "caption": app.caption,
        "type": app.kind,
        "hidden": app.hidden,
        "allowMultiple": app.allow_multiple,
        "instances": running,
    })
}
