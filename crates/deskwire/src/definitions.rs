//! Definition files: read once, as the platform reads them.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use deskwire_catalog::{Read, limits};
use deskwire_platform::read_definitions;

/// The definitions of a file, or of every file in a folder, in the order of their paths.
/// What cannot be opened is a diagnostic of its source.
pub(crate) fn load(path: &Path) -> io::Result<Vec<Read>> {
    // One that is not there is a mistake of whoever asks.
    fs::metadata(path)?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    Ok(read_definitions(path, &here))
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
        let told: Vec<_> = reads
            .iter()
            .filter(|read| !read.applications.is_empty() || !read.diagnostics.is_empty())
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
            told,
            [
                ("a/x.jsonc".to_owned(), 1, 0),
                ("b.json".to_owned(), 1, 0),
                ("z.json".to_owned(), 0, 1)
            ]
        );
        let last = reads.iter().rev().find(|read| !read.diagnostics.is_empty()).unwrap();
        assert!(last.diagnostics[0].message.contains("UTF-8"));
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
