//! Numbers inside, text outside.
//!
//! One counter numbers everything the gateway names. On the wire a number
//! stands behind a letter and the node's id (`p-<node>-7`); inside, maps are
//! keyed by the number alone.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use deskwire_wire::{CallId, ContextId, PeerId};

/// A link, as the shell numbered it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId(pub u64);

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident => $wire:ident, $letter:literal, $read:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub(crate) struct $name(u64);

            impl $name {
                /// The next number, and its name on the wire.
                pub(crate) fn next(counter: &mut Counter) -> (Self, $wire) {
                    let (number, name) = counter.next($letter);
                    (Self(number), $wire::from(name))
                }
            }

            impl Counter {
                /// The number behind a name on the wire, if it is one of this node's.
                pub(crate) fn $read(&self, name: &str) -> Option<$name> {
                    self.number($letter, name).map($name)
                }
            }
        )*
    };
}

numbers! {
    /// A peer.
    PeerNo => PeerId, 'p', peer;
    /// An invocation or a subscription.
    CallNo => CallId, 'r', call;
    /// A shared context.
    ContextNo => ContextId, 'c', context;
}

/// Makes numbers and names, and reads names back.
#[derive(Debug)]
pub(crate) struct Counter {
    /// `-<node>-`.
    middle: String,
    last: u64,
}

impl Counter {
    pub(crate) fn new(node: &str) -> Self {
        Self { middle: format!("-{node}-"), last: 0 }
    }

    /// A name for an instance that brought none.
    pub(crate) fn instance(&mut self) -> String {
        self.next('i').1
    }

    fn next(&mut self, letter: char) -> (u64, String) {
        self.last += 1;
        (self.last, format!("{letter}{}{}", self.middle, self.last))
    }

    fn number(&self, letter: char, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(letter)?.strip_prefix(self.middle.as_str())?;
        let canonical =
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse().ok().filter(|_| canonical)
    }
}

/// A map keyed by numbers of our own making, which need no hashing against
/// hostile keys.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Spreads a counter over a table.
#[derive(Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn write_u64(&mut self, number: u64) {
        // Fibonacci hashing: consecutive numbers land far apart in the high
        // bits, which the table uses too.
        self.0 = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_to_their_number_and_nothing_else_does() {
        let mut counter = Counter::new("n0");
        let (peer, name) = PeerNo::next(&mut counter);
        assert_eq!(name.as_str(), "p-n0-1");
        assert_eq!(counter.peer("p-n0-1"), Some(peer));
        for name in [
            "p-n0-01",
            "p-n0-+1",
            "p-n1-1",
            "c-n0-1",
            "p-n0-",
            "",
            "p-n0-1 ",
            "p-n0-99999999999999999999",
        ] {
            assert_eq!(counter.peer(name), None, "{name}");
        }
    }
}
