//! What the tests need on the machine: installed where we may, named where we may not.

use std::fs;

use crate::failure::Failure;
use crate::repo::{Repo, answers, output, run};

/// The oldest Node that the npm packages of the tests run on.
const NODE: u32 = 20;

/// A program the tests start.
struct Program {
    name: &'static str,
    /// What it answers with success if all of it is there.
    probe: &'static [&'static str],
    /// The Debian packages that bring it.
    packages: &'static [&'static str],
}

const NPM: &[Program] = &[
    Program { name: "node", probe: &["--version"], packages: &["nodejs"] },
    Program { name: "npm", probe: &["--version"], packages: &["npm"] },
];

/// Debian has the module for environments in a package of its own.
const PYTHON: Program = Program {
    name: "python3",
    probe: &["-c", "import ensurepip, venv"],
    packages: &["python3", "python3-venv"],
};

const CHROMIUM: Program =
    Program { name: "chromium", probe: &["--version"], packages: &["chromium"] };

/// Makes sure that the browser of the tests is there.
pub(crate) fn chromium(repo: &Repo) -> Result<(), Failure> {
    programs(repo, &[CHROMIUM])
}

/// Makes sure that Node and npm are there.
pub(crate) fn node(repo: &Repo) -> Result<(), Failure> {
    programs(repo, NPM)?;
    node_is_new_enough(&output(&mut repo.command("node", &["--version"]))?)
}

fn programs(repo: &Repo, programs: &[Program]) -> Result<(), Failure> {
    let missing: Vec<_> = programs
        .iter()
        .filter(|program| !answers(&mut repo.command(program.name, program.probe)))
        .flat_map(|program| program.packages)
        .copied()
        .collect();
    if missing.is_empty() { Ok(()) } else { install(repo, &missing) }
}

fn install(repo: &Repo, packages: &[&str]) -> Result<(), Failure> {
    let by_hand = format!("apt-get install {}", packages.join(" "));
    let root = output(&mut repo.command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
    if !root || !answers(&mut repo.command("apt-get", &["--version"])) {
        return Err(Failure::new(format!(
            "the tests need {}; install them, on Debian with: {by_hand}",
            packages.join(", ")
        )));
    }
    println!("{by_hand}");
    run(&mut repo.command("apt-get", &["update", "--quiet"]))?;
    let mut command =
        repo.command("apt-get", &["install", "--quiet", "--yes", "--no-install-recommends"]);
    run(command.args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn node_is_new_enough(version: &str) -> Result<(), Failure> {
    let major = version.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    if major.parse::<u32>().is_ok_and(|major| major >= NODE) {
        return Ok(());
    }
    Err(Failure::new(format!("the tests need Node {NODE} or newer, this is {}", version.trim())))
}

/// Installs the npm packages of a folder, unless exactly those of its lock file are there.
pub(crate) fn npm(repo: &Repo, folder: &str) -> Result<(), Failure> {
    locked(repo, &format!("{folder}/package-lock.json"), &format!("{folder}/node_modules"), || {
        let mut command = repo.command("npm", &["ci", "--no-audit", "--no-fund"]);
        run(command.current_dir(repo.path(folder)))
    })
}

/// Installs the Python packages of a folder into an environment beside it, unless exactly those of
/// its `requirements.txt` are there.
pub(crate) fn python(repo: &Repo, folder: &str) -> Result<(), Failure> {
    programs(repo, &[PYTHON])?;
    let requirements = format!("{folder}/requirements.txt");
    let environment = format!("{folder}/.venv");
    locked(repo, &requirements, &environment, || {
        run(&mut repo.command("python3", &["-m", "venv", "--clear", &environment]))?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let pip = [&pip[..], &["--require-hashes", "--requirement", &requirements]].concat();
        run(&mut repo.command(&format!("{environment}/bin/python"), &pip))
    })
}

/// Does what installs everything in a lock file into `target`, unless that was done before.
fn locked(
    repo: &Repo,
    lock_file: &str,
    target: &str,
    install: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let lock = fs::read(repo.path(lock_file))
        .map_err(|error| Failure::new(format!("cannot read {lock_file}: {error}")))?;
    // A copy of the lock file, written after it was installed.
    let installed = repo.path(&format!("{target}/.installed-lock"));
    if fs::read(&installed).is_ok_and(|known| known == lock) {
        println!("{target} is as {lock_file} says");
        return Ok(());
    }
    install()?;
    fs::write(&installed, lock)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", installed.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions() {
        for good in ["v20.0.0\n", "v22.23.1", "v100.0.0"] {
            assert!(node_is_new_enough(good).is_ok(), "{good}");
        }
        for bad in ["v18.19.0", "", "not found"] {
            assert!(node_is_new_enough(bad).is_err(), "{bad}");
        }
    }
}
