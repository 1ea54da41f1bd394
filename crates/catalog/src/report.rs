//! Telling what is wrong with a record while it is read.

use std::fmt::Write as _;

use crate::diagnostic::{Code, Diagnostic, RecordRef};
use crate::limits::{MAX_DIAGNOSTICS, MAX_DIAGNOSTICS_OF_RECORD, MAX_LOCATED, MAX_QUOTED};
use crate::source::{Origin, SourceLabel};
use crate::text;

/// One step from a value into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// To a member.
    Key(&'a str),
    /// To an element.
    Index(usize),
}

/// A field of a record, as a chain of borrowed steps: costs nothing until it is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path<'a> {
    above: Option<&'a Self>,
    step: Option<Step<'a>>,
}

impl<'a> Path<'a> {
    /// The record itself.
    pub(crate) const ROOT: Path<'static> = Path { above: None, step: None };

    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self { above: Some(self), step: Some(Step::Key(key)) }
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self { above: Some(self), step: Some(Step::Index(index)) }
    }

    fn steps(&self) -> Vec<Step<'a>> {
        let mut steps: Vec<_> = std::iter::successors(Some(self), |path| path.above)
            .filter_map(|path| path.step)
            .collect();
        steps.reverse();
        steps
    }
}

/// `details.url`, `intents[0].name`; the record itself is empty.
fn written(steps: &[Step<'_>]) -> String {
    steps.iter().fold(String::new(), |mut field, step| {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Key(key) if field.is_empty() => write!(field, "{}", quote(key)),
            Step::Key(key) => write!(field, ".{}", quote(key)),
            Step::Index(index) => write!(field, "[{index}]"),
        };
        field
    })
}

/// A piece of somebody's text in a message: without control characters, and not long.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted: String = text
        .chars()
        .map(|each| if each.is_control() { ' ' } else { each })
        .take(MAX_QUOTED)
        .collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}

/// The diagnostics of a source, bounded.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Findings {
    /// Whether there is room for one more; it counts as told either way.
    fn has_room(&mut self) -> bool {
        let room = self.kept.len() < MAX_DIAGNOSTICS;
        self.dropped += usize::from(!room);
        room
    }

    /// Tells of the source, not of a record in it.
    pub(crate) fn of_source(
        &mut self,
        source: &SourceLabel,
        line: Option<usize>,
        code: Code,
        message: impl Into<String>,
    ) {
        if self.has_room() {
            self.kept.push(of_source(source, line, code, message.into()));
        }
    }

    pub(crate) fn into_vec(mut self, source: &SourceLabel) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let message = format!("{} more problems are not told", self.dropped);
            self.kept.push(of_source(source, None, Code::FileMoreDiagnostics, message));
        }
        self.kept
    }
}

fn of_source(source: &SourceLabel, line: Option<usize>, code: Code, message: String) -> Diagnostic {
    Diagnostic {
        code,
        severity: code.severity(),
        source: source.clone(),
        line,
        record: None,
        field: None,
        message,
    }
}

/// Where the reading of one record tells what is wrong with it.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    origin: &'a Origin,
    name: Option<&'a str>,
    /// The text of the record, where it came as text.
    text: Option<&'a str>,
    findings: &'a mut Findings,
    /// How many problems of this record were told.
    told: usize,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        origin: &'a Origin,
        name: Option<&'a str>,
        text: Option<&'a str>,
        findings: &'a mut Findings,
    ) -> Self {
        Self { origin, name, text, findings, told: 0 }
    }

    /// The place of the record.
    pub(crate) fn origin(&self) -> &Origin {
        self.origin
    }

    /// Tells what is wrong with a field.
    pub(crate) fn tell(&mut self, code: Code, path: Path<'_>, message: impl Into<String>) {
        self.told += 1;
        if self.told > MAX_DIAGNOSTICS_OF_RECORD {
            self.findings.dropped += 1;
            return;
        }
        if !self.findings.has_room() {
            return;
        }
        let steps = path.steps();
        let line = self.origin.line.map(|line| match self.text {
            Some(text) if text.len() <= MAX_LOCATED => {
                line + text::lines_before(text, text::locate(text, &steps))
            }
            _ => line,
        });
        let name = self.name.map(quote);
        self.findings.kept.push(Diagnostic {
            code,
            severity: code.severity(),
            source: self.origin.source.clone(),
            line,
            record: Some(RecordRef::new(self.origin, name.as_deref())),
            field: Some(written(&steps)).filter(|field| !field.is_empty()),
            message: message.into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_in_a_program() {
        let intents = Path::ROOT.key("intents");
        let first = intents.index(0);
        assert_eq!(written(&first.key("name").steps()), "intents[0].name");
        assert_eq!(written(&Path::ROOT.steps()), "");
    }

    #[test]
    fn quoted_text_is_one_short_line() {
        assert_eq!(quote("a\nb\u{1b}"), "a b ");
        assert_eq!(quote(&"x".repeat(200)).chars().count(), MAX_QUOTED + 1);
    }
}
