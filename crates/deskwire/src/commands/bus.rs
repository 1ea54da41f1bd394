//! Being on the bus of a running desktop for as long as a command takes.

use std::time::Duration;

use deskwire_connect::services::ServiceError;
use deskwire_connect::{Client, Credentials, Options, Status, websocket};
use tokio::time::timeout;

use crate::cli::BusArgs;
use crate::fault::Fault;

/// The name under which commands are on the bus.
const APPLICATION: &str = "deskwire-command";
/// How long joining may take.
const JOINS_WITHIN: Duration = Duration::from_secs(10);
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_millis(400);

/// Joins the bus. The first failure is told; nothing is tried again.
pub(super) async fn join(args: &BusArgs) -> Result<Client, Fault> {
    let url = &args.gateway;
    let tried = || format!("join the bus at {url}");
    let connector = websocket(url).map_err(|error| {
        Fault::new(tried(), error).hint("A gateway's address reads like ws://127.0.0.1:4111/gw.")
    })?;
    let credentials = match &args.token {
        Some(token) => Credentials::Secret { login: APPLICATION.into(), secret: token.clone() },
        None => Credentials::None,
    };
    let client = Client::start(connector, Options { credentials, ..Options::new(APPLICATION) });
    let mut status = client.status();
    let decided = |status: &Status| {
        !matches!(status, Status::Idle | Status::Connecting { last_error: None, .. })
    };
    let decided = timeout(JOINS_WITHIN, status.wait_for(decided)).await;
    let error = match decided {
        Ok(Ok(status)) => match &*status {
            Status::Connecting { last_error: Some(error), .. } | Status::Refused(error) => {
                error.to_string()
            }
            Status::Ready { .. } => {
                drop(status);
                return Ok(client);
            }
            _ => "the client is closed".into(),
        },
        Ok(Err(_)) => "the client is closed".into(),
        Err(_) => format!("no answer within {JOINS_WITHIN:?}"),
    };
    Err(Fault::new(tried(), error)
        .hint("Start a desktop with `deskwire up`, or name another one with --gateway."))
}

/// Leaves the bus. The answer is here; a gateway that takes no goodbye changes nothing.
pub(super) async fn leave(client: &Client) {
    let _late = timeout(GOODBYE, client.close()).await;
}

/// Why the platform did not do something.
pub(super) fn failed(tried: &str, args: &BusArgs, error: &ServiceError) -> Fault {
    match error {
        ServiceError::NotAvailable { method } => Fault::new(
            tried,
            format!("the bus at {} has no platform (nobody offers `{method}`)", args.gateway),
        )
        .hint("`deskwire up` runs one; `deskwire gateway` is the bus alone."),
        error => Fault::new(tried, error),
    }
}
