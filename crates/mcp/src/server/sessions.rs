//! Sessions over HTTP, of the revisions before 2026-07-28.
//!
//! The library's session manager does the work. Around it stands what it has
//! not: how long a session lives, how many there are, and list changes that are
//! told once. The library keeps what it sent on a session's stream and sends it
//! again on the next; a change is news only once, so changes go around it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_util::future::{Either, ready};
use futures_util::{Stream, StreamExt, stream};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, Extensions, JsonRpcMessage,
    ServerJsonRpcMessage, ServerNotification, ToolListChangedNotification,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager, local::LocalSessionManager,
};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};
use tokio_stream::wrappers::ReceiverStream;

use super::flights::{Flights, Taken};
use super::held::Held;
use super::watch::{Known, Told};
use super::{McpServer, client, lists};
use crate::profile::Profile;

/// Header that names a session.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";
/// Messages that wait for a stream whose client does not read.
const STREAM_CAPACITY: usize = 16;
/// How often it is looked for sessions that are over.
const SWEEP: Duration = Duration::from_secs(15);

/// How long sessions live and how many there are.
#[derive(Debug, Clone, Copy)]
pub struct SessionLimits {
    /// Most sessions at a time; for one more, the one idle for longest goes.
    pub max: usize,
    /// How long an idle session lives while its stream is open.
    pub idle_with_stream: Duration,
    /// How long an idle session lives while its stream is closed.
    pub idle_without_stream: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            max: 1000,
            idle_with_stream: Duration::from_secs(8 * 60 * 60),
            idle_without_stream: Duration::from_secs(10 * 60),
        }
    }
}

type Inner = LocalSessionManager;
type Failure = <Inner as SessionManager>::Error;

/// The sessions of one endpoint.
pub(super) struct Sessions {
    inner: Inner,
    server: McpServer,
    limits: SessionLimits,
    records: Mutex<Records>,
    this: Weak<Self>,
}

#[derive(Default)]
struct Records {
    sessions: HashMap<SessionId, Arc<Session>>,
    /// Whether a task looks for sessions that are over.
    swept: bool,
    /// Sessions that made room for others, and of which the log has yet to tell.
    made_room: usize,
}

/// What is known about one session.
struct Session {
    state: Mutex<State>,
    flights: Flights,
    /// Number of the stream that is told of changes: the newest that is open.
    newest: watch::Sender<u64>,
}

struct State {
    used: Instant,
    /// Requests that are being answered.
    busy: usize,
    streams: Vec<u64>,
    next_stream: u64,
    profile: Profile,
    /// What the client got with its latest list.
    told: Option<Told>,
    /// What it knows through the stream that is told of changes.
    known: Known,
}

impl Sessions {
    pub(super) fn new(server: McpServer, limits: SessionLimits) -> Arc<Self> {
        let mut inner = Inner::default();
        // Lifetimes are kept here.
        inner.session_config.keep_alive = None;
        Arc::new_cyclic(|this| Self {
            inner,
            server,
            limits,
            records: Mutex::default(),
            this: this.clone(),
        })
    }

    /// Notes what a client was told by the list it just got.
    pub(super) fn listed(&self, extensions: &Extensions, told: Told) {
        let parts = extensions.get::<http::request::Parts>();
        let id = parts.and_then(|parts| parts.headers.get(SESSION_HEADER));
        if let Some(session) = id.and_then(|id| self.find(id.to_str().ok()?)) {
            let mut state = session.state();
            state.told = Some(told);
            state.known.learn(told);
        }
    }

    /// Whether there is a session of this id.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    fn find(&self, id: &str) -> Option<Arc<Session>> {
        self.records().sessions.get(id).cloned()
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends one session if there are too many with the newcomer: of the others
    /// that answer nothing, without a stream first, the one that was used
    /// longest ago.
    async fn make_room(&self, newcomer: &SessionId) {
        let oldest = {
            let sessions = &self.records().sessions;
            if sessions.len() <= self.limits.max {
                return;
            }
            let order = |session: &Session| {
                let state = session.state();
                (state.busy > 0, !state.streams.is_empty(), state.used)
            };
            let others = sessions.iter().filter(|(id, _)| *id != newcomer);
            others.min_by_key(|(_, session)| order(session)).map(|(id, _)| Arc::clone(id))
        };
        if let Some(id) = oldest {
            self.records().made_room += 1;
            self.end(&id).await;
        }
    }

    /// Ends the sessions that are over, and tells of those that made room: once
    /// for many, since a crowd of clients closes thousands.
    async fn sweep(&self) {
        let closed = std::mem::take(&mut self.records().made_room);
        if closed > 0 {
            let max = self.limits.max;
            tracing::warn!(closed, max, "too many sessions; the oldest idle ones were closed");
        }
        let now = Instant::now();
        let over: Vec<_> = {
            let sessions = &self.records().sessions;
            let over =
                sessions.iter().filter(|(_, session)| session.state().is_over(now, &self.limits));
            over.map(|(id, _)| Arc::clone(id)).collect()
        };
        for id in over {
            tracing::debug!(session = %id, "session closed after being idle");
            self.end(&id).await;
        }
    }

    async fn end(&self, id: &SessionId) {
        if let Err(error) = self.close_session(id).await {
            tracing::debug!(session = %id, %error, "session was closed already");
        }
    }

    /// Sweeps as long as there are sessions.
    fn keep_sweeping(&self) {
        if std::mem::replace(&mut self.records().swept, true) {
            return;
        }
        let this = self.this.clone();
        tokio::spawn(async move {
            loop {
                sleep(SWEEP).await;
                let Some(sessions) = this.upgrade() else { return };
                sessions.sweep().await;
                let mut records = sessions.records();
                if records.sessions.is_empty() {
                    records.swept = false;
                    return;
                }
            }
        });
    }
}

impl Session {
    fn new(profile: Profile) -> Self {
        let state = State {
            used: Instant::now(),
            busy: 0,
            streams: Vec::new(),
            next_stream: 1,
            profile,
            told: None,
            known: Known::default(),
        };
        Self { state: Mutex::new(state), flights: Flights::default(), newest: watch::channel(0).0 }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_stream(self: &Arc<Self>) -> OpenStream {
        let mut state = self.state();
        let number = state.next_stream;
        state.next_stream += 1;
        state.streams.push(number);
        // What an earlier stream was told may not have arrived; what was listed did.
        state.known = state.told.map(Known::at).unwrap_or_default();
        state.used = Instant::now();
        self.newest.send_replace(number);
        OpenStream { session: Arc::clone(self), number }
    }

    fn begin(self: &Arc<Self>) -> Busy {
        let mut state = self.state();
        state.busy += 1;
        state.used = Instant::now();
        Busy(Arc::clone(self))
    }
}

impl State {
    fn is_over(&self, now: Instant, limits: &SessionLimits) -> bool {
        let limit = if self.streams.is_empty() {
            limits.idle_without_stream
        } else {
            limits.idle_with_stream
        };
        self.busy == 0 && now.duration_since(self.used) >= limit
    }
}

/// A request that is being answered.
struct Busy(Arc<Session>);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.busy -= 1;
        state.used = Instant::now();
    }
}

/// A stream for what belongs to no request.
struct OpenStream {
    session: Arc<Session>,
    number: u64,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut state = self.session.state();
        state.streams.retain(|number| *number != self.number);
        state.used = Instant::now();
        self.session.newest.send_replace(state.streams.iter().copied().max().unwrap_or(0));
    }
}

impl SessionManager for Sessions {
    type Error = Failure;
    type Transport = <Inner as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Failure> {
        let (id, transport) = self.inner.create_session().await?;
        let session = Arc::new(Session::new(Profile::NONE));
        self.records().sessions.insert(Arc::clone(&id), session);
        self.keep_sweeping();
        self.make_room(&id).await;
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        if let (Some(session), JsonRpcMessage::Request(request)) = (self.find(id), &message)
            && let ClientRequest::InitializeRequest(initialize) = &request.request
        {
            let profile = client::profile(Some(&initialize.params.capabilities));
            let told = self.server.surfaces().present().told(profile);
            let mut state = session.state();
            state.profile = profile;
            state.told = Some(told);
        }
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failure> {
        Ok(self.knows(id))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failure> {
        self.records().sessions.remove(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        let session = self.find(id);
        let flight =
            session.as_ref().map_or(Ok(None), |session| session.flights.begin(&mut message));
        let flight = match flight {
            Ok(flight) => flight,
            Err(taken) => return Ok(Either::Left(stream::once(ready(refused(taken))))),
        };
        let busy = session.map(|session| session.begin());
        let stream = self.inner.create_stream(id, message).await?;
        Ok(Either::Right(Held::new(stream, (busy, flight))))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Failure> {
        let _busy = self.find(id).map(|session| session.begin());
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        let inner = self.inner.create_standalone_stream(id).await?;
        Ok(self.with_changes(id, inner))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        // Events of a request carry its number; the others are those of the
        // session's own stream, which is simply opened again.
        if last_event_id.contains('/') {
            let guard = self.find(id).map(|session| session.begin());
            let stream = self.inner.resume(id, last_event_id).await?.map(lists::elsewhere);
            Ok(Either::Left(Held::new(stream, guard)))
        } else {
            let inner = self.inner.resume(id, last_event_id).await?;
            Ok(Either::Right(self.with_changes(id, inner)))
        }
    }
}

impl Sessions {
    /// The session's own stream, with list changes in it.
    fn with_changes(
        &self,
        id: &SessionId,
        inner: impl Stream<Item = ServerSseMessage> + Send + 'static,
    ) -> ReceiverStream<ServerSseMessage> {
        let (sender, receiver) = mpsc::channel(STREAM_CAPACITY);
        if let Some(session) = self.find(id) {
            let inner = inner.map(lists::elsewhere);
            tokio::spawn(pump(self.server.clone(), session.open_stream(), inner, sender));
        }
        ReceiverStream::new(receiver)
    }
}

/// Passes on what the library sends, and tells of changes as long as the
/// stream is the newest of its session.
async fn pump(
    server: McpServer,
    stream: OpenStream,
    inner: impl Stream<Item = ServerSseMessage>,
    sender: mpsc::Sender<ServerSseMessage>,
) {
    let mut inner = std::pin::pin!(inner);
    let mut newest = stream.session.newest.subscribe();
    let (profile, known) = {
        let state = stream.session.state();
        (state.profile, state.known.clone())
    };
    let surfaces = server.surfaces();
    let mut changes = surfaces.changes(profile, known);
    loop {
        let is_newest = *newest.borrow_and_update() == stream.number;
        let message = tokio::select! {
            biased;
            () = server.draining() => return,
            () = sender.closed() => return,
            message = inner.next() => message,
            change = changes.next(), if is_newest => change.map(|()| list_changed()),
            changed = newest.changed() => {
                if changed.is_err() {
                    return;
                }
                continue;
            }
        };
        let Some(message) = message else { return };
        if sender.send(message).await.is_err() {
            return;
        }
    }
}

fn refused(taken: Taken) -> ServerSseMessage {
    let error = ErrorData::invalid_request(format!("Invalid Request: {taken}"), None);
    ServerSseMessage::from_message(JsonRpcMessage::error(error, Some(taken.0)))
}

fn list_changed() -> ServerSseMessage {
    let changed = ToolListChangedNotification::default();
    ServerSseMessage::from_message(JsonRpcMessage::notification(
        ServerNotification::ToolListChangedNotification(changed),
    ))
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").field("open", &self.records().sessions.len()).finish()
    }
}
