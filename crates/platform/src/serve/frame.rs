//! `Deskwire.Frame.*`: what pages that show workspaces call and hear. The README beside the crate has the
//! protocol.

use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Call, CallFailure, Client, Publisher, RegisterError, SubscriptionRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use crate::probe::{AT_ONCE, Subject};
use crate::workspaces::{
    Bounds, Desk, Edited, FrameId, Notice, Op, Refused, Report, Requests, RunningWindow, Turn,
    WindowId, WindowTicket, WorkspaceError, WorkspaceId, Workspaces, page,
};

/// How much of a snapshot goes into one event, in bytes. What is beyond follows, each workspace by
/// itself.
const SNAPSHOT: usize = 2 << 20;

/// The stream of events for pages.
#[derive(Debug)]
pub(crate) struct Pages(Publisher);

impl Pages {
    /// Accepts a page that holds the frame it names, and tells it how everything is.
    pub(crate) async fn listen(
        &self,
        desk: &Desk,
        frame: &FrameId,
        subscription: SubscriptionRequest,
    ) {
        let holder = desk.frames.get(frame).and_then(|frame| frame.holder());
        if holder != Some(subscription.caller()) {
            let reason = format!("not-yours: you do not hold frame {frame}; attach to it first");
            return subscription.reject(reason).await;
        }
        let Some(subscriber) = subscription.accept().await else { return };
        let frames: Vec<Value> =
            desk.frames.values().map(|frame| page::frame(desk, frame)).collect();
        let mut workspaces = Vec::new();
        let (mut further, mut length) = (Vec::new(), 0);
        for workspace in desk.workspaces.values() {
            let workspace = Payload::from(page::workspace(desk, workspace));
            length += workspace.len();
            if length <= SNAPSHOT {
                workspaces.push(workspace);
            } else {
                further.push(workspace);
            }
        }
        let snapshot = json!({ "type": "snapshot", "frames": frames, "workspaces": workspaces });
        let further = further.into_iter().map(told);
        for event in std::iter::once(snapshot).chain(further) {
            if let Err(error) = subscriber.push(event.into()).await {
                tracing::warn!(%error, %frame, "a page is not told how everything is");
            }
        }
    }

    /// Tells all pages.
    pub(crate) async fn tell(&self, desk: &Desk, notices: impl IntoIterator<Item = Notice>) {
        for notice in notices {
            let event = match &notice {
                Notice::Frame(id) => desk
                    .frames
                    .get(id)
                    .map(|frame| json!({ "type": "frame", "frame": page::frame(desk, frame) })),
                Notice::Workspace(id) => desk
                    .workspaces
                    .get(id)
                    .map(|workspace| told(page::workspace(desk, workspace).into())),
                Notice::WorkspaceClosed(id) => {
                    Some(json!({ "type": "workspace-closed", "workspaceId": id }))
                }
                Notice::FrameClosed(id) => Some(json!({ "type": "frame-closed", "frameId": id })),
            };
            let Some(event) = event else { continue };
            if let Err(error) = self.0.push(event.into()).await {
                tracing::warn!(%error, ?notice, "pages are not told of a change");
            }
        }
    }
}

fn told(workspace: Payload) -> Value {
    json!({ "type": "workspace", "workspace": workspace })
}

/// Offers the stream.
///
/// # Errors
/// When the gateway refuses it.
pub(crate) async fn register_events(
    bus: &Client,
    requests: Requests,
) -> Result<Pages, RegisterError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        frame_id: FrameId,
    }
    let stream = method("Deskwire.Frame.Events", "What happens to frames and workspaces.");
    let listen = move |subscription: SubscriptionRequest| {
        let requests = requests.clone();
        async move {
            match subscription.arguments().read::<Arguments>("object with a `frameId`") {
                Ok(Arguments { frame_id }) => requests.listen(frame_id, subscription).await,
                Err(error) => subscription.reject(format!("bad-arguments: {error}")).await,
            }
        }
    };
    Ok(Pages(bus.register_stream(stream, listen).await?))
}

const ATTACH: &str = "Deskwire.Frame.Attach";
const EDIT: &str = "Deskwire.Frame.Edit";
const CLAIM: &str = "Deskwire.Frame.Claim";
const WINDOW: &str = "Deskwire.Frame.Window";
const REPORT: &str = "Deskwire.Frame.Report";
const PROBE: &str = "Deskwire.Frame.Probe";

/// Offers the methods.
///
/// # Errors
/// When the gateway refuses one.
pub(crate) async fn register(workspaces: &Workspaces) -> Result<(), RegisterError> {
    let methods = [
        (ATTACH, "Takes a frame: the place of a page that shows workspaces."),
        (EDIT, "Changes a workspace of the caller's frame."),
        (CLAIM, "Brings a workspace to the caller's frame."),
        (WINDOW, "What a page needs to load the page of a window."),
        (REPORT, "What became of a window, or of the page."),
        (PROBE, "Why the page of a window does not show, as far as its server tells."),
    ];
    for (name, description) in methods {
        let handle = workspaces.clone();
        let answer = move |call: Call| {
            let workspaces = handle.clone();
            async move { answer(&workspaces, &call).await.map(Payload::from).map_err(failure) }
        };
        workspaces.bus().register(method(name, description), answer).await?.keep();
    }
    Ok(())
}

fn method(name: &str, description: &str) -> Method {
    Method { name: name.into(), description: Some(description.into()), ..Method::default() }
}

/// A refusal in the form of the protocol: its code, and the rest in words.
fn failure(error: WorkspaceError) -> CallFailure {
    let code = error.code();
    CallFailure {
        reason: format!("{code}: {error}"),
        context: Some(Payload::from(json!({ "code": code }))),
    }
}

async fn answer(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    match &*call.method {
        ATTACH => attach(workspaces, call).await,
        EDIT => edit(workspaces, call).await,
        CLAIM => claim(workspaces, call).await,
        WINDOW => window(workspaces, call),
        PROBE => probe(workspaces, call).await,
        _ => report(workspaces, call).await,
    }
}

async fn attach(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        frame_id: Option<FrameId>,
        bounds: Option<Bounds>,
        #[serde(default)]
        windows: Vec<Value>,
    }
    let Arguments { frame_id, bounds, windows } = arguments(call)?;
    // Whoever cannot say what runs in a window gets a new instance there.
    let running = windows.into_iter().map(serde_json::from_value::<RunningWindow>);
    let running: Vec<_> = running.filter_map(Result::ok).collect();
    let bounds = bounds.filter(Bounds::are_sound);
    let peer = call.caller.clone();
    let attach = move |turn: &mut Turn<'_>| turn.attach(&peer, frame_id.as_ref(), bounds, &running);
    let frame = workspaces.change_by(&call.caller, attach).await?;
    Ok(json!({ "frameId": frame }))
}

async fn edit(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        workspace_id: WorkspaceId,
        base_rev: u64,
        op: Value,
    }
    let Arguments { workspace_id, base_rev, op } = arguments(call)?;
    let op = Op::read(&op)?;
    let peer = call.caller.clone();
    let edit = move |turn: &mut Turn<'_>| turn.edit(&peer, &workspace_id, base_rev, &op);
    match workspaces.change_by(&call.caller, edit).await? {
        Edited::Applied(rev) => Ok(json!({ "status": "applied", "rev": rev })),
        Edited::Stale(workspace) => {
            let workspace = page::workspace(&workspaces.desk(), &workspace);
            Ok(json!({ "status": "stale", "workspace": workspace }))
        }
    }
}

async fn claim(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        workspace_id: WorkspaceId,
    }
    let Arguments { workspace_id } = arguments(call)?;
    let (peer, id) = (call.caller.clone(), workspace_id.clone());
    workspaces.change_by(&call.caller, move |turn| turn.claim(&peer, &id)).await?;
    let desk = workspaces.desk();
    let workspace = desk.workspaces.get(&workspace_id);
    let workspace = workspace.ok_or(Refused::UnknownWorkspace { workspace: workspace_id })?;
    Ok(json!({ "workspace": page::workspace(&desk, workspace) }))
}

fn window(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        window_id: WindowId,
    }
    let Arguments { window_id } = arguments(call)?;
    let (workspace, ticket) = ticket(workspaces, call, window_id)?;
    Ok(ticket.to_json(&workspace))
}

async fn probe(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        window_id: WindowId,
        origin: Option<String>,
    }
    let Arguments { window_id, origin } = arguments(call)?;
    let (_, ticket) = ticket(workspaces, call, window_id)?;
    let address = |text: &str| {
        let bad =
            |error: url::ParseError| Refused::BadArguments { reason: format!("`{text}`: {error}") };
        Url::parse(text).map_err(bad)
    };
    let desk = match &origin {
        Some(origin) => address(origin)?,
        None => own_origin(address(&ticket.gateway_url)?),
    };
    let url = address(&ticket.url)?;
    let subject =
        Subject { url, application: ticket.application, defined_at: ticket.defined_at, desk };
    match workspaces.probe().ask(&call.caller, &subject).await {
        Some(Ok(())) => Ok(json!({ "ok": true })),
        Some(Err(fault)) => Ok(fault.to_json()),
        None => Err(Refused::TooMany { what: "pages that are asked for", limit: AT_ONCE }.into()),
    }
}

/// Where this server shows the desk, by the address of its gateway.
fn own_origin(mut gateway: Url) -> Url {
    let scheme = if gateway.scheme() == "wss" { "https" } else { "http" };
    // These schemes may take each other's place.
    let _ = gateway.set_scheme(scheme);
    gateway
}

/// What the page of a window needs, for the page that shows it; and the workspace it is in.
fn ticket(
    workspaces: &Workspaces,
    call: &Call,
    window: WindowId,
) -> Result<(WorkspaceId, WindowTicket), Refused> {
    let (workspace, instance) = workspaces.desk().instance_for(&call.caller, &window)?;
    let ticket = workspaces.instances().ticket(&instance);
    let state = "its instance has just ended".into();
    Ok((workspace, ticket.ok_or(Refused::NotRunning { window, state })?))
}

async fn report(workspaces: &Workspaces, call: &Call) -> Result<Value, WorkspaceError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Arguments {
        window_id: Option<WindowId>,
        state: Option<State>,
        reason: Option<String>,
        title: Option<String>,
        bounds: Option<Bounds>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum State {
        Loaded,
        Failed,
        Closed,
    }
    let Arguments { window_id, state, reason, title, bounds } = arguments(call)?;
    let reason = reason.unwrap_or_else(|| "the page did not load".into());
    let state = state.map(|state| match state {
        State::Loaded => Report::Loaded,
        State::Failed => Report::Failed(reason),
        State::Closed => Report::Closed,
    });
    let reports: Vec<Report> = title.map(Report::Title).into_iter().chain(state).collect();
    if bounds.is_none() && (window_id.is_none() || reports.is_empty()) {
        let reason = "give `windowId` with `state` or `title`, or `bounds`".to_owned();
        return Err(Refused::BadArguments { reason }.into());
    }
    let peer = call.caller.clone();
    let report = move |turn: &mut Turn<'_>| {
        if let Some(bounds) = bounds {
            turn.set_bounds(&peer, bounds)?;
        }
        let Some(window) = window_id else { return Ok(()) };
        reports.into_iter().try_for_each(|report| turn.report(&peer, &window, report))
    };
    workspaces.change_by(&call.caller, report).await?;
    Ok(json!({}))
}

fn arguments<T: DeserializeOwned>(call: &Call) -> Result<T, Refused> {
    let read = serde_path_to_error::deserialize(call.arguments.value());
    read.map_err(|error| Refused::BadArguments { reason: error.to_string() })
}
