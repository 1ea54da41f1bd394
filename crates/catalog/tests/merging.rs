//! Several sources as one, and what became different.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use deskwire_catalog::{Catalog, LayoutKind, Read, SourceLabel, read};

fn source(label: &str, text: &str) -> Read {
    read(&SourceLabel::new(label), text)
}

fn app(name: &str, url: &str) -> String {
    format!(r#"{{"name":"{name}","type":"window","details":{{"url":"{url}"}}}}"#)
}

fn list(records: &[String]) -> String {
    format!("[\n{}\n]", records.join(",\n"))
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.applications().iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn the_first_holder_keeps_a_name_and_the_later_ones_are_told() {
    let first = list(&[app("a", "http://one"), app("b", "http://one")]);
    let second = list(&[app("c", "http://two"), app("a", "http://two"), app("c", "http://three")]);
    let catalog = Catalog::merge([source("one.json", &first), source("two.json", &second)]);
    assert_eq!(names(&catalog), ["a", "b", "c"]);
    assert_eq!(catalog.application("a").unwrap().raw["details"]["url"], "http://one");
    assert_eq!(catalog.application("c").unwrap().raw["details"]["url"], "http://two");
    assert!(catalog.application("d").is_none());
    let told: Vec<_> = catalog.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "two.json:3: a: name: the name belongs to the application at one.json:2, which came first; \
         this one is left out: rename one of them",
            "two.json:4: c: name: the name belongs to the application at two.json:2, which came first; \
         this one is left out: rename one of them",
        ]
    );
}

#[test]
fn layouts_of_different_types_may_share_a_name() {
    let text = r#"[{"name":"x","type":"Workspace","components":[]},
                   {"name":"x","type":"Global","components":[]},
                   {"name":"x","type":"Workspace","components":[1]}]"#;
    let catalog = Catalog::merge([source("l.json", text)]);
    assert_eq!(catalog.layouts().len(), 2);
    assert_eq!(
        catalog.workspace("x").unwrap().components(),
        [0_u8; 0].map(serde_json::Value::from)
    );
    assert!(catalog.layout(&LayoutKind::Global, "x").is_some());
    assert_eq!(catalog.workspaces().count(), 1);
    assert_eq!(catalog.diagnostics()[0].code.as_str(), "layout.duplicate");
}

#[test]
fn what_did_not_change_keeps_its_arc_and_is_not_told() {
    let before = list(&[app("a", "http://one"), app("b", "http://one"), app("c", "http://one")]);
    let old = Catalog::merge([source("x.json", &before)]);

    let same = old.succeed([source("x.json", &before)]);
    assert!(same.changes_since(&old).is_empty());
    for (one, other) in old.applications().iter().zip(same.applications()) {
        assert!(Arc::ptr_eq(one, other), "{}", one.name);
    }

    let after = list(&[app("a", "http://one"), app("c", "http://two"), app("d", "http://one")]);
    let new = old.succeed([source("x.json", &after)]);
    let changes = new.changes_since(&old).applications;
    let named = |list: &[Arc<deskwire_catalog::Application>]| -> Vec<String> {
        list.iter().map(|one| one.name.clone()).collect()
    };
    assert_eq!(named(&changes.added), ["d"]);
    assert_eq!(named(&changes.changed), ["c"]);
    assert_eq!(named(&changes.removed), ["b"]);
    assert!(Arc::ptr_eq(&changes.changed[0], new.application("c").unwrap()));
    assert!(Arc::ptr_eq(new.application("a").unwrap(), old.application("a").unwrap()));
}

#[test]
fn a_record_that_moved_is_the_same_and_knows_its_new_place() {
    let old = Catalog::merge([source("x.json", &list(&[app("a", "http://one")]))]);
    let moved = format!("\n\n{}", list(&[app("a", "http://one")]));
    let new = old.succeed([source("x.json", &moved)]);
    assert!(new.changes_since(&old).is_empty());
    assert_eq!(new.application("a").unwrap().origin.line, Some(4));
}

#[test]
fn every_sort_of_record_is_compared() {
    let text = |title: &str| {
        format!(
            r#"{{"layouts":[{{"name":"w","type":"Workspace","metadata":{{"description":"{title}"}},"components":[]}}],
                "channels":[{{"name":"Red","meta":{{"color":"{title}"}}}}],
                "applications":[{{"appId":"a","type":"web","details":{{"url":"http://h"}},
                    "interop":{{"intents":{{"raises":{{"V":["{title}"]}}}}}}}}]}}"#
        )
    };
    let old = Catalog::merge([source("x", &text("one"))]);
    let changes = old.succeed([source("x", &text("two"))]).changes_since(&old);
    assert_eq!(changes.layouts.changed.len(), 1);
    assert_eq!(changes.channels.changed.len(), 1);
    assert_eq!(changes.applications.changed.len(), 1, "raised intents are no part of `raw`");
    let gone = Catalog::default().changes_since(&old);
    assert_eq!((gone.layouts.removed.len(), gone.channels.removed.len()), (1, 1));
}
