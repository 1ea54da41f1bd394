//! One file, with what HTTP has to say of it.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

/// A file of the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Its bytes.
    pub plain: Cow<'static, [u8]>,
    /// The same in gzip, where that is worth it.
    pub gzip: Option<&'static [u8]>,
    /// Its media type, by the end of its name.
    pub content_type: &'static str,
    /// An entity tag, quoted, that changes with the bytes. It says "weak": plain and compressed
    /// bytes share it.
    pub etag: Cow<'static, str>,
}

impl Asset {
    /// A file that was just read.
    pub(crate) fn read(name: &str, plain: Vec<u8>) -> Self {
        let digest = Sha256::digest(&plain);
        let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self {
            plain: plain.into(),
            gzip: None,
            content_type: content_type(name),
            etag: format!("W/\"{digest}\"").into(),
        }
    }
}

/// What bundlers write; anything else is bytes that no browser runs.
pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}
