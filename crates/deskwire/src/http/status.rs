//! `GET /api/status?as=sampling,elicitation,ui`: how things stand, in figures.
//!
//! With `Accept: text/event-stream` the same as events: the first at once, then one for each change.
//! `revision` moves exactly when `/api/diagnostics` would answer the same client differently, so
//! whoever shows that knows when to ask again.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{FromRef, Query, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use deskwire_gateway::Gateway;
use deskwire_mcp::{Profile, SurfaceChanges};
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::diagnostics::{Asked, Known};

/// Those who may listen at a time.
const MOST_LISTENERS: usize = 64;

/// How long changes are gathered: applications that start register their methods one by one.
const GATHERED: Duration = Duration::from_millis(250);

/// A listener hears something within this time, so that it notices a lost connection.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Who knows how things stand.
#[derive(Clone)]
pub(super) struct Overview {
    known: Known,
    gateway: Gateway,
    listeners: Arc<Semaphore>,
}

impl Overview {
    pub(super) fn new(known: Known, gateway: Gateway) -> Self {
        Self { known, gateway, listeners: Arc::new(Semaphore::new(MOST_LISTENERS)) }
    }
}

impl FromRef<Overview> for Known {
    fn from_ref(overview: &Overview) -> Self {
        overview.known.clone()
    }
}

/// How things stand, for one kind of client.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    version: &'static str,
    peers: usize,
    tools: Tools,
    /// Applications, workspaces and intents that search leaves out.
    left_out: usize,
    revision: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Tools {
    visible: usize,
    /// Without those that this version does not have.
    withheld: usize,
}

impl Overview {
    fn status(&self, profile: Profile) -> Status {
        let findings = self.known.findings(profile);
        // Findings are plain data, which becomes JSON without fail.
        let answer = serde_json::to_vec(&findings.all()).unwrap_or_default();
        let digest = Sha256::digest(answer);
        Status {
            version: env!("CARGO_PKG_VERSION"),
            peers: self.gateway.stats().peers,
            tools: Tools {
                visible: self.known.mcp.surface().view(profile).len(),
                withheld: findings.withheld_tools(),
            },
            left_out: findings.left_out(),
            revision: digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    fn changes(&self) -> Changes {
        let desktop = self.known.desktop.as_ref();
        Changes {
            surface: self.known.mcp.surface_changes(),
            desktop: desktop.map(crate::desktop::Desktop::changes),
        }
    }
}

pub(super) async fn show(
    State(overview): State<Overview>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let profile = match asked.profile() {
        Ok(profile) => profile,
        Err(unknown) => return unknown.into_response(),
    };
    if !wants_events(&headers) {
        return Json(overview.status(profile)).into_response();
    }
    match Arc::clone(&overview.listeners).try_acquire_owned() {
        Ok(permit) => events(overview, profile, permit),
        Err(_) => {
            let message =
                format!("{MOST_LISTENERS} listen already; close one, or ask without events");
            let error = json!({ "code": "too_many_listeners", "message": message });
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": error }))).into_response()
        }
    }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| {
        kind.split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
    })
}

fn events(overview: Overview, profile: Profile, permit: OwnedSemaphorePermit) -> Response {
    let listener = Listener { changes: overview.changes(), overview, profile, told: None, permit };
    let events = stream::unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok::<_, Infallible>(event), listener))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response()
}

/// One who is told of changes.
struct Listener {
    overview: Overview,
    profile: Profile,
    changes: Changes,
    told: Option<Status>,
    #[expect(dead_code, reason = "it is held for as long as the listener is")]
    permit: OwnedSemaphorePermit,
}

impl Listener {
    /// The next that differs from what it was told. `None` when the server stops.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if self.told.is_some() {
                self.changes.gathered().await?;
            }
            let status = self.overview.status(self.profile);
            if self.told.as_ref() != Some(&status) {
                let event = Event::default().json_data(&status).ok()?;
                self.told = Some(status);
                return Some(event);
            }
        }
    }
}

/// What moves the figures.
struct Changes {
    /// Ends when the server stops.
    surface: SurfaceChanges,
    /// Definitions, and who is on the bus.
    desktop: Option<[watch::Receiver<u64>; 2]>,
}

impl Changes {
    /// Waits for a change, and gathers those that follow at once. `None` when the server stops.
    async fn gathered(&mut self) -> Option<()> {
        let further = async {
            match &mut self.desktop {
                Some([one, other]) => tokio::select! {
                    moved = one.changed() => moved.ok(),
                    moved = other.changed() => moved.ok(),
                },
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            moved = self.surface.next() => moved,
            moved = further => moved,
        }?;
        // A change within this time is seen now and wakes once more, for nothing.
        tokio::time::sleep(GATHERED).await;
        Some(())
    }
}
