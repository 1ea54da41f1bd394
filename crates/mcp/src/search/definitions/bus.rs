//! Definitions from the platform on the bus.

use std::time::Duration;

use deskwire_catalog::{Catalog, SourceLabel, read_value};
use deskwire_connect::services::ServiceError;
use deskwire_connect::services::apps::{AppEvent, AppEvents};
use deskwire_connect::wire::Payload;
use deskwire_connect::{Client, SubscribeOptions, Subscription};
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::{Definitions, DefinitionsFeed};

/// Where the definitions are said to stand.
const LABEL: &str = "the platform on the bus";
const LAYOUT_EVENTS: &str = "T42.ACS.OnLayoutEvent";
/// Definitions that are asked for at once, so that an answer fits a frame.
const AT_ONCE: usize = 200;
/// How long changes are gathered before the platform is asked again.
const SETTLE: Duration = Duration::from_millis(100);
/// How long it is left alone after it did not answer.
const RETRY: Duration = Duration::from_secs(5);

/// The definitions of the platform on the bus, now and as they change, for as long as a
/// receiver is there. Joins no bus by itself.
///
/// # Panics
/// Outside a tokio runtime.
pub(crate) fn follow(bus: &Client) -> DefinitionsFeed {
    let (sender, receiver) = watch::channel(Definitions::default());
    let bus = bus.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = sender.closed() => {}
            () = keep_up(&bus, &sender) => {}
        }
    });
    receiver
}

async fn keep_up(bus: &Client, sender: &watch::Sender<Definitions>) {
    let mut directory = bus.directory_changes();
    let mut catalog = Catalog::default();
    loop {
        directory.mark_unchanged();
        if !bus.apps().available() {
            tell(sender, None);
            if directory.changed().await.is_err() {
                return;
            }
            continue;
        }
        // Before the questions, so that no change is missed.
        let mut news = News::subscribe(bus).await;
        loop {
            match ask(bus, &catalog).await {
                Ok(read) => {
                    catalog = read;
                    tell(sender, Some(catalog.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot learn what applications and workspaces are defined");
                    sleep(RETRY).await;
                    break;
                }
            }
            let goes_on = tokio::select! {
                () = gone(bus) => false,
                goes_on = news.next() => goes_on,
            };
            if !goes_on {
                break;
            }
            sleep(SETTLE).await;
            news.forget_queued();
        }
    }
}

/// Everything that is defined. What cannot be read is left out: its own platform says why.
async fn ask(bus: &Client, before: &Catalog) -> Result<Catalog, ServiceError> {
    let names: Vec<_> = bus.apps().list().await?.into_iter().map(|app| app.name).collect();
    let mut applications = Vec::new();
    for names in names.chunks(AT_ONCE) {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        applications.extend(bus.apps().definitions(Some(&names)).await?);
    }
    let layouts: Vec<Value> = if bus.layouts().available() {
        bus.layouts().list().await?.into_iter().map(|layout| layout.document).collect()
    } else {
        Vec::new()
    };
    let label = SourceLabel::new(LABEL);
    let sources = [
        read_value(&label, json!({ "applications": applications })),
        read_value(&label, json!({ "layouts": layouts })),
    ];
    Ok(before.succeed(sources))
}

fn tell(sender: &watch::Sender<Definitions>, catalog: Option<Catalog>) {
    sender.send_if_modified(|known| {
        let news = known.catalog.is_some() || catalog.is_some();
        if news {
            *known = Definitions { revision: known.revision + 1, catalog };
        }
        news
    });
}

/// Until the platform has left.
async fn gone(bus: &Client) {
    let mut directory = bus.directory_changes();
    loop {
        directory.mark_unchanged();
        if !bus.apps().available() || directory.changed().await.is_err() {
            return;
        }
    }
}

/// The streams that tell of changes; those that the platform has.
struct News {
    applications: Option<AppEvents>,
    layouts: Option<Subscription>,
}

impl News {
    async fn subscribe(bus: &Client) -> Self {
        let has_layouts = bus.directory().find(LAYOUT_EVENTS).next().is_some();
        let layouts = async {
            if !has_layouts {
                return None;
            }
            let options = SubscribeOptions::default();
            let wanted = bus.subscribe(LAYOUT_EVENTS, Payload::from(json!({})), options);
            timeout(RETRY, wanted).await.ok()?.ok()
        };
        Self { applications: bus.apps().events().await.ok(), layouts: layouts.await }
    }

    /// Waits for a change of definitions. False when the platform is to be asked anew.
    async fn next(&mut self) -> bool {
        let applications = async {
            let Some(events) = &mut self.applications else { return std::future::pending().await };
            loop {
                match events.next().await {
                    Some(
                        AppEvent::ApplicationAdded(_)
                        | AppEvent::ApplicationChanged(_)
                        | AppEvent::ApplicationRemoved(_),
                    ) => return true,
                    Some(_) => {}
                    None => return false,
                }
            }
        };
        let layouts = async {
            match &mut self.layouts {
                Some(events) => events.next().await.is_some(),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            goes_on = applications => goes_on,
            goes_on = layouts => goes_on,
        }
    }

    /// Drops what has come and was not read: it is in what is asked next.
    fn forget_queued(&mut self) {
        if let Some(events) = &mut self.applications {
            while let Some(Some(_)) = events.next().now_or_never() {}
        }
        if let Some(events) = &mut self.layouts {
            while let Some(Some(_)) = events.next().now_or_never() {}
        }
    }
}
