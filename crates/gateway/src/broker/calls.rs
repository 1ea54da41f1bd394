//! Invocations: call, result, and what becomes of a call whose callee goes.

use deskwire_wire::{CallId, Domain, Id, Payload, PeerId, ServerMessage, shown_name, uri};

use super::event::Request;
use super::number::CallNo;
use super::reply::{Refusal, named};
use super::{Broker, PeerNo};
use crate::account::Held;

/// A call that waits for its result.
#[derive(Debug)]
pub(super) struct PendingCall {
    caller: PeerNo,
    callee: PeerNo,
    method: Id,
    request_id: Option<Id>,
    _held: Held,
}

/// What a pending call takes besides the ids a client chose.
const CALL_BYTES: usize = size_of::<PendingCall>() + 64;

/// The payloads of a call, relayed unread.
#[derive(Debug)]
pub(super) struct Payloads {
    pub(super) arguments: Option<Payload>,
    pub(super) arguments_kv: Option<Payload>,
    pub(super) context: Option<Payload>,
}

impl Payloads {
    /// Arguments come by position or by name.
    pub(super) fn check(&self, failure: &'static str) -> Result<(), Refusal> {
        let given = |payload: &Option<Payload>| payload.as_ref().is_some_and(|p| !p.is_empty());
        if given(&self.arguments) && given(&self.arguments_kv) {
            let reason = "Cant use positional and by-name arguments at the same time";
            return Err(Refusal::new(failure, reason));
        }
        Ok(())
    }
}

impl Broker {
    pub(super) fn call(
        &mut self,
        no: PeerNo,
        request: &Request,
        server: &PeerId,
        method: Id,
        payloads: Payloads,
    ) -> Result<(), Refusal> {
        let callee = self.server_of(no, server, &method, uri::INVOCATION_FAILURE)?;
        payloads.check(uri::INVOCATION_FAILURE)?;
        let oldest = self.peers.get(&no).and_then(|caller| {
            let full = caller.calls_made.len() >= self.limits.calls_per_peer;
            caller.calls_made.first().copied().filter(|_| full)
        });
        if let Some(oldest) = oldest {
            let reason = format!("given up: {} later calls wait", self.limits.calls_per_peer);
            self.fail_call(oldest, Refusal::limit(reason));
        }
        let Some(caller) = self.peers.get_mut(&no) else { return Ok(()) };
        let held = caller
            .account
            .hold(CALL_BYTES + id_len(request.id.as_ref()) + id_len(Some(&method)))?;
        let (call, invocation_id) = CallNo::next(&mut self.call_names);
        let caller_id = caller.id.clone();
        caller.calls_made.insert(call);
        if let Some(callee) = self.peers.get_mut(&callee) {
            callee.calls_taken.insert(call);
        }
        let pending = PendingCall {
            caller: no,
            callee,
            method: method.clone(),
            request_id: request.id.clone(),
            _held: held,
        };
        self.calls.insert(call, pending);
        let Payloads { arguments, arguments_kv, context } = payloads;
        let invoke = ServerMessage::Invoke {
            invocation_id,
            caller_id,
            method_id: method,
            arguments,
            arguments_kv,
            context,
        };
        self.tell(callee, Domain::Agm, None, invoke);
        Ok(())
    }

    /// The peer that offers a method to a peer, both being in `agm`.
    pub(super) fn server_of(
        &self,
        client: PeerNo,
        server: &PeerId,
        method: &Id,
        failure: &'static str,
    ) -> Result<PeerNo, Refusal> {
        let joined = |no: PeerNo| self.roster.get(no).filter(|member| member.agm);
        if joined(client).is_none() {
            return Err(Refusal::new(uri::failure(Domain::Agm), "join the domain agm first"));
        }
        let found = self.peer_names.peer(server.as_str()).and_then(joined);
        let found = found.ok_or_else(|| {
            let reason = format!("Unable to find peer with id {} in domain agm", named(server));
            Refusal::new(uri::failure(Domain::Agm), reason)
        })?;
        if !found.methods.contains_key(method) {
            let reason = format!(
                "Unable to find method with id {} on server id {}",
                named(method),
                named(server)
            );
            return Err(Refusal::new(failure, reason));
        }
        Ok(found.no)
    }

    /// A callee answers. An answer nobody waits for any more is dropped.
    pub(super) fn result(&mut self, no: PeerNo, invocation: &CallId, result: Option<Payload>) {
        let Some(call) = self.call_names.call(invocation.as_str()) else { return };
        if let Some(done) = self.take_call(call, Some(no)) {
            let message = ServerMessage::Result { result };
            self.tell(done.caller, Domain::Agm, done.request_id, message);
        }
    }

    /// A callee says that it failed, or a publisher that it refuses a subscriber.
    pub(super) fn failed(
        &mut self,
        no: PeerNo,
        request: &Request,
        reason_uri: String,
        reason: String,
        context: Option<Payload>,
    ) {
        let Some(Id::Text(name)) = &request.id else { return };
        let Some(call) = self.call_names.call(name) else { return };
        let refusal = Refusal::new(reason_uri, reason).with_context(context);
        match self.take_call(call, Some(no)) {
            Some(done) => self.fail(done.caller, done.request_id, refusal),
            None => self.refused_subscription(no, call, refusal),
        }
    }

    /// A callee or a publisher answered with something that is no answer: who
    /// waits for one is told at once.
    pub(super) fn answered_in_vain(&mut self, no: PeerNo, call: &CallId, why: &str) {
        let Some(call) = self.call_names.call(call.as_str()) else { return };
        let (method, uri) = match (self.calls.get(&call), self.subscriptions.get(&call)) {
            (Some(call), _) => (&call.method, uri::INVOCATION_FAILURE),
            (None, Some(subscription)) => (&subscription.method, uri::SUBSCRIPTION_FAILURE),
            (None, None) => return,
        };
        let method = self.method_of(no, method);
        let refusal = Refusal::new(uri, format!("The answer of {method} cannot be used: {why}"));
        match self.take_call(call, Some(no)) {
            Some(done) => self.fail(done.caller, done.request_id, refusal),
            None => self.refused_subscription(no, call, refusal),
        }
    }

    /// Fails a call on behalf of its callee.
    fn fail_call(&mut self, call: CallNo, refusal: Refusal) {
        if let Some(done) = self.take_call(call, None) {
            self.fail(done.caller, done.request_id, refusal);
        }
    }

    /// Ends all calls that a peer made or took.
    pub(super) fn end_calls(&mut self, no: PeerNo) {
        let Some(peer) = self.peers.get_mut(&no) else { return };
        for call in std::mem::take(&mut peer.calls_made) {
            self.take_call(call, None);
        }
        let Some(peer) = self.peers.get_mut(&no) else { return };
        for call in std::mem::take(&mut peer.calls_taken) {
            let Some(PendingCall { method, .. }) = self.calls.get(&call) else { continue };
            let reason =
                format!("Peer has left while waiting for result: {}", self.method_of(no, method));
            self.fail_call(call, Refusal::new(uri::INVOCATION_FAILURE, reason));
        }
    }

    /// A method and its server by the names people know.
    pub(super) fn method_of(&self, no: PeerNo, method: &Id) -> String {
        let Some(server) = self.roster.get(no) else { return format!("method {}", named(method)) };
        let application = shown_name(server.identity.application().unwrap_or(server.id.as_str()));
        match server.methods.get(method).and_then(|method| method.def.name()) {
            Some(name) => format!("{} of {application}", shown_name(&name)),
            None => format!("method {} of {application}", named(method)),
        }
    }

    /// Removes a call; of a given callee, if one is given.
    fn take_call(&mut self, call: CallNo, callee: Option<PeerNo>) -> Option<PendingCall> {
        let pending = self.calls.get(&call)?;
        if callee.is_some_and(|callee| callee != pending.callee) {
            return None;
        }
        let done = self.calls.remove(&call)?;
        if let Some(caller) = self.peers.get_mut(&done.caller) {
            caller.calls_made.remove(&call);
        }
        if let Some(callee) = self.peers.get_mut(&done.callee) {
            callee.calls_taken.remove(&call);
        }
        Some(done)
    }
}

/// Bytes that a client-chosen id takes.
pub(super) fn id_len(id: Option<&Id>) -> usize {
    match id {
        Some(Id::Text(text)) => text.len(),
        Some(Id::Int(_)) | None => 0,
    }
}
