//! `T42.ACS.*`: applications, the in-memory store, and who may do what.

mod account;
mod applications;
pub(crate) mod events;
pub(crate) mod memory;

use std::sync::Arc;

use deskwire_connect::RegisterError;

use super::Offer;
use crate::apps::Apps;
use crate::running::InstanceCommands;

/// Offers the methods.
pub(crate) async fn offer(
    offer: &mut Offer,
    apps: &Apps,
    instances: &Arc<dyn InstanceCommands>,
    user: &str,
    region: &str,
) -> Result<(), RegisterError> {
    applications::offer(offer, apps, instances).await?;
    memory::offer(offer, apps).await?;
    account::offer(offer, user, region).await
}
