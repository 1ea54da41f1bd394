//! The intents that applications are defined to handle, kept up with the platform.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::super::platform;
use super::{AppEvent, AppEvents, AppIntents, Apps, EVENTS, GET};
use crate::Client;

/// How long changes are gathered before the platform is asked again.
const SETTLE: Duration = Duration::from_millis(50);
/// How long it is left alone after it did not answer.
const RETRY: Duration = Duration::from_secs(5);

/// What is known of the intents that applications are defined to handle.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Declared {
    /// Nobody has been asked yet.
    #[default]
    Unknown,
    /// No platform is on the bus.
    NoPlatform,
    /// These.
    Known(Arc<[AppIntents]>),
}

impl Declared {
    /// The applications with their intents; none while they are not known.
    #[must_use]
    pub fn applications(&self) -> &[AppIntents] {
        match self {
            Self::Known(all) => all,
            Self::Unknown | Self::NoPlatform => &[],
        }
    }
}

impl Apps<'_> {
    /// The intents that applications are defined to handle, now and as that
    /// changes, for as long as a receiver is there.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn follow_intents(self) -> watch::Receiver<Declared> {
        let (sender, receiver) = watch::channel(Declared::default());
        let client = self.client.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = sender.closed() => {}
                () = follow(&client, &sender) => {}
            }
        });
        receiver
    }
}

async fn follow(client: &Client, sender: &watch::Sender<Declared>) {
    let mut directory = client.directory_changes();
    loop {
        directory.mark_unchanged();
        if !platform::offers(client, GET) {
            let gone = if on_bus(client) { Declared::NoPlatform } else { Declared::Unknown };
            tell(sender, gone);
            if directory.changed().await.is_err() {
                return;
            }
            continue;
        }
        // Before the question, so that no change is missed.
        let mut events = match platform::offers(client, EVENTS) {
            true => client.apps().events().await.ok(),
            false => None,
        };
        loop {
            match client.apps().intents().await {
                Ok(intents) => tell(sender, Declared::Known(intents.into())),
                Err(error) => {
                    tracing::warn!(%error, "cannot learn which intents applications handle");
                    sleep(RETRY).await;
                    break;
                }
            }
            let goes_on = news(client, &mut events).await;
            sleep(SETTLE).await;
            if !goes_on {
                break;
            }
            if let Some(events) = &mut events {
                events.forget_queued();
            }
        }
    }
}

/// Waits for a change of definitions. False when the platform is to be looked
/// for again.
async fn news(client: &Client, events: &mut Option<AppEvents>) -> bool {
    let mut directory = client.directory_changes();
    let gone = async {
        loop {
            directory.mark_unchanged();
            if !platform::offers(client, GET) || directory.changed().await.is_err() {
                return;
            }
        }
    };
    let changed = async {
        match events {
            Some(events) => loop {
                match events.next().await {
                    Some(
                        AppEvent::ApplicationAdded(_)
                        | AppEvent::ApplicationChanged(_)
                        | AppEvent::ApplicationRemoved(_),
                    ) => return true,
                    Some(_) => {}
                    None => return false,
                }
            },
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = gone => false,
        changed = changed => changed,
    }
}

fn on_bus(client: &Client) -> bool {
    client.directory().servers().any(|server| server.is_self)
}

fn tell(sender: &watch::Sender<Declared>, declared: Declared) {
    sender.send_if_modified(|known| {
        let news = *known != declared;
        if news {
            *known = declared;
        }
        news
    });
}
