//! What the tests need on the machine: installed where we may, named where we may not.

use std::fs;

use crate::failure::Failure;
use crate::repo::{Repo, answers, output, run};

/// The oldest Node that the npm packages of the tests run on.
const NODE: u32 = 20;

/// Programs the tests start, and the Debian packages that bring them.
const PROGRAMS: &[(&str, &str)] = &[("node", "nodejs"), ("npm", "npm")];

/// Makes sure that every program is there.
pub(crate) fn programs(repo: &Repo) -> Result<(), Failure> {
    let missing: Vec<_> = PROGRAMS
        .iter()
        .filter(|(program, _)| !answers(&mut repo.command(program, &["--version"])))
        .map(|(_, package)| *package)
        .collect();
    if !missing.is_empty() {
        install(repo, &missing)?;
    }
    node_is_new_enough(&output(&mut repo.command("node", &["--version"]))?)
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
    let lock = fs::read(repo.path(&format!("{folder}/package-lock.json"))).map_err(|error| {
        Failure::new(format!("cannot read {folder}/package-lock.json: {error}"))
    })?;
    // A copy of the lock file, written after it was installed.
    let installed = repo.path(&format!("{folder}/node_modules/.installed-lock.json"));
    if fs::read(&installed).is_ok_and(|known| known == lock) {
        println!("{folder}/node_modules is as {folder}/package-lock.json says");
        return Ok(());
    }
    let mut command = repo.command("npm", &["ci", "--no-audit", "--no-fund"]);
    run(command.current_dir(repo.path(folder)))?;
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
