//! The definitions of the desktop, as search gets them.
//!
//! Whoever has a catalog in its own process hands a [`watch::Receiver`] of these to
//! the server ([`crate::SystemTools::definitions`]); without one, [`follow`] asks the
//! platform on the bus, ours or another.

mod bus;

use deskwire_catalog::Catalog;
use tokio::sync::watch;

pub(crate) use bus::follow;

/// The definitions of the desktop at one moment.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Moves whenever the catalog does.
    pub revision: u64,
    /// What is defined; `None` as long as nobody has said so.
    pub catalog: Option<Catalog>,
}

/// Definitions, now and as they change.
pub type DefinitionsFeed = watch::Receiver<Definitions>;
