//! The data that the demo applications share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// Clients, instruments, positions, and the one part that changes: orders.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) clients: Vec<Client>,
    pub(super) instruments: Vec<Instrument>,
    pub(super) positions: Vec<Position>,
    orders: Mutex<Vec<Order>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Client {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) segment: String,
    pub(super) country: String,
    pub(super) relationship_manager: String,
    pub(super) mandate: String,
    pub(super) client_since: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Instrument {
    pub(super) symbol: String,
    pub(super) name: String,
    pub(super) currency: String,
    pub(super) sector: String,
    pub(super) price: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Position {
    pub(super) client_id: String,
    pub(super) symbol: String,
    pub(super) quantity: f64,
    pub(super) average_cost: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) client_id: String,
    pub(super) symbol: String,
    pub(super) side: String,
    pub(super) quantity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit_price: Option<f64>,
    pub(super) status: String,
}

impl Book {
    /// Reads the data that the binary carries.
    pub(super) fn load() -> Result<Self, Fault> {
        macro_rules! read {
            ($file:literal) => {
                serde_json::from_str(include_str!(concat!("../../../../demo/data/", $file)))
                    .map_err(|error| Fault::new(concat!("read the demo data ", $file), error))?
            };
        }
        Ok(Self {
            clients: read!("clients.json"),
            instruments: read!("instruments.json"),
            positions: read!("positions.json"),
            orders: Mutex::new(read!("orders.json")),
        })
    }

    pub(super) fn client(&self, id: &str) -> Result<&Client, String> {
        self.clients
            .iter()
            .find(|client| client.id.eq_ignore_ascii_case(id))
            .ok_or_else(|| format!("there is no client `{id}`; find_clients lists them"))
    }

    pub(super) fn instrument(&self, symbol: &str) -> Result<&Instrument, String> {
        let found = self
            .instruments
            .iter()
            .find(|instrument| instrument.symbol.eq_ignore_ascii_case(symbol));
        found.ok_or_else(|| {
            let known: Vec<_> =
                self.instruments.iter().map(|instrument| instrument.symbol.as_str()).collect();
            format!("there is no instrument `{symbol}`; known are {}", known.join(", "))
        })
    }

    pub(super) fn orders(&self) -> MutexGuard<'_, Vec<Order>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
