//! Why nothing serves a static tool, as far as the bus shows it.

use std::collections::BTreeSet;

use deskwire_connect::wire::shown_name;
use deskwire_connect::{Directory, Server};

use super::compile::CompiledMethod;
use crate::surface::Stage;

/// Applications that are named at most.
const MAX_NAMED: usize = 5;

/// Why nothing serves a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Absence {
    pub(super) stage: Stage,
    pub(super) reason: String,
    pub(super) fix: String,
}

/// Why nothing in the directory serves `tool`. `address` is where the bus is.
pub(super) fn absence(
    tool: &CompiledMethod,
    directory: &Directory,
    address: Option<&str>,
) -> Absence {
    let method = shown_name(&tool.method);
    let allowed =
        tool.allowed.as_deref().map(|names| either(names.iter().map(|name| shown_name(name))));
    let at = address.map(|address| format!(" at {address}")).unwrap_or_default();
    let on_bus = |reason: String, fix: String| Absence { stage: Stage::Bus, reason, fix };

    let Some(me) = directory.servers().find(|server| server.is_self) else {
        let whose = allowed.map(|names| format!(" of {names}")).unwrap_or_default();
        return not_joined(&at, &format!("the method `{method}`{whose} would be"));
    };
    let user = me.identity.user().map(|user| format!(" as user `{}`", shown_name(user)));
    let user = user.unwrap_or_default();
    let connected = format!("see that it connects to this bus{at}{user}");

    let streams = applications(directory, &tool.method, |server| tool.allows(server));
    if !streams.is_empty() {
        return on_bus(
            format!("the method `{method}` of {} is a stream", both(streams)),
            "name a method that answers once in interop.methodName".into(),
        );
    }
    let others = applications(directory, &tool.method, |_| true);
    let Some(allowed) = allowed else {
        return on_bus(
            format!(
                "no application on this bus registers the method `{method}`: the one that does \
                 is not running, or is connected to another gateway, or logged in as another user"
            ),
            format!("start the application; if it runs, {connected}"),
        );
    };
    if !others.is_empty() {
        let others = both(others);
        return Absence {
            stage: Stage::Configuration,
            reason: format!(
                "the method `{method}` is registered by {others}, and allowedApplications has \
                 only {allowed}"
            ),
            fix: format!(
                "add {others} to {}.interop.allowedApplications, or start {allowed}",
                tool.path
            ),
        };
    }
    let present = names(directory.servers().filter(|server| tool.allows(server)));
    if !present.is_empty() {
        let present = both(present);
        return on_bus(
            format!("{present} is on this bus and does not register the method `{method}`"),
            format!(
                "register `{method}` in {present}, or correct {}.interop.methodName",
                tool.path
            ),
        );
    }
    let similar = names(directory.servers().filter(|server| is_similar(tool, server)));
    let similar = if similar.is_empty() {
        String::new()
    } else {
        format!(" ({} is, but names must match to the letter)", both(similar))
    };
    on_bus(
        format!(
            "no application named {allowed} is on this bus{similar} to serve the method \
             `{method}`: it is not running, or is connected to another gateway, or logged in as \
             another user"
        ),
        format!("start {allowed}; if it runs, {connected}"),
    )
}

/// That this server is not on its bus, where something would be.
pub(super) fn not_joined(at: &str, what: &str) -> Absence {
    Absence {
        stage: Stage::Bus,
        reason: format!("this server has not joined its bus{at}, where {what}"),
        fix: "start the gateway, or correct where this server looks for it".into(),
    }
}

/// The applications that register a method of this name.
fn applications(
    directory: &Directory,
    method: &str,
    of: impl Fn(&Server) -> bool,
) -> BTreeSet<String> {
    names(directory.find(method).map(|(server, _)| server).filter(|server| of(server)))
}

pub(super) fn names<'a>(
    servers: impl Iterator<Item = &'a std::sync::Arc<Server>>,
) -> BTreeSet<String> {
    servers.map(|server| shown_name(server.application())).collect()
}

/// Whether the server's application differs from an allowed one by case alone.
fn is_similar(tool: &CompiledMethod, server: &Server) -> bool {
    let Some(application) = server.identity.application() else { return false };
    let mut allowed = tool.allowed.iter().flatten();
    allowed.any(|name| name.to_lowercase() == application.to_lowercase())
}

pub(super) fn either(names: impl ExactSizeIterator<Item = String>) -> String {
    listed(names, " or ")
}

pub(super) fn both(names: BTreeSet<String>) -> String {
    listed(names.into_iter(), " and ")
}

/// The first few names, quoted.
fn listed(names: impl ExactSizeIterator<Item = String>, last: &str) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    let mut words: Vec<_> = names.take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    match words.pop() {
        Some(end) if words.is_empty() => end,
        Some(end) => format!("{}{last}{end}", words.join(", ")),
        None => String::new(),
    }
}
