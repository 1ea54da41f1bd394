//! A peer on the bus: session, interop, streams, shared contexts.
