//! Nesting bound. Clients and `serde_json` recurse into what they parse, so a
//! frame of brackets must not reach them.

/// How deep arrays and objects of one frame may nest.
pub const MAX_DEPTH: usize = 100;

/// Whether `text` nests deeper than [`MAX_DEPTH`]. Brackets inside strings do
/// not count; `text` need not be valid JSON.
pub(crate) fn too_deep(text: &str) -> bool {
    deeper_than(text, MAX_DEPTH)
}

/// As [`too_deep`], for another bound.
pub(crate) fn deeper_than(text: &str, bound: usize) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'{' | b'[' => {
                depth += 1;
                if depth > bound {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    false
}

/// The index of the quote that closes the string whose content starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(offset) if rest.get(offset) == Some(&b'\\') => at += offset + 2,
            Some(offset) => return at + offset,
            None => return bytes.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_brackets_outside_strings() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(!too_deep(&nested(MAX_DEPTH)));
        assert!(too_deep(&nested(MAX_DEPTH + 1)));
        assert!(!too_deep(&format!(r#"{{"a":"{}\"{}"}}"#, "[".repeat(200), "{".repeat(200))));
        assert!(!too_deep(&"[]".repeat(500)));
        assert!(!too_deep(r#""\"#));
    }
}
