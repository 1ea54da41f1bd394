//! What a definition wants started, and whether it may be.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use deskwire_catalog::{Application, Kind};
use indexmap::IndexMap;

use super::environment::Surroundings;
use super::expand::expand;
use crate::instances::StartError;
use crate::sources::AllowedPaths;

/// A program with its arguments and surroundings, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// Where it is: an absolute path.
    pub(crate) executable: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The folder it works in.
    pub(crate) folder: PathBuf,
    /// What its definition adds to the environment.
    pub(crate) env: Vec<(String, String)>,
}

/// Finds programs.
///
/// A program is run if it lies in the base folder or in one that is allowed, links
/// followed; or if it is a bare name that the `PATH` of the platform knows.
#[derive(Debug)]
pub(crate) struct Programs {
    paths: AllowedPaths,
    surroundings: Surroundings,
}

/// The one application that is looked for, for errors.
struct Search<'a> {
    programs: &'a Programs,
    application: &'a str,
}

impl Programs {
    pub(crate) const fn new(paths: AllowedPaths, surroundings: Surroundings) -> Self {
        Self { paths, surroundings }
    }

    /// The variables that programs are started with.
    pub(crate) const fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// What is to be started for an application of type exe or node. Asks the file system.
    pub(crate) fn find(&self, application: &Application) -> Result<Program, StartError> {
        let search = Search { programs: self, application: &application.name };
        match &application.kind {
            Kind::Exe(exe) => {
                let Some((command, folder)) = exe.program() else {
                    return Err(search.faulty(
                        "the definition has neither `details.command` nor `details.path`",
                    ));
                };
                let command = search.expand("details.command", command)?;
                let folder = folder.map(|folder| search.folder(folder)).transpose()?;
                let (executable, folder) = search.executable(&command, folder)?;
                let arguments = search.arguments(exe.parameters.as_deref())?;
                Ok(Program { executable, arguments, folder, env: search.env(&exe.env)? })
            }
            Kind::Node(node) => {
                let Some(path) = node.path.as_deref() else {
                    return Err(search.faulty("the definition has no `details.path`, the script"));
                };
                let path = search.expand("details.path", path)?;
                let script = self.paths.absolute(Path::new(&*path));
                search.allow(&path, &script)?;
                if !script.is_file() {
                    let place = format!("at `{}`", self.paths.label(&script));
                    return Err(search.missing(&path, place));
                }
                let executable =
                    search.on_path("node").ok_or_else(|| search.missing("node", on_the_path()))?;
                let folder = parent(&script);
                let mut arguments = vec![script.to_string_lossy().into_owned()];
                arguments.extend(search.arguments(node.parameters.as_deref())?);
                Ok(Program { executable, arguments, folder, env: search.env(&node.env)? })
            }
            Kind::Window(_) | Kind::Workspaces | Kind::Other(_) => {
                Err(StartError::UnsupportedType {
                    application: application.name.clone(),
                    kind: application.kind.type_name().to_owned(),
                })
            }
        }
    }
}

impl Search<'_> {
    fn folder(&self, folder: &str) -> Result<PathBuf, StartError> {
        let folder = self.expand("details.path", folder)?;
        let path = self.programs.paths.absolute(Path::new(&*folder));
        self.allow(&folder, &path)?;
        if path.is_dir() {
            Ok(path)
        } else {
            Err(self.faulty(format!("its folder `{folder}` (`details.path`) does not exist")))
        }
    }

    /// The program and the folder it works in.
    fn executable(
        &self,
        command: &str,
        folder: Option<PathBuf>,
    ) -> Result<(PathBuf, PathBuf), StartError> {
        let base = self.programs.paths.absolute(Path::new(""));
        let beside = folder.as_deref().unwrap_or(&base).join(command);
        if is_bare(command) {
            // In its folder, as definitions mean it; else wherever the system has it.
            if beside.is_file() {
                self.allow(command, &beside)?;
                return Ok((beside, folder.unwrap_or(base)));
            }
            return match self.on_path(command) {
                Some(found) => Ok((found, folder.unwrap_or(base))),
                None => {
                    let place = match folder {
                        Some(folder) => {
                            format!(
                                "in `{}`, and none on the PATH",
                                self.programs.paths.label(&folder)
                            )
                        }
                        None => "in the base folder, and none on the PATH".to_owned(),
                    };
                    Err(self.missing(command, place))
                }
            };
        }
        self.allow(command, &beside)?;
        if !beside.is_file() {
            let place = format!("at `{}`", self.programs.paths.label(&beside));
            return Err(self.missing(command, place));
        }
        let folder = folder.unwrap_or_else(|| parent(&beside));
        Ok((beside, folder))
    }

    fn allow(&self, written: &str, path: &Path) -> Result<(), StartError> {
        match self.programs.paths.check(path) {
            Ok(_) => Ok(()),
            Err(error) => Err(StartError::PathNotAllowed {
                application: self.application.to_owned(),
                path: written.to_owned(),
                reason: error.to_string(),
            }),
        }
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        let path = self.programs.surroundings.get("PATH")?;
        // A relative folder would mean another one for each working folder.
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .flat_map(|folder| spellings(name).map(move |name| folder.join(name)))
            .find(|candidate| is_executable(candidate))
    }

    fn arguments(&self, line: Option<&str>) -> Result<Vec<String>, StartError> {
        let Some(line) = line else { return Ok(Vec::new()) };
        let line = self.expand("details.parameters", line)?;
        // On Windows a backslash is a part of a path.
        let line = if cfg!(windows) { Cow::Owned(line.replace('\\', "\\\\")) } else { line };
        shlex::split(&line)
            .ok_or_else(|| self.faulty("`details.parameters` has a quote that is not closed"))
    }

    fn env(&self, env: &IndexMap<String, String>) -> Result<Vec<(String, String)>, StartError> {
        let fill = |(name, value): (&String, &String)| {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                return Err(
                    self.faulty(format!("`{name}` in `details.env` is no name of a variable"))
                );
            }
            Ok((name.clone(), self.expand("details.env", value)?.into_owned()))
        };
        env.iter().map(fill).collect()
    }

    fn expand<'t>(&self, field: &str, text: &'t str) -> Result<Cow<'t, str>, StartError> {
        let known = |name: &str| {
            let value = self.programs.surroundings.get(name)?;
            Some(value.to_string_lossy().into_owned())
        };
        let expanded = expand(text, known).map_err(|name| {
            self.faulty(format!("the variable %{name}% in `{field}` is not set"))
        })?;
        if expanded.contains('\0') {
            return Err(self.faulty(format!("`{field}` holds a zero character")));
        }
        Ok(expanded)
    }

    fn faulty(&self, reason: impl Into<String>) -> StartError {
        StartError::Definition { application: self.application.to_owned(), reason: reason.into() }
    }

    fn missing(&self, program: &str, place: String) -> StartError {
        StartError::ExecutableMissing {
            application: self.application.to_owned(),
            program: program.to_owned(),
            place,
        }
    }
}

fn on_the_path() -> String {
    "on the PATH".to_owned()
}

/// Whether it is a name and no path.
fn is_bare(command: &str) -> bool {
    let separators: &[char] = if cfg!(windows) { &['/', '\\', ':'] } else { &['/'] };
    !command.contains(separators) && command != ".."
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// How a command may be called in a folder of the PATH.
#[cfg(not(windows))]
fn spellings(name: &str) -> impl Iterator<Item = String> {
    std::iter::once(name.to_owned())
}

/// How a command may be called in a folder of the PATH: scripts such as `npx.cmd` count.
#[cfg(windows)]
fn spellings(name: &str) -> impl Iterator<Item = String> {
    ["", ".exe", ".cmd", ".bat", ".com"].into_iter().map(move |ending| format!("{name}{ending}"))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
