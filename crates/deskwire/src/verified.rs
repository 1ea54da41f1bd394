//! Who uses the name of a defined application without a token that proves it.

use deskwire_gateway::Gateway;
use deskwire_mcp::{Diagnostic, Kind, RemarkCode, Stage};
use deskwire_platform::Apps;
use deskwire_wire::{Identity, shown_name};

/// From now on, only who has a token that fixes it uses the name of a defined
/// application. Peers that have come in before stay.
pub(crate) fn require(gateway: &Gateway, apps: Apps) {
    gateway.keep_names(move |name| apps.catalog().application(name).is_some());
}

/// What there is to say of peers that use the name of a defined application without.
pub(crate) fn doubts(gateway: &Gateway, apps: &Apps) -> Vec<Diagnostic> {
    let catalog = apps.catalog();
    let claims = |identity: &Identity| {
        let names = ["applicationName", "application"].iter().filter_map(|key| identity.text(key));
        names.filter(|name| catalog.application(name).is_some()).map(shown_name).next()
    };
    let doubt = |identity: &Identity| {
        Some(Diagnostic {
            kind: Kind::Instance,
            name: shown_name(identity.instance().unwrap_or_default()),
            app: Some(claims(identity)?),
            method: None,
            visible: true,
            stage: Some(Stage::Bus),
            code: Some(RemarkCode::Unverified),
            reason: Some(
                "unverified: it logged in without a token that proves which application it is; \
                 any program of this machine could"
                    .into(),
            ),
            fix: Some(
                "start it with the desktop, which gives it such a token; with \
                 platform.strictIdentity nobody else may use the name"
                    .into(),
            ),
        })
    };
    gateway.unverified().iter().filter_map(doubt).collect()
}
