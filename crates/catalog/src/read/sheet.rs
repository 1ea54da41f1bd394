//! What has been read of a source so far.

use serde_json::Value;

use super::{Read, record};
use crate::diagnostic::Code;
use crate::limits::{MAX_FAULTS, MAX_RECORDS};
use crate::report::Findings;
use crate::source::{Origin, SourceLabel};
use crate::text::{Fault, Lines};

/// What a record is taken for where its own fields do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Application,
    Layout,
    Channel,
    Any,
}

/// What has been read of a source so far.
pub(super) struct Sheet<'a> {
    read: Read,
    findings: Findings,
    lines: Option<Lines<'a>>,
    /// How many records were seen, good or bad.
    seen: usize,
    /// How many places were not JSON.
    faults: usize,
    /// Nothing more is taken in.
    ended: bool,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(source: &SourceLabel, text: Option<&'a str>) -> Self {
        Self {
            read: Read::empty(source.clone()),
            findings: Findings::default(),
            lines: text.map(Lines::new),
            seen: 0,
            faults: 0,
            ended: false,
        }
    }

    /// Tells of the source as a whole.
    pub(super) fn tell(&mut self, offset: Option<usize>, code: Code, message: impl Into<String>) {
        let line = offset.and_then(|at| self.line_at(at));
        self.findings.of_source(&self.read.source, line, code, message);
    }

    /// Tells of text that is not JSON.
    pub(super) fn tell_fault(&mut self, fault: &Fault) {
        let line = self.line_at(fault.at).map(|line| line + fault.lines_down);
        let message = format!("this is not JSON and is left out: {}", fault.reason);
        self.findings.of_source(&self.read.source, line, Code::FileSyntax, message);
        self.faults += 1;
        if self.faults == MAX_FAULTS {
            let message = "this is so often not JSON that the rest is not read";
            self.findings.of_source(&self.read.source, line, Code::FileSyntax, message);
            self.ended = true;
        }
    }

    fn line_at(&mut self, offset: usize) -> Option<usize> {
        self.lines.as_mut().map(|lines| lines.at(offset))
    }

    /// Whether reading is to end: there were too many records or faults.
    pub(super) fn is_full(&self) -> bool {
        self.ended
    }

    /// Takes in one record.
    pub(super) fn record(
        &mut self,
        value: Value,
        expect: Expect,
        pointer: String,
        place: Option<(usize, &str)>,
    ) {
        if self.ended {
            return;
        }
        let line = place.and_then(|(at, _)| self.line_at(at));
        if self.seen == MAX_RECORDS {
            let message = format!(
                "only the first {MAX_RECORDS} records are read; split the source into several"
            );
            let source = &self.read.source;
            self.findings.of_source(source, line, Code::FileTooManyRecords, message);
            self.ended = true;
            return;
        }
        let origin = Origin { source: self.read.source.clone(), pointer, index: self.seen, line };
        self.seen += 1;
        let text = place.map(|(_, text)| text);
        match record::read(value, expect, &origin, text, &mut self.findings) {
            Some(record::Record::Application(one)) => self.read.applications.push(one),
            Some(record::Record::Layout(one)) => self.read.layouts.push(one),
            Some(record::Record::Channel(one)) => self.read.channels.push(one),
            None => {}
        }
    }

    pub(super) fn finish(mut self) -> Read {
        self.read.diagnostics = self.findings.into_vec(&self.read.source);
        self.read
    }
}
