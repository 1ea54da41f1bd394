//! The clients of desktop services, on the real gateway. Where a platform is
//! needed a small stand-in answers, one that can be told to misbehave; the real
//! one has tests of its own beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod apps;
mod desk;
mod intents;
mod resolver;
