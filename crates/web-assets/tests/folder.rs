//! A web in a folder, as debug builds have it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use deskwire_web_assets::Web;
use tempfile::TempDir;

fn built() -> (TempDir, Web) {
    let folder = tempfile::tempdir().unwrap();
    let dist = folder.path().join("dist");
    for (name, content) in [
        ("desk/index.html", "<!doctype html>"),
        ("desk/assets/app-Bx1_-9.js", "run()"),
        ("desk/.hidden", "no"),
        ("client/deskwire.js", "start()"),
    ] {
        let path = dist.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    fs::write(folder.path().join("secret.txt"), "no").unwrap();
    let web = Web::in_folder(&dist);
    (folder, web)
}

#[tokio::test]
async fn files_by_their_names() {
    let (_folder, web) = built();
    for (name, content_type) in [
        ("desk/index.html", "text/html; charset=utf-8"),
        ("desk/assets/app-Bx1_-9.js", "text/javascript; charset=utf-8"),
        ("client/deskwire.js", "text/javascript; charset=utf-8"),
    ] {
        let asset = web.get(name).await.unwrap().expect(name);
        assert_eq!(asset.content_type, content_type, "{name}");
    }
    for name in [
        "",
        "desk",
        "desk/",
        "/desk/index.html",
        "desk//index.html",
        "desk/../../secret.txt",
        "../secret.txt",
        "desk/.hidden",
        "desk\\index.html",
        "desk/index.html/more",
        "desk/assets/app%2DBx1.js",
        "C:/desk/index.html",
    ] {
        assert_eq!(web.get(name).await.unwrap(), None, "{name:?}");
    }
}

#[tokio::test]
async fn the_tag_follows_the_bytes() {
    let (folder, web) = built();
    let tag = async || web.get("desk/index.html").await.unwrap().unwrap().etag;
    let first = tag().await;
    assert_eq!(tag().await, first);
    fs::write(folder.path().join("dist/desk/index.html"), "<!doctype html><p>").unwrap();
    assert_ne!(tag().await, first);
}

#[tokio::test]
async fn a_web_that_is_not_built_says_what_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::in_folder(folder.path().join("dist"));
    assert_eq!(web.get("desk/index.html").await.unwrap(), None);
    let advice = web.advice().unwrap();
    assert!(advice.contains("npm ci && npm run build"), "{advice}");
    assert!(advice.contains(folder.path().canonicalize().unwrap().to_str().unwrap()), "{advice}");

    let none = Web::none();
    assert_eq!(none.get("desk/index.html").await.unwrap(), None);
    assert_eq!(none.advice(), None);
}
