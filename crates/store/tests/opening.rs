//! Which files are opened, and in which words others are refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use deskwire_store::{Store, StoreError};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("store.db");
    (folder, file)
}

/// Runs statements on `file`, as another program would.
async fn run(file: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// What opening `file` says, which must leave it as it is.
async fn refusal(file: &Path) -> StoreError {
    let before = std::fs::read(file).unwrap();
    let error = Store::open(file).await.unwrap_err();
    assert_eq!(std::fs::read(file).unwrap(), before, "a refused file was changed");
    error
}

#[tokio::test]
async fn a_new_file_is_made_with_its_folder_and_opened_again() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data of ü/50%20?#").join("store.db");
    let store = Store::open(&file).await.unwrap();
    store.workspaces().put("w", "{}").await.unwrap();
    store.close().await;
    // Closed well, everything is in the one file.
    assert!(!file.with_extension("db-wal").exists());

    let store = Store::open(&file).await.unwrap();
    assert_eq!(store.workspaces().all().await.unwrap().len(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_look_into_the_folder() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let _store = Store::open(&data.join("store.db")).await.unwrap();
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn one_opener_at_a_time() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();

    let refused = Store::open(&file).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "`{}` is in use by process {}; stop that one, or use another data folder",
            file.display(),
            std::process::id()
        )
    );
    store.close().await;
    Store::open(&file).await.unwrap().close().await;
}

#[tokio::test]
async fn a_store_that_nobody_holds_lets_go_of_its_file() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();
    let workspaces = store.workspaces();
    drop(store);
    workspaces.put("w", "{}").await.expect("a repository keeps it open");
    drop(workspaces);

    let opened = async {
        loop {
            match Store::open(&file).await {
                Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
                other => break other,
            }
        }
    };
    let opened = tokio::time::timeout(std::time::Duration::from_secs(10), opened).await;
    assert_eq!(opened.unwrap().unwrap().workspaces().all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn other_handles_of_a_closed_store_say_so() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();
    let (workspaces, other) = (store.workspaces(), store.clone());
    store.close().await;
    assert_eq!(workspaces.put("w", "{}").await, Err(StoreError::Closed));
    assert_eq!(workspaces.all().await, Err(StoreError::Closed));
    other.close().await;
}

#[tokio::test]
async fn a_file_of_the_first_version_is_brought_to_this_one() {
    let (_folder, file) = place();
    run(&file, include_str!("../migrations/0001_preferences.sql")).await;
    run(&file, r#"INSERT INTO preferences VALUES ('ann', 'clients', '{"sort":"name"}', 7)"#).await;

    let store = Store::open(&file).await.unwrap();
    let kept = store.preferences().get("ann", "clients").await.unwrap().unwrap();
    assert_eq!((kept.data.as_str(), kept.updated_ms), (r#"{"sort":"name"}"#, 7));
    store.layouts().put("Global", "L", "{}", 1).await.unwrap();
    store.workspaces().put("w", "{}").await.unwrap();
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused() {
    let (_folder, file) = place();
    Store::open(&file).await.unwrap().close().await;
    run(&file, "PRAGMA user_version = 99").await;
    let error = refusal(&file).await;
    let StoreError::Newer { found: 99, known, .. } = error else { panic!("{error}") };
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` has schema version 99, this Deskwire knows up to {known}; \
             use the newer Deskwire, or another file",
            file.display()
        )
    );
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let (_folder, file) = place();
    run(&file, "CREATE TABLE moz_places (id INTEGER PRIMARY KEY)").await;
    assert_eq!(
        refusal(&file).await.to_string(),
        format!("`{}` is the database of another program; name another file", file.display())
    );
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let (_folder, file) = place();
    std::fs::write(&file, "{ \"gateway\": { \"port\": 8385 } }\n".repeat(100)).unwrap();
    assert_eq!(
        refusal(&file).await.to_string(),
        format!(
            "`{}` is not a SQLite database; move it away, or name another file",
            file.display()
        )
    );
}

#[tokio::test]
async fn a_damaged_file_is_refused() {
    for damage in [overwrite_pages, cut_off] {
        let (_folder, file) = place();
        let store = Store::open(&file).await.unwrap();
        for number in 0..50 {
            let document = format!("{{\"text\":\"{}\"}}", "x".repeat(2000));
            store.layouts().put("Global", &format!("L{number}"), &document, 1).await.unwrap();
        }
        store.close().await;
        damage(&file);

        let error = refusal(&file).await;
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        let message = error.to_string();
        let start = format!("`{}` is damaged: ", file.display());
        assert!(message.starts_with(&start), "{message}");
        assert!(message.ends_with("put back a copy of it, or move it away to begin anew"));
    }
}

fn overwrite_pages(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let start = half(bytes.len());
    bytes[start..start + 2 * PAGE].fill(0xa5);
    std::fs::write(file, bytes).unwrap();
}

fn cut_off(file: &Path) {
    let bytes = std::fs::read(file).unwrap();
    std::fs::write(file, &bytes[..half(bytes.len())]).unwrap();
}

const PAGE: usize = 4096;

/// Half of a length, in whole pages.
fn half(bytes: usize) -> usize {
    bytes / 2 / PAGE * PAGE
}

#[tokio::test]
async fn a_place_where_no_file_can_be_is_told() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("data"), "a file").unwrap();
    let file = folder.path().join("data").join("store.db");
    let message = Store::open(&file).await.unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot open `{}", file.display())), "{message}");

    let message = Store::open(folder.path()).await.unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot open `{}", folder.path().display())), "{message}");
}
