//! Who the user is, and what the user may do: this desktop has one user, and no
//! entitlements, branches or regions to choose from.

use deskwire_connect::RegisterError;
use serde_json::json;

use super::super::Offer;

pub(super) async fn offer(
    offer: &mut Offer,
    user: &str,
    region: &str,
) -> Result<(), RegisterError> {
    let account = json!({ "LoginName": user, "FirstName": user, "LastName": "" });
    offer.answer("T42.ACS.GetUser", move |_| Ok(account.clone().into())).await?;
    offer.answer("T42.ACS.CanI", |_| Ok(json!({ "Result": true }).into())).await?;
    offer
        .answer("T42.ACS.GetFunctionalEntitlement", |_| {
            Err("this desktop has no entitlements: every function is allowed".into())
        })
        .await?;
    offer.answer("T42.ACS.GetBranches", |_| Ok(json!({ "Branches": [] }).into())).await?;
    offer.answer("T42.ACS.GetCurrentBranch", |_| Ok(json!({ "Branch": "" }).into())).await?;
    offer
        .answer("T42.ACS.SetCurrentBranch", |_| Err("this desktop has no branches".into()))
        .await?;
    let region = json!({ "Region": region });
    offer.answer("T42.ACS.GetConfigurationRegion", move |_| Ok(region.clone().into())).await?;
    offer
        .answer("T42.ACS.SetConfigurationRegion", |_| {
            Err("the region is a setting of the platform; it cannot be changed while it runs"
                .into())
        })
        .await
}
