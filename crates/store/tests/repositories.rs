//! What is kept, and how it is found again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_store::{Import, Layout, LayoutKey, Limits, Marker, Store, StoreError};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

async fn store() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(&folder.path().join("store.db")).await.unwrap();
    (folder, store)
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn layout(kind: &str, name: &str, saved_ms: u64) -> Layout {
    let document = json!({ "type": kind, "name": name, "components": [] }).to_string();
    Layout { kind: kind.into(), name: name.into(), document, saved_ms }
}

fn key(kind: &str, name: &str) -> LayoutKey {
    LayoutKey { kind: kind.into(), name: name.into() }
}

async fn names(store: &Store) -> Vec<String> {
    let all = store.layouts().all().await.unwrap();
    all.into_iter().map(|layout| format!("{}/{}", layout.kind, layout.name)).collect()
}

#[tokio::test]
async fn preferences_belong_to_one_user_and_one_application() {
    let (_folder, store) = store().await;
    let preferences = store.preferences();
    preferences.set("ann", "clients", r#"{ "sort": "name" }"#, 10).await.unwrap();
    preferences.set("ann", "blotter", r#"{"rows":50}"#, 20).await.unwrap();
    preferences.set("bob", "clients", r#"{"sort":"id"}"#, 30).await.unwrap();

    let found = preferences.get("ann", "clients").await.unwrap().unwrap();
    // Kept as it was written, spaces included.
    assert_eq!(
        (found.app.as_str(), found.data.as_str(), found.updated_ms),
        ("clients", r#"{ "sort": "name" }"#, 10)
    );
    let of_ann = preferences.all("ann").await.unwrap();
    assert_eq!(
        of_ann.iter().map(|one| one.app.as_str()).collect::<Vec<_>>(),
        ["blotter", "clients"]
    );

    assert!(preferences.remove("ann", "clients").await.unwrap());
    assert!(!preferences.remove("ann", "clients").await.unwrap());
    assert_eq!(preferences.get("ann", "clients").await.unwrap(), None);
    assert!(preferences.get("bob", "clients").await.unwrap().is_some());
}

#[tokio::test]
async fn a_merge_replaces_whole_members_and_keeps_the_others() {
    let (_folder, store) = store().await;
    let preferences = store.preferences();
    let first = object(json!({ "grid": { "rows": 50, "wide": true }, "theme": "dark" }));
    preferences.merge("ann", "clients", &first, 10).await.unwrap();
    let second = object(json!({ "grid": { "rows": 20 }, "theme": null, "id": 0.1 }));

    let merged = preferences.merge("ann", "clients", &second, 20).await.unwrap();

    let expected = json!({ "grid": { "rows": 20 }, "theme": null, "id": 0.1 });
    assert_eq!(serde_json::from_str::<Value>(&merged.data).unwrap(), expected);
    assert_eq!(merged.updated_ms, 20);
    assert_eq!(preferences.get("ann", "clients").await.unwrap().unwrap(), merged);
}

#[tokio::test]
async fn merges_at_the_same_time_all_count() {
    let (_folder, store) = store().await;
    let merges = (0..100u64).map(|number| {
        let preferences = store.preferences();
        let data = object(json!({ number.to_string(): number }));
        async move { preferences.merge("ann", "clients", &data, number).await.unwrap() }
    });
    futures_util::future::join_all(merges).await;

    let found = store.preferences().get("ann", "clients").await.unwrap().unwrap();
    assert_eq!(object(serde_json::from_str(&found.data).unwrap()).len(), 100);
}

#[tokio::test]
async fn layouts_are_told_apart_by_kind_and_name() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    layouts.put("Workspace", "Trading", r#"{"v":1}"#, 10).await.unwrap();
    layouts.put("Global", "Trading", r#"{"v":2}"#, 20).await.unwrap();
    layouts.put("Workspace", "Trading", r#"{"v":3}"#, 30).await.unwrap();

    let found = layouts.all().await.unwrap();
    let told: Vec<_> =
        found.iter().map(|one| (&*one.kind, &*one.name, &*one.document, one.saved_ms)).collect();
    assert_eq!(
        told,
        [("Global", "Trading", r#"{"v":2}"#, 20), ("Workspace", "Trading", r#"{"v":3}"#, 30)]
    );
    assert!(layouts.remove("Global", "Trading").await.unwrap());
    assert!(!layouts.remove("Global", "Trading").await.unwrap());
    assert_eq!(names(&store).await, ["Workspace/Trading"]);
}

#[tokio::test]
async fn an_import_merges_or_replaces() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    let start = vec![layout("Global", "G", 1), layout("Workspace", "A", 1)];
    layouts.put_all(start, Import::Merge).await.unwrap();
    let more = vec![layout("Workspace", "B", 2), layout("Workspace", "B", 3)];
    layouts.put_all(more, Import::Merge).await.unwrap();
    assert_eq!(names(&store).await, ["Global/G", "Workspace/A", "Workspace/B"]);
    // Of two with one name the later one counts.
    assert_eq!(layouts.all().await.unwrap()[2].saved_ms, 3);

    let kind = Import::ReplaceKind("Workspace".into());
    layouts.put_all(vec![layout("Workspace", "C", 4)], kind).await.unwrap();
    assert_eq!(names(&store).await, ["Global/G", "Workspace/C"]);

    layouts.put_all(vec![layout("Workspace", "D", 5)], Import::ReplaceAll).await.unwrap();
    assert_eq!(names(&store).await, ["Workspace/D"]);
}

#[tokio::test]
async fn an_import_with_one_bad_layout_changes_nothing() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    layouts.put_all(vec![layout("Global", "G", 1)], Import::Merge).await.unwrap();
    let mut bad = layout("Global", "bad", 2);
    bad.document = "[]".into();

    let refused = layouts.put_all(vec![layout("Global", "new", 2), bad], Import::ReplaceAll).await;

    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with("the layout `bad`: not a JSON object: "), "{message}");
    assert_eq!(names(&store).await, ["Global/G"]);
}

#[tokio::test]
async fn a_rename_needs_the_old_name_and_a_free_new_one() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    for name in ["A", "B"] {
        layouts.put("Global", name, "{}", 1).await.unwrap();
    }
    layouts.put("Workspace", "C", "{}", 1).await.unwrap();

    let taken = layouts.rename("Global", "A", "B").await.unwrap_err();
    assert_eq!(taken, StoreError::LayoutExists { kind: "Global".into(), name: "B".into() });
    let missing = layouts.rename("Global", "X", "Y").await.unwrap_err();
    assert_eq!(missing, StoreError::NoSuchLayout { kind: "Global".into(), name: "X".into() });
    layouts.rename("Global", "A", "A").await.unwrap();
    layouts.rename("Global", "A", "C").await.unwrap();

    assert_eq!(names(&store).await, ["Global/B", "Global/C", "Workspace/C"]);
}

#[tokio::test]
async fn markers_follow_their_layout() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    layouts
        .put_all(vec![layout("Global", "A", 1), layout("Global", "B", 1)], Import::Merge)
        .await
        .unwrap();
    assert_eq!(layouts.marker(Marker::Default).await.unwrap(), None);
    layouts.set_marker(Marker::Default, Some(key("Global", "A"))).await.unwrap();
    layouts.set_marker(Marker::Current, Some(key("Global", "B"))).await.unwrap();

    layouts.rename("Global", "A", "C").await.unwrap();
    assert_eq!(layouts.marker(Marker::Default).await.unwrap(), Some(key("Global", "C")));
    layouts.remove("Global", "C").await.unwrap();
    assert_eq!(layouts.marker(Marker::Default).await.unwrap(), None);
    assert_eq!(layouts.marker(Marker::Current).await.unwrap(), Some(key("Global", "B")));
    layouts.put_all(vec![layout("Global", "B", 2)], Import::ReplaceAll).await.unwrap();
    assert_eq!(layouts.marker(Marker::Current).await.unwrap(), Some(key("Global", "B")));
    layouts.put_all(Vec::new(), Import::ReplaceAll).await.unwrap();
    assert_eq!(layouts.marker(Marker::Current).await.unwrap(), None);
}

#[tokio::test]
async fn a_marker_may_point_at_a_layout_of_a_file() {
    let (_folder, store) = store().await;
    let layouts = store.layouts();
    layouts.set_marker(Marker::Default, Some(key("Global", "of a file"))).await.unwrap();
    layouts.put_all(Vec::new(), Import::ReplaceAll).await.unwrap();
    assert_eq!(layouts.marker(Marker::Default).await.unwrap(), Some(key("Global", "of a file")));
    layouts.set_marker(Marker::Default, None).await.unwrap();
    assert_eq!(layouts.marker(Marker::Default).await.unwrap(), None);
}

#[tokio::test]
async fn open_workspaces_keep_their_order() {
    let (_folder, store) = store().await;
    let workspaces = store.workspaces();
    for id in ["z", "a", "m"] {
        workspaces.put(id, r#"{"v":1}"#).await.unwrap();
    }
    workspaces.put("z", r#"{"v":2}"#).await.unwrap();
    assert!(workspaces.remove("a").await.unwrap());
    assert!(!workspaces.remove("a").await.unwrap());
    workspaces.put("a", "{}").await.unwrap();

    let all = workspaces.all().await.unwrap();
    let told: Vec<_> = all.iter().map(|one| (&*one.id, &*one.document)).collect();
    assert_eq!(told, [("z", r#"{"v":2}"#), ("m", r#"{"v":1}"#), ("a", "{}")]);
}

#[tokio::test]
async fn bounds_stand_at_the_door() {
    let folder = TempDir::new().unwrap();
    let mut limits = Limits::default();
    limits.document_bytes = 1000;
    limits.queued_bytes = 4096;
    let store = Store::open_with(&folder.path().join("store.db"), limits).await.unwrap();
    let large = json!({ "text": "x".repeat(1000) });

    let text = large.to_string();
    let refusals = [
        store.preferences().set("ann", "clients", &text, 1).await.unwrap_err(),
        store.preferences().merge("ann", "clients", &object(large), 1).await.unwrap_err(),
        store.layouts().put("Global", "L", &text, 1).await.unwrap_err(),
        store.workspaces().put("w", &text).await.unwrap_err(),
        store.preferences().set("", "clients", "{}", 1).await.unwrap_err(),
        store.layouts().put("Global", &"n".repeat(1025), "{}", 1).await.unwrap_err(),
        store.workspaces().put("w", "null").await.unwrap_err(),
    ];
    let many = (0..5).map(|number| Layout {
        document: json!({ "text": "x".repeat(900) }).to_string(),
        ..layout("Global", &number.to_string(), 1)
    });
    let import = store.layouts().put_all(many.collect(), Import::Merge).await.unwrap_err();

    assert_eq!(
        refusals.map(|error| error.to_string()),
        [
            "the preferences of `clients`: 1011 bytes, at most 1000 are kept",
            "the preferences of `clients`: 1011 bytes, at most 1000 are kept",
            "the layout `L`: 1011 bytes, at most 1000 are kept",
            "the workspace `w`: 1011 bytes, at most 1000 are kept",
            "the name of the user: 0 bytes, needs 1 to 1024",
            "the name of the layout: 1025 bytes, needs 1 to 1024",
            "the workspace `w`: not a JSON object: invalid type: null, expected an object \
             at line 1 column 4",
        ]
    );
    assert_eq!(import.to_string(), "one write: 4590 bytes, at most 4096 are kept");
    assert!(store.layouts().all().await.unwrap().is_empty());
}
