//! `deskwire start`: starts an application of the desktop.

use std::process::ExitCode;

use deskwire_connect::services::apps::{StartError, StartOptions};
use serde_json::{Value, json};

use super::{bus, output};
use crate::cli::StartArgs;
use crate::fault::Fault;

pub(super) async fn run(args: &StartArgs) -> Result<ExitCode, Fault> {
    let mut options =
        StartOptions { context: context(&args.context)?.into(), ..Default::default() };
    if args.no_wait {
        options.ready_within = None;
    }
    let client = bus::join(&args.bus).await?;
    let started = client.apps().start(&args.name, options).await;
    bus::leave(&client).await;
    let tried = format!("start `{}`", args.name);
    let instance = started.map_err(|error| match error {
        StartError::Service(error) => bus::failed(&tried, &args.bus, &error),
        StartError::AppNotFound { .. } => {
            Fault::new(&tried, error).hint("`deskwire apps` lists what can be started.")
        }
        StartError::AppLaunchFailed { reason, .. } => Fault::new(&tried, reason),
        error => Fault::new(&tried, error),
    })?;
    if args.bus.json {
        output::json(&json!({ "id": instance.id, "name": instance.application }))?;
    } else {
        let more = if args.no_wait { "" } else { ", and is on the bus" };
        let line = format!("{} runs as {}{more}.", instance.application, instance.id);
        output::line(&output::shown(&line))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn context(text: &str) -> Result<Value, Fault> {
    let wrong = |reason: String| {
        Fault::new("use the context", reason).hint(r#"Write it as '{"clientId": "C-1001"}'."#)
    };
    match serde_json::from_str(text) {
        Ok(context @ Value::Object(_)) => Ok(context),
        Ok(_) => Err(wrong("it is not a JSON object".into())),
        Err(error) => Err(wrong(format!("it is not JSON: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_a_json_object() {
        assert_eq!(context(r#"{"a":1}"#).unwrap(), json!({"a": 1}));
        for (text, reason) in [("[1]", "not a JSON object"), ("{a:1}", "not JSON")] {
            let fault = context(text).unwrap_err().to_string();
            assert!(fault.contains(reason) && fault.contains("Write it as"), "{fault}");
        }
    }
}
