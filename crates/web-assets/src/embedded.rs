//! The table of embedded files, which the build script writes.

use crate::Asset;

/// An embedded file.
#[cfg(embedded)]
struct Embedded {
    name: &'static str,
    plain: &'static [u8],
    gzip: Option<&'static [u8]>,
    etag: &'static str,
}

/// Sorted by name.
#[cfg(embedded)]
static FILES: &[Embedded] = &include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The embedded file of this name.
#[cfg(embedded)]
pub(crate) fn find(name: &str) -> Option<Asset> {
    let at = FILES.binary_search_by(|file| file.name.cmp(name)).ok()?;
    let &Embedded { plain, gzip, etag, .. } = &FILES[at];
    Some(Asset {
        plain: plain.into(),
        gzip,
        content_type: crate::asset::content_type(name),
        etag: etag.into(),
    })
}

/// Nothing is embedded.
#[cfg(not(embedded))]
pub(crate) fn find(_name: &str) -> Option<Asset> {
    None
}
