//! Calls through a gateway: call → invoke → yield → result.

use std::rc::Rc;
use std::time::Instant;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::frame::{Frame, unquoted};
use super::peer::{Announced, Peer};
use crate::failure::Failure;
use crate::load::{self, Lane, Lanes, Plan, Report, Window};

/// Who calls whom.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Calls {
    /// URL of the gateway.
    #[arg(long)]
    url: String,
    /// Peers that call, each on a socket of its own.
    #[arg(long, default_value_t = 1)]
    callers: usize,
    /// Calls each caller has under way.
    #[arg(long, default_value_t = 1)]
    in_flight: usize,
    /// A method that is there already, instead of one in this process.
    #[arg(long)]
    method: Option<String>,
}

const OWN_METHOD: &str = "Bench.Load.Echo";

/// Runs the load: every call carries another text, and every result must repeat it.
pub(crate) async fn run(calls: &Calls, plan: &Plan) -> Result<Report, Failure> {
    let (method, server) = match &calls.method {
        Some(method) => (method.as_str(), None),
        None => {
            let mut server = Peer::join(&calls.url, "bench-server").await?;
            server.register(OWN_METHOD, false).await?;
            (OWN_METHOD, Some(server))
        }
    };
    let mut callers = Vec::with_capacity(calls.callers);
    for _ in 0..calls.callers {
        let mut caller = Peer::join(&calls.url, "bench-caller").await?;
        let target = caller.find(server.as_ref().map(|server| &*server.id), method).await?;
        callers.push((caller, target));
    }
    let in_flight = calls.in_flight.max(1);
    load::run(plan, |window| {
        let lane = |(caller, target)| -> Lane {
            Box::pin(call(caller, target, in_flight, Rc::clone(window)))
        };
        Lanes {
            asking: callers.into_iter().map(lane).collect(),
            serving: server.into_iter().map(|server| -> Lane { Box::pin(serve(server)) }).collect(),
        }
    })
    .await
}

/// Answers every invocation with its arguments.
async fn serve(mut peer: Peer) -> Result<(), Failure> {
    let Peer { id, reader, writer, .. } = &mut peer;
    loop {
        while let Some(text) = reader.arrived()? {
            let frame = Frame::read(text)?;
            if frame.kind != "invoke" {
                continue;
            }
            let call = frame.invocation_id.unwrap_or_default();
            let arguments = frame.arguments_kv.map_or("{}", RawValue::get);
            writer.queue(&format!(
                r#"{{"domain":"agm","type":"yield","invocation_id":"{call}","peer_id":"{id}","result":{arguments}}}"#
            ));
        }
        writer.queue_pongs(reader.take_pings());
        writer.flush().await?;
        reader.wait().await?;
    }
}

/// Keeps `in_flight` calls under way until the window closes.
async fn call(
    mut peer: Peer,
    target: Announced,
    in_flight: usize,
    window: Rc<Window>,
) -> Result<(), Failure> {
    let prefix = format!(
        r#"{{"domain":"agm","type":"call","peer_id":"{}","server_id":"{}","method_id":{}"#,
        peer.id, target.server, target.id
    );
    let Peer { reader, writer, .. } = &mut peer;
    let mut under_way: Vec<(u64, Instant)> = Vec::with_capacity(in_flight);
    let mut next = 0_u64;
    loop {
        while under_way.len() < in_flight && !window.closed() {
            next += 1;
            writer.queue(&format!(
                r#"{prefix},"request_id":"{next}","arguments_kv":{{"text":"message {next}"}}}}"#
            ));
            under_way.push((next, Instant::now()));
        }
        if under_way.is_empty() {
            return Ok(());
        }
        writer.queue_pongs(reader.take_pings());
        writer.flush().await?;
        reader.wait().await?;
        while let Some(text) = reader.arrived()? {
            let frame = Frame::read(text)?;
            if frame.kind == "result" {
                let began = settle(&mut under_way, &frame, text)?;
                window.record(began);
            }
        }
    }
}

/// Finds the call that a result belongs to, checks the result, and returns when the call began.
fn settle(
    under_way: &mut Vec<(u64, Instant)>,
    frame: &Frame<'_>,
    text: &str,
) -> Result<Instant, Failure> {
    #[derive(Deserialize)]
    struct Said<'a> {
        text: &'a str,
    }
    let wrong = || Failure::answer("not the result of a call", text.as_bytes());
    let id = frame.request_id.and_then(|id| unquoted(id.get())).ok_or_else(wrong)?;
    let number: u64 = id.parse().map_err(|_| wrong())?;
    let at = under_way.iter().position(|(found, _)| *found == number).ok_or_else(wrong)?;
    let result = frame.result.ok_or_else(wrong)?;
    let said: Said<'_> = serde_json::from_str(result.get()).map_err(|_| wrong())?;
    if said.text.strip_prefix("message ") != Some(id) {
        return Err(wrong());
    }
    Ok(under_way.swap_remove(at).1)
}
