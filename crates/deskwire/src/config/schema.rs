//! The JSON Schema of `deskwire.json`, for editors, made from the types.

use super::Config;

/// The name under which the schema lies beside a configuration.
pub(crate) const SCHEMA_FILE: &str = "deskwire.schema.json";

/// The schema as text, ending in a line end.
pub(crate) fn text() -> String {
    let schema = schemars::schema_for!(Config);
    // A schema is JSON, and JSON can be written.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(SCHEMA_FILE);
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, text()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == text(),
            "{} is stale; run this test with UPDATE_SCHEMA=1",
            path.display()
        );
    }
}
