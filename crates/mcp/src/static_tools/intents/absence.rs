//! Why nobody handles the intent of a static tool, as far as the bus shows it.

use std::collections::BTreeSet;

use deskwire_connect::Directory;
use deskwire_connect::services::apps::Declared;
use deskwire_connect::services::intents::{IntentHandler, method_name};
use deskwire_wire::shown_name;

use super::super::absence::{Absence, both, either, names, not_joined};
use super::super::compile::CompiledIntent;
use crate::surface::Stage;

/// Why none of `all` handlers serves `tool`. `address` is where the bus is.
pub(super) fn absence(
    tool: &CompiledIntent,
    directory: &Directory,
    declared: &Declared,
    all: &[IntentHandler],
    address: Option<&str>,
) -> Absence {
    let intent = shown_name(&tool.intent);
    let allowed =
        tool.allowed.as_deref().map(|names| either(names.iter().map(|name| shown_name(name))));
    let at = address.map(|address| format!(" at {address}")).unwrap_or_default();
    let on_bus = |reason: String, fix: String| Absence { stage: Stage::Bus, reason, fix };

    if !directory.servers().any(|server| server.is_self) {
        return not_joined(&at, &format!("a handler of the intent `{intent}` would be"));
    }
    let of_intent = all.iter().filter(|handler| handler.intent == tool.intent);
    let others: BTreeSet<_> = of_intent.map(|handler| shown_name(&handler.application)).collect();
    if let (Some(allowed), false) = (&allowed, others.is_empty()) {
        let others = both(others);
        return Absence {
            stage: Stage::Configuration,
            reason: format!(
                "the intent `{intent}` is handled by {others}, and allowedApplications has only \
                 {allowed}"
            ),
            fix: format!(
                "add {others} to {}.interop.allowedApplications, or let {allowed} handle it",
                tool.path
            ),
        };
    }
    let method = method_name(&tool.intent);
    let registering = directory.find(&method).map(|(server, _)| server);
    let unmarked = names(registering.filter(|server| tool.allows(server)));
    if !unmarked.is_empty() {
        return Absence {
            stage: Stage::Definition,
            reason: format!(
                "{} registers the method `{}` without an object in its flag `intent`, so it \
                 counts as no handler",
                both(unmarked),
                shown_name(&method)
            ),
            fix: "register the handler with `io.intents.register`".into(),
        };
    }
    let whose = allowed.as_ref().map(|names| format!(" of {names}")).unwrap_or_default();
    match declared {
        Declared::Unknown => on_bus(
            format!(
                "no application{whose} that runs handles the intent `{intent}`, and the platform \
                 has not said yet which ones could be started for it"
            ),
            "wait a moment; if it stays so, see that the platform answers".into(),
        ),
        Declared::NoPlatform => on_bus(
            format!(
                "no application{whose} that runs handles the intent `{intent}`, and no platform \
                 is on this bus that could start one"
            ),
            format!("start {}, or a platform", allowed.unwrap_or_else(|| "one that does".into())),
        ),
        Declared::Known(_) => on_bus(
            format!(
                "no application{whose} handles the intent `{intent}`, neither running nor by \
                 definition"
            ),
            format!(
                "register `{intent}` with `io.intents.register`, name it in `intents` of a \
                 definition, or correct {}.interop.intentName",
                tool.path
            ),
        ),
    }
}
