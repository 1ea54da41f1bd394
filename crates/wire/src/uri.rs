//! Reason URIs: the machine-readable half of every error and farewell.

use crate::Domain;

/// Somebody with the same identity is connected and alive.
pub const ALREADY_SEEN: &str = "global.errors.already_seen";
/// The credentials of a hello were refused.
pub const AUTHENTICATION_FAILURE: &str = "global.errors.authentication.failure";
/// A context was created with a lifetime the gateway does not know.
pub const BAD_LIFETIME: &str = "global.errors.bad_lifetime";
/// A join or leave named a domain that does not exist.
pub const INVALID_DOMAIN: &str = "global.errors.invalid_domain";
/// A bound of the gateway was reached.
pub const LIMITS_EXCEEDED: &str = "global.errors.limits_exceeded";
/// A context was destroyed by request.
pub const CONTEXT_DESTROYED: &str = "global.destroyed";
/// A context ended because the peer that kept it alive left.
pub const CONTEXT_PEER_LEFT: &str = "context.peer-left";
/// A call could not be delivered, or its callee left.
pub const INVOCATION_FAILURE: &str = "agm.errors.invocation.failure";
/// A method definition was refused.
pub const REGISTRATION_FAILURE: &str = "agm.errors.registration.failure";
/// A method to unregister is not registered.
pub const UNREGISTRATION_FAILURE: &str = "agm.errors.unregistration.failure";
/// A subscription could not be made.
pub const SUBSCRIPTION_FAILURE: &str = "agm.errors.subscription.failure";
/// A subscription id is unknown.
pub const INVALID_SUBSCRIPTION: &str = "agm.errors.subscription.invalid_subscription";
/// The peer at the other end is gone.
pub const PEER_REMOVED: &str = "agm.peer-removed";
/// A peer that shared contexts in the domain `context` is gone.
pub const CONTEXT_PEER_REMOVED: &str = "context.peer-removed";
/// The method at the other end is gone.
pub const METHOD_REMOVED: &str = "agm.method-removed";
/// A handler of an application failed; its own words are in `reason`.
pub const CLIENT_ERROR: &str = "agm.errors.client_error";
/// A publisher refused a subscriber.
pub const SUBSCRIPTION_REFUSED: &str = "com.tick42.agm.errors.subscription.failure";

/// `<domain>.errors.failure`: a request of this domain failed.
#[must_use]
pub const fn failure(domain: Domain) -> &'static str {
    match domain {
        Domain::Global => "global.errors.failure",
        Domain::Agm => "agm.errors.failure",
        Domain::Context => "context.errors.failure",
        Domain::Bus => "bus.errors.failure",
        Domain::Metrics => "metrics.errors.failure",
    }
}

/// `<domain>.errors.unhandled_message`: the frame is none this domain knows.
#[must_use]
pub const fn unhandled_message(domain: Domain) -> &'static str {
    match domain {
        Domain::Global => "global.errors.unhandled_message",
        Domain::Agm => "agm.errors.unhandled_message",
        Domain::Context => "context.errors.unhandled_message",
        Domain::Bus => "bus.errors.unhandled_message",
        Domain::Metrics => "metrics.errors.unhandled_message",
    }
}

/// `<domain>.errors.not_authorized`: the requester may not do this.
#[must_use]
pub const fn not_authorized(domain: Domain) -> &'static str {
    match domain {
        Domain::Global => "global.errors.not_authorized",
        Domain::Agm => "agm.errors.not_authorized",
        Domain::Context => "context.errors.not_authorized",
        Domain::Bus => "bus.errors.not_authorized",
        Domain::Metrics => "metrics.errors.not_authorized",
    }
}
