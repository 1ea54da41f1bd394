//! What the client libraries also call. Each answers at once, and truthfully: in
//! words where this desktop has no such thing. A name that is not on the bus
//! would make its caller wait for a minute and a half.

mod absent;
mod notifications;
mod themes;

use deskwire_connect::{Publisher, RegisterError};

use super::Offer;
use crate::preferences::Preferences;

/// Offers the methods, and the streams on which nothing happens.
pub(crate) async fn offer(
    offer: &mut Offer,
    preferences: &Preferences,
) -> Result<Vec<Publisher>, RegisterError> {
    absent::offer(offer).await?;
    themes::offer(offer, preferences).await?;
    notifications::offer(offer).await
}
