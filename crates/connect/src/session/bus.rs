//! Topics: joined when first used, and again after a reconnect while there are
//! subscriptions.

use std::collections::{BTreeMap, HashMap};

use deskwire_wire::{AvailableDomain, CallId, ClientMessage, Domain, Identity, Payload};

use super::line::Outcome;
use super::pending::{Pending, success};
use super::{Phase, Reply, Session, answer};
use crate::RequestError;
use crate::bus::{Publication, TopicEvent};
use crate::mailbox::Outlet;

/// One topic subscription, for as long as its reader wants it.
pub(crate) type TopicKey = u64;

/// Our part in the bus domain.
#[derive(Debug, Default)]
pub(super) struct Bus {
    offered: bool,
    state: State,
    waiting: Vec<Reply<(), RequestError>>,
    topics: BTreeMap<TopicKey, Topic>,
    open: HashMap<CallId, TopicKey>,
    next: TopicKey,
}

#[derive(Debug, Default, PartialEq)]
enum State {
    #[default]
    Out,
    Joining,
    In,
}

#[derive(Debug)]
struct Topic {
    pattern: String,
    routing_key: Option<String>,
    outlet: Outlet<TopicEvent, RequestError>,
    reply: Option<Reply<(), RequestError>>,
    id: Option<CallId>,
}

impl Bus {
    pub(super) fn offered(&mut self, domains: &[AvailableDomain]) {
        self.offered = domains.iter().any(|domain| domain.uri == Domain::Bus.as_str());
    }

    pub(super) fn is_joined(&self) -> bool {
        self.state == State::In
    }

    pub(super) fn link_down(&mut self) {
        self.state = State::Out;
        self.open.clear();
        for reply in self.waiting.drain(..) {
            answer(reply, Err(RequestError::ConnectionLost));
        }
        for topic in self.topics.values_mut() {
            topic.id = None;
        }
    }

    pub(super) fn end(&mut self, error: &RequestError) {
        for topic in std::mem::take(&mut self.topics).into_values() {
            topic.end(error);
        }
    }
}

impl Topic {
    fn end(self, error: &RequestError) {
        if let Some(reply) = self.reply {
            answer(reply, Err(error.clone()));
        }
        self.outlet.end(error.clone());
    }
}

impl Session {
    /// Sees to it that topics can be used; the reply comes when they can.
    pub(crate) fn join_bus(&mut self, reply: Reply<(), RequestError>) {
        if let Err(error) = self.connected().and_then(|()| self.line.room()) {
            return answer(reply, Err(error));
        }
        match self.bus.state {
            State::In => answer(reply, Ok(())),
            State::Out if !self.bus.offered => {
                answer(reply, Err(RequestError::NotOffered(Domain::Bus.as_str())));
            }
            State::Out => {
                self.bus.waiting.push(reply);
                self.ask_to_join_bus();
            }
            State::Joining if self.bus.waiting.len() >= self.line.limits.pending_requests => {
                let limit = self.line.limits.pending_requests;
                answer(reply, Err(RequestError::TooManyPending { limit }));
            }
            State::Joining => self.bus.waiting.push(reply),
        }
    }

    /// Sends data to the subscribers of a topic. Needs the bus to be joined.
    ///
    /// # Errors
    /// When it cannot be sent.
    pub(crate) fn publish_topic(&mut self, publication: Publication) -> Result<(), RequestError> {
        self.connected()?;
        self.line.fits(&publication.data)?;
        let Publication { topic, data, routing_key, target } = publication;
        let message =
            ClientMessage::PublishTopic { topic, routing_key, target_identity: target, data };
        self.line.say(Domain::Bus, message);
        Ok(())
    }

    /// Subscribes to topics, over reconnects. Needs the bus to be joined.
    pub(crate) fn subscribe_topic(
        &mut self,
        pattern: String,
        routing_key: Option<String>,
        outlet: Outlet<TopicEvent, RequestError>,
        reply: Reply<(), RequestError>,
    ) -> TopicKey {
        let key = self.bus.next;
        self.bus.next += 1;
        let topic = Topic { pattern, routing_key, outlet, reply: Some(reply), id: None };
        if self.phase == Phase::Ended {
            topic.end(&RequestError::Closed);
            return key;
        }
        self.bus.topics.insert(key, topic);
        if self.bus.is_joined() {
            self.ask_for_topic(key);
        } else if self.phase == Phase::Ready {
            self.restore_bus();
        }
        key
    }

    /// The reader is gone.
    pub(crate) fn unsubscribe_topic(&mut self, key: TopicKey) {
        // Without an id yet, it is closed when the gateway has opened it.
        if let Some(id) = self.bus.topics.remove(&key).and_then(|topic| topic.id) {
            self.bus.open.remove(&id);
            self.close_topic(id);
        }
    }

    pub(super) fn restore_bus(&mut self) {
        if self.bus.state == State::Out && !self.bus.topics.is_empty() {
            if self.bus.offered {
                self.ask_to_join_bus();
            } else {
                self.end_topics(&RequestError::NotOffered(Domain::Bus.as_str()));
            }
        }
    }

    pub(super) fn bus_joined(&mut self, outcome: Outcome) {
        let result = success(outcome);
        self.bus.state = if result.is_ok() { State::In } else { State::Out };
        for reply in std::mem::take(&mut self.bus.waiting) {
            answer(reply, result.clone());
        }
        if let Err(error) = result {
            return self.end_topics(&error);
        }
        let topics = self.bus.topics.iter().filter(|(_, topic)| topic.id.is_none());
        let topics: Vec<TopicKey> = topics.map(|(key, _)| *key).collect();
        for key in topics {
            self.ask_for_topic(key);
        }
    }

    pub(super) fn topic_decided(&mut self, key: TopicKey, outcome: Outcome) {
        match (self.bus.topics.get_mut(&key), outcome) {
            (Some(topic), Outcome::Subscribed(id)) => {
                topic.id = Some(id.clone());
                if let Some(reply) = topic.reply.take() {
                    answer(reply, Ok(()));
                }
                self.bus.open.insert(id, key);
            }
            (Some(_), other) => {
                if let Some(topic) = self.bus.topics.remove(&key) {
                    topic.end(&other.into_refusal().into());
                }
            }
            (None, Outcome::Subscribed(id)) => self.close_topic(id),
            (None, _) => {}
        }
    }

    pub(super) fn topic_event(&mut self, id: &CallId, publisher: Identity, data: Payload) {
        let Some(topic) = self.bus.open.get(id).and_then(|key| self.bus.topics.get(key)) else {
            tracing::debug!(?id, "event of no topic of ours, dropped");
            return;
        };
        let bytes = data.len();
        topic.outlet.push(TopicEvent { publisher, data, missed: 0 }, bytes);
    }

    fn ask_to_join_bus(&mut self) {
        self.bus.state = State::Joining;
        let message = ClientMessage::Join { destination: Domain::Bus.as_str().to_owned() };
        self.line.ask(Domain::Global, message, Pending::JoinBus);
    }

    fn ask_for_topic(&mut self, key: TopicKey) {
        let Some(topic) = self.bus.topics.get(&key) else { return };
        let message = ClientMessage::SubscribeTopic {
            topic: topic.pattern.clone(),
            routing_key: topic.routing_key.clone(),
        };
        self.line.ask(Domain::Bus, message, Pending::SubscribeTopic(key));
    }

    fn close_topic(&mut self, id: CallId) {
        let message = ClientMessage::UnsubscribeTopic { subscription_id: id.clone() };
        self.line.ask(Domain::Bus, message, Pending::Unsubscribe(id));
    }

    fn end_topics(&mut self, error: &RequestError) {
        for topic in std::mem::take(&mut self.bus.topics).into_values() {
            topic.end(error);
        }
    }
}
