//! Many writers at once: order, neighbours, a full disk, a locked file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use deskwire_store::{Import, Layout, Limits, Store, StoreError};
use futures_util::future::{join, join_all};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("store.db");
    (folder, file)
}

/// Another program, with the file open.
async fn stranger(file: &Path) -> sqlx::SqliteConnection {
    SqliteConnectOptions::new().filename(file).connect().await.unwrap()
}

async fn names(store: &Store) -> Vec<String> {
    store.layouts().all().await.unwrap().into_iter().map(|layout| layout.name).collect()
}

fn of_size(bytes: usize) -> String {
    json!({ "text": "x".repeat(bytes) }).to_string()
}

#[tokio::test]
async fn the_writes_of_one_caller_are_committed_in_order() {
    let (_folder, file) = place();
    // A short queue, so that most of them wait for a place.
    let mut limits = Limits::default();
    limits.queued_writes = 4;
    limits.queued_bytes = 8 * 1024;
    limits.writes_per_commit = 3;
    let store = Store::open_with(&file, limits).await.unwrap();
    let workspaces = store.workspaces();
    let documents: Vec<_> = (0..500)
        .map(|number| json!({ "number": number, "x": "x".repeat(900) }).to_string())
        .collect();

    let answers = join_all(documents.iter().map(|one| workspaces.put("w", one))).await;

    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(workspaces.all().await.unwrap()[0].document, documents[499]);
}

#[tokio::test]
async fn a_read_after_an_acknowledged_write_sees_it() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();
    let callers = (0..8).map(|caller| {
        let preferences = store.preferences();
        async move {
            for number in 0..25u64 {
                let app = format!("app-{caller}");
                preferences.set("ann", &app, "{}", number).await.unwrap();
                let found = preferences.get("ann", &app).await.unwrap().unwrap();
                assert_eq!(found.updated_ms, number);
            }
        }
    });
    join_all(callers).await;
}

#[tokio::test]
async fn a_write_that_fails_leaves_its_neighbours_alone() {
    let (_folder, file) = place();
    let mut limits = Limits::default();
    limits.document_bytes = 3000;
    let store = Store::open_with(&file, limits).await.unwrap();
    let (layouts, preferences) = (store.layouts(), store.preferences());
    preferences.set("ann", "app", &of_size(2000), 1).await.unwrap();
    let more = json!({ "more": "x".repeat(2000) });

    // One thread: all are queued before the first is taken, and so share a transaction.
    let (good, bad) = join(
        join_all((0..20).map(|number| {
            let (layouts, name) = (layouts.clone(), format!("L{number:02}"));
            async move { layouts.put("Global", &name, "{}", 1).await }
        })),
        join(
            layouts.rename("Global", "nowhere", "there"),
            preferences.merge("ann", "app", more.as_object().unwrap(), 2),
        ),
    )
    .await;
    let after = layouts.rename("Global", "L00", "L20").await;

    assert!(good.iter().all(Result::is_ok), "{good:?}");
    assert!(matches!(bad.0, Err(StoreError::NoSuchLayout { .. })), "{bad:?}");
    assert!(matches!(bad.1, Err(StoreError::TooLarge { .. })), "{bad:?}");
    assert_eq!(after, Ok(()));
    assert_eq!(names(&store).await.len(), 20);
    assert_eq!(preferences.get("ann", "app").await.unwrap().unwrap().updated_ms, 1);
}

#[tokio::test]
async fn a_write_without_room_fails_alone_and_says_so() {
    let (_folder, file) = place();
    let mut limits = Limits::default();
    limits.database_bytes = 256 * 1024;
    let store = Store::open_with(&file, limits).await.unwrap();
    let layouts = store.layouts();
    let (small, large) = (of_size(1000), of_size(1_000_000));
    let put = |name: String, document| {
        let layouts = layouts.clone();
        async move { layouts.put("Global", &name, document, 1).await }
    };

    // SQLite takes back the whole transaction of the large one; the others are
    // committed all the same.
    let mut answers = join_all((0..21).map(|number| {
        put(format!("L{number:02}"), if number == 10 { large.as_str() } else { small.as_str() })
    }))
    .await;

    let refused = answers.remove(10).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "no room to write `{}`: the disk is full, or the database has reached its bound",
            file.display()
        )
    );
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(names(&store).await.len(), 20);
    // What is there can still be removed and written again.
    assert!(layouts.remove("Global", "L00").await.unwrap());
    layouts.put("Global", "L99", &small, 2).await.unwrap();
    store.close().await;
    let store = Store::open(&file).await.unwrap();
    assert_eq!(names(&store).await.len(), 20);
}

#[tokio::test]
async fn a_file_locked_by_another_program_is_told_and_comes_back() {
    let (_folder, file) = place();
    let mut limits = Limits::default();
    limits.lock_wait = Duration::from_millis(50);
    let store = Store::open_with(&file, limits).await.unwrap();
    let mut stranger = stranger(&file).await;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut stranger).await.unwrap();

    let refused = store.workspaces().put("w", "{}").await.unwrap_err();
    let read = store.workspaces().all().await;
    sqlx::query("ROLLBACK").execute(&mut stranger).await.unwrap();
    let taken = store.workspaces().put("w", "{}").await;

    assert_eq!(
        refused.to_string(),
        format!("another program keeps `{}` locked; close it there and try again", file.display())
    );
    assert_eq!(read, Ok(Vec::new()));
    assert_eq!(taken, Ok(()));
    stranger.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_see_each_import_whole() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();
    let generation = |saved_ms: u64| -> Vec<Layout> {
        (0..20)
            .map(|number| Layout {
                kind: "Global".into(),
                name: format!("{saved_ms}-{number}"),
                document: of_size(2000),
                saved_ms,
            })
            .collect()
    };
    let layouts = store.layouts();
    layouts.put_all(generation(1), Import::ReplaceAll).await.unwrap();
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let layouts = layouts.clone();
            tokio::spawn(async move {
                let mut seen = 1;
                while seen < 40 {
                    let all = layouts.all().await.unwrap();
                    assert_eq!(all.len(), 20);
                    assert!(all.iter().all(|layout| layout.saved_ms == all[0].saved_ms));
                    assert!(all[0].saved_ms >= seen, "time goes back");
                    seen = all[0].saved_ms;
                }
            })
        })
        .collect();
    for number in 2..=40 {
        layouts.put_all(generation(number), Import::ReplaceAll).await.unwrap();
    }
    for reader in readers {
        tokio::time::timeout(Duration::from_secs(30), reader).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn what_is_queued_is_committed_though_the_caller_gave_up_and_the_store_closes() {
    let (_folder, file) = place();
    let store = Store::open(&file).await.unwrap();
    let workspaces = store.workspaces();
    {
        let mut put = pin!(workspaces.put("w", "{}"));
        assert!(futures_util::poll!(&mut put).is_pending());
    }
    store.close().await;

    let store = Store::open(&file).await.unwrap();
    assert_eq!(store.workspaces().all().await.unwrap().len(), 1);
}
