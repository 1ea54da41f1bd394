//! What a change of layouts means.

use std::sync::Arc;

use deskwire_catalog::{Layout, LayoutKind, SourceLabel, read_value};
use deskwire_store::Import;
use serde_json::{Value, json};

use super::LayoutError;
use super::document::{from_store, read_layout};
use super::plan::{Change, Plan, Write, plan};
use crate::apps::{Registry, Saved};
use crate::limits::Limits;

const NOW: u64 = 1_700_000_000_000;

fn document(kind: &str, name: &str) -> Value {
    json!({ "name": name, "type": kind, "components": [] })
}

fn layout(kind: &str, name: &str) -> Arc<Layout> {
    read_layout(document(kind, name), &Limits::default()).unwrap()
}

/// `Saved` is saved, `OfFile` stands in a file, and `Both` in both.
fn registry() -> Registry {
    let mut all = Registry::new(1, Vec::new(), Limits::default());
    let of_file = ["OfFile", "Both"].map(|name| document("Global", name));
    all.set_source(
        0,
        vec![read_value(&SourceLabel::new("layouts.json"), json!({ "layouts": of_file }))],
    );
    all.set_saved(vec![Saved::All(vec![
        layout("Global", "Saved"),
        layout("Global", "Both"),
        layout("Workspace", "Saved"),
    ])]);
    all
}

fn judge(change: Change) -> Result<Plan, LayoutError> {
    plan(change, &registry(), 4, NOW)
}

fn remove(name: &str) -> Change {
    Change::Remove((LayoutKind::Global, name.into()))
}

fn rename(old: &str, new: &str) -> Change {
    Change::Rename { layout: (LayoutKind::Global, old.into()), name: new.into() }
}

/// Names in force once a plan is carried out.
fn after(plan: Plan) -> Vec<String> {
    let mut all = registry();
    all.set_saved(plan.saved);
    let of = |one: &Arc<Layout>| {
        let place = if one.origin.source.as_str() == "saved" { "" } else { " of file" };
        format!("{} {}{place}", one.kind.as_str(), one.name)
    };
    let mut names: Vec<_> = all.catalog().layouts().iter().map(of).collect();
    names.sort();
    names
}

#[test]
fn what_is_saved_is_changed_and_what_is_of_a_file_is_not() {
    for (change, outcome) in [
        (remove("Saved"), "ok"),
        (remove("Both"), "ok"),
        (
            remove("OfFile"),
            "the layout `OfFile` of the type Global comes from layouts.json; change it there",
        ),
        (remove("Nowhere"), "there is no layout `Nowhere` of the type Global"),
        (rename("Saved", "New"), "ok"),
        (rename("Saved", "Saved"), "ok"),
        (
            rename("Saved", "Both"),
            "there is a layout `Both` of the type Global already; choose another name",
        ),
        (
            rename("Saved", "OfFile"),
            "there is a layout `OfFile` of the type Global already; choose another name",
        ),
        (rename("Saved", " "), "Saved cannot be saved: the new name is blank"),
        (
            rename("OfFile", "New"),
            "the layout `OfFile` of the type Global comes from layouts.json; change it there",
        ),
        (Change::Save(layout("Global", "OfFile")), "ok"),
        (Change::Save(layout("Global", "Saved")), "ok"),
    ] {
        let said = format!("{change:?}");
        let found = judge(change).map_or_else(|error| error.to_string(), |_| "ok".into());
        assert_eq!(found, outcome, "{said}");
    }
}

#[test]
fn removing_a_copy_shows_the_files_again() {
    assert_eq!(
        after(judge(remove("Both")).unwrap()),
        ["Global Both of file", "Global OfFile of file", "Global Saved", "Workspace Saved"]
    );
}

#[test]
fn a_renamed_layout_says_its_new_name() {
    let plan = judge(rename("Saved", "New")).unwrap();
    let Some(Saved::Put(put)) = plan.saved.last() else { panic!("{plan:?}") };
    assert_eq!((put[0].name.as_str(), put[0].raw["name"].as_str()), ("New", Some("New")));
    assert!(matches!(&plan.write, Write::Rename { name, .. } if name == "New"), "{plan:?}");
}

#[test]
fn an_import_removes_what_it_says() {
    let import = |import| {
        let layouts = vec![layout("Global", "New")];
        after(judge(Change::Import { layouts, import }).unwrap())
    };
    assert_eq!(
        import(Import::Merge),
        ["Global Both", "Global New", "Global OfFile of file", "Global Saved", "Workspace Saved"]
    );
    assert_eq!(
        import(Import::ReplaceKind("Global".into())),
        ["Global Both of file", "Global New", "Global OfFile of file", "Workspace Saved"]
    );
    assert_eq!(
        import(Import::ReplaceAll),
        ["Global Both of file", "Global New", "Global OfFile of file"]
    );
}

#[test]
fn the_number_of_layouts_is_bounded() {
    let two = vec![layout("Global", "A"), layout("Global", "B")];
    let merge = Change::Import { layouts: two.clone(), import: Import::Merge };
    assert_eq!(judge(merge), Err(LayoutError::TooMany { most: 4 }));
    let replace = Change::Import { layouts: two, import: Import::ReplaceKind("Global".into()) };
    assert!(judge(replace).is_ok());
}

#[test]
fn what_is_no_layout_is_refused_by_name() {
    let limits = Limits { layout_bytes: 100, ..Limits::default() };
    for (document, words) in [
        (json!({ "type": "Global", "components": [] }), "a layout without a name cannot be saved"),
        (
            json!({ "name": "L", "components": [] }),
            "the layout `L` cannot be saved: there is no `type`",
        ),
        (json!([]), "cannot be saved"),
        (json!({ "name": "L", "type": "Global", "components": ["x".repeat(100)] }), "at most 100"),
    ] {
        let error = read_layout(document, &limits).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_name_in_the_store_holds() {
    let row = deskwire_store::Layout {
        kind: "Global".into(),
        name: "After".into(),
        document: document("Workspace", "Before").to_string(),
        saved_ms: NOW,
    };
    let layout = from_store(&row).unwrap();
    assert_eq!((layout.name.as_str(), &layout.kind), ("After", &LayoutKind::Global));
    assert_eq!(layout.raw["name"], "After");
}
