#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a type with a lifetime is not general enough by its name alone"
)]

mod contents;
mod events;
mod leases;
mod random;
mod revisions;
mod views;
mod windows;
mod world;
