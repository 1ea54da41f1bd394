//! Becoming a member of a context, and ceasing to be one.

use std::sync::Arc;

use deskwire_wire::{ClientMessage, Delta, Document, Domain};

use super::replica::{Replica, Write};
use super::table::{Entry, Op, State};
use crate::ContextError;
use crate::session::Session;
use crate::session::line::Outcome;
use crate::session::pending::Pending;

impl Session {
    /// Contexts that have subscribers are opened on the new link.
    pub(in crate::session) fn restore_contexts(&mut self) {
        let wanted = self.contexts.all.iter().filter(|(_, entry)| !entry.subscribers.is_empty());
        let wanted: Vec<String> = wanted.map(|(name, _)| name.clone()).collect();
        for name in wanted {
            self.open_context(&name);
        }
    }

    /// Becomes a member: of the context that is there, or of one made now.
    pub(super) fn open_context(&mut self, name: &str) {
        let Some(entry) = self.contexts.all.get_mut(name) else { return };
        entry.state = State::Opening;
        let (message, sent) = match entry.id.clone() {
            Some(context_id) => (ClientMessage::SubscribeContext { context_id }, None),
            None => {
                let sent = first_data(entry.waiting.front());
                let message = ClientMessage::CreateContext {
                    name: name.to_owned(),
                    data: sent.to_payload(),
                    lifetime: Some("retained".to_owned()),
                };
                (message, Some(sent))
            }
        };
        let pending = Pending::OpenContext { name: name.to_owned(), sent };
        self.line.ask(Domain::Global, message, pending);
    }

    /// A request for a context is answered; `sent` is the data of one that was
    /// to be created.
    pub(in crate::session) fn context_opened(
        &mut self,
        name: &str,
        sent: Option<Document>,
        outcome: Outcome,
    ) {
        let Some(entry) = self.contexts.all.get_mut(name) else { return };
        let by_id = sent.is_none();
        let data = match (outcome, sent) {
            (Outcome::ContextCreated(id), Some(sent)) => Ok((id, sent)),
            (Outcome::ContextData(id, data), _) => match Document::parse(&data) {
                Ok(document) => Ok((id, document)),
                Err(error) => Err(ContextError::Data { name: name.to_owned(), error }),
            },
            (other, _) => Err(ContextError::Request {
                name: name.to_owned(),
                error: other.into_refusal().into(),
            }),
        };
        let (id, document) = match data {
            Ok(data) => data,
            Err(error) => return self.context_refused(name, by_id, &error),
        };
        entry.id = Some(id.clone());
        self.contexts.names.insert(id, name.to_owned());
        if matches!(entry.state, State::Apart) {
            // We have left since we asked.
            return;
        }
        let before = entry.before.take();
        let (data, differs) = match &mut entry.state {
            State::Member { replica, fetching } => {
                *fetching = false;
                let differs = replica.replaced(document);
                (Arc::clone(replica.confirmed()), differs)
            }
            state => {
                let replica = Replica::new(document);
                let data = Arc::clone(replica.confirmed());
                *state = State::Member { replica, fetching: false };
                let differs = before.is_none_or(|before| before != data);
                (data, differs)
            }
        };
        entry.notify_whole(&data, differs);
        for op in std::mem::take(&mut entry.waiting) {
            self.perform(name, op);
        }
        self.touch_context(name);
    }

    /// Fetches the data of a context again whose copy is no longer right.
    pub(super) fn fetch_context(&mut self, name: &str) {
        let Some(Entry { id: Some(id), state: State::Member { fetching, .. }, .. }) =
            self.contexts.all.get_mut(name)
        else {
            return;
        };
        if !std::mem::replace(fetching, true) {
            let message = ClientMessage::SubscribeContext { context_id: id.clone() };
            let pending = Pending::OpenContext { name: name.to_owned(), sent: None };
            self.line.ask(Domain::Global, message, pending);
        }
    }

    fn context_refused(&mut self, name: &str, by_id: bool, error: &ContextError) {
        let Some(entry) = self.contexts.part(name) else { return };
        let wanted = !entry.waiting.is_empty() || !entry.subscribers.is_empty();
        if by_id && entry.id.is_none() && wanted {
            // It was destroyed while we asked for it: made anew for those who wait.
            return self.open_context(name);
        }
        entry.fail(error);
        if entry.id.is_none() {
            self.contexts.all.remove(name);
        }
    }

    pub(super) fn touch_context(&mut self, name: &str) {
        if let Some(evicted) = self.contexts.touch(name, self.line.limits.idle_contexts) {
            self.leave_context(&evicted);
        }
    }

    pub(super) fn leave_context(&mut self, name: &str) {
        let Some(entry) = self.contexts.part(name) else { return };
        if let Some(context) = entry.id.clone() {
            let message = ClientMessage::UnsubscribeContext { context_id: context.clone() };
            self.line.ask(Domain::Global, message, Pending::LeaveContext { context });
        }
    }
}

/// What a context that does not exist yet is created with: the first change
/// that waits for it, if that can go as it is.
fn first_data(first: Option<&Op>) -> Document {
    let data: Document = match first {
        Some(Op::Write(Write::Reset(document), _)) => document.clone(),
        Some(Op::Write(Write::Keys(keys), _)) => {
            let set = keys.iter().filter(|(_, value)| !value.is_null());
            set.map(|(key, value)| (key.clone(), value.clone())).collect()
        }
        _ => return Document::default(),
    };
    let fine = Delta::Reset(data.clone()).check().is_ok();
    if fine { data } else { Document::default() }
}
