//! The regular expressions of a schema, and the room they may take.
//!
//! A few bytes of pattern can stand for a megabyte of automaton, and a schema can
//! hold thousands of patterns. So they share a room, and each gets the smallest
//! share that serves.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Normal;
use super::keywords::each_subschema;

/// Bytes that the compiled form of one may take: tried in turn.
const SHARES: [usize; 3] = [16 * 1024, 128 * 1024, 1024 * 1024];
/// Bytes that those of one schema may take together.
pub(super) const ROOM: usize = 4 * 1024 * 1024;

/// Bytes that matching by one of this size may keep, so as not to work the same out
/// again and again.
pub(super) fn kept(share: usize) -> usize {
    let [.., largest] = SHARES;
    (4 * share).min(largest)
}

/// The different patterns of a schema.
pub(super) fn of(schema: &Normal) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for schema in schema.definitions().values().chain([schema.root()]) {
        gather(schema, &mut found);
    }
    found
}

fn gather<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    let Some(schema) = schema.as_object() else { return };
    found.extend(schema.get("pattern").and_then(Value::as_str));
    let names = schema.get("patternProperties").and_then(Value::as_object);
    found.extend(names.into_iter().flat_map(|names| names.keys().map(String::as_str)));
    each_subschema(schema, |_, _, below| gather(below, found));
}

/// How much room each of so many patterns may be given, the smallest first. None
/// when there are too many.
pub(super) fn rooms(patterns: usize) -> impl Iterator<Item = usize> {
    SHARES.into_iter().filter(move |share| patterns.saturating_mul(*share) <= ROOM)
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// Its compiled form takes more room than there is.
    TooLarge,
    /// It is none, or holds what does not run in linear time.
    Unreadable,
}

/// Why a pattern for which no share sufficed cannot be used.
pub(super) fn unusable(pattern: &str) -> Unusable {
    let [.., largest] = SHARES;
    // The library that checks does not say why it refuses one.
    match regex::RegexBuilder::new(pattern).size_limit(largest).build() {
        Err(regex::Error::CompiledTooBig(_)) | Ok(_) => Unusable::TooLarge,
        Err(_) => Unusable::Unreadable,
    }
}
