//! `T42.Workspaces.Stream.*`: what happens to frames, workspaces, containers and windows.

use deskwire_connect::wire::{Method, Payload};
use deskwire_connect::{Client, Publisher, RegisterError, SubscriptionRequest};
use serde::Deserialize;
use serde_json::json;

use crate::workspaces::{Event, Level};

/// How long the name of a branch may be, in bytes.
const MAX_BRANCH: usize = 512;

/// The four streams.
#[derive(Debug)]
pub(crate) struct Streams {
    frame: Publisher,
    workspace: Publisher,
    container: Publisher,
    window: Publisher,
}

impl Streams {
    /// Tells whoever listens: to everything, or to one of those that an event is about or in.
    pub(crate) async fn tell(&self, events: Vec<Event>) {
        for event in events {
            let stream = self.stream(event.level);
            let branches: Vec<String> = event.branches().collect();
            let Event { action, payload, .. } = event;
            let data = Payload::from(json!({ "action": action, "payload": payload }));
            for branch in branches {
                if let Err(error) = stream.push_to(&branch, data.clone()).await {
                    tracing::warn!(%error, action, branch, "clients are not told of a change");
                }
            }
        }
    }

    const fn stream(&self, level: Level) -> &Publisher {
        match level {
            Level::Frame => &self.frame,
            Level::Workspace => &self.workspace,
            Level::Container => &self.container,
            Level::Window => &self.window,
        }
    }
}

/// Offers the streams.
///
/// # Errors
/// When the gateway refuses one.
pub(crate) async fn register(bus: &Client) -> Result<Streams, RegisterError> {
    Ok(Streams {
        frame: stream(bus, "T42.Workspaces.Stream.Frame").await?,
        workspace: stream(bus, "T42.Workspaces.Stream.Workspace").await?,
        container: stream(bus, "T42.Workspaces.Stream.Container").await?,
        window: stream(bus, "T42.Workspaces.Stream.Window").await?,
    })
}

async fn stream(bus: &Client, name: &str) -> Result<Publisher, RegisterError> {
    let stream = Method { name: name.into(), ..Method::default() };
    bus.register_stream(stream, accept).await
}

async fn accept(subscription: SubscriptionRequest) {
    #[derive(Deserialize)]
    struct Arguments {
        branch: String,
    }
    match subscription.arguments().read::<Arguments>("object with a `branch`") {
        Ok(Arguments { branch }) if is_branch(&branch) => {
            // `None` means that it has left meanwhile.
            let _left = subscription.accept_on(&branch).await;
        }
        Ok(Arguments { branch }) => {
            let branch: String = branch.chars().take(40).collect();
            let reason = format!(
                "there is no branch `{branch}`; a branch is `global` or `<level>_<id>`, where the level is \
                 frame, workspace, container or window"
            );
            subscription.reject(reason).await;
        }
        Err(error) => subscription.reject(error.to_string()).await,
    }
}

fn is_branch(branch: &str) -> bool {
    let names_level = |(level, id): (&str, &str)| {
        !id.is_empty() && Level::ALL.iter().any(|known| known.as_str() == level)
    };
    branch.len() <= MAX_BRANCH
        && (branch == "global" || branch.split_once('_').is_some_and(names_level))
}
