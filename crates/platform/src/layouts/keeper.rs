//! The task that changes layouts, and tells `T42.ACS.OnLayoutEvent` of it.

use std::collections::BTreeMap;

use deskwire_catalog::{Catalog, LayoutKind, Moved};
use deskwire_connect::{Publisher, SubscriptionRequest};
use deskwire_store::{LayoutKey, Marker};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot, watch};

use super::document::from_store;
use super::plan::{Change, Plan, Write, plan};
use super::{LayoutError, Layouts};
use crate::apps::{Apps, LayoutName, Saved};
use crate::clock::now_ms;
use crate::limits::Limits;
use crate::serve::message::{batches, payload, raw};

/// What clients know their own requests by, among events.
#[derive(Debug, Clone)]
pub(crate) struct Token(Option<Value>);

impl Token {
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// The token of a request's data.
    pub(crate) fn of(data: &Map<String, Value>) -> Self {
        Self(data.get("token").filter(|token| !token.is_null()).cloned())
    }
}

/// What the keeper is asked.
#[derive(Debug)]
pub(super) enum Ask {
    Change {
        change: Change,
        token: Token,
        reply: oneshot::Sender<Result<(), LayoutError>>,
    },
    Mark {
        marker: Marker,
        layout: Option<LayoutName>,
        reply: oneshot::Sender<Result<(), LayoutError>>,
    },
    Restored {
        layout: LayoutName,
        token: Token,
    },
    Subscribe(SubscriptionRequest),
}

/// The keeper before it starts to work.
#[derive(Debug)]
pub(crate) struct Keeper {
    store: deskwire_store::Layouts,
    apps: Apps,
    limits: Limits,
    asks: mpsc::Receiver<Ask>,
    /// What subscribers know.
    told: Catalog,
    default: Option<LayoutKey>,
}

impl Keeper {
    /// Reads what is saved.
    pub(crate) async fn new(
        store: deskwire_store::Layouts,
        apps: Apps,
        limits: &Limits,
    ) -> Result<(Self, Layouts), LayoutError> {
        let (sender, asks) = mpsc::channel(limits.queued_requests);
        let mut saved = Vec::new();
        for row in store.all().await? {
            match from_store(&row) {
                Ok(layout) => saved.push(layout),
                Err(reason) => {
                    tracing::warn!(
                        name = row.name,
                        kind = row.kind,
                        reason,
                        "a saved layout cannot be read"
                    );
                }
            }
        }
        apps.set_saved(vec![Saved::All(saved)]);
        let default = store.marker(Marker::Default).await?;
        let handle = Layouts {
            apps: apps.clone(),
            store: store.clone(),
            asks: sender,
            limits: limits.clone(),
        };
        let told = Catalog::default();
        Ok((Self { store, apps, limits: limits.clone(), asks, told, default }, handle))
    }

    /// Works until every handle is gone.
    pub(crate) async fn run(mut self, stream: Publisher) {
        let mut revision: watch::Receiver<u64> = self.apps.changes();
        self.told = self.apps.catalog();
        loop {
            tokio::select! {
                biased;
                ask = self.asks.recv() => match ask {
                    Some(ask) => self.answer(ask, &stream).await,
                    None => return,
                },
                moved = revision.changed() => match moved {
                    Ok(()) => self.tell(&stream, &Token::none(), None, None).await,
                    Err(_) => return,
                },
            }
        }
    }

    async fn answer(&mut self, ask: Ask, stream: &Publisher) {
        match ask {
            Ask::Change { change, token, reply } => {
                let done = self.change(change).await;
                if let Ok(renamed) = &done {
                    self.tell(stream, &token, renamed.as_ref(), None).await;
                }
                let _caller_gone = reply.send(done.map(drop));
            }
            Ask::Mark { marker, layout, reply } => {
                let key = layout.map(|(kind, name)| LayoutKey { kind: kind.as_str().into(), name });
                let done = self.store.set_marker(marker, key.clone()).await;
                if done.is_ok() && marker == Marker::Default {
                    self.default = key;
                    push(stream, self.event(&Token::none(), BTreeMap::new())).await;
                }
                let _caller_gone = reply.send(done.map_err(LayoutError::from));
            }
            Ask::Restored { layout, token } => {
                self.tell(stream, &token, None, Some(&layout)).await;
            }
            Ask::Subscribe(request) => self.greet(request).await,
        }
    }

    /// Commits a change and puts it in force; what was renamed by it.
    async fn change(&self, change: Change) -> Result<Option<(LayoutName, String)>, LayoutError> {
        let planned = self.apps.with(|all| plan(change, all, self.limits.saved_layouts, now_ms()));
        let Plan { write, saved, renamed } = planned?;
        match write {
            Write::Put { layouts, import } => self.store.put_all(layouts, import).await?,
            Write::Remove((kind, name)) => {
                self.store.remove(kind.as_str(), &name).await?;
            }
            Write::Rename { layout: (kind, old), name } => {
                self.store.rename(kind.as_str(), &old, &name).await?;
            }
        }
        self.apps.set_saved(saved);
        Ok(renamed)
    }

    /// Brings subscribers from what they know to what is in force.
    async fn tell(
        &mut self,
        stream: &Publisher,
        token: &Token,
        renamed: Option<&(LayoutName, String)>,
        restored: Option<&LayoutName>,
    ) {
        let now = self.apps.catalog();
        let mut moved = now.changes_since(&self.told).layouts;
        self.told = now;
        let mut lists = BTreeMap::new();
        if let Some(((kind, old), new)) = renamed
            && take_renamed(&mut moved, kind, old, new)
        {
            let event = json!({ "Type": kind.as_str(), "OldName": old, "NewName": new });
            lists.insert("OnLayoutRenamed", vec![raw(&event)]);
        }
        let named =
            |kind: &LayoutKind, name: &str| raw(&json!({ "type": kind.as_str(), "name": name }));
        let removed: Vec<_> = moved.removed.iter().map(|one| named(&one.kind, &one.name)).collect();
        if !removed.is_empty() {
            lists.insert("OnLayoutRemoved", removed);
        }
        if let Some((kind, name)) = restored {
            lists.insert("OnLayoutRestored", vec![named(kind, name)]);
        }
        let added = moved.added.iter().map(|one| ("OnLayoutAdded", raw(&one.raw)));
        let changed = moved.changed.iter().map(|one| ("OnLayoutChanged", raw(&one.raw)));
        let records: Vec<_> = added.chain(changed).collect();
        if records.is_empty() && lists.is_empty() && token.0.is_none() {
            return;
        }
        let mut parts = batches(records, self.limits.event_bytes, |(_, record)| record.get().len());
        // The token goes last: whoever waits for it has heard of everything then.
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            push(stream, self.event(&Token::none(), by_list(part))).await;
        }
        lists.extend(by_list(last));
        push(stream, self.event(token, lists)).await;
    }

    async fn greet(&self, request: SubscriptionRequest) {
        let Some(subscriber) = request.accept().await else { return };
        let records: Vec<_> = self.told.layouts().iter().map(|one| raw(&one.raw)).collect();
        let mut parts = batches(records, self.limits.event_bytes, |record| record.get().len());
        if parts.is_empty() {
            parts.push(Vec::new());
        }
        for (index, part) in parts.into_iter().enumerate() {
            let lists = BTreeMap::from([("OnLayoutAdded", part)]);
            let mut event = self.event(&Token::none(), lists);
            if index == 0 {
                event.insert("IsSnapshot", raw(&true));
            }
            if let Err(error) = subscriber.push(payload(&event)).await {
                tracing::warn!(%error, "cannot tell a subscriber the layouts there are");
            }
        }
    }

    fn event(&self, token: &Token, lists: BTreeMap<&'static str, Vec<Box<RawValue>>>) -> Event {
        let mut event: Event = lists.into_iter().map(|(name, list)| (name, raw(&list))).collect();
        if let Some(token) = &token.0 {
            event.insert("Token", raw(token));
        }
        // Clients take an event that does not name the default layout as news that
        // there is none.
        if let Some(LayoutKey { kind, name }) = &self.default {
            event.insert("OnLayoutSelectedDefault", raw(&json!([{ "type": kind, "name": name }])));
        }
        event
    }
}

/// An event of the stream: its members, as text.
type Event = BTreeMap<&'static str, Box<RawValue>>;

fn by_list(
    records: Vec<(&'static str, Box<RawValue>)>,
) -> BTreeMap<&'static str, Vec<Box<RawValue>>> {
    let mut lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (list, record) in records {
        lists.entry(list).or_default().push(record);
    }
    lists
}

/// Takes a removal and an addition out that are a renaming; whether they were there.
fn take_renamed(
    moved: &mut Moved<deskwire_catalog::Layout>,
    kind: &LayoutKind,
    old: &str,
    new: &str,
) -> bool {
    let removed = moved.removed.iter().position(|one| one.kind == *kind && one.name == old);
    let added = moved.added.iter().position(|one| one.kind == *kind && one.name == new);
    let (Some(removed), Some(added)) = (removed, added) else { return false };
    moved.removed.remove(removed);
    moved.added.remove(added);
    true
}

async fn push(stream: &Publisher, event: Event) {
    if let Err(error) = stream.push(payload(&event)).await {
        tracing::warn!(%error, "cannot tell of layouts");
    }
}

impl Layouts {
    /// Hands a subscriber of the stream to the keeper.
    pub(crate) async fn subscribe(&self, request: SubscriptionRequest) {
        // A request that is dropped has been refused.
        let _stopping = self.asks.send(Ask::Subscribe(request)).await;
    }
}
