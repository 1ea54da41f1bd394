//! JSON Schemas of applications in two forms: the author's, which calls are
//! checked against, and the published one, which today's clients accept.
//!
//! ```text
//! text ─ read ─► normal ─┬─ Enforced ─ Validators ─► Checker ─► violations
//!                        └─ publish (inline, object) ─► what clients see
//! ```

mod enforce;
mod error;
mod extent;
mod headers;
mod inline;
mod keywords;
mod levels;
mod meter;
mod normal;
mod object;
mod patterns;
mod places;
mod publish;
mod read;
mod validators;
mod violation;

pub use enforce::{Checker, Enforced};
pub(crate) use error::kind_of;
pub use error::{SchemaError, Unpublishable};
pub(crate) use headers::KEYWORD as HEADER_KEYWORD;
pub use inline::Texts;
pub use normal::Normal;
pub use publish::{Published, Shape, input, output};
pub use read::{read, read_value};
pub use validators::Validators;
pub use violation::Violation;

#[cfg(test)]
mod tests;
