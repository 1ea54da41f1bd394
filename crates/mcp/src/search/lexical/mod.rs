//! Search without a model: the words of a request against the words of
//! definitions.
//!
//! ```text
//! definitions ─ documents: words by field ─► Index ─┐
//! request ─ words ──────────────────────────────────┴─► those that fit, best first
//! ```
//!
//! Words are compared by their English stems. What counts is how rare a word is
//! among the definitions, and in which field it stands. Nothing fits where too
//! little of the request is found: a person who asks for the weather is not shown a
//! risk report. Weights and thresholds are chosen with the sentences in `eval/`.

mod documents;
mod index;
mod thesaurus;
mod words;

#[cfg(test)]
mod evaluation;

pub(crate) use documents::{of_application, of_workspace};
pub(crate) use index::Index;
