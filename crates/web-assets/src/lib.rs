//! The built web: what browsers load from Deskwire. Release builds have it inside, debug
//! builds read it from the folder that the npm workspace builds to; the README says how.

mod asset;
mod embedded;
mod web;

pub use asset::Asset;
pub use web::{ReadError, Web};
