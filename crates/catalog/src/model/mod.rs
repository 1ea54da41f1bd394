//! What definitions say, in one form for every dialect.

mod application;
mod channel;
mod interop;
mod layout;

pub use application::{Application, Exe, Intent, Kind, Node, UrlFault, Window};
pub use channel::Channel;
pub use interop::{ContextSource, ContextUse, Interop, InteropIntent, InteropMethod};
pub use layout::{Layout, LayoutKind};

use serde_json::Value;

/// Whether two values are equal. As `==`, but without a look-up per key where the keys
/// stand in the same order, as they do when a source is read again.
fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            if one.len() == other.len() && one.keys().eq(other.keys()) {
                one.values().zip(other.values()).all(|(one, other)| same_value(one, other))
            } else {
                one == other
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| same_value(one, other))
        }
        _ => one == other,
    }
}
