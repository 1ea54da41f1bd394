//! `cargo xtask tidy`: the rules of the house that no compiler knows.

mod layers;
mod links;
pub(crate) mod metadata;
mod size;
mod skips;
mod words;

use std::fmt;

use crate::failure::Failure;
use crate::repo::Repo;
use metadata::Metadata;

/// A broken rule and where.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Problem {
    file: String,
    /// Counted from 1; none where the whole file is meant.
    line: Option<usize>,
    message: String,
}

impl Problem {
    fn in_file(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, message: message.into() }
    }

    fn at(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: Some(line), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// Checks every rule and tells every problem.
pub(crate) fn run(repo: &Repo) -> Result<(), Failure> {
    let files = repo.files()?;
    let mut problems = layers::check(&Metadata::read(repo)?);
    for file in &files {
        let Some(text) = repo.text(file)? else { continue };
        problems.extend(size::check(file, &text));
        problems.extend(words::check(file, &text));
        problems.extend(skips::check(file, &text));
        problems.extend(layers::check_manifest(file, &text));
        problems.extend(links::check(
            file,
            &text,
            &|other| repo.text(other).ok().flatten(),
            &|path| repo.path(path).exists(),
        ));
    }
    if problems.is_empty() {
        println!("tidy: {} files keep the rules of the house", files.len());
        return Ok(());
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    Err(Failure::new(format!("tidy: {} problems", problems.len())))
}
