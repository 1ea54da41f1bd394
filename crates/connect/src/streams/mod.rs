//! Streams, from both ends.
//!
//! A publisher registers a stream with a [`StreamHandler`], which decides on
//! every subscriber, and pushes data to all of them, to those on one branch, or
//! to one. A subscriber gets a [`Subscription`].

mod publisher;
mod subscription;

pub(crate) use publisher::Interest;
pub use publisher::{Publisher, StreamHandler, Subscriber, SubscriptionRequest};
pub use subscription::{StreamEvent, SubscribeOptions, Subscription};
