//! The shell around the broker: links on one side, effects on the other.
//!
//! The broker sits behind a mutex. Its effects are carried out under the same
//! lock, which is what keeps frames in order; none of them waits: frames go
//! into outboxes, and each link empties its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deskwire_wire::Identity;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::account::Account;
use crate::auth::Authenticator;
use crate::broker::{Broker, Effect, Event, LinkId, LinkInfo, LinkKind, NumberMap};
use crate::limits::Limits;
use crate::outbox::{Closing, Outbox};
use crate::tokens::Tokens;

/// What a gateway is for whom.
#[derive(Clone)]
pub struct Config {
    /// The one user that every login resolves to.
    pub user: String,
    /// What the login method `secret` must know; `None` accepts any secret, and
    /// logins without credentials.
    pub secret: Option<String>,
    /// The bounds.
    pub limits: Limits,
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config")
            .field("user", &self.user)
            .field("secret", &self.secret.as_ref().map(|_| ".."))
            .field("limits", &self.limits)
            .finish()
    }
}

/// Figures of the moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Open links.
    pub links: usize,
    /// Peers.
    pub peers: usize,
    /// Methods of all peers.
    pub methods: usize,
    /// Shared contexts.
    pub contexts: usize,
    /// Bytes that wait for all links.
    pub queued_bytes: usize,
    /// Frames that came in since the start.
    pub frames_in: u64,
    /// Frames and snapshots that went out since the start.
    pub frames_out: u64,
}

/// A gateway; clones are handles of the same one.
#[derive(Clone)]
pub struct Gateway {
    pub(crate) inner: Arc<Inner>,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

pub(crate) struct Inner {
    state: Mutex<State>,
    auth: Authenticator,
    tokens: Tokens,
    user: String,
    pub(crate) limits: Limits,
    /// The bytes of all that waits for links.
    waiting: Arc<Account>,
    next_link: AtomicU64,
    frames_in: AtomicU64,
    frames_out: AtomicU64,
    /// Every link's task.
    pub(crate) tasks: TaskTracker,
    /// No new link from now on.
    stopping: CancellationToken,
    /// A permit per socket.
    pub(crate) sockets: Arc<Semaphore>,
}

struct State {
    broker: Broker,
    links: NumberMap<LinkId, Open>,
}

struct Open {
    outbox: Arc<Outbox>,
    kind: LinkKind,
}

/// Links that take slower than they are fed, and are worth waiting for.
pub(crate) type Congested = Vec<Arc<Outbox>>;

impl Gateway {
    /// A gateway without links.
    #[must_use]
    pub fn new(config: Config, tokens: Tokens) -> Self {
        let node = format!("{:032x}", rand::random::<u128>());
        let broker = Broker::new(&node, config.user.clone(), config.limits.clone());
        Self::around(broker, config, tokens)
    }

    /// A gateway around a broker that may have peers already.
    pub(crate) fn around(broker: Broker, config: Config, tokens: Tokens) -> Self {
        let Config { user, secret, limits } = config;
        let sockets = limits.sockets.min(Semaphore::MAX_PERMITS);
        let waiting = broker.waiting().clone();
        let inner = Arc::new(Inner {
            state: Mutex::new(State { broker, links: NumberMap::default() }),
            auth: Authenticator::new(secret, tokens.clone()),
            tokens: tokens.clone(),
            user,
            limits,
            waiting,
            next_link: AtomicU64::new(1),
            frames_in: AtomicU64::new(0),
            frames_out: AtomicU64::new(0),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            sockets: Arc::new(Semaphore::new(sockets)),
        });
        let gateway = Arc::downgrade(&inner);
        tokens.on_revoke(move |instance| {
            if let Some(gateway) = gateway.upgrade() {
                gateway.dispatch(Event::Revoked { instance: instance.to_owned() });
            }
        });
        Self { inner }
    }

    /// The tokens it accepts.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.inner.tokens
    }

    /// Keeps names of applications for those whom credentials bind to them. Call it
    /// before others are let in: nobody is sent away for a name. `is_kept` is asked at
    /// each hello and must not wait. Only the first caller is heard.
    pub fn keep_names(&self, is_kept: impl Fn(&str) -> bool + Send + Sync + 'static) {
        self.inner.auth.keep_names(is_kept);
    }

    /// Peers from outside this process that no credentials bind to the application
    /// they call themselves, as everybody sees them.
    #[must_use]
    pub fn unverified(&self) -> Vec<Identity> {
        self.inner.lock().broker.unverified().cloned().collect()
    }

    /// Figures of the moment.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let (census, links) = {
            let state = self.inner.lock();
            (state.broker.census(), state.links.len())
        };
        Stats {
            links,
            peers: census.peers,
            methods: census.methods,
            contexts: census.contexts,
            queued_bytes: self.inner.waiting.used(),
            frames_in: self.inner.frames_in.load(Ordering::Relaxed),
            frames_out: self.inner.frames_out.load(Ordering::Relaxed),
        }
    }

    /// Closes every link, sockets with code 1001, and waits until they are gone.
    pub async fn shutdown(&self) {
        self.inner.stopping.cancel();
        {
            let state = self.inner.lock();
            for open in state.links.values() {
                open.outbox.close(Closing::new(1001, "the gateway is shutting down"));
            }
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }
}

impl Inner {
    /// A new link, or `None` while shutting down.
    pub(crate) fn open(&self, info: LinkInfo) -> Option<(LinkId, Arc<Outbox>)> {
        let limits = &self.limits;
        let bound = match info.kind {
            LinkKind::Socket => limits.queued_bytes_per_peer,
            // Sockets wait for it, but other in-process links do not.
            LinkKind::InProcess => limits.queued_bytes_total / 2,
        };
        let outbox = Outbox::new(bound, limits.high_water_bytes, &self.waiting);
        let outbox = Arc::new(outbox);
        let link = LinkId(self.next_link.fetch_add(1, Ordering::Relaxed));
        let mut state = self.lock();
        if self.stopping.is_cancelled() {
            return None;
        }
        state.links.insert(link, Open { outbox: outbox.clone(), kind: info.kind });
        state.broker.handle(Event::Opened { link, info });
        Some((link, outbox))
    }

    /// Whether a peer has come in over the link.
    pub(crate) fn has_peers(&self, link: LinkId) -> bool {
        self.lock().broker.has_peers(link)
    }

    /// The link is gone.
    pub(crate) fn closed(&self, link: LinkId) {
        let mut state = self.lock();
        state.links.remove(&link);
        self.settle(&mut state, Event::Closed { link }, None);
    }

    /// A frame came in over a link. Returns the links that should be waited for
    /// before the next one is read.
    pub(crate) fn received(&self, from: LinkId, event: Event) -> Congested {
        self.frames_in.fetch_add(1, Ordering::Relaxed);
        let mut state = self.lock();
        self.settle(&mut state, event, Some(from))
    }

    /// Hands an event to the broker and carries out what follows.
    pub(crate) fn dispatch(&self, event: Event) {
        let mut state = self.lock();
        self.settle(&mut state, event, None);
    }

    fn settle(&self, state: &mut State, event: Event, from: Option<LinkId>) -> Congested {
        let mut congested = Congested::new();
        let State { broker, links } = state;
        broker.handle(event);
        while let Some(effect) = broker.next_effect() {
            match effect {
                Effect::Deliver { link, outbound } => {
                    let Some(Open { outbox, kind }) = links.get(&link) else { continue };
                    self.frames_out.fetch_add(1, Ordering::Relaxed);
                    // Other sockets are not waited for: they are closed in time.
                    let full = outbox.push(outbound)
                        && (*kind == LinkKind::InProcess || Some(link) == from);
                    if full && !congested.iter().any(|known| Arc::ptr_eq(known, outbox)) {
                        congested.push(outbox.clone());
                    }
                    self.shorten(links);
                }
                Effect::Authenticate { hello, info, authentication } => {
                    let outcome =
                        self.auth.authenticate(&info, authentication.as_ref(), hello.claimed());
                    broker.handle(Event::Authenticated { hello, outcome });
                }
                Effect::Mint { request, application } => {
                    let outcome = self.tokens.mint_user(&self.user, application);
                    let outcome = outcome.map_err(|error| error.to_string());
                    broker.handle(Event::Minted { request, outcome });
                }
                Effect::Probe { link } => {
                    if let Some(open) = links.get(&link) {
                        open.outbox.probe();
                    }
                }
                Effect::Close { link, reason } => {
                    if let Some(open) = links.get(&link) {
                        open.outbox.close(Closing::new(1008, reason.to_string()));
                    }
                }
            }
        }
        congested
    }

    /// While too much waits for all links together, the longest queue goes: of
    /// the sockets, since in-process links have those who feed them wait.
    fn shorten(&self, links: &NumberMap<LinkId, Open>) {
        let bound = self.limits.queued_bytes_total;
        while self.waiting.used() > bound {
            let queues = links.values().map(|Open { outbox, kind }| {
                let bytes = outbox.weight();
                ((bytes > 0, *kind == LinkKind::Socket, bytes), outbox)
            });
            let Some(((true, ..), outbox)) = queues.max_by_key(|(rank, _)| *rank) else { return };
            let reason = format!("more than {bound} bytes wait for all peers, most of them for it");
            outbox.close(Closing::new(1013, reason));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
