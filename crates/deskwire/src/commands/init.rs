//! `deskwire init`: a configuration to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use super::output;
use crate::cli::InitArgs;
use crate::config;
use crate::fault::Fault;

/// The common settings with their defaults, and one tool as an example.
const TEMPLATE: &str = include_str!("init.json5");

pub(super) fn run(args: &InitArgs) -> Result<ExitCode, Fault> {
    let failed = |path: &Path, error: std::io::Error| {
        let fault = Fault::new(format!("write {}", path.display()), &error);
        if error.kind() == ErrorKind::AlreadyExists {
            fault.hint("Name another file, or remove this one first.")
        } else {
            fault
        }
    };
    let file = &args.file;
    let mut made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .map_err(|error| failed(file, error))?;
    made.write_all(TEMPLATE.as_bytes()).map_err(|error| failed(file, error))?;
    let schema = file.with_file_name(config::SCHEMA_FILE);
    std::fs::write(&schema, config::schema()).map_err(|error| failed(&schema, error))?;
    output::line(&format!(
        "{}  the configuration; run `deskwire check` after a change",
        file.display()
    ))?;
    output::line(&format!("{}  its schema, for editors", schema.display()))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_loads_and_holds_the_defaults_and_search_for_every_client() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deskwire.json");
        std::fs::write(&file, TEMPLATE).unwrap();
        let mut config = config::load(Some(&file)).unwrap().config;
        assert_eq!(config.server.tools.fixed.methods.len(), 1);
        config.schema = None;
        config.server.tools.fixed.methods.clear();
        assert_eq!(config, config::Config::of_demo());
    }
}
