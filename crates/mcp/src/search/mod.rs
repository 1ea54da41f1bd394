//! What search works on: the applications and workspaces that a model may be
//! offered, and why the others are not among them.

mod candidates;

pub use candidates::Candidates;
