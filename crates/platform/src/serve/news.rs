//! The task behind `T42.ACS.OnEvent` and `apps.event`: what subscribers know,
//! and what they have to be told.
//!
//! Definitions are told as the difference between two catalogs, so a burst of
//! changes is one event. Instances are told one by one, as they come and go.

use std::sync::Arc;

use deskwire_catalog::Catalog;
use deskwire_connect::{Publisher, SubscriptionRequest};
use indexmap::IndexMap;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::{acs, apps_command};
use crate::apps::Apps;
use crate::running::{InstanceCommands, Running, RunningNews};

/// Somebody who wants to subscribe.
#[derive(Debug)]
pub(crate) enum Interested {
    /// To `T42.ACS.OnEvent`.
    Acs(SubscriptionRequest),
    /// To `apps.event`.
    Apps(SubscriptionRequest),
}

/// The streams that are told.
#[derive(Debug)]
pub(crate) struct Streams {
    /// `T42.ACS.OnEvent`.
    pub(crate) acs: Publisher,
    /// `apps.event`.
    pub(crate) apps: Publisher,
}

/// What subscribers know.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) catalog: Catalog,
    pub(crate) instances: IndexMap<String, Arc<Running>>,
}

impl Known {
    /// Takes in news of an instance. `None` when it is none to those who know what
    /// is known: clients take the coming of what they have, and the going of what
    /// they have not, badly.
    fn learn(&mut self, news: RunningNews) -> Option<RunningNews> {
        match news {
            RunningNews::Started(instance) => {
                let known = self.instances.insert(instance.id.clone(), Arc::clone(&instance));
                Some(match known {
                    None => RunningNews::Started(instance),
                    Some(_) => RunningNews::Updated(instance),
                })
            }
            RunningNews::Ready(instance) => {
                let known = self.instances.get_mut(&instance.id)?;
                *known = Arc::clone(&instance);
                Some(RunningNews::Ready(instance))
            }
            RunningNews::Updated(instance) => {
                let known = self.instances.get_mut(&instance.id)?;
                *known = Arc::clone(&instance);
                Some(RunningNews::Updated(instance))
            }
            RunningNews::Stopped { instance, reason } => {
                self.instances.shift_remove(&instance.id)?;
                Some(RunningNews::Stopped { instance, reason })
            }
            RunningNews::Failed { instance, reason } => {
                // One that was told as started has ended.
                Some(match self.instances.shift_remove(&instance.id) {
                    Some(_) => RunningNews::Stopped { instance, reason: Some(reason) },
                    None => RunningNews::Failed { instance, reason },
                })
            }
        }
    }

    /// What has to be learned to know what runs, whatever was missed.
    fn missed(&self, running: &[Arc<Running>]) -> Vec<RunningNews> {
        let gone = self
            .instances
            .values()
            .filter(|known| !running.iter().any(|one| one.id == known.id))
            .map(|known| RunningNews::Stopped { instance: Arc::clone(known), reason: None });
        let mut news: Vec<_> = gone.collect();
        for one in running {
            let known = self.instances.get(&one.id);
            if known.is_none() {
                news.push(RunningNews::Started(Arc::clone(one)));
            }
            if one.ready && !known.is_some_and(|known| known.ready) {
                news.push(RunningNews::Ready(Arc::clone(one)));
            } else if known.is_some_and(|known| known != one) {
                news.push(RunningNews::Updated(Arc::clone(one)));
            }
        }
        news
    }
}

/// Tells the streams of everything, for ever.
pub(crate) async fn tell(
    apps: Apps,
    instances: Arc<dyn InstanceCommands>,
    streams: Streams,
    mut interested: mpsc::Receiver<Interested>,
    event_bytes: usize,
) {
    let mut revision = apps.changes();
    let mut news = instances.news();
    let mut known = Known { catalog: apps.catalog(), instances: IndexMap::new() };
    for one in known.missed(&instances.running()) {
        known.learn(one);
    }
    loop {
        tokio::select! {
            biased;
            moved = revision.changed() => {
                if moved.is_err() {
                    return;
                }
                let now = apps.catalog();
                let moved = now.changes_since(&known.catalog).applications;
                acs::events::tell_moved(&streams.acs, &moved, event_bytes).await;
                apps_command::events::tell_moved(&streams.apps, &moved, &known.catalog, &apps).await;
                known.catalog = now;
            }
            next = news.recv() => {
                let all = match next {
                    Ok(one) => vec![one],
                    Err(RecvError::Lagged(_)) => known.missed(&instances.running()),
                    Err(RecvError::Closed) => return,
                };
                for one in all {
                    if let Some(one) = known.learn(one) {
                        acs::events::tell_running(&streams.acs, &one).await;
                        apps_command::events::tell_running(&streams.apps, &one).await;
                    }
                }
            }
            next = interested.recv() => match next {
                Some(Interested::Acs(request)) => acs::events::greet(request, &known, event_bytes).await,
                Some(Interested::Apps(request)) => apps_command::events::greet(request).await,
                None => return,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use deskwire_wire::Payload;

    use super::*;

    fn instance(id: &str, ready: bool) -> Arc<Running> {
        Arc::new(Running {
            id: id.into(),
            application: "app".into(),
            title: None,
            context: Payload::empty_object(),
            ready,
            started_ms: 1,
            started_by: None,
            process: None,
            peers: Vec::new(),
        })
    }

    fn names(news: impl IntoIterator<Item = RunningNews>) -> Vec<String> {
        news.into_iter()
            .map(|news| match news {
                RunningNews::Started(one) => format!("started {}", one.id),
                RunningNews::Ready(one) => format!("ready {}", one.id),
                RunningNews::Updated(one) => format!("updated {}", one.id),
                RunningNews::Stopped { instance, .. } => format!("stopped {}", instance.id),
                RunningNews::Failed { instance, .. } => format!("failed {}", instance.id),
            })
            .collect()
    }

    #[test]
    fn news_of_what_is_known_already_or_not_at_all_are_none() {
        let one = instance("1", false);
        let stopped = RunningNews::Stopped { instance: Arc::clone(&one), reason: None };
        let failed = RunningNews::Failed { instance: Arc::clone(&one), reason: "no".into() };
        let story = [
            RunningNews::Ready(Arc::clone(&one)),
            RunningNews::Updated(Arc::clone(&one)),
            stopped.clone(),
            RunningNews::Started(Arc::clone(&one)),
            RunningNews::Started(Arc::clone(&one)),
            RunningNews::Ready(Arc::clone(&one)),
            stopped.clone(),
            stopped,
            failed.clone(),
            RunningNews::Started(one),
            failed,
        ];
        let mut known = Known::default();
        let told = story.into_iter().filter_map(|news| known.learn(news));
        assert_eq!(
            names(told),
            [
                "started 1",
                "updated 1",
                "ready 1",
                "stopped 1",
                "failed 1",
                "started 1",
                "stopped 1"
            ]
        );
    }

    #[test]
    fn what_was_missed_is_found_in_what_runs() {
        let mut known = Known::default();
        for id in ["1", "2", "3"] {
            known.learn(RunningNews::Started(instance(id, false)));
        }
        let running = [instance("1", false), instance("3", true), instance("4", true)];
        let missed = known.missed(&running);
        assert_eq!(names(missed.clone()), ["stopped 2", "ready 3", "started 4", "ready 4"]);
        for news in missed {
            known.learn(news);
        }
        assert_eq!(known.missed(&running), []);
    }
}
