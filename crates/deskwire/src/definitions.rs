//! Definition files: which ones there are, and their text for the catalog.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use deskwire_catalog::{Read, SourceLabel, is_definitions, limits, read};

/// Extensions of files that are looked into.
const EXTENSIONS: &[&str] = &["json", "json5", "jsonc"];
/// How many folders deep.
const MAX_DEPTH: usize = 16;
/// The most files of one folder; a desktop has some hundreds.
const MAX_FILES: usize = 10_000;
/// Folders that hold other people's files.
const SKIPPED: &[&str] = &["node_modules", "target"];

/// The definitions of a file, or of every file in a folder, in the order of their paths.
/// What cannot be opened is a diagnostic of its source.
pub(crate) fn load(path: &Path) -> io::Result<Vec<Read>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(load_file(path, true).into_iter().collect());
    }
    let mut files = Vec::new();
    let mut faults = Vec::new();
    list(path, 0, &mut files, &mut faults);
    let reads = files.iter().filter_map(|file| load_file(file, false));
    Ok(reads.chain(faults).collect())
}

/// The text of a file; of one that is too long as much as shows that it is.
pub(crate) fn text_of(path: &Path) -> io::Result<String> {
    let bound = u64::try_from(limits::MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(bound).read_to_end(&mut bytes)?;
    if bytes.len() > limits::MAX_BYTES {
        // It may have been cut within a character.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text; save it as UTF-8")
    })
}

/// Reads one file; `None` for a file of a folder that does not mean to hold definitions.
fn load_file(path: &Path, named: bool) -> Option<Read> {
    let label = SourceLabel::new(path.display().to_string());
    match text_of(path) {
        Ok(text) if named || is_definitions(&text) => Some(read(&label, &text)),
        Ok(_) => None,
        Err(error) => Some(unreadable(label, &error)),
    }
}

fn unreadable(label: SourceLabel, error: &io::Error) -> Read {
    Read::unreadable(label, &format!("it cannot be opened: {error}"))
}

/// Lists the files of a folder and of those in it. Links are not followed, so that none
/// leads out or around.
fn list(folder: &Path, depth: usize, files: &mut Vec<PathBuf>, faults: &mut Vec<Read>) {
    let label = || SourceLabel::new(folder.display().to_string());
    let mut entries: Vec<_> = match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().collect(),
        Err(error) => return faults.push(unreadable(label(), &error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        if name.starts_with('.') {
            continue;
        }
        if kind.is_dir() && !SKIPPED.contains(&name.as_ref()) {
            if depth == MAX_DEPTH {
                let reason =
                    format!("folders nest deeper than {MAX_DEPTH}; what is below is not read");
                return faults.push(Read::unreadable(label(), &reason));
            }
            list(&path, depth + 1, files, faults);
        }
        let known = path.extension().is_some_and(|own| EXTENSIONS.iter().any(|one| own == *one));
        if kind.is_file() && known {
            if files.len() == MAX_FILES {
                let reason = format!("there are more than {MAX_FILES} files; the rest is not read");
                return faults.push(Read::unreadable(label(), &reason));
            }
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const APP: &str = r#"[{"name":"a","type":"window","details":{"url":"http://localhost:1"}}]"#;

    #[test]
    fn a_folder_is_read_in_order_and_leaves_other_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("b.json", APP.as_bytes());
        write("a/x.jsonc", APP.as_bytes());
        write("package.json", br#"{"name":"p","version":"1.0.0"}"#);
        write("notes.txt", APP.as_bytes());
        write(".hidden.json", APP.as_bytes());
        write("node_modules/x.json", APP.as_bytes());
        write("z.json", b"[\xff]");
        let reads = load(folder.path()).unwrap();
        let seen: Vec<_> = reads
            .iter()
            .map(|read| {
                let path = Path::new(read.source.as_str()).strip_prefix(folder.path()).unwrap();
                (
                    path.to_string_lossy().replace('\\', "/"),
                    read.applications.len(),
                    read.diagnostics.len(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("a/x.jsonc".to_owned(), 1, 0),
                ("b.json".to_owned(), 1, 0),
                ("z.json".to_owned(), 0, 1)
            ]
        );
        assert!(reads[2].diagnostics[0].message.contains("UTF-8"));
    }

    #[test]
    fn a_named_file_is_read_whatever_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("package.json");
        fs::write(&path, "{}").unwrap();
        assert_eq!(load(&path).unwrap()[0].diagnostics.len(), 1);
        assert!(load(&folder.path().join("none.json")).is_err());
    }
}
