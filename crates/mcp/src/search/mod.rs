//! Search: which of the applications and workspaces of the desktop can do what a
//! person wants.
//!
//! ```text
//! definitions ─ Candidates ─► Searchable (one for each revision) ─┬─ lexical: words ───────► Found
//!              (others: why)                                      └─ prompt: client's model ─► Found ─► answer
//! ```

mod answer;
mod candidates;
mod definitions;
mod lexical;
mod prompt;
mod searchable;
mod tidy;

pub(crate) use answer::{Found, NextSteps, Summary, answer};
pub(crate) use candidates::raised_in_vain;
pub use candidates::{SearchGuard, SearchGuards};
pub(crate) use definitions::follow;
pub use definitions::{Definitions, DefinitionsFeed};
pub(crate) use prompt::{Fault, Prompt};
pub(crate) use searchable::{Searchable, What};
