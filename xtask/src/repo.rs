//! The repository: where it is, what is in it, and programs that run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// The checkout that this program was built from.
#[derive(Debug)]
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The checkout this program was built from.
    pub(crate) fn find() -> Result<Self, Failure> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.parent().ok_or_else(|| Failure::new("xtask has no parent folder"))?;
        Ok(Self { root: root.to_owned() })
    }

    /// A path inside the repository.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A program that runs at the root, without standard input.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.root).stdin(Stdio::null());
        command
    }

    /// The running cargo itself, so that the toolchain stays the same.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        self.command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), args)
    }

    /// Every file that is or would be committed, by its path from the root.
    pub(crate) fn files(&self) -> Result<Vec<String>, Failure> {
        let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = output(&mut self.command("git", &listing))?;
        let mut files: Vec<String> = listed
            .split('\0')
            .filter(|file| !file.is_empty() && self.path(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// The text of a file; `None` for one that is not text.
    pub(crate) fn text(&self, file: &str) -> Result<Option<String>, Failure> {
        let bytes = std::fs::read(self.path(file))
            .map_err(|error| Failure::new(format!("cannot read {file}: {error}")))?;
        Ok(String::from_utf8(bytes).ok())
    }
}

/// Runs a program to its end; its output goes where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("{} failed ({status})", line(command))).with_code(status.code()))
}

/// Runs a program to its end and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let done =
        command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !done.status.success() {
        let failure = Failure::new(format!("{} failed ({})", line(command), done.status));
        return Err(failure.with_code(done.status.code()));
    }
    String::from_utf8(done.stdout)
        .map_err(|_| Failure::new(format!("{} did not print UTF-8", line(command))))
}

/// Whether a program is there: it answers `args` with success.
pub(crate) fn answers(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot run {}: {error}", line(command)))
}

/// The command as a person would type it, without the path of the program.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
