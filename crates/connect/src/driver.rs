//! The task that keeps a session: connects, feeds it, and connects again.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use deskwire_wire::{ClientFrame, ServerFrame};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};

use crate::client::Status;
use crate::link::{Connector, Link};
use crate::session::{Phase, Session};
use crate::shared::Shared;
use crate::{ConnectError, Options, RequestError};

/// How often the gateway is shown that we live; it forgets silent peers after a minute.
const PING: Duration = Duration::from_secs(30);
/// Frames taken from the link at once. A burst this long is one change of the
/// directory to those who watch it.
const BURST: usize = 128;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// How a link ended.
enum End {
    /// By our own wish.
    Closed,
    /// Otherwise; `ready` if we had been a peer on it.
    Failed { error: ConnectError, ready: bool },
}

/// What a burst of frames has made of the session.
struct News {
    ready: bool,
    /// Generation of the directory.
    directory: u64,
}

/// Keeps a session from when it is woken until it is closed or refused for good.
pub(crate) async fn run<C: Connector>(shared: Arc<Shared>, connector: C, options: Options) {
    let last = tokio::select! {
        () = shared.awake.notified() => connect(&shared, &connector, &options).await,
        () = shared.closing.cancelled() => Status::Closed,
    };
    shared.with(|session| session.end(&RequestError::Closed));
    shared.status.send_replace(last);
}

/// Connects again and again; how that ended.
async fn connect<C: Connector>(shared: &Arc<Shared>, connector: &C, options: &Options) -> Status {
    let handshake = options.handshake_timeout;
    let mut attempt = 1;
    loop {
        let connecting = timeout(handshake, connector.connect(&options.limits));
        let link = tokio::select! {
            link = connecting => link.unwrap_or(Err(ConnectError::TimedOut { after: handshake })),
            () = shared.closing.cancelled() => return Status::Closed,
        };
        let (error, ready) = match link {
            Err(error) => (error, false),
            Ok(link) => match drive(shared, link, options).await {
                End::Closed => return Status::Closed,
                End::Failed { error, ready } => (error, ready),
            },
        };
        if error.is_final() {
            tracing::error!(gateway = connector.describe(), %error, "not trying again");
            return Status::Refused(error);
        }
        attempt = if ready { 1 } else { attempt + 1 };
        let wait = options.reconnect.wait(attempt - 1);
        tracing::info!(gateway = connector.describe(), %error, ?wait, "trying again");
        shared.status.send_replace(Status::Connecting { attempt, last_error: Some(error) });
        tokio::select! {
            () = sleep(wait) => {}
            () = shared.closing.cancelled() => return Status::Closed,
        }
    }
}

/// Serves one link until it ends.
async fn drive(shared: &Arc<Shared>, link: Link, options: &Options) -> End {
    let Link { frames, mut incoming } = link;
    shared.set_link(Some(frames.clone()));
    shared.with(Session::link_up);
    let end = serve(shared, &frames, &mut incoming, options).await;
    if matches!(end, End::Closed) {
        let goodbye = say_goodbye(shared, frames, &mut incoming);
        if timeout(GOODBYE, goodbye).await.is_err() {
            tracing::debug!("the gateway did not take our goodbye");
        }
    }
    shared.set_link(None);
    shared.with(Session::link_down);
    shared.announce_directory();
    end
}

async fn serve(
    shared: &Arc<Shared>,
    frames: &mpsc::Sender<ClientFrame>,
    incoming: &mut mpsc::Receiver<ServerFrame>,
    options: &Options,
) -> End {
    let mut ping = interval_at(Instant::now() + PING, PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut overdue = pin!(sleep(options.handshake_timeout));
    let mut closing = pin!(shared.closing.cancelled());
    let mut burst = Vec::with_capacity(BURST);
    let mut ready = false;
    let mut told = *shared.generation.borrow();
    let mut backlog = false;
    loop {
        tokio::select! {
            taken = incoming.recv_many(&mut burst, BURST) => {
                if taken == 0 {
                    return End::Failed { error: ConnectError::Lost, ready };
                }
                match shared.with(|session| hear(session, &mut burst)) {
                    Ok(News { ready: false, .. }) => {}
                    Ok(News { directory, .. }) => {
                        // Complete only now, and told before anybody is told that we are ready.
                        if directory != told {
                            told = directory;
                            shared.generation.send_replace(directory);
                        }
                        if !ready {
                            ready = true;
                            shared.announce_ready();
                        }
                    }
                    Err(error) => return End::Failed { error, ready },
                }
            }
            permit = frames.clone().reserve_owned(), if backlog => match permit {
                Ok(permit) => {
                    shared.flush(permit);
                    backlog = shared.with(|session| session.outgoing() > 0);
                }
                // What came before the end is still to be read.
                Err(_) => backlog = false,
            },
            () = shared.backlog.notified(), if !backlog => backlog = true,
            _ = ping.tick() => shared.with(Session::ping),
            () = &mut overdue, if !ready => {
                let error = ConnectError::TimedOut { after: options.handshake_timeout };
                return End::Failed { error, ready };
            }
            () = &mut closing => return End::Closed,
        }
    }
}

/// Feeds a burst of frames. An error when this link is of no use any more.
fn hear(session: &mut Session, burst: &mut Vec<ServerFrame>) -> Result<News, ConnectError> {
    for frame in burst.drain(..) {
        session.handle(frame);
    }
    let frames = session.outgoing();
    if frames > session.limits().outgoing_frames {
        return Err(ConnectError::NotReading { frames });
    }
    let ready = match session.phase() {
        Phase::Refused(error) => return Err(error.clone()),
        phase => *phase == Phase::Ready,
    };
    Ok(News { ready, directory: session.directory_generation() })
}

/// Tells the gateway that we leave by intent, and waits until it has closed
/// the link. All the while it is listened to: a gateway that waits for us to
/// read would never read.
async fn say_goodbye(
    shared: &Arc<Shared>,
    frames: mpsc::Sender<ClientFrame>,
    incoming: &mut mpsc::Receiver<ServerFrame>,
) {
    shared.with(Session::leave);
    while shared.with(|session| session.outgoing() > 0) {
        tokio::select! {
            permit = frames.clone().reserve_owned() => match permit {
                Ok(permit) => shared.flush(permit),
                Err(_) => return,
            },
            frame = incoming.recv() => if frame.is_none() { return },
        }
    }
    shared.set_link(None);
    drop(frames);
    while incoming.recv().await.is_some() {}
}
