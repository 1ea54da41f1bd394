//! A web inside the binary. Built with `DESKWIRE_WEB_DIST` at `tests/fixture`; without, there is
//! nothing to test.
#![cfg(embedded)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Read;

use deskwire_web_assets::Web;
use flate2::read::GzDecoder;

#[tokio::test]
async fn what_was_built_is_inside() {
    let web = Web::of_this_build();
    for name in ["desk/index.html", "desk/assets/app-1a2b3c4d.js", "client/deskwire.js"] {
        let asset = web.get(name).await.unwrap().expect(name);
        let source = format!("{}/tests/fixture/{name}", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(*asset.plain, *std::fs::read(source).unwrap(), "{name}");
        let same = Web::in_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixture"));
        assert_eq!(same.get(name).await.unwrap().unwrap().etag, asset.etag, "{name}");
    }
    assert_eq!(web.get("desk/assets/app-1a2b3c4d.js.map").await.unwrap(), None, "a source map");
    assert_eq!(web.get("desk/none.html").await.unwrap(), None);
    assert_eq!(web.advice(), None);
}

#[tokio::test]
async fn what_is_worth_it_is_compressed() {
    let web = Web::of_this_build();
    let script = web.get("desk/assets/app-1a2b3c4d.js").await.unwrap().unwrap();
    let mut unpacked = Vec::new();
    GzDecoder::new(script.gzip.unwrap()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, *script.plain);
    assert!(script.gzip.unwrap().len() * 5 < script.plain.len());
    let page = web.get("desk/index.html").await.unwrap().unwrap();
    assert_eq!(page.gzip, None);
}
