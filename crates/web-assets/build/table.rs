//! Writes the table of embedded files: plain, and compressed where that is worth it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::{Outcome, files};

/// Writes `table.rs`, sorted by name. Source maps stay outside.
pub(super) fn write(dist: &Path, out: &Path) -> Outcome<()> {
    let mut entries = Vec::new();
    for file in files::below(dist)? {
        let name = files::name_in(dist, &file)?;
        if !name.ends_with(".map") {
            entries.push((name, file));
        }
    }
    entries.sort();
    let mut table = String::from("[\n");
    for (at, (name, file)) in entries.iter().enumerate() {
        let content = fs::read(file)?;
        let compressed = match compressed(&content)? {
            Some(bytes) => {
                let path = out.join(format!("{at}.gz"));
                fs::write(&path, bytes)?;
                format!("Some(include_bytes!({:?}))", path.to_str().ok_or("OUT_DIR is no UTF-8")?)
            }
            None => "None".into(),
        };
        let etag = format!("W/\"{}\"", files::short(&Sha256::digest(&content)));
        let file = file.to_str().ok_or("the path of the web is no UTF-8")?;
        writeln!(
            table,
            "Embedded {{ name: {name:?}, plain: include_bytes!({file:?}), gzip: {compressed}, \
             etag: {etag:?} }},"
        )?;
    }
    table.push(']');
    fs::write(out.join("table.rs"), table)?;
    Ok(())
}

/// The content in gzip, if it is smaller by a tenth or more.
fn compressed(content: &[u8]) -> Outcome<Option<Vec<u8>>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    let bytes = encoder.finish()?;
    Ok((bytes.len() < content.len() / 10 * 9).then_some(bytes))
}
