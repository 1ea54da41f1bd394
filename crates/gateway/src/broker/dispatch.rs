//! From a frame to the one function that does what it asks.

use deskwire_wire::{ClientFrame, ClientMessage, DecodeError, Domain, uri};

use super::calls::Payloads;
use super::event::Request;
use super::reply::{Refusal, named};
use super::streams::Reason;
use super::{Broker, LinkId, PeerNo};

impl Broker {
    /// A frame came: find whom it speaks for, do what it asks, answer.
    pub(super) fn frame(&mut self, link: LinkId, frame: ClientFrame) {
        let ClientFrame { domain, request_id, peer_id, message } = frame;
        let domain = domain.unwrap_or(Domain::Global);
        let request = Request { link, domain, peer: peer_id, id: request_id };
        let outcome = match message {
            ClientMessage::Ping | ClientMessage::Metrics => return,
            ClientMessage::Hello { identity, authentication } => {
                let request = Request { peer: None, ..request };
                return self.hello(request, identity, authentication);
            }
            // It has no answer, and somebody waits for it.
            ClientMessage::Yield { invocation_id, result } => {
                self.speaker(&request).map(|peer| self.result(peer, &invocation_id, result))
            }
            message => self.check_id(&request).and_then(|()| {
                let peer = self.speaker(&request)?;
                self.request(peer, &request, message)
            }),
        };
        if let Err(refusal) = outcome {
            self.refuse(&request, refusal);
        }
    }

    /// The id of a request is kept while the request waits.
    pub(super) fn check_id(&self, request: &Request) -> Result<(), Refusal> {
        match &request.id {
            Some(id) => self.short(id, "the id of a request"),
            None => Ok(()),
        }
    }

    /// The peer that a frame speaks for, which must be one of its link's.
    fn speaker(&self, request: &Request) -> Result<PeerNo, Refusal> {
        let failure = uri::failure(request.domain);
        let Some(name) = &request.peer else {
            return Err(Refusal::new(failure, "Peer id is missing"));
        };
        let known = self.peer_names.peer(name.as_str());
        match known.and_then(|no| self.peers.get(&no).map(|peer| (no, peer.link))) {
            Some((no, link)) if link == request.link => Ok(no),
            Some(_) => Err(Refusal::new(
                uri::failure(Domain::Global),
                format!(
                    "The original source of peer {} doesnt match the current source",
                    named(name)
                ),
            )
            .without_domain()),
            None => {
                Err(Refusal::new(failure, format!("Unable to find peer with id {}", named(name))))
            }
        }
    }

    /// Does what a peer asks; what has an answer is answered on the way.
    fn request(
        &mut self,
        peer: PeerNo,
        request: &Request,
        message: ClientMessage,
    ) -> Result<(), Refusal> {
        match message {
            ClientMessage::Hello { .. }
            | ClientMessage::Ping
            | ClientMessage::Metrics
            | ClientMessage::Yield { .. } => Ok(()),
            ClientMessage::Join { destination } => self.join(peer, request, &destination),
            ClientMessage::Leave { destination } => self.leave(peer, request, &destination),
            ClientMessage::CreateToken => self.create_token(peer, request),
            ClientMessage::Register { methods } => self.register(peer, request, methods),
            ClientMessage::Unregister { methods } => self.unregister(peer, request, methods),
            ClientMessage::Call { server_id, method_id, arguments, arguments_kv, context } => {
                let payloads = Payloads { arguments, arguments_kv, context };
                self.call(peer, request, &server_id, method_id, payloads)
            }
            ClientMessage::Error { reason_uri, reason, context } => {
                self.failed(peer, request, reason_uri, reason, context);
                Ok(())
            }
            ClientMessage::Subscribe {
                server_id,
                method_id,
                arguments,
                arguments_kv,
                flags,
                context,
            } => {
                let payloads = Payloads { arguments, arguments_kv, context };
                self.subscribe(peer, request, &server_id, method_id, payloads, flags)
            }
            ClientMessage::Accepted { subscription_id, stream_id } => {
                let accepted = self.accepted(peer, &subscription_id, stream_id);
                if let Err(refusal) = &accepted {
                    self.answered_in_vain(peer, &subscription_id, refusal.reason());
                }
                accepted
            }
            ClientMessage::Publish { stream_id, sequence, snapshot, data } => {
                self.publish(peer, &stream_id, sequence, snapshot, data);
                Ok(())
            }
            ClientMessage::Post { subscription_id, sequence, snapshot, data } => {
                self.post(peer, &subscription_id, sequence, snapshot, data);
                Ok(())
            }
            ClientMessage::Unsubscribe { subscription_id, reason_uri, reason } => {
                let reason = Reason { uri: reason_uri, text: reason };
                self.unsubscribe(peer, request, &subscription_id, reason)
            }
            ClientMessage::DropSubscription { subscription_id, reason_uri, reason } => {
                let reason = Reason { uri: reason_uri, text: reason };
                self.drop_subscription(peer, request, &subscription_id, reason);
                Ok(())
            }
            ClientMessage::CreateContext { name, data, lifetime } => {
                self.create_context(peer, request, &name, &data, lifetime.as_deref())
            }
            ClientMessage::SubscribeContext { context_id } => {
                self.subscribe_context(peer, request, &context_id)
            }
            ClientMessage::UnsubscribeContext { context_id } => {
                self.unsubscribe_context(peer, request, &context_id)
            }
            ClientMessage::UpdateContext { context_id, delta } => {
                self.update_context(peer, request, &context_id, &delta)
            }
            ClientMessage::DestroyContext { context_id } => {
                self.destroy_context(peer, request, &context_id)
            }
            ClientMessage::SubscribeTopic { topic, routing_key } => {
                self.subscribe_topic(peer, request, &topic, routing_key)
            }
            ClientMessage::PublishTopic { topic, routing_key, target_identity, data } => {
                let (key, target) = (routing_key.as_deref(), target_identity.as_ref());
                self.publish_topic(peer, &topic, key, target, data)
            }
            ClientMessage::UnsubscribeTopic { subscription_id } => {
                self.unsubscribe_topic(peer, request, &subscription_id)
            }
        }
    }

    /// Answers what cannot be read.
    pub(super) fn unreadable(&mut self, link: LinkId, error: &DecodeError) {
        let head = error.head().cloned().unwrap_or_default();
        let domain = head.domain.unwrap_or(Domain::Global);
        let reason_uri = match error {
            DecodeError::Missing { .. } | DecodeError::Shape { .. } if head.kind.is_some() => {
                uri::failure(domain)
            }
            _ => uri::unhandled_message(domain),
        };
        let waits_for_it = match (domain, head.kind.as_deref()) {
            (Domain::Agm, Some("yield" | "accepted")) => head.call_id,
            (Domain::Agm, Some("error")) => {
                head.request_id.as_ref().map(|id| id.to_string().into())
            }
            _ => None,
        };
        let request = Request { link, domain, peer: head.peer_id, id: head.request_id };
        if let (Some(call), Ok(peer)) = (waits_for_it, self.speaker(&request)) {
            self.answered_in_vain(peer, &call, &error.to_string());
        }
        self.refuse(&request, Refusal::new(reason_uri, error.to_string()));
    }
}
