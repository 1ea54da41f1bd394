//! Topic-based publish and subscribe.

use deskwire_wire::{CallId, Domain, Identity, Payload, ServerMessage, uri};

use super::event::Request;
use super::number::{CallNo, NumberMap};
use super::reply::{Refusal, deliver, named};
use super::topics::Topics;
use super::{Broker, PeerNo};
use crate::account::Held;
use crate::outbound::Shared;

/// All topic subscriptions.
#[derive(Debug, Default)]
pub(super) struct Bus {
    topics: Topics,
    subscriptions: NumberMap<CallNo, TopicSubscription>,
}

#[derive(Debug)]
struct TopicSubscription {
    id: CallId,
    subscriber: PeerNo,
    pattern: Box<str>,
    routing_key: Option<String>,
    _held: Held,
}

/// What a topic subscription takes besides its texts.
const TOPIC_BYTES: usize = size_of::<TopicSubscription>() + 256;
/// What a segment of a pattern takes.
const SEGMENT_BYTES: usize = 256;

impl Broker {
    pub(super) fn subscribe_topic(
        &mut self,
        no: PeerNo,
        request: &Request,
        pattern: &str,
        routing_key: Option<String>,
    ) -> Result<(), Refusal> {
        self.check_topic(pattern, routing_key.as_deref())?;
        let subscriber = self.on_bus(no)?;
        let text = 2 * pattern.len() + routing_key.as_ref().map_or(0, String::len);
        let segments = pattern.split('.').count() * SEGMENT_BYTES;
        let held = subscriber.account.hold(TOPIC_BYTES + text + segments)?;
        let (number, id) = CallNo::next(&mut self.call_names);
        if let Some(subscriber) = self.peers.get_mut(&no) {
            subscriber.topics.insert(number);
        }
        self.bus.topics.insert(pattern, number);
        let subscription_id = id.clone();
        let pattern = pattern.into();
        self.bus.subscriptions.insert(
            number,
            TopicSubscription { id, subscriber: no, pattern, routing_key, _held: held },
        );
        self.reply(request, ServerMessage::Subscribed { subscription_id });
        Ok(())
    }

    /// Has no answer. The publisher hears itself if it is subscribed.
    pub(super) fn publish_topic(
        &mut self,
        no: PeerNo,
        topic: &str,
        routing_key: Option<&str>,
        target: Option<&Identity>,
        data: Payload,
    ) -> Result<(), Refusal> {
        self.check_topic(topic, routing_key)?;
        self.on_bus(no)?;
        let Some(publisher) = self.roster.get(no) else { return Ok(()) };
        let Bus { topics, subscriptions } = &self.bus;
        let content = self.content(ServerMessage::TopicEvent {
            subscription_id: CallId::from(""),
            publisher_identity: publisher.identity.clone(),
            data,
        });
        for subscription in topics.matching(topic).iter().filter_map(|no| subscriptions.get(no)) {
            let routed = match (&subscription.routing_key, routing_key) {
                (Some(wanted), Some(given)) => wanted == given,
                _ => true,
            };
            let Some(subscriber) = self.roster.get(subscription.subscriber) else { continue };
            if routed && target.is_none_or(|target| subscriber.identity.matches(target)) {
                let (to, id) = (subscriber.id.clone(), subscription.id.clone());
                let event = Shared::event(to, Domain::Bus, id, content.clone());
                deliver(&mut self.effects, subscriber.link, event);
            }
        }
        Ok(())
    }

    pub(super) fn unsubscribe_topic(
        &mut self,
        no: PeerNo,
        request: &Request,
        subscription: &CallId,
    ) -> Result<(), Refusal> {
        let number = self.call_names.call(subscription.as_str());
        let own = |number: &CallNo| {
            self.bus.subscriptions.get(number).is_some_and(|found| found.subscriber == no)
        };
        let Some(number) = number.filter(own) else {
            return Err(Refusal::new(
                uri::failure(Domain::Bus),
                format!("Unable to find subscription with id {}", named(subscription)),
            ));
        };
        if let Some(peer) = self.peers.get_mut(&no) {
            peer.topics.remove(&number);
        }
        self.bus.remove(number);
        self.done(request);
        Ok(())
    }

    /// Ends all topic subscriptions of a peer.
    pub(super) fn leave_bus(&mut self, no: PeerNo) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        peer.bus = false;
        for number in std::mem::take(&mut peer.topics) {
            self.bus.remove(number);
        }
    }

    fn check_topic(&self, topic: &str, routing_key: Option<&str>) -> Result<(), Refusal> {
        self.short_text(topic, "the topic")?;
        self.short_text(routing_key.unwrap_or_default(), "the routing key")
    }

    fn on_bus(&self, no: PeerNo) -> Result<&super::Peer, Refusal> {
        self.peers
            .get(&no)
            .filter(|peer| peer.bus)
            .ok_or_else(|| Refusal::new(uri::failure(Domain::Bus), "join the domain bus first"))
    }
}

impl Bus {
    fn remove(&mut self, number: CallNo) {
        if let Some(ended) = self.subscriptions.remove(&number) {
            self.topics.remove(&ended.pattern, number);
        }
    }
}
