//! The elements of an array, each read by itself.

use serde_json::Value;

use super::lines::line_ends;
use super::walk::{End, end_of_value, skip_blank};
use crate::limits::{MAX_DEPTH, MAX_RESUMES};

/// What is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The offset of the value it is in.
    pub(crate) at: usize,
    /// How many lines further down it is.
    pub(crate) lines_down: usize,
    /// What is wrong.
    pub(crate) reason: String,
}

impl Fault {
    fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, lines_down: 0, reason: reason.into() }
    }
}

/// One element of an array.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    /// Where it starts.
    pub(crate) at: usize,
    /// Its text.
    pub(crate) text: &'a str,
    /// Its value.
    pub(crate) value: Value,
}

/// The elements of the array that starts at an offset, and the faults between them.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    /// An element stood here last, so a comma must come before the next.
    wants_comma: bool,
    /// Where the last element starts.
    last: usize,
    /// Where the first element starts that is no record, since the last that is one.
    astray: Option<usize>,
    /// How often reading went on behind a record that is not closed.
    resumes: usize,
    done: bool,
}

/// Where to read on within or behind a record that is not closed: at the next line that
/// starts a record as far to the right as this one, unless the list is closed before.
/// People indent, so the records behind the fault are not lost with it.
fn next_record(text: &str, at: usize, bound: usize) -> Option<usize> {
    let mut start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text.get(start..bound)?.split_inclusive('\n');
    let first = lines.next()?;
    let indent = indent_of(first);
    if !matches!(first.as_bytes().get(indent), Some(b'{' | b'[')) {
        return None;
    }
    start += first.len();
    for line in lines {
        let own = indent_of(line);
        match line.as_bytes().get(own) {
            Some(b'{') if own == indent => return Some(start + own),
            Some(b']') if own <= indent => return None,
            _ => start += line.len(),
        }
    }
    None
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

impl<'a> Pieces<'a> {
    /// `start` is the offset of the opening bracket.
    pub(crate) fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            at: start + 1,
            wants_comma: false,
            last: start,
            astray: None,
            resumes: 0,
            done: false,
        }
    }

    /// As [`next_record`] in all the text, but not too often.
    fn next_record(&mut self, at: usize) -> Option<usize> {
        self.resumes += 1;
        if self.resumes > MAX_RESUMES {
            return None;
        }
        next_record(self.text, at, self.text.len())
    }

    /// The offset after what was read: after the closing bracket, at the end.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            self.at = skip_blank(self.text, self.at);
            let at = self.at;
            match self.text.as_bytes().get(at) {
                None => {
                    self.done = true;
                    return Some(Err(Fault::new(at, "the list does not end; `]` is missing")));
                }
                Some(b']') => {
                    // One too many in a record does not close the list.
                    let next = self.astray.take().and_then(|last| self.next_record(last));
                    self.done = next.is_none();
                    self.at = next.unwrap_or(at + 1);
                    self.wants_comma = false;
                }
                Some(b',') => {
                    self.at += 1;
                    self.wants_comma = false;
                }
                Some(b'}' | b':') => {
                    self.at += 1;
                    self.astray = self.astray.or(Some(self.last));
                    return Some(Err(Fault::new(at, "a record is closed that is not open")));
                }
                Some(_) if self.wants_comma => {
                    self.wants_comma = false;
                    return Some(Err(Fault::new(at, "a comma is missing before this record")));
                }
                Some(_) => {
                    let Parsed { end, closed, value } = parse(self.text, at);
                    self.wants_comma = true;
                    // What is no record may hold those behind it: somebody slipped.
                    let is_record = value.as_ref().is_ok_and(Value::is_object);
                    self.astray = if is_record { None } else { self.astray.or(Some(at)) };
                    self.last = at;
                    let next = match closed {
                        true if is_record => None,
                        true => next_record(self.text, at, end),
                        false => self.next_record(at),
                    };
                    if let Some(next) = next {
                        self.wants_comma = false;
                        self.at = next;
                        let text = self.text.get(at..next).unwrap_or_default();
                        return Some(value.map(|value| Piece { at, text, value }));
                    }
                    // Whatever stands there, the next look is further on.
                    self.at = end.max(at + 1);
                    while !self.text.is_char_boundary(self.at) {
                        self.at += 1;
                    }
                    let text = self.text.get(at..self.at).unwrap_or_default();
                    return Some(value.map(|value| Piece { at, text, value }));
                }
            }
        }
        None
    }
}

/// A value that was read, or why it could not be.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The offset after it.
    pub(crate) end: usize,
    /// Whether everything that it opens is closed.
    closed: bool,
    /// The value.
    pub(crate) value: Result<Value, Fault>,
}

/// Reads the value that starts at `at`.
pub(crate) fn parse(text: &str, at: usize) -> Parsed {
    let rest = text.get(at..).unwrap_or_default();
    let mut strict = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        return Parsed { end: at + strict.byte_offset(), closed: true, value: Ok(value) };
    }
    let end = end_of_value(text, at);
    let value = parse_loose(text, at, end);
    Parsed { end: end.at, closed: end.closed, value }
}

fn parse_loose(text: &str, at: usize, end: End) -> Result<Value, Fault> {
    if end.depth > MAX_DEPTH {
        return Err(Fault::new(at, format!("it nests deeper than {MAX_DEPTH} levels")));
    }
    if !end.closed {
        return Err(Fault::new(at, "a bracket or a quote that opens here is not closed"));
    }
    let own = text.get(at..end.at).unwrap_or_default();
    json5::from_str(own).map_err(|error| {
        let lines_down = error.position().map_or(0, |position| position.line);
        let reason = error.to_string();
        let reason = reason.rfind(" at line ").and_then(|end| reason.get(..end)).unwrap_or(&reason);
        debug_assert!(lines_down <= line_ends(own, 0, own.len()));
        Fault { at, lines_down, reason: reason.to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element as JSON, every fault as `!line down: reason`.
    fn pieces(text: &str) -> Vec<String> {
        Pieces::new(text, 0)
            .map(|piece| match piece {
                Ok(piece) => piece.value.to_string(),
                Err(fault) => format!("!{}: {}", fault.lines_down, fault.reason),
            })
            .collect()
    }

    #[test]
    fn elements_in_any_style() {
        assert_eq!(pieces("[]"), [""; 0]);
        assert_eq!(pieces(r#"[{"a":1}, {"b":[2]}]"#), [r#"{"a":1}"#, r#"{"b":[2]}"#]);
        assert_eq!(
            pieces("[ // one\n {a: 1,}, /* two */ {'b': 'x'}, ]"),
            [r#"{"a":1}"#, r#"{"b":"x"}"#]
        );
        assert_eq!(pieces("[null, 7, \"x\"]"), ["null", "7", "\"x\""]);
    }

    #[test]
    fn a_fault_costs_one_element() {
        assert_eq!(
            pieces("[{\"a\":1}, {\"b\":\n oops oops}, {\"c\":3}]"),
            [r#"{"a":1}"#, "!1: expected value", r#"{"c":3}"#]
        );
        assert_eq!(
            pieces("[{\"a\": \"x}, {\"b\":1}\n]"),
            ["!0: a bracket or a quote that opens here is not closed"]
        );
        assert_eq!(pieces("[{\"a\": [1, 2}, {\"b\":1}]").last().unwrap(), r#"{"b":1}"#);
        assert_eq!(
            pieces("[{\"a\":1} {\"b\":2}]"),
            [r#"{"a":1}"#, "!0: a comma is missing before this record", r#"{"b":2}"#]
        );
        assert_eq!(
            pieces("[{\"a\":1}}, {\"b\":2}]"),
            [r#"{"a":1}"#, "!0: a record is closed that is not open", r#"{"b":2}"#]
        );
        assert_eq!(
            pieces("[{\"a\":1}, "),
            [r#"{"a":1}"#, "!0: the list does not end; `]` is missing"]
        );
    }

    #[test]
    fn a_record_that_is_not_closed_costs_itself() {
        let text = "[\n  {\n    \"a\": { \"url\": http://x/ }\n  },\n  {\n    \"b\": 1\n  },\n  {\"c\": 1\n]";
        assert_eq!(
            pieces(text),
            [
                "!0: a bracket or a quote that opens here is not closed",
                r#"{"b":1}"#,
                "!0: a bracket or a quote that opens here is not closed",
            ]
        );
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("[{}1{}, 2]", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(pieces(&nested(MAX_DEPTH)).len(), 2);
        let deep = pieces(&nested(MAX_DEPTH + 1));
        assert_eq!(deep, ["!0: it nests deeper than 127 levels", "2"]);
        assert_eq!(pieces(&nested(200_000)).last().unwrap(), "2");
    }
}
