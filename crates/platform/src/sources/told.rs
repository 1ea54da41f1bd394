//! What is wrong with a source as a whole, as diagnostics.

use deskwire_catalog::{Code, Diagnostic, SourceLabel};

/// A diagnostic about a whole source.
pub(super) fn tell(source: &SourceLabel, code: Code, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        code,
        severity: code.severity(),
        source: source.clone(),
        line: None,
        record: None,
        field: None,
        message: message.into(),
    }
}

/// That an older version stays in force.
pub(super) fn stale(source: &SourceLabel, why: &str) -> Diagnostic {
    tell(source, Code::FileStale, format!("{why}; what was read before stays in force"))
}
