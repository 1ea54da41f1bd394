//! What clients are told about a call.

mod output;
mod problem;

pub(crate) use output::Output;
pub(crate) use problem::Problem;
