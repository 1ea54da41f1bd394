//! One publication to many subscribers.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::frame::Frame;
use super::peer::Peer;
use crate::failure::Failure;
use crate::load::{self, Lane, Lanes, Plan, Report, Window};

/// Who publishes to whom.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FanOut {
    /// URL of the gateway.
    #[arg(long)]
    url: String,
    /// Peers that subscribe, each on a socket of its own.
    #[arg(long, default_value_t = 100)]
    subscribers: usize,
    /// Publications that may be on their way to somebody.
    #[arg(long, default_value_t = 1)]
    in_flight: usize,
}

const STREAM: &str = "Bench.Load.Prices";

/// Publications on their way, oldest first.
#[derive(Debug, Default)]
struct UnderWay {
    /// Number of the oldest.
    first: u64,
    /// When each was sent, and how many have not got it yet.
    waiting: VecDeque<(Instant, usize)>,
}

/// Runs the load. One operation is one publication that all subscribers have got; each of them must get all,
/// in order.
pub(crate) async fn run(fan_out: &FanOut, plan: &Plan) -> Result<Report, Failure> {
    let mut publisher = Peer::join(&fan_out.url, "bench-publisher").await?;
    publisher.register(STREAM, true).await?;
    let mut subscribers = Vec::with_capacity(fan_out.subscribers);
    for _ in 0..fan_out.subscribers {
        subscribers.push(subscribe(&fan_out.url, &mut publisher).await?);
    }
    let (count, in_flight) = (subscribers.len(), fan_out.in_flight.max(1));
    load::run(plan, |window| {
        let under_way = Rc::new(RefCell::new(UnderWay::default()));
        let settled = Rc::new(Notify::new());
        let listener = |peer| -> Lane {
            let (window, under_way, settled) = (window.clone(), under_way.clone(), settled.clone());
            Box::pin(async move { listen(peer, &window, &under_way, &settled).await })
        };
        let serving = subscribers.into_iter().map(listener).collect();
        let window = Rc::clone(window);
        let publishing = async move {
            publish(publisher, count, in_flight, &window, &under_way, &settled).await
        };
        Lanes { asking: vec![Box::pin(publishing)], serving }
    })
    .await
}

/// A peer that the publisher has accepted on its one branch.
async fn subscribe(url: &str, publisher: &mut Peer) -> Result<Peer, Failure> {
    let mut peer = Peer::join(url, "bench-subscriber").await?;
    let stream = peer.find(Some(&publisher.id), STREAM).await?;
    let target =
        format!(r#""server_id":"{}","method_id":{},"arguments_kv":{{}}"#, stream.server, stream.id);
    peer.writer.queue(&peer.request("subscribe", "agm", "subscribe", &target));
    peer.writer.flush().await?;

    let interest = publisher
        .reader
        .until(|text| {
            let frame = Frame::read(text)?;
            let wanted = frame.subscription_id.filter(|_| frame.kind == "add-interest");
            Ok(wanted.map(str::to_owned))
        })
        .await?;
    let accepted = format!(r#""subscription_id":"{interest}","stream_id":"0""#);
    publisher.writer.queue(&publisher.request("accepted", "agm", "accepted", &accepted));
    publisher.writer.flush().await?;

    peer.reader.until(|text| Ok((Frame::read(text)?.kind == "subscribed").then_some(()))).await?;
    Ok(peer)
}

/// Publishes whenever fewer than `in_flight` publications are on their way, until the window closes.
async fn publish(
    mut peer: Peer,
    subscribers: usize,
    in_flight: usize,
    window: &Window,
    under_way: &RefCell<UnderWay>,
    settled: &Notify,
) -> Result<(), Failure> {
    let mut number = 0_u64;
    while !window.closed() {
        while under_way.borrow().waiting.len() < in_flight {
            let data = format!(
                r#""stream_id":"0","data":{{"number":{number},"symbol":"MSFT","price":415.25}}"#
            );
            peer.writer.queue(&peer.request("publish", "agm", "publish", &data));
            under_way.borrow_mut().waiting.push_back((Instant::now(), subscribers));
            number += 1;
        }
        peer.writer.queue_pongs(peer.reader.take_pings());
        peer.writer.flush().await?;
        settled.notified().await;
    }
    Ok(())
}

async fn listen(
    mut peer: Peer,
    window: &Window,
    under_way: &RefCell<UnderWay>,
    settled: &Notify,
) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Price {
        number: u64,
    }
    let mut expected = 0;
    loop {
        while let Some(text) = peer.reader.arrived()? {
            let frame = Frame::read(text)?;
            if frame.kind != "event" {
                continue;
            }
            let data = frame.data.map_or("", RawValue::get);
            let got = serde_json::from_str(data).map(|price: Price| price.number).ok();
            if got != Some(expected) {
                let what = format!("not publication {expected}");
                return Err(Failure::answer(&what, text.as_bytes()));
            }
            if under_way.borrow_mut().got(expected, window) {
                settled.notify_one();
            }
            expected += 1;
        }
        peer.writer.queue_pongs(peer.reader.take_pings());
        peer.writer.flush().await?;
        peer.reader.wait().await?;
    }
}

impl UnderWay {
    /// Notes that one subscriber got a publication; returns whether the oldest one is settled now.
    fn got(&mut self, number: u64, window: &Window) -> bool {
        let at = (number - self.first) as usize;
        if let Some((_, missing)) = self.waiting.get_mut(at) {
            *missing -= 1;
        }
        let mut settled = false;
        while let Some((began, 0)) = self.waiting.front() {
            window.record(*began);
            self.waiting.pop_front();
            self.first += 1;
            settled = true;
        }
        settled
    }
}
