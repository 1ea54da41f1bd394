//! What applications keep for their user, and who follows it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deskwire_connect::{Client, InvokeError, InvokeOptions, Target};
use deskwire_store::{Preference, StoreError};
use deskwire_wire::{Identity, Payload, date_from_millis};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::clock::now_ms;
use crate::limits::Limits;

/// The method by which clients are told.
const UPDATE: &str = "T42.Prefs.Update";

/// Names that begin like this are the platform's own, and no application's.
const OWN: &str = "Deskwire.";

/// Why nothing was done about preferences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PreferenceError {
    #[error("preferences of `{app}` have {bytes} bytes; at most {most} are kept")]
    TooLarge { app: String, bytes: usize, most: usize },
    #[error("`{app}` belongs to the platform; choose the name of an application")]
    Own { app: String },
    #[error("there are {most} subscriptions to preferences, which is the most")]
    TooMany { most: usize },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Preferences of the one user. Clones are handles of the same.
#[derive(Debug, Clone)]
pub(crate) struct Preferences {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: deskwire_store::Preferences,
    user: String,
    bus: Client,
    limits: Limits,
    stop: CancellationToken,
    followers: Mutex<Followers>,
}

#[derive(Debug, Default)]
struct Followers {
    all: HashMap<Follower, Following>,
    /// How many there may be before those who have left are looked for.
    sweep_at: usize,
}

#[derive(Debug)]
struct Following {
    wake: Arc<Notify>,
    stop: CancellationToken,
}

/// So few that nobody need be looked for.
const FEW: usize = 64;

/// An instance that follows the preferences of an application.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Follower {
    app: String,
    instance: String,
}

impl Preferences {
    /// `stop` ends what follows.
    pub(crate) fn new(
        store: deskwire_store::Preferences,
        user: &str,
        bus: Client,
        limits: Limits,
        stop: CancellationToken,
    ) -> Self {
        let inner =
            Inner { store, user: user.to_owned(), bus, limits, stop, followers: Mutex::default() };
        Self { inner: Arc::new(inner) }
    }

    /// What an application keeps, as clients are told of it.
    pub(crate) async fn get(&self, app: &str) -> Result<Payload, PreferenceError> {
        self.check(app)?;
        Ok(told(app, self.inner.store.get(&self.inner.user, app).await?.as_ref()))
    }

    /// What all applications keep.
    pub(crate) async fn all(&self) -> Result<Payload, PreferenceError> {
        let all = self.inner.store.all(&self.inner.user).await?;
        let all: Vec<_> = all
            .iter()
            .filter(|one| !one.app.starts_with(OWN))
            .map(|one| told(&one.app, Some(one)).value().clone())
            .collect();
        Ok(json!({ "all": all }).into())
    }

    /// Replaces what an application keeps, or merges into it, key by key. Returns
    /// when it is committed.
    pub(crate) async fn set(
        &self,
        app: &str,
        data: Map<String, Value>,
        merge: bool,
    ) -> Result<(), PreferenceError> {
        self.check(app)?;
        let text = Value::Object(data.clone()).to_string();
        let most = self.inner.limits.preference_bytes;
        if text.len() > most {
            return Err(PreferenceError::TooLarge { app: app.to_owned(), bytes: text.len(), most });
        }
        let (store, user) = (&self.inner.store, &self.inner.user);
        if merge {
            store.merge(user, app, &data, now_ms()).await?;
        } else {
            store.set(user, app, &text, now_ms()).await?;
        }
        self.wake(Some(app));
        Ok(())
    }

    /// Forgets what an application keeps.
    pub(crate) async fn clear(&self, app: &str) -> Result<(), PreferenceError> {
        self.check(app)?;
        self.inner.store.remove(&self.inner.user, app).await?;
        self.wake(Some(app));
        Ok(())
    }

    /// Forgets what all applications keep.
    pub(crate) async fn clear_all(&self) -> Result<(), PreferenceError> {
        let (store, user) = (&self.inner.store, &self.inner.user);
        for one in store.all(user).await?.iter().filter(|one| !one.app.starts_with(OWN)) {
            store.remove(user, &one.app).await?;
        }
        self.wake(None);
        Ok(())
    }

    /// Tells an instance what an application keeps, now and whenever it changes, for
    /// as long as the instance is on the bus. Changes that follow closely are told once.
    pub(crate) fn follow(&self, app: &str, instance: &str) -> Result<(), PreferenceError> {
        self.check(app)?;
        let follower = Follower { app: app.to_owned(), instance: instance.to_owned() };
        let mut followers = self.followers();
        if let Some(known) = followers.all.get(&follower) {
            known.wake.notify_one();
            return Ok(());
        }
        let most = self.inner.limits.preference_subscriptions;
        if followers.all.len() >= followers.sweep_at.min(most) {
            self.sweep(&mut followers);
        }
        if followers.all.len() >= most {
            return Err(PreferenceError::TooMany { most });
        }
        let wake = Arc::new(Notify::new());
        wake.notify_one();
        let stop = self.inner.stop.child_token();
        let following = Following { wake: Arc::clone(&wake), stop: stop.clone() };
        followers.all.insert(follower.clone(), following);
        let this = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = this.tell(&follower, &wake) => {
                    this.followers().all.remove(&follower);
                }
            }
        });
        Ok(())
    }

    /// Drops followers that have left the bus; each sweep pays for the growth since the last.
    fn sweep(&self, followers: &mut Followers) {
        let directory = self.inner.bus.directory();
        let here: HashSet<_> =
            directory.servers().filter_map(|server| server.identity.instance()).collect();
        followers.all.retain(|follower, following| {
            let stays = here.contains(follower.instance.as_str());
            if !stays {
                following.stop.cancel();
            }
            stays
        });
        followers.sweep_at = (followers.all.len() * 2).max(FEW);
    }

    /// What the platform itself keeps.
    pub(crate) async fn own(&self, what: &str) -> Result<Option<Value>, StoreError> {
        let kept = self.inner.store.get(&self.inner.user, &format!("{OWN}{what}")).await?;
        Ok(kept.and_then(|kept| serde_json::from_str(&kept.data).ok()))
    }

    /// Keeps something of the platform itself.
    pub(crate) async fn keep_own(&self, what: &str, data: &Value) -> Result<(), StoreError> {
        let app = format!("{OWN}{what}");
        self.inner.store.set(&self.inner.user, &app, &data.to_string(), now_ms()).await
    }

    /// Tells one follower, until it is found to have left the bus.
    async fn tell(&self, follower: &Follower, wake: &Notify) {
        loop {
            wake.notified().await;
            let kept = match self.inner.store.get(&self.inner.user, &follower.app).await {
                Ok(kept) => kept,
                Err(error) => {
                    tracing::warn!(app = follower.app, %error, "cannot tell of preferences");
                    continue;
                }
            };
            let within = self.inner.limits.preference_news_timeout;
            let options = InvokeOptions {
                target: Target::Instance(instance(&follower.instance)),
                response_timeout: within,
                wait_for_method: within,
            };
            let news = told(&follower.app, kept.as_ref());
            match self.inner.bus.invoke(UPDATE, news, options).await {
                Err(InvokeError::NoSuchMethod { .. }) => return,
                Err(error) => {
                    tracing::debug!(app = follower.app, %error, "cannot tell of preferences")
                }
                Ok(_answered) => {}
            }
        }
    }

    fn wake(&self, app: Option<&str>) {
        for (follower, following) in &self.followers().all {
            if app.is_none_or(|app| app == follower.app) {
                following.wake.notify_one();
            }
        }
    }

    fn followers(&self) -> MutexGuard<'_, Followers> {
        self.inner.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, app: &str) -> Result<(), PreferenceError> {
        if app.starts_with(OWN) {
            return Err(PreferenceError::Own { app: app.to_owned() });
        }
        Ok(())
    }
}

fn instance(id: &str) -> Identity {
    Identity::new(Map::from_iter([("instance".to_owned(), json!(id))]))
}

/// Preferences as clients are told of them.
fn told(app: &str, kept: Option<&Preference>) -> Payload {
    match kept {
        None => json!({ "app": app, "data": {} }).into(),
        Some(kept) => {
            let data: Value = serde_json::from_str(&kept.data).unwrap_or_else(|_| json!({}));
            let updated = i64::try_from(kept.updated_ms).unwrap_or(i64::MAX);
            json!({ "app": app, "data": data, "lastUpdate": date_from_millis(updated) }).into()
        }
    }
}
