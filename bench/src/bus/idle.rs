//! What a peer costs that does nothing.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::{Notify, Semaphore};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep, timeout};

use super::frame::Frame;
use super::peer::Peer;
use crate::failure::{Doing, Failure};
use crate::proc::resident_kib;

/// Who idles where.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Idle {
    /// URL of the gateway.
    #[arg(long)]
    url: String,
    /// Peers, each on a socket of its own.
    #[arg(long, default_value_t = 2_000)]
    peers: usize,
    /// Process id of the gateway.
    #[arg(long)]
    pid: u32,
    /// Seconds after which it is given up.
    #[arg(long, default_value_t = 120)]
    limit: u64,
}

/// What was found. Printed as one line of JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Idled {
    peers: usize,
    resident_kib_before: u64,
    resident_kib_after: u64,
}

/// Peers that join at the same time.
const JOINING: usize = 32;
/// From the last announcement to the measurement, so that the gateway can let go of what it sent.
const SETTLING: Duration = Duration::from_secs(1);

/// Lets peers join, waits until each has heard of each other, and compares the gateway's memory.
pub(crate) async fn run(idle: &Idle) -> Result<Idled, Failure> {
    rlimit::increase_nofile_limit(u64::MAX).doing("raising the limit of open files")?;
    let before = resident_kib(idle.pid)?;
    let after = timeout(Duration::from_secs(idle.limit), LocalSet::new().run_until(join(idle)))
        .await
        .map_err(|_| Failure::TimedOut("the joining of all peers", idle.limit))??;
    Ok(Idled { peers: idle.peers, resident_kib_before: before, resident_kib_after: after })
}

/// Returns the gateway's memory with all peers there.
async fn join(idle: &Idle) -> Result<u64, Failure> {
    let mut peers = JoinSet::new();
    let crowd = Rc::new(Crowd {
        heard: Cell::new(0),
        progress: Notify::new(),
        doors: Semaphore::new(JOINING),
    });
    let first = Peer::join(&idle.url, APPLICATION).await?;
    let strangers = first.others;
    peers.spawn_local(idle_on(first, Rc::clone(&crowd)));
    for _ in 1..idle.peers {
        let (url, crowd) = (idle.url.clone(), Rc::clone(&crowd));
        peers.spawn_local(async move {
            let door = crowd.doors.acquire().await.map_err(|_| Failure::protocol("closed"))?;
            let peer = Peer::join(&url, APPLICATION).await?;
            drop(door);
            idle_on(peer, Rc::clone(&crowd)).await
        });
    }
    let all = idle.peers * (idle.peers - 1 + strangers);
    while crowd.heard.get() < all {
        tokio::select! {
            Some(ended) = peers.join_next() => return Err(match ended {
                Ok(Err(failure)) => failure,
                Ok(Ok(never)) => match never {},
                Err(error) => Failure::protocol(error.to_string()),
            }),
            () = crowd.progress.notified() => {}
        }
    }
    sleep(SETTLING).await;
    resident_kib(idle.pid)
}

const APPLICATION: &str = "bench-idle";

/// What the peers share.
struct Crowd {
    /// Announcements of a peer to another.
    heard: Cell<usize>,
    progress: Notify,
    doors: Semaphore,
}

/// Reads whatever comes.
async fn idle_on(mut peer: Peer, crowd: Rc<Crowd>) -> Result<Infallible, Failure> {
    let mut heard = peer.others;
    loop {
        while let Some(text) = peer.reader.arrived()? {
            heard += usize::from(Frame::read(text)?.kind == "peer-added");
        }
        crowd.heard.set(crowd.heard.get() + std::mem::take(&mut heard));
        crowd.progress.notify_one();
        peer.writer.queue_pongs(peer.reader.take_pings());
        peer.writer.flush().await?;
        peer.reader.wait().await?;
    }
}
