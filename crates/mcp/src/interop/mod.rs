//! Tools that are one call of a method on the bus, wherever they are defined.
//!
//! ```text
//! schemas ─ input, output ─┐
//! texts ─ Looks ───────────┴─► Compiled ─ with a target ─► MethodTool
//! ```

mod looks;
mod remarks;
mod schemas;
mod tool;

use std::sync::Arc;
use std::time::Duration;

use deskwire_connect::wire::{Identity, shown_name};

pub(crate) use looks::Looks;
pub(crate) use remarks::Remarks;
pub(crate) use schemas::{InputSide, OutputSide, Unfit};
pub(crate) use tool::{MethodTool, Target};

use crate::call::Output;
use crate::schema::Enforced;
use crate::surface::{Definition, Remark};

/// Longest `responseTimeoutMs`: a day.
pub(crate) const MAX_TIMEOUT_MS: f64 = 86_400_000.0;

/// All that is known about a tool before it is known what is called for it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) definition: Definition,
    pub(crate) input: Enforced,
    pub(crate) output: Output,
    /// Where the tool says how long an answer may take.
    pub(crate) response_timeout: Option<Duration>,
    pub(crate) remarks: Vec<Arc<Remark>>,
}

/// A `responseTimeoutMs` that makes sense: above 0, at most a day.
pub(crate) fn response_timeout(ms: f64) -> Option<Duration> {
    if !(ms > 0.0 && ms <= MAX_TIMEOUT_MS) {
        return None;
    }
    Duration::try_from_secs_f64(ms / 1000.0).ok()
}

/// The name of the application of a peer, fit to be shown.
pub(crate) fn application(server: &Identity) -> Option<String> {
    server.application().map(shown_name).filter(|name| !name.is_empty())
}
