//! Walking through JSON with comments without reading it: where a value ends, which
//! members an object has. Never fails and never recurses; it makes the best of text
//! that is not JSON, so that a fault in one record leaves the others readable.

use memchr::{memchr, memmem};

/// The first offset at or after `at` that is neither blank nor in a comment.
pub(crate) fn skip_blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, ..] => at += 1,
            // The no-break space and the mark at the start of some files.
            [0xc2, 0xa0, ..] => at += 2,
            [0xef, 0xbb, 0xbf, ..] => at += 3,
            [b'/', b'/', ..] => at = memchr(b'\n', rest).map_or(bytes.len(), |end| at + end),
            [b'/', b'*', ..] => {
                at = memmem::find(rest, b"*/").map_or(bytes.len(), |end| at + end + 2)
            }
            _ => return at,
        }
    }
}

/// Where a value ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    /// The offset after it.
    pub(crate) at: usize,
    /// Whether everything that it opens is closed.
    pub(crate) closed: bool,
    /// How deep arrays and objects nest in it.
    pub(crate) depth: usize,
}

/// The end of the value that starts at `start`.
pub(crate) fn end_of_value(text: &str, start: usize) -> End {
    let bytes = text.as_bytes();
    match bytes.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            let (at, closed) = end_of_string(bytes, start + 1, *quote);
            End { at, closed, depth: 0 }
        }
        Some(b'{' | b'[') => end_of_nested(text, start),
        _ => End { at: end_of_word(bytes, start), closed: true, depth: 0 },
    }
}

fn end_of_nested(text: &str, start: usize) -> End {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut depth = 0;
    let mut at = start;
    loop {
        at = skip_blank(text, at);
        match bytes.get(at) {
            None => return End { at: bytes.len(), closed: false, depth },
            Some(quote @ (b'"' | b'\'')) => at = end_of_string(bytes, at + 1, *quote).0,
            Some(bracket @ (b'{' | b'[')) => {
                open.push(*bracket);
                depth = depth.max(open.len());
                at += 1;
            }
            Some(bracket @ (b'}' | b']')) => {
                let opener = if *bracket == b'}' { b'{' } else { b'[' };
                // A bracket that closes an outer one closes those within it.
                let Some(inner) = open.iter().rposition(|one| *one == opener) else {
                    return End { at, closed: false, depth };
                };
                open.truncate(inner);
                at += 1;
                if open.is_empty() {
                    return End { at, closed: true, depth };
                }
            }
            Some(_) => at += 1,
        }
    }
}

/// The offset after the closing quote. A string does not go on over the end of its
/// line, so that a missing quote spoils one line.
fn end_of_string(bytes: &[u8], mut at: usize, quote: u8) -> (usize, bool) {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr::memchr3(quote, b'\\', b'\n', rest) {
            None => return (bytes.len(), false),
            Some(offset) => match rest.get(offset) {
                Some(b'\\') => at = (at + offset + 2).min(bytes.len()),
                Some(b'\n') => return (at + offset, false),
                _ => return (at + offset + 1, true),
            },
        }
    }
}

/// The end of a number, a literal or a bare key.
fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let ends = |byte: &u8| {
        matches!(byte, b',' | b':' | b'{' | b'}' | b'[' | b']' | b'"' | b'\'' | b'/')
            || byte.is_ascii_whitespace()
    };
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// One member of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    /// The key without its quotes; escapes are as written.
    pub(crate) key: &'a str,
    /// Where the key starts.
    pub(crate) key_at: usize,
    /// Where the value starts.
    pub(crate) value_at: usize,
    /// The offset after the value.
    pub(crate) end: usize,
}

/// The members of the object that starts at an offset.
#[derive(Debug)]
pub(crate) struct Members<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Members<'a> {
    /// `start` is the offset of the opening bracket; of anything else there are no members.
    pub(crate) fn new(text: &'a str, start: usize) -> Self {
        let is_object = text.as_bytes().get(start) == Some(&b'{');
        Self { text, at: if is_object { start + 1 } else { text.len() } }
    }

    /// Goes on at `at`, if that is further down.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.at = self.at.max(at);
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let key_at = skip_blank(self.text, self.at);
            match bytes.get(key_at) {
                None | Some(b'}' | b']') => return None,
                Some(b',') => self.at = key_at + 1,
                Some(_) => {
                    let key_end = end_of_value(self.text, key_at).at.max(key_at + 1);
                    let colon = skip_blank(self.text, key_end);
                    if bytes.get(colon) != Some(&b':') {
                        self.at = key_end;
                        continue;
                    }
                    let value_at = skip_blank(self.text, colon + 1);
                    // A value that is missing ends where it would start.
                    let end = end_of_value(self.text, value_at).at;
                    self.at = end;
                    let key = self.text.get(key_at..key_end)?;
                    return Some(Member { key: unquoted(key), key_at, value_at, end });
                }
            }
        }
    }
}

fn unquoted(key: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|quote| key.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_do() {
        for (text, end, closed, depth) in [
            ("12, 3", 2, true, 0),
            (r#""a\"b" "#, 6, true, 0),
            ("'it' ", 4, true, 0),
            ("{} x", 2, true, 1),
            (r#"{"a":["}",{}]} x"#, 14, true, 3),
            ("[1, // ]\n 2] x", 12, true, 1),
            ("[1, /* ] */ 2] x", 14, true, 1),
            ("{\"a\": [1, 2 } x", 13, true, 2),
            ("{\"a\": 1 ] x", 8, false, 1),
            ("{\"a\": 1", 7, false, 1),
            ("{\"a: 1\n} x", 8, true, 1),
            ("{\"a\": \"\\", 8, false, 1),
        ] {
            assert_eq!(end_of_value(text, 0), End { at: end, closed, depth }, "{text}");
        }
    }

    #[test]
    fn members_are_found_in_any_style() {
        let text = "{ \"a\": {\"x\": 1}, // note\n 'b' : [2,], c: 3, }";
        let members: Vec<_> = Members::new(text, 0)
            .map(|member| (member.key, text.get(member.value_at..member.end).unwrap()))
            .collect();
        assert_eq!(members, [("a", "{\"x\": 1}"), ("b", "[2,]"), ("c", "3")]);
        assert_eq!(Members::new("[1]", 0).count(), 0);
        assert_eq!(Members::new("{ junk, \"a\": }", 0).count(), 1);
    }
}
