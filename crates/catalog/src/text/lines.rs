//! Line numbers.

use memchr::memchr_iter;

/// Turns offsets into lines; cheap while offsets grow.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of the byte at `offset`, counted from 1.
    pub(crate) fn at(&mut self, offset: usize) -> usize {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line += line_ends(self.text, self.at, offset);
        self.at = offset;
        self.line
    }
}

/// How many lines end before `offset`.
pub(crate) fn lines_before(text: &str, offset: usize) -> usize {
    line_ends(text, 0, offset)
}

/// How many lines end between two offsets.
pub(crate) fn line_ends(text: &str, from: usize, to: usize) -> usize {
    let bytes = text.as_bytes();
    memchr_iter(b'\n', bytes.get(from..to.min(bytes.len())).unwrap_or_default()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_backwards_too() {
        let mut lines = Lines::new("a\nb\r\n\nc");
        assert_eq!([0, 1, 2, 5, 6, 99].map(|at| lines.at(at)), [1, 1, 2, 3, 4, 4]);
        assert_eq!(lines.at(0), 1);
    }
}
