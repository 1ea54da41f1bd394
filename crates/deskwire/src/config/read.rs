//! Reading `deskwire.json`: JSON with comments, and errors that name the place.

use std::io;
use std::path::{Path, PathBuf};

use super::{Config, place};
use crate::fault::Fault;

/// The file that is read when none is named.
const DEFAULT_FILE: &str = "deskwire.json";

/// A configuration and the file it came from; `None` when there is none.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    pub(crate) file: Option<PathBuf>,
    text: String,
}

impl Loaded {
    /// The fault with file, line and column, where a field of the file is at fault.
    pub(crate) fn place(&self, fault: Fault) -> Fault {
        fault.placed(|field| {
            let file = self.file.as_ref()?;
            // Where both stand, the other name counts.
            let other = field.strip_prefix("server.").map(|rest| format!("mcpCoreServer.{rest}"));
            let other = other.and_then(|other| place::of(&self.text, &other));
            let (line, column) = other.or_else(|| place::of(&self.text, field))?;
            Some(format!("{}:{line}:{column}", file.display()))
        })
    }
}

/// Reads `named`, else `deskwire.json` of the current folder, else nothing.
pub(crate) fn load(named: Option<&Path>) -> Result<Loaded, Fault> {
    let path = named.unwrap_or(Path::new(DEFAULT_FILE));
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
            return Ok(Loaded::default());
        }
        Err(error) => {
            return Err(Fault::new(format!("read the configuration {}", path.display()), error));
        }
    };
    match parse(&text) {
        Ok(config) => Ok(Loaded { config, file: Some(path.to_owned()), text }),
        Err(Mistake { line, column, field, reason }) => Err(Fault::new(
            format!("use the configuration {}", path.display()),
            format!("{}:{line}:{column}: {field}{reason}", path.display()),
        )),
    }
}

/// What is wrong in a configuration, and where (lines and columns from 1).
#[derive(Debug, PartialEq, Eq)]
struct Mistake {
    line: usize,
    column: usize,
    field: String,
    reason: String,
}

fn parse(text: &str) -> Result<Config, Mistake> {
    let mut reader = json5::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map(Config::settled).map_err(|error| {
        let path = error.path().to_string();
        let field = match path.trim_end_matches(['?', '.']) {
            "" => String::new(),
            path => format!("{path}: "),
        };
        let inner = error.into_inner();
        let (line, column) =
            inner.position().map_or((1, 1), |position| (position.line + 1, position.column + 1));
        let reason = inner.to_string();
        let reason = match reason.rfind(" at line ") {
            Some(end) => reason.get(..end).unwrap_or(&reason).to_owned(),
            None => reason,
        };
        Mistake { line, column, field, reason }
    })
}

#[cfg(test)]
mod tests {
    use super::super::{AppStore, DefinitionSource};
    use super::*;

    #[test]
    fn an_empty_file_is_the_defaults() {
        let config = parse("{}").unwrap();
        assert_eq!(config, Config::default());
        assert_eq!(config.listen.port, 4111);
        assert_eq!(config.server.tools.response_timeout_ms.get(), 30_000);
    }

    #[test]
    fn comments_and_the_names_of_the_original_are_read() {
        let text = "{ // a comment\n mcpCoreServer: { name: 'desk', }, licenseKey: 'any' }";
        assert_eq!(parse(text).unwrap().server.name, "desk");
        let text = "{ mcpCoreServer: { name: 'desk' }, server: { port: 8989 } }";
        let config = parse(text).unwrap();
        assert_eq!((config.server.name.as_str(), config.listen.port), ("desk", 8989));
    }

    #[test]
    fn a_mistake_in_meaning_names_its_place_too() {
        let text = "{\n mcpCoreServer: {\n  tools: { static: { methods: [] } } },\n listen: { host: 'x' } }";
        let file = Some(PathBuf::from("desk.json"));
        let loaded = Loaded { config: parse(text).unwrap(), file, text: text.into() };
        for (field, place) in
            [("listen.host", "desk.json:4:"), ("server.tools.static", "desk.json:3:")]
        {
            let fault = loaded.place(Fault::new("listen on `x`", "no address").field(field));
            let told = fault.to_string();
            assert!(told.starts_with(&format!("cannot listen on `x`: {place}")), "{told}");
            assert!(told.ends_with(&format!(": {field}: no address")), "{told}");
        }
        // Without a file there is no place, and the rest is told.
        let fault =
            Loaded::default().place(Fault::new("listen", "no address").field("listen.host"));
        assert_eq!(fault.to_string(), "cannot listen: no address");
    }

    #[test]
    fn definitions_come_from_paths_and_directories() {
        let text = "{ platform: { applications: ['apps', { url: 'https://d.example/v2/apps' }] },
            appStores: [{ type: 'in-memory', details: { allowedApps: ['mcp-app.*'] } }] }";
        let platform = parse(text).unwrap().platform;
        let [DefinitionSource::Path(path), DefinitionSource::Rest(rest)] =
            platform.applications.as_slice()
        else {
            panic!("{platform:?}")
        };
        assert_eq!(path, Path::new("apps"));
        assert_eq!((rest.url.as_str(), rest.poll_seconds.get()), ("https://d.example/v2/apps", 60));
        let allowed_apps = vec!["mcp-app.*".to_owned()];
        assert_eq!(platform.app_stores, [AppStore::InMemory { allowed_apps }]);
    }

    #[test]
    fn a_mistake_names_line_field_and_what_would_be_right() {
        for (text, line, field, reason) in [
            (
                "{\n server: {\n  nane: 'x' } }",
                3,
                "server.nane: ",
                "unknown field `nane`, expected",
            ),
            ("{ listen: { port: 70000 } }", 1, "listen.port: ", "expected u16"),
            ("{ listen: { host: 5 } }", 1, "listen.host: ", "expected string"),
            (
                "{ server: { tools: { responseTimeoutMs: 0 } } }",
                1,
                "server.tools.responseTimeoutMs: ",
                "nonzero",
            ),
            ("{ server: {},, }", 1, "", "expected identifier"),
            (
                "{ platform: { applications: [5] } }",
                1,
                "platform.applications[0]: ",
                "expected the path of a file or folder, or an object with `url`",
            ),
            (
                "{ platform: { appStores: [{ type: 'memory' }] } }",
                1,
                "platform.appStores[0].type: ",
                "expected `in-memory`",
            ),
            (
                "{ server: { tools: { dynamic: { methods: {\n guard: 'servr.user == 1' } } } } }",
                2,
                "server.tools.dynamic.methods.guard: ",
                "unknown variable `servr`; a guard here knows method, server",
            ),
            (
                "{ server: { tools: { static: { methods: [{ availability: 'always' }] } } } }",
                1,
                "server.tools.static.methods[0].availability: ",
                "expected `constant` or `variable`",
            ),
        ] {
            let mistake = parse(text).unwrap_err();
            assert_eq!((mistake.line, mistake.field.as_str()), (line, field), "{mistake:?}");
            assert!(mistake.reason.contains(reason), "{mistake:?}");
            assert!(!mistake.reason.contains(" at line "), "{mistake:?}");
        }
    }
}
