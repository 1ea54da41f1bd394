//! Standard output: answers, and nothing else.

use std::io::{self, Write};

use serde::Serialize;

use crate::fault::Fault;

/// Prints `text` and a line end. A reader that went away is no failure.
pub(super) fn line(text: &str) -> Result<(), Fault> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Fault::new("write to standard output", error))
        }
        _ => Ok(()),
    }
}

/// A text of others, fit for a terminal: what would steer it is replaced.
pub(super) fn shown(text: &str) -> String {
    text.chars().map(|each| if each.is_control() { '\u{fffd}' } else { each }).collect()
}

/// Prints `value` as indented JSON.
pub(super) fn json(value: &impl Serialize) -> Result<(), Fault> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Fault::new("write the answer as JSON", error))?;
    line(&text)
}
