//! Who holds a name, and what may be registered at run time.

use deskwire_catalog::{AllowedNames, Catalog, Changes, Read, SourceLabel, read_value};
use serde_json::{Value, json};

use super::{Apps, ImportMode, Imported, Registry, Saved};
use crate::limits::Limits;

fn app(name: &str) -> Value {
    json!({ "name": name, "type": "window", "details": { "url": "http://localhost/" } })
}

fn layout(name: &str, version: u32) -> Value {
    json!({ "name": name, "type": "Global", "components": [], "metadata": { "version": version } })
}

fn source(label: &str, records: Value) -> Read {
    read_value(&SourceLabel::new(label), records)
}

fn registry(allowed: &[&str]) -> Registry {
    let names = (!allowed.is_empty()).then(|| AllowedNames::new(allowed).unwrap());
    Registry::new(2, names.into_iter().collect(), Limits::default())
}

/// `name@source` of each application.
fn held(catalog: &Catalog) -> Vec<String> {
    let of = |name: &str, source: &SourceLabel| format!("{name}@{source}");
    catalog.applications().iter().map(|one| of(&one.name, &one.origin.source)).collect()
}

fn codes(catalog: &Catalog) -> Vec<&str> {
    catalog.diagnostics().iter().map(|one| one.code.as_str()).collect()
}

fn names(changes: &Changes) -> String {
    let names = |all: &[std::sync::Arc<deskwire_catalog::Application>]| {
        all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(",")
    };
    let moved = &changes.applications;
    format!("+{} ~{} -{}", names(&moved.added), names(&moved.changed), names(&moved.removed))
}

#[test]
fn the_first_source_holds_a_name_and_the_run_time_comes_last() {
    let mut all = registry(&["*"]);
    assert_eq!(all.import(vec![app("c"), app("b")], ImportMode::Merge).imported, ["c", "b"]);
    all.set_source(1, vec![source("second", json!([app("b"), app("a")]))]);
    all.set_source(0, vec![source("first", json!([app("a")]))]);
    assert_eq!(held(all.catalog()), ["a@first", "b@second", "c@in-memory"]);
    assert_eq!(codes(all.catalog()), ["app.duplicate", "app.duplicate"]);
    // Whoever held it goes: the next one has it.
    all.set_source(0, Vec::new());
    assert_eq!(held(all.catalog()), ["b@second", "a@second", "c@in-memory"]);
}

#[test]
fn what_changes_is_told_and_nothing_else() {
    let mut all = registry(&[]);
    let mut story = Vec::new();
    let mut before = Catalog::default();
    for records in [
        json!([app("a"), app("b")]),
        json!([app("b"), app("a")]),
        json!([app("b"), { "name": "a", "type": "window", "title": "A", "details": { "url": "http://localhost/" } }]),
        json!([app("c")]),
    ] {
        all.set_source(0, vec![source("first", records)]);
        story.push(names(&all.catalog().changes_since(&before)));
        before = all.catalog().clone();
    }
    assert_eq!(story, ["+a,b ~ -", "+ ~ -", "+ ~a -", "+c ~ -b,a"]);
}

#[test]
fn names_are_registered_as_far_as_the_stores_allow() {
    let refused = |imported: &Imported| imported.errors.first().map(|(_, why)| why.clone());

    let mut none = registry(&[]);
    let imported = none.import(vec![app("chart")], ImportMode::Merge);
    assert!(refused(&imported).unwrap().contains("`appStores`"), "{imported:?}");
    assert_eq!(codes(none.catalog()), ["app.not-allowed"]);

    let mut some = registry(&["chart", "mcp-app.*"]);
    some.set_source(0, vec![source("first.json", json!([app("mcp-app.taken")]))]);
    let imported = some.import(
        vec![
            app("chart"),
            app("charts"),
            app("mcp-app.a.b"),
            app("mcp-app.taken"),
            json!({ "type": "window", "details": { "url": "http://localhost/" } }),
            json!({ "name": "mcp-app.evil", "type": "window", "details": { "url": "javascript:1" } }),
            json!(7),
        ],
        ImportMode::Replace,
    );
    assert_eq!(imported.imported, ["chart", "mcp-app.a.b"]);
    insta::assert_debug_snapshot!(imported.errors);
}

#[test]
fn an_import_replaces_or_merges() {
    let mut all = registry(&["*"]);
    let names = |all: &Registry| {
        let of = |app: &Value| app["name"].as_str().unwrap_or_default().to_owned();
        all.export().iter().map(of).collect::<Vec<_>>()
    };
    all.import(vec![app("a"), app("b")], ImportMode::Replace);
    all.import(vec![app("c")], ImportMode::Merge);
    assert_eq!(names(&all), ["a", "b", "c"]);
    all.import(vec![json!({ "name": "bad" })], ImportMode::Replace);
    assert_eq!(names(&all), ["a", "b", "c"], "an import that is refused whole takes nothing away");
    all.import(vec![app("d")], ImportMode::Replace);
    assert_eq!(names(&all), ["d"]);
    assert_eq!(all.forget(&["d".into(), "x".into()]), ["d"]);
    all.import(vec![app("e")], ImportMode::Merge);
    all.forget_all();
    assert_eq!(names(&all), Vec::<String>::new());
    assert_eq!(held(all.catalog()), Vec::<String>::new());
}

#[test]
fn the_store_and_its_memory_of_refusals_are_bounded() {
    let limits = Limits {
        memory_applications: 2,
        memory_definition_bytes: 200,
        remembered_refusals: 2,
        ..Limits::default()
    };
    let allowed = AllowedNames::new(["a*"]).unwrap();
    let mut all = Registry::new(0, vec![allowed], limits);
    let long = json!({ "name": "a", "type": "window", "title": "x".repeat(200),
                       "details": { "url": "http://localhost/" } });
    let imported =
        all.import(vec![app("a1"), app("a2"), app("a3"), long, app("a1")], ImportMode::Merge);
    assert_eq!(imported.imported, ["a1", "a2", "a1"]);
    let reasons: Vec<_> = imported.errors.iter().map(|(_, why)| why.as_str()).collect();
    assert!(reasons[0].contains("takes 2 applications"), "{reasons:?}");
    assert!(reasons[1].contains("at most 200"), "{reasons:?}");
    for name in ["b", "c", "d"] {
        all.import(vec![app(name)], ImportMode::Merge);
    }
    let told = all.catalog().diagnostics().iter().map(|one| one.message.clone());
    let told: Vec<_> = told.collect();
    assert!(
        told.len() == 2 && told[0].starts_with("`c`") && told[1].starts_with("`d`"),
        "{told:?}"
    );
}

#[test]
fn a_saved_layout_stands_in_the_place_of_a_files() {
    let mut all = registry(&[]);
    all.set_source(0, vec![source("file", json!({ "layouts": [layout("L", 1), layout("M", 1)] }))]);
    let saved = source("saved", json!({ "layouts": [layout("L", 2)] })).layouts;
    let versions = |all: &Registry| {
        let of = |one: &std::sync::Arc<deskwire_catalog::Layout>| {
            format!("{}{}", one.name, one.metadata["version"])
        };
        let mut versions: Vec<_> = all.catalog().layouts().iter().map(of).collect();
        versions.sort();
        versions
    };
    assert_eq!(versions(&all), ["L1", "M1"]);
    let name = (saved[0].kind.clone(), saved[0].name.clone());
    all.set_saved(vec![Saved::Put(saved)]);
    assert_eq!(versions(&all), ["L2", "M1"]);
    assert_eq!(codes(all.catalog()), Vec::<&str>::new(), "that is no clash");
    all.set_saved(vec![Saved::Removed(name)]);
    assert_eq!(versions(&all), ["L1", "M1"]);
}

#[test]
fn the_revision_moves_with_what_is_in_force() {
    let apps = Apps::new(registry(&["*"]));
    let revision = apps.changes();
    let at = || *revision.borrow();
    apps.import(vec![app("a")], ImportMode::Merge);
    assert_eq!(at(), 1);
    apps.import(vec![app("a")], ImportMode::Merge);
    assert_eq!(at(), 1, "the same again is no change");
    let before = apps.listing();
    apps.forget(&["b".into()]);
    assert!(std::sync::Arc::ptr_eq(&before, &apps.listing()), "what clients are told stays made");
    apps.set_source(0, vec![source("file", json!({ "nothing": true }))]);
    assert_eq!(at(), 2, "a new diagnostic is a change");
    apps.forget_all();
    assert_eq!(at(), 3);
}

#[test]
fn clients_are_told_what_they_can_take() {
    let apps = Apps::new(registry(&[]));
    apps.set_source(
        0,
        vec![source(
            "file",
            json!([{
                "name": "chart", "title": "Chart", "type": "window", "version": 2,
                "caption": "Shows prices", "icon": "https://host/icon.png", "hidden": true,
                "allowMultiple": false, "sortOrder": 3, "keywords": ["fx"],
                "customProperties": { "includeInWorkspaces": true },
                "intents": [
                    { "name": "ViewChart", "displayName": "View", "contexts": ["Instrument"], "resultType": "Done" },
                    { "name": "ViewNews", "contexts": 7, "displayName": { "no": "text" } },
                    "nonsense",
                ],
                "details": { "url": "http://localhost:1/", "mode": "Tab", "width": 400 },
            }]),
        )],
    );
    let listing = apps.listing();
    insta::assert_json_snapshot!("properties", listing.properties(true).value());
    insta::assert_json_snapshot!("intents", listing.intents().value());
    let bare = listing.properties(false);
    assert_eq!(bare.value()["applications"][0].get("Icon"), None);
    let some = listing.definitions_of(["nobody", "chart"].into_iter());
    assert_eq!(some.value()["applications"][0]["details"]["width"], 400);
    assert_eq!(some.value()["applications"].as_array().map(Vec::len), Some(1));
}
