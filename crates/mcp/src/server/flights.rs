//! Requests that are being answered, so that no two have one id.
//!
//! Answers find their way by the id of their request. With two requests of one
//! id, each could get the answer of the other.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, GetExtensions, JsonRpcMessage, RequestId};

/// The ids that are in use in one session.
#[derive(Debug, Clone, Default)]
pub(super) struct Flights(Arc<Mutex<HashSet<RequestId>>>);

/// A request that is being answered. Its id is free again with the last clone:
/// one goes with the request to its handler, which may outlive the client's
/// interest, and one is kept by whoever waits for the answer.
#[derive(Debug, Clone)]
pub(super) struct Flight(#[expect(dead_code, reason = "kept for its end")] Arc<Seat>);

#[derive(Debug)]
struct Seat {
    id: RequestId,
    flights: Flights,
}

/// The id of a request is in use.
#[derive(Debug)]
pub(super) struct Taken(pub(super) RequestId);

impl Flights {
    /// Takes the id of a request; nothing, where the message is none.
    pub(super) fn begin(
        &self,
        message: &mut ClientJsonRpcMessage,
    ) -> Result<Option<Flight>, Taken> {
        let JsonRpcMessage::Request(request) = message else { return Ok(None) };
        if !self.ids().insert(request.id.clone()) {
            return Err(Taken(request.id.clone()));
        }
        let flight = Flight(Arc::new(Seat { id: request.id.clone(), flights: self.clone() }));
        request.request.extensions_mut().insert(flight.clone());
        Ok(Some(flight))
    }

    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.flights.ids().remove(&self.id);
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.0.clone().into_json_value();
        write!(f, "a request with the id {id} is still being answered; each needs an id of its own")
    }
}
