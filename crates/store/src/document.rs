//! What is let in: names of a bounded length, JSON objects of a bounded size and depth.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::StoreError;
use crate::limits::Limits;

/// Whether `text` can be kept: one JSON object within the bounds, nested no
/// deeper than the reader of `serde_json` goes (127 levels). `what` names it in the error.
pub(crate) fn check(
    text: &str,
    limits: &Limits,
    what: impl FnOnce() -> String,
) -> Result<(), StoreError> {
    let limit = limits.document_bytes;
    if text.len() > limit {
        return Err(StoreError::TooLarge { what: what(), bytes: text.len(), limit });
    }
    serde_json::from_str::<Object>(text)
        .map(drop)
        .map_err(|error| StoreError::NotAnObject { what: what(), reason: error.to_string() })
}

/// Whether `name` can be a key. `what` names it in the error.
pub(crate) fn check_name(
    name: &str,
    limits: &Limits,
    what: &'static str,
) -> Result<(), StoreError> {
    if (1..=limits.name_bytes).contains(&name.len()) {
        Ok(())
    } else {
        Err(StoreError::BadName { what, bytes: name.len(), limit: limits.name_bytes })
    }
}

/// Any JSON object; nothing of it is kept.
struct Object;

/// Any JSON value. Unlike `IgnoredAny` it goes down by recursion, so that the
/// reader's bound on depth holds.
struct Anything;

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object, A::Error> {
                walk_map(map).map(|()| Object)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for Anything {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl<'de> Visitor<'de> for Value {
            type Value = Anything;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON value")
            }
            fn visit_bool<E: Error>(self, _: bool) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_i64<E: Error>(self, _: i64) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_u64<E: Error>(self, _: u64) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_f64<E: Error>(self, _: f64) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_str<E: Error>(self, _: &str) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_unit<E: Error>(self) -> Result<Anything, E> {
                Ok(Anything)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Anything, A::Error> {
                while seq.next_element::<Anything>()?.is_some() {}
                Ok(Anything)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Anything, A::Error> {
                walk_map(map).map(|()| Anything)
            }
        }
        deserializer.deserialize_any(Value)
    }
}

fn walk_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<Anything, Anything>()?.is_some() {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> Result<(), String> {
        let limits = Limits { document_bytes: 400, ..Limits::default() };
        check(text, &limits, || "the layout `L`".to_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn objects_are_let_in_and_nothing_else() {
        for good in [
            "{}",
            " {\"a\":[1,-2,0.5,true,null,\"ü\",{\"b\":{}}]} ",
            "{\"a\":1,\"a\":2}",
            "{\"\\u0000\":\"\\ud83d\\ude00\"}",
        ] {
            assert_eq!(verdict(good), Ok(()), "{good}");
        }
        for bad in ["", "[]", "7", "\"{}\"", "{\"a\":}", "{} {}", "{\"a\":1", "{\"a\":1e999}"] {
            let message = verdict(bad).unwrap_err();
            assert!(message.starts_with("the layout `L`: not a JSON object: "), "{bad}: {message}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested =
            |levels: usize| format!("{}{}{}", "{\"a\":".repeat(levels), "1", "}".repeat(levels));
        let limits = Limits::default();
        let deep = |levels| check(&nested(levels), &limits, || "it".to_owned());
        assert_eq!(deep(127), Ok(()));
        assert!(deep(128).unwrap_err().to_string().contains("recursion limit"));
        assert!(deep(100_000).is_err());
    }

    #[test]
    fn size_is_bounded_and_named() {
        let text = format!("{{\"a\":\"{}\"}}", "x".repeat(400));
        assert_eq!(
            verdict(&text),
            Err("the layout `L`: 408 bytes, at most 400 are kept".to_owned())
        );
    }

    #[test]
    fn names_are_bounded() {
        let limits = Limits { name_bytes: 3, ..Limits::default() };
        assert_eq!(check_name("abc", &limits, "the id"), Ok(()));
        for bad in ["", "abcd", "üü"] {
            let error = check_name(bad, &limits, "the id").unwrap_err();
            assert_eq!(error.to_string(), format!("the id: {} bytes, needs 1 to 3", bad.len()));
        }
    }
}
