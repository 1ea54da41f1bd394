//! What holds for any tree and any edits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use deskwire_layout::{
    Applied, Axis, Content, Counter, Edit, Item, ItemId, Kind, Object, Place, Policy, Side, Tree,
    WriteIds, definition, normalise, read, saved_layout, shares,
};
use proptest::prelude::*;
use serde_json::{Value, json};

// ------------------------------------------------------------------ any tree

fn size() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![Just(None), (1_u32..=10_000).prop_map(|part| Some(f64::from(part) / 100.0))]
}

fn settings() -> impl Strategy<Value = Value> {
    (size(), size(), proptest::option::of("[a-z ]{0,6}"), any::<bool>()).prop_map(
        |(width, height, title, pinned)| {
            let mut config = json!({ "width": width, "height": height, "title": title });
            if pinned {
                config["isPinned"] = json!({ "deep": [null, 1.5, "x"] });
            }
            config
        },
    )
}

fn window() -> impl Strategy<Value = Value> {
    (settings(), 0..5_u8, any::<bool>()).prop_map(|(config, app, context)| {
        let mut window =
            json!({ "type": "window", "appName": format!("app{app}"), "config": config });
        if context {
            window["context"] = json!({ "client": app });
        }
        window
    })
}

fn item() -> impl Strategy<Value = Value> {
    let group = (prop::collection::vec(window(), 0..4), settings(), proptest::option::of(0..4_u8));
    let group = group.prop_map(|(children, mut config, active)| {
        config["activeTabIndex"] = json!(active);
        json!({ "type": "group", "children": children, "config": config })
    });
    let leaf = prop_oneof![3 => window(), 1 => group];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let kind = prop_oneof![Just("row"), Just("column")];
        (kind, prop::collection::vec(inner, 0..4), settings()).prop_map(|(kind, children, config)| {
            json!({ "type": kind, "children": children, "config": config })
        })
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let root = proptest::option::of(Just(json!({ "title": "T", "x": null })));
    (prop::collection::vec(item(), 0..3), root.clone(), root).prop_map(
        |(children, config, frame)| {
            let input =
                json!({ "children": children, "config": config, "frame": frame, "more": 1 });
            read(&input, Policy::Strict, &mut Counter::default()).unwrap().tree
        },
    )
}

// ------------------------------------------------------------------ any edit

/// An edit before it is known of which tree: numbers choose among what is there.
#[derive(Debug, Clone)]
struct Wish {
    op: u8,
    place: u8,
    item: usize,
    target: usize,
    side: Side,
    index: Option<usize>,
    size: f64,
    new: Value,
}

fn wish() -> impl Strategy<Value = Wish> {
    let side =
        prop_oneof![Just(Side::Left), Just(Side::Right), Just(Side::Top), Just(Side::Bottom)];
    let index = prop_oneof![3 => Just(None), 1 => (0..3_usize).prop_map(Some)];
    (0..7_u8, 0..4_u8, any::<usize>(), any::<usize>(), side, index, 1.0..60.0, item()).prop_map(
        |(op, place, item, target, side, index, size, new)| Wish {
            op,
            place,
            item,
            target,
            side,
            index,
            size,
            new,
        },
    )
}

impl Wish {
    fn edit(&self, tree: &Tree) -> Edit {
        let ids: Vec<ItemId> = tree.items().map(|item| item.id.clone()).collect();
        let choose = |number: usize| match ids.len() {
            0 => ItemId::from("nothing"),
            count => ids[number % count].clone(),
        };
        let (item, target, side) = (choose(self.item), choose(self.target), self.side);
        let place = match self.place {
            0 => Place::Beside { target, side },
            1 => Place::Stack { target, index: self.index },
            2 => Place::Edge { side },
            _ => Place::Into {
                parent: (!self.target.is_multiple_of(5)).then_some(target),
                index: self.index,
            },
        };
        match self.op {
            0 => Edit::Insert { item: self.new.clone(), place },
            1 | 2 => Edit::Move { item, place },
            3 => Edit::Remove { item },
            4 => Edit::Resize { item, size: self.size },
            5 => Edit::Reorder { item, index: self.index.unwrap_or(0) },
            _ => Edit::Select { item },
        }
    }
}

// ------------------------------------------------------------------ what holds

fn containers(tree: &Tree) -> Vec<(Axis, &[Arc<Item>])> {
    let rows = tree.items().filter_map(|item| Some((item.kind().axis()?, item.children())));
    std::iter::once((Axis::Horizontal, tree.children.as_slice())).chain(rows).collect()
}

fn sizes_are_settled(tree: &Tree) {
    for (axis, items) in containers(tree) {
        let given: Vec<f64> = items.iter().filter_map(|item| item.size.along(axis)).collect();
        let sum: f64 = given.iter().sum();
        let none = given.is_empty();
        let all = given.len() == items.len() && items.len() > 1 && (sum - 100.0).abs() < 1e-6;
        assert!(none || all, "{given:?} of {} items", items.len());
    }
}

fn shares_sum_to_100(tree: &Tree) {
    for (axis, items) in containers(tree).into_iter().filter(|(_, items)| !items.is_empty()) {
        let shares = shares(items, axis);
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-6, "{shares:?}");
        assert!(shares.iter().all(|share| *share > 0.0), "{shares:?}");
    }
}

fn ids_are_unique(tree: &Tree) {
    let ids: BTreeSet<_> = tree.items().map(|item| &item.id).collect();
    assert_eq!(ids.len(), tree.items().count());
}

fn groups_are_groups(tree: &Tree) {
    for item in tree.items() {
        if let Content::Group { windows, active } = &item.content {
            assert!(windows.iter().all(|window| window.kind() == Kind::Window));
            assert!(active.is_none_or(|active| active < windows.len()), "{item:?}");
        }
    }
}

fn both_forms_come_back(tree: &Tree) {
    let mut ids = || panic!("all items have ids");
    for written in [definition(tree, WriteIds::Yes), saved_layout(tree, "L", WriteIds::Yes)] {
        let text = Value::String(written.to_string());
        for form in [&written, &text] {
            let again = read(form, Policy::Strict, &mut ids).unwrap();
            assert_eq!(again.tree, *tree);
            assert_eq!(again.diagnostics, []);
        }
    }
}

/// Everything about each window but its place and size.
fn windows(tree: &Tree) -> BTreeMap<ItemId, String> {
    let strip = |item: &Item| format!("{:?}", Item { size: Default::default(), ..item.clone() });
    tree.windows().map(|item| (item.id.clone(), strip(item))).collect()
}

fn empties(tree: &Tree) -> BTreeSet<ItemId> {
    let is_empty = |item: &&Item| item.kind() != Kind::Window && item.children().is_empty();
    tree.items().filter(is_empty).map(|item| item.id.clone()).collect()
}

fn windows_change_by_the_edit(before: &Tree, edit: &Edit, applied: &Applied) {
    let (old, mut new) = (windows(before), windows(&applied.tree));
    match edit {
        Edit::Insert { item, .. } => {
            let count = read(item, Policy::Strict, &mut Counter::default()).unwrap();
            new.retain(|id, _| !applied.added.contains(id));
            assert_eq!(applied.tree.windows().count(), old.len() + count.tree.windows().count());
            assert_eq!(new, old);
        }
        Edit::Remove { item } => {
            let removed = before.item(item).unwrap();
            let mut expected = old;
            for gone in removed.walk() {
                expected.remove(&gone.id);
            }
            assert_eq!(new, expected);
        }
        _ => assert_eq!(new, old),
    }
}

fn nothing_is_left_empty(before: &Tree, edit: &Edit, applied: &Applied) {
    let known = empties(before);
    for id in empties(&applied.tree) {
        let is_new = matches!(edit, Edit::Insert { .. }) && applied.added.contains(&id);
        assert!(known.contains(&id) || is_new, "{id} was left empty by {edit:?}");
    }
}

fn the_same_elsewhere(before: &Tree, edit: &Edit, applied: &Applied) {
    let mut assigned = applied.assigned.iter().cloned();
    let again = before.apply(edit, &mut || assigned.next().expect("no further id")).unwrap();
    assert_eq!(again, *applied);
    let wire = serde_json::to_string(edit).unwrap();
    assert_eq!(serde_json::from_str::<Edit>(&wire).unwrap(), *edit);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_edits_of_any_tree(start in tree(), wishes in prop::collection::vec(wish(), 1..12)) {
        let mut ids = Counter::new("new");
        let mut tree = start;
        for wish in wishes {
            let edit = wish.edit(&tree);
            let before = definition(&tree, WriteIds::Yes);
            let result = tree.apply(&edit, &mut ids);
            prop_assert_eq!(definition(&tree, WriteIds::Yes), before);
            let Ok(applied) = result else { continue };
            sizes_are_settled(&applied.tree);
            shares_sum_to_100(&applied.tree);
            ids_are_unique(&applied.tree);
            groups_are_groups(&applied.tree);
            windows_change_by_the_edit(&tree, &edit, &applied);
            nothing_is_left_empty(&tree, &edit, &applied);
            both_forms_come_back(&applied.tree);
            the_same_elsewhere(&tree, &edit, &applied);
            tree = applied.tree;
        }
    }

    #[test]
    fn normal_trees(tree in tree()) {
        shares_sum_to_100(&tree);
        both_forms_come_back(&tree);
        let normal = normalise(&tree);
        sizes_are_settled(&normal);
        prop_assert!(empties(&normal).is_empty());
        prop_assert_eq!(windows(&normal), windows(&tree));
        prop_assert_eq!(&normalise(&normal), &normal);
    }

    /// Whatever stands in the JSON, reading ends with a tree or a reason, and what it kept is sound.
    #[test]
    fn any_json_is_read_or_refused(input in any_json()) {
        if let Ok(found) = read(&input, Policy::Lenient, &mut Counter::default()) {
            ids_are_unique(&found.tree);
            groups_are_groups(&found.tree);
            both_forms_come_back(&found.tree);
        }
    }
}

/// JSON made of the words of the format, in any order.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "row",
        "column",
        "group",
        "window",
        "Workspace",
        "panel",
        "",
        "i1",
        "a",
        "{\"children\":[]}",
    ]);
    let key = prop::sample::select(vec![
        "type",
        "id",
        "children",
        "config",
        "context",
        "frame",
        "components",
        "state",
        "appName",
        "windowId",
        "width",
        "height",
        "title",
        "activeTabIndex",
        "name",
        "x",
    ]);
    let leaf = prop_oneof![
        4 => word.prop_map(|word| json!(word)),
        1 => (-200.0..200.0_f64).prop_map(|number| json!(number)),
        1 => (0..3_u8).prop_map(|number| json!(number)),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(|flag| json!(flag)),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        let object = prop::collection::vec((key.clone(), inner.clone()), 0..6).prop_map(|pairs| {
            pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Object>()
        });
        let kind = prop::sample::select(vec!["row", "column", "group", "window"]);
        let children = prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array);
        prop_oneof![
            children.clone(),
            object.clone().prop_map(Value::Object),
            (object, kind, children).prop_map(|(mut object, kind, children)| {
                object.insert("type".to_owned(), kind.into());
                let key = if kind == "window" { "appName" } else { "children" };
                object.insert(key.to_owned(), if kind == "window" { "a".into() } else { children });
                Value::Object(object)
            }),
        ]
    })
}
