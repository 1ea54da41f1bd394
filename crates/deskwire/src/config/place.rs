//! Where a field stands in a configuration.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Line and column, from 1, of the value of a field such as
/// `gateway.auth.jwt.keys[2]`; of the innermost part of it that is there.
pub(super) fn of(text: &str, field: &str) -> Option<(usize, usize)> {
    let path: Vec<&str> = field.split(['.', '[']).map(|step| step.trim_end_matches(']')).collect();
    (1..=path.len()).rev().find_map(|length| {
        let mut reader = json5::Deserializer::from_str(text);
        // Reading stops with an error at the value, and errors know their place.
        let stopped = Seek(path.get(..length)?).deserialize(&mut reader).err()?;
        stopped.position().map(|position| (position.line + 1, position.column + 1))
    })
}

/// Walks along a path and fails at its end.
struct Seek<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        if self.0.is_empty() {
            return reader.deserialize_any(Here);
        }
        reader.deserialize_any(self)
    }
}

/// Takes no value at all; the error of that has the value's place.
struct Here;

impl Visitor<'_> for Here {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(()) };
        while let Some(key) = map.next_key::<String>()? {
            if key == *first {
                map.next_value_seed(Seek(rest))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(()) };
        let index: usize = first.parse().map_err(A::Error::custom)?;
        for _ in 0..index {
            if seq.next_element::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
        seq.next_element_seed(Seek(rest))?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_where_it_stands() {
        let text =
            "{\n // where\n listen: {\n  port: 1,\n  host: 'x' },\n list: [\n  1,\n  { a: 2 } ] }";
        for (field, line) in [
            ("listen", Some(3)),
            ("listen.port", Some(4)),
            ("listen.host", Some(5)),
            ("list[1].a", Some(8)),
            // What is not there has the place of what it would be in.
            ("listen.token", Some(3)),
            ("nothing.at.all", None),
        ] {
            assert_eq!(of(text, field).map(|(line, _)| line), line, "{field}");
        }
    }
}
