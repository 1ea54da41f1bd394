//! Which methods may become tools: the administrator's say.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use deskwire_connect::wire::{Identity, Method};
use serde_json::{Map, Value};

/// A method, as guards see it.
#[derive(Debug, Clone, Copy)]
pub struct MethodView<'a> {
    /// Its name on the bus.
    pub name: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// The flags the application set.
    pub flags: &'a Map<String, Value>,
}

/// The server of a method, as guards see it.
#[derive(Debug, Clone, Copy)]
pub struct ServerView<'a> {
    /// Name of the application.
    pub application_name: Option<&'a str>,
    /// The running instance.
    pub instance: Option<&'a str>,
    /// The user it runs for.
    pub user: Option<&'a str>,
}

/// Whether a method may become a tool. Asked once for each registration. An
/// error is a reason why that cannot be told, and leaves the method out.
pub type Guard =
    Arc<dyn Fn(&MethodView<'_>, &ServerView<'_>) -> Result<bool, String> + Send + Sync>;

impl<'a> From<&'a Method> for MethodView<'a> {
    fn from(method: &'a Method) -> Self {
        Self {
            name: &method.name,
            description: method.description.as_deref(),
            flags: &method.flags.metadata,
        }
    }
}

impl<'a> From<&'a Identity> for ServerView<'a> {
    fn from(identity: &'a Identity) -> Self {
        Self {
            application_name: identity.application(),
            instance: identity.instance(),
            user: identity.user(),
        }
    }
}

/// What a guard said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Admitted,
    Refused,
    /// It failed, or panicked, with this message.
    Failed(String),
}

pub(super) fn ask(
    guard: Option<&Guard>,
    method: MethodView<'_>,
    server: ServerView<'_>,
) -> Verdict {
    let Some(guard) = guard else { return Verdict::Admitted };
    match catch_unwind(AssertUnwindSafe(|| guard(&method, &server))) {
        Ok(Ok(true)) => Verdict::Admitted,
        Ok(Ok(false)) => Verdict::Refused,
        Ok(Err(reason)) => Verdict::Failed(reason),
        Err(panic) => Verdict::Failed(message(&*panic)),
    }
}

/// The message of a panic.
pub(crate) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}
