//! Builds the web with npm, once for each state of its sources.
//!
//! It works on a copy below the target folder: `npm ci` removes the `node_modules` that it
//! finds, and those of the sources belong to whoever works on them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, files};

const OLDEST_NODE: u32 = 20;

const OTHER_WAYS: &str = "install it, or set DESKWIRE_WEB_DIST to a web/dist that is built already, \
    or build without the web by --no-default-features";

/// The folder of what `web` builds to.
pub(super) fn build(web: &Path, out: &Path) -> Outcome<PathBuf> {
    files::watch(web)?;
    let sources = files::below(web)?;
    let cache = target(out).join("web");
    fs::create_dir_all(&cache)?;
    // Two profiles may be built at a time.
    let lock = File::create(cache.join("lock"))?;
    lock.lock()?;
    let built = cache.join(files::digest(web, &sources)?);
    if built.is_dir() {
        return Ok(built);
    }
    check_node()?;
    let work = cache.join("work");
    let modules = Modules::keep(&cache, &work)?;
    files::copy(web, &sources, &work)?;
    modules.install(&sources, web, &work)?;
    npm(&work, &["run", "build"])?;
    let dist = work.join("dist");
    if !dist.join("desk/index.html").is_file() {
        return Err("`npm run build` in web/ ended well, but made no dist/desk/index.html".into());
    }
    // Whole or not at all.
    fs::rename(dist, &built)?;
    Ok(built)
}

/// The installed modules, which outlive changes of the sources.
struct Modules {
    /// A digest of all that decides what is installed.
    mark: PathBuf,
}

impl Modules {
    /// Empties `work`, save for the modules.
    fn keep(cache: &Path, work: &Path) -> Outcome<Self> {
        let (modules, aside) = (work.join("node_modules"), cache.join("modules"));
        if modules.is_dir() {
            if aside.is_dir() {
                fs::remove_dir_all(&aside)?;
            }
            fs::rename(&modules, &aside)?;
        }
        if work.is_dir() {
            fs::remove_dir_all(work)?;
        }
        fs::create_dir_all(work)?;
        if aside.is_dir() {
            fs::rename(&aside, &modules)?;
        }
        Ok(Self { mark: modules.join(".installed") })
    }

    fn install(&self, sources: &[PathBuf], web: &Path, work: &Path) -> Outcome<()> {
        let decides =
            |path: &&PathBuf| path.ends_with("package.json") || path.ends_with("package-lock.json");
        let deciding: Vec<_> = sources.iter().filter(decides).cloned().collect();
        let wanted = files::digest(web, &deciding)?;
        if fs::read_to_string(&self.mark).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        npm(work, &["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        fs::write(&self.mark, wanted)?;
        Ok(())
    }
}

fn check_node() -> Outcome<()> {
    let said = Command::new("node").arg("--version").output();
    let version = said.ok().and_then(|said| String::from_utf8(said.stdout).ok());
    let major = version.as_deref().and_then(|version| {
        version.trim().trim_start_matches('v').split('.').next()?.parse::<u32>().ok()
    });
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        Some(major) => Err(format!(
            "this build embeds the web, and needs Node {OLDEST_NODE} or newer for it, but `node` is \
             version {major}: {OTHER_WAYS}"
        )
        .into()),
        None => Err(format!(
            "this build embeds the web, and needs Node {OLDEST_NODE} or newer for it, but there is \
             no `node` on the PATH: {OTHER_WAYS}"
        )
        .into()),
    }
}

fn npm(folder: &Path, arguments: &[&str]) -> Outcome<()> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let what = format!("`npm {}`", arguments.join(" "));
    let done = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_remove("NODE_ENV")
        .output()
        .map_err(|error| format!("{what} does not start ({error}): {OTHER_WAYS}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = [done.stdout, done.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let end: Vec<_> = said.lines().rev().filter(|line| !line.trim().is_empty()).take(20).collect();
    let end = end.into_iter().rev().collect::<Vec<_>>().join(" | ");
    Err(format!("{what} for the web failed ({}): {end}", done.status).into())
}

/// The target folder, which Cargo marks; else the folder of this script alone.
fn target(out: &Path) -> &Path {
    out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file()).unwrap_or(out)
}
