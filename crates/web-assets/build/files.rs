//! The files of a folder that count: sources without what tools put beside them.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Outcome;

/// What tools put beside sources.
const MADE: [&str; 2] = ["node_modules", "dist"];

/// Every file below `folder`, in order.
pub(super) fn below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type()? {
                kind if kind.is_dir() && !hidden && !is_made(&entry.path()) => {
                    folders.push(entry.path());
                }
                kind if kind.is_file() && !hidden => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_made(folder: &Path) -> bool {
    MADE.iter().any(|made| folder.ends_with(made))
}

/// Cargo runs this script again when a file below `folder` changes, comes or goes.
pub(super) fn watch(folder: &Path) -> Outcome<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut inside = Vec::new();
        for entry in fs::read_dir(&folder)? {
            inside.push(entry?.path());
        }
        // Cargo looks into all of a folder, so one with modules in it is named file by file.
        if inside.iter().all(|path| !path.is_dir()) {
            println!("cargo:rerun-if-changed={}", folder.display());
            continue;
        }
        for path in inside {
            if !path.is_dir() {
                println!("cargo:rerun-if-changed={}", path.display());
            } else if !is_made(&path) {
                folders.push(path);
            }
        }
    }
    Ok(())
}

/// A digest of names and contents.
pub(super) fn digest(folder: &Path, files: &[PathBuf]) -> Outcome<String> {
    let mut digest = Sha256::new();
    for file in files {
        let content = fs::read(file)?;
        digest.update(name_in(folder, file)?.as_bytes());
        digest.update([0]);
        digest.update(content.len().to_le_bytes());
        digest.update(content);
    }
    Ok(short(&digest.finalize()))
}

/// The first 16 hexadecimal digits.
pub(super) fn short(digest: &[u8]) -> String {
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The name of a file within `folder`, with `/` between its parts.
pub(super) fn name_in(folder: &Path, file: &Path) -> Outcome<String> {
    let name = file.strip_prefix(folder)?;
    let name = name.to_str().ok_or_else(|| format!("{} is no UTF-8", file.display()))?;
    Ok(name.replace('\\', "/"))
}

/// Copies `files` of `from` to the same places in `to`.
pub(super) fn copy(from: &Path, files: &[PathBuf], to: &Path) -> Outcome<()> {
    for file in files {
        let target = to.join(file.strip_prefix(from)?);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(file, target)?;
    }
    Ok(())
}
