//! Being called: which of the application's handlers run, and what waits.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use deskwire_wire::{CallId, ClientMessage, Domain, Id, Payload, PeerId, uri};
use serde::Serialize;

use super::line::Line;
use super::publishing::InterestKey;
use super::registrations::Role;
use super::{Effect, Session};
use crate::handler::{Call, CallFailure, Handler};
use crate::streams::{Interest, StreamHandler};

/// One run of a handler.
pub(crate) type RunId = u64;

/// A handler and what to run it on.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) id: RunId,
    pub(crate) job: Job,
}

/// What a handler is to do.
pub(crate) enum Job {
    /// Answer a call.
    Call { handler: Arc<dyn Handler>, call: Call },
    /// Decide on a subscriber.
    Decide { handler: Arc<dyn StreamHandler>, key: InterestKey, interest: Interest },
}

/// The runs of all handlers. Those of a link that is gone still count until
/// they end, but their answers go nowhere.
#[derive(Debug, Default)]
pub(super) struct Runs {
    next: RunId,
    running: usize,
    waiting: VecDeque<Run>,
    answers: HashMap<RunId, CallId>,
}

impl Runs {
    pub(super) fn link_down(&mut self, line: &mut Line) {
        self.answers.clear();
        for run in self.waiting.drain(..) {
            line.effects.push(Effect::Discard(run.job.into_role()));
        }
    }

    /// Starts a run, or lets it wait.
    ///
    /// # Errors
    /// When too many wait; the words are for the caller.
    pub(super) fn start(&mut self, job: Job, line: &mut Line) -> Result<RunId, String> {
        let id = self.next;
        let run = Run { id, job };
        if self.running < line.limits.running_handlers {
            self.running += 1;
            line.effects.push(Effect::Run(run));
        } else if self.waiting.len() < line.limits.waiting_invocations {
            self.waiting.push_back(run);
        } else {
            line.effects.push(Effect::Discard(run.job.into_role()));
            return Err(format!(
                "busy: {} invocations are waiting here already",
                self.waiting.len()
            ));
        }
        self.next += 1;
        Ok(id)
    }

    fn ended(&mut self, line: &mut Line) {
        match self.waiting.pop_front() {
            Some(run) => line.effects.push(Effect::Run(run)),
            None => self.running -= 1,
        }
    }
}

impl Session {
    pub(super) fn invoked(
        &mut self,
        invocation: CallId,
        caller: PeerId,
        method: &Id,
        positional: Option<Payload>,
        arguments: Option<Payload>,
    ) {
        let Some((_, registration)) = self.own.by_id(method) else {
            let reason = format!("no method with id {method} here");
            self.line.fail(&invocation, uri::INVOCATION_FAILURE, reason);
            return;
        };
        let Role::Method(handler) = &registration.role else {
            let reason = format!("`{}` is a stream; subscribe to it", registration.name);
            self.line.fail(&invocation, uri::CLIENT_ERROR, reason);
            return;
        };
        let call = Call {
            method: Arc::clone(&registration.name),
            arguments: arguments.unwrap_or_else(Payload::empty_object),
            positional,
            caller_identity: self.peers.server(&caller).map(|server| server.identity.clone()),
            caller,
        };
        let job = Job::Call { handler: Arc::clone(handler), call };
        match self.runs.start(job, &mut self.line) {
            Ok(run) => {
                self.runs.answers.insert(run, invocation);
            }
            Err(reason) => self.line.fail(&invocation, uri::CLIENT_ERROR, reason),
        }
    }

    /// A call's handler ended. The next in line starts.
    pub(crate) fn finish(&mut self, run: RunId, result: Result<Payload, CallFailure>) {
        if let Some(invocation) = self.runs.answers.remove(&run) {
            self.respond(invocation, result);
        }
        self.runs.ended(&mut self.line);
    }

    /// Another handler ended. The next in line starts.
    pub(crate) fn finish_silently(&mut self) {
        self.runs.ended(&mut self.line);
    }

    fn respond(&mut self, invocation: CallId, result: Result<Payload, CallFailure>) {
        let result = result.map(into_object).and_then(|result| {
            self.line.fits(&result)?;
            Ok(result)
        });
        match result {
            Ok(result) => {
                let message =
                    ClientMessage::Yield { invocation_id: invocation, result: Some(result) };
                self.line.say(Domain::Agm, message);
            }
            Err(CallFailure { reason, context }) => {
                self.line.fail_with(&invocation, uri::CLIENT_ERROR, reason, context);
            }
        }
    }
}

/// A result as callers on this bus expect it: always an object.
fn into_object(result: Payload) -> Payload {
    #[derive(Serialize)]
    struct Wrapped {
        _value: Payload,
    }
    if result.is_object() {
        return result;
    }
    if result.is_null() {
        return Payload::empty_object();
    }
    // Serialising this type into memory has no way to fail.
    serde_json::value::to_raw_value(&Wrapped { _value: result })
        .map_or_else(|_| Payload::empty_object(), Payload::from)
}

impl Job {
    fn into_role(self) -> Role {
        match self {
            Self::Call { handler, .. } => Role::Method(handler),
            Self::Decide { handler, .. } => Role::Stream(handler),
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Call { call, .. } => call.fmt(f),
            Self::Decide { interest, .. } => interest.fmt(f),
        }
    }
}
