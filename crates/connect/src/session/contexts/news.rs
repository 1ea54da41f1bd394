//! What the gateway tells of contexts.

use std::sync::Arc;

use deskwire_wire::{ContextId, Delta, Id, Payload, PeerId};

use super::table::{PendingUpdate, State};
use crate::ContextError;
use crate::session::line::Outcome;
use crate::session::pending::success;
use crate::session::{Session, answer};

impl Session {
    pub(in crate::session) fn context_added(&mut self, id: ContextId, name: String) {
        let known = self.contexts.all.len();
        if known >= self.line.limits.contexts && !self.contexts.all.contains_key(&name) {
            tracing::warn!(name, "more contexts than are kept, ignored");
            return;
        }
        let entry = self.contexts.all.entry(name.clone()).or_default();
        if let Some(old) = entry.id.replace(id.clone())
            && old != id
        {
            // The old one must have ended unheard.
            self.contexts.names.remove(&old);
            if matches!(entry.state, State::Member { .. })
                && let Some(entry) = self.contexts.part(&name)
                && !entry.subscribers.is_empty()
            {
                self.open_context(&name);
            }
        }
        self.contexts.names.insert(id, name);
    }

    pub(in crate::session) fn context_updated(
        &mut self,
        id: &ContextId,
        updater: Option<PeerId>,
        payload: &Payload,
    ) {
        let Some((name, entry)) = self
            .contexts
            .names
            .get(id)
            .and_then(|name| Some((name, self.contexts.all.get_mut(name)?)))
        else {
            tracing::debug!(?id, "change of an unknown context, ignored");
            return;
        };
        let State::Member { replica, .. } = &mut entry.state else { return };
        let applied = Delta::parse(payload).and_then(|delta| {
            replica.changed(&delta)?;
            Ok(delta)
        });
        match applied {
            Ok(delta) => {
                let data = Arc::clone(replica.confirmed());
                entry.notify(&data, &Arc::new(delta), updater.as_ref(), payload.len());
            }
            Err(error) => {
                tracing::warn!(name, %error, "change cannot be followed, fetching the whole");
                let name = name.clone();
                self.fetch_context(&name);
            }
        }
    }

    pub(in crate::session) fn context_destroyed(&mut self, id: &ContextId) {
        let Some(name) = self.contexts.names.remove(id) else { return };
        let Some(entry) = self.contexts.all.get_mut(&name) else { return };
        entry.id = None;
        entry.before = None;
        if matches!(entry.state, State::Opening) {
            // The answer to our request will be a refusal; then it is made anew.
            return;
        }
        let Some(entry) = self.contexts.part(&name) else { return };
        entry.fail(&ContextError::Destroyed { name: name.clone() });
        self.contexts.all.remove(&name);
    }

    pub(in crate::session) fn context_update_done(
        &mut self,
        request: &Id,
        update: PendingUpdate,
        outcome: Outcome,
    ) {
        let PendingUpdate { name, reply } = update;
        let result = success(outcome);
        if let Some(entry) = self.contexts.all.get_mut(&name)
            && let State::Member { replica, .. } = &mut entry.state
        {
            match &result {
                Err(_) => replica.refused(request),
                Ok(()) => match replica.done(request) {
                    Ok(None) => {}
                    Ok(Some(delta)) => {
                        let data = Arc::clone(replica.confirmed());
                        let bytes = delta.to_payload().len();
                        entry.notify(&data, &delta, self.line.me.as_ref(), bytes);
                    }
                    Err(error) => {
                        tracing::warn!(name, %error, "own change cannot be followed, fetching");
                        self.fetch_context(&name);
                    }
                },
            }
        }
        answer(reply, result.map_err(|error| ContextError::Request { name, error }));
    }
}
