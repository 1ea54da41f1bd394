//! What people bring along, and what nobody should.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use deskwire_layout::{
    Counter, Edit, EditError, Fault, Place, Policy, Read, ReadError, Side, Tree, WriteIds,
    definition, limits, read, read_text, saved_layout,
};
use serde_json::{Value, json};

fn lenient(value: &Value) -> Read {
    read(value, Policy::Lenient, &mut Counter::default()).unwrap()
}

fn strict(value: &Value) -> Result<Read, ReadError> {
    read(value, Policy::Strict, &mut Counter::default())
}

fn row_of(windows: usize) -> Value {
    let windows = vec![json!({ "type": "window", "appName": "a" }); windows];
    json!({ "children": [{ "type": "row", "children": windows }] })
}

fn nested(depth: usize, leaf: Value) -> Value {
    (1..depth).fold(leaf, |inner, _| json!({ "type": "row", "children": [inner] }))
}

/// A layout as a desktop saves it: every setting there, most of them about the moment of saving.
#[test]
fn a_layout_as_a_desktop_saves_it() {
    let saved = json!({
        "name": "Morning",
        "type": "Workspace",
        "metadata": { "description": "Orders beside prices" },
        "components": [{
            "type": "Workspace",
            "application": "desk",
            "state": {
                "children": [{
                    "type": "column",
                    "config": { "width": null, "height": null, "minWidth": 40, "isPinned": false },
                    "children": [{
                        "type": "group",
                        "config": { "activeTabIndex": 1, "height": 62.5, "widthInPx": 900 },
                        "children": [
                            { "type": "window", "config": { "appName": "orders", "title": "Orders",
                              "context": {}, "isSelected": false, "channelId": null } },
                            { "type": "window", "config": { "appName": "prices", "title": "Prices",
                              "context": { "symbol": "ABC" }, "isSelected": true } },
                        ],
                    }, {
                        "type": "group",
                        "config": { "activeTabIndex": 0, "height": 37.5 },
                        "children": [{ "type": "window", "config": { "appName": "notes" } }],
                    }],
                }],
                "config": { "name": "Morning", "title": "Untitled 1", "icon": null },
                "context": { "desk": "FX" },
            },
        }],
    });
    let read = strict(&saved).unwrap();
    assert_eq!(read.diagnostics, []);
    assert_eq!(read.name.as_deref(), Some("Morning"));
    assert_eq!(read.tree.title(), Some("Untitled 1"));
    insta::assert_json_snapshot!(definition(&read.tree, WriteIds::No));
}

/// A file that lists saved layouts, as an export does.
#[test]
fn an_export_of_saved_layouts() {
    let saved = |name: &str| {
        json!({ "name": name, "type": "Workspace",
                "components": [{ "type": "workspace", "state": row_of(2) }] })
    };
    for value in [saved("Morning"), json!([saved("Morning")])] {
        let read = lenient(&value);
        assert_eq!(read.name.as_deref(), Some("Morning"));
        assert_eq!(read.tree.children.len(), 1, "{value}");
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        assert_eq!(strict(&value).unwrap().tree.children.len(), 1);
    }
    let several = json!([saved("Morning"), saved("Evening")]);
    for policy in [Policy::Lenient, Policy::Strict] {
        let error = read(&several, policy, &mut Counter::default()).unwrap_err().to_string();
        assert!(
            error.contains("a list of 2 saved layouts, of which one must be chosen"),
            "{error}"
        );
    }
}

#[test]
fn a_definition_comes_back_as_it_was() {
    let given = json!({
        "children": [{
            "type": "column",
            "children": [
                { "type": "group", "children": [{ "type": "window", "appName": "two" }] },
                { "type": "group", "children": [{
                    "type": "window", "appName": "two", "config": { "maxWidth": 500, "minHeight": 200 }
                }] },
            ],
            "config": { "maxWidth": 400 },
        }],
        "config": { "title": "Limits" },
    });
    let tree = strict(&given).unwrap().tree;
    assert_eq!(definition(&tree, WriteIds::No), given);
    let saved = saved_layout(&tree, "Limits", WriteIds::No);
    assert_eq!(definition(&strict(&saved).unwrap().tree, WriteIds::No), given);
}

#[test]
fn text_and_object_are_the_same() {
    let given = row_of(2);
    assert_eq!(lenient(&given), lenient(&json!(given.to_string())));
    assert_eq!(
        lenient(&given),
        read_text(&given.to_string(), Policy::Lenient, &mut Counter::default()).unwrap()
    );
}

#[test]
fn messages_say_what_where_and_what_would_be_right() {
    let given = json!({ "children": [{ "type": "row", "children": [
        { "type": "window", "appName": "a", "config": { "width": "half" } },
        { "type": "stack", "children": [] },
        { "type": "window", "config": { "title": "Orders" } },
        5,
        { "type": "group", "children": [{ "type": "row", "children": [] }] },
    ] }] });
    insta::assert_snapshot!(strict(&given).unwrap_err(), @"children[0].children[1].type: `stack` is no type of an item; use row, column, group or window; children[0].children[2]: a window needs an `appName` or a `windowId`; children[0].children[3]: a number is no item; an item is an object with a `type`; and 2 more");
    let told: Vec<_> = lenient(&given).diagnostics.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    children[0].children[0].config.width: a size is a number of percent above 0 and up to 100, not half; ignored
    children[0].children[1].type: `stack` is no type of an item; use row, column, group or window
    children[0].children[2]: a window needs an `appName` or a `windowId`
    children[0].children[3]: a number is no item; an item is an object with a `type`
    children[0].children[4].children[0]: a group holds only windows, not a row
    ");
    let nothing = strict(&json!({ "apps": [] })).unwrap_err();
    insta::assert_snapshot!(nothing, @r#"the tree: no workspace, but an object without `children`; give {"children":[…]}, a list of items, or a saved layout with `components`"#);
}

#[test]
fn as_deep_and_as_many_as_may_be() {
    assert!(strict(&row_of(limits::MAX_ITEMS - 1)).is_ok());
    let window = json!({ "type": "window", "appName": "a" });
    assert!(strict(&nested(limits::MAX_DEPTH, window)).is_ok());
}

#[test]
fn too_many_items_are_refused() {
    let error = strict(&row_of(limits::MAX_ITEMS)).unwrap_err();
    assert!(matches!(error, ReadError::TooManyItems { .. }), "{error}");
    let rubbish = json!({ "children": vec![json!(1); limits::MAX_ITEMS + 1] });
    assert!(matches!(strict(&rubbish), Err(ReadError::TooManyItems { .. })));
}

#[test]
fn a_flood_of_faults_is_counted() {
    let flood = json!({ "children": vec![json!({ "type": "window", "appName": "a", "config": { "width": -1 } }); 150] });
    let read = lenient(&flood);
    assert_eq!(read.diagnostics.len(), limits::MAX_DIAGNOSTICS);
    assert_eq!(read.more_diagnostics, 50);
    assert_eq!(read.tree.windows().count(), 150);

    let mut hidden = flood;
    hidden["children"][149] = json!({ "type": "panel" });
    let error = strict(&hidden).unwrap_err();
    assert_eq!(error.path().unwrap().to_string(), "children[149].type", "{error}");
}

/// Values that were not parsed may nest deeper than any parser allows; no stack may run over.
#[test]
fn bottomless_values_are_refused() {
    let bottomless = (0..50_000).fold(json!({}), |inner, _| {
        let mut row = json!({ "type": "row" });
        row["children"] = Value::Array(vec![inner]);
        row
    });
    let error = strict(&bottomless).unwrap_err();
    assert!(matches!(error, ReadError::TooDeep { .. }), "{error}");
    unwind(bottomless);

    let mut window = json!({ "type": "window", "appName": "a", "context": {} });
    window["context"]["abyss"] = (0..50_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    let read = lenient(&window);
    assert_eq!(read.diagnostics.len(), 1);
    assert_eq!(read.diagnostics[0].fault, Fault::ValueTooDeep);
    assert_eq!(read.tree.windows().count(), 1);
    unwind(window);
}

/// Takes a deep value apart level by level: dropping one recurses.
fn unwind(mut value: Value) {
    loop {
        value = match value {
            Value::Array(mut list) => list.pop().unwrap_or_default(),
            Value::Object(mut object) => ["children", "context", "abyss"]
                .iter()
                .find_map(|key| object.shift_remove(*key))
                .unwrap_or_default(),
            _ => return,
        };
    }
}

#[test]
fn text_is_bounded() {
    let long = json!(" ".repeat(limits::MAX_TEXT + 1));
    assert!(matches!(strict(&long), Err(ReadError::TextTooLong { .. })));
    let deep = json!("[".repeat(100_000));
    assert!(matches!(strict(&deep), Err(ReadError::NotJson { .. })));
}

/// What is as deep as may be still travels: as text, in either form, inside a frame of the bus.
#[test]
fn the_deepest_tree_nests_less_than_a_frame() {
    let context = (0..limits::MAX_VALUE_DEPTH).fold(json!(1), |inner, _| json!([inner]));
    let window = json!({ "type": "window", "appName": "a", "context": { "deep": context } });
    let tree = strict(&json!([nested(limits::MAX_DEPTH, window)])).unwrap().tree;
    for written in [definition(&tree, WriteIds::Yes), saved_layout(&tree, "L", WriteIds::Yes)] {
        let depth = depth(&written);
        assert!(depth + 4 <= 100, "{depth}");
        assert_eq!(strict(&json!(written.to_string())).unwrap().tree, tree);
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

// ------------------------------------------------------------------ edits, where vectors cannot say it

fn tree_of(windows: usize) -> Tree {
    lenient(&row_of(windows)).tree
}

#[test]
fn edits_keep_to_the_bounds() {
    let insert = |item: Value, place: Place| Edit::Insert { item, place };
    let window = json!({ "type": "window", "appName": "x" });
    let edge = Place::Edge { side: Side::Left };
    let full = tree_of(limits::MAX_ITEMS - 1);
    let error = full.apply(&insert(window.clone(), edge.clone()), &mut Counter::new("n"));
    assert_eq!(error, Err(EditError::TooManyItems));

    let deep = lenient(&json!([nested(limits::MAX_DEPTH, window.clone())])).tree;
    let target = deep.windows().next().unwrap().id.clone();
    let beside = Place::Beside { target, side: Side::Top };
    let error = deep.apply(&insert(window, beside), &mut Counter::new("n"));
    assert_eq!(error, Err(EditError::TooDeep));
    let error = deep.apply(&insert(nested(100, json!(1)), edge), &mut Counter::new("n"));
    assert!(matches!(error, Err(EditError::Item(ReadError::TooDeep { .. }))), "{error:?}");
}

#[test]
fn an_edit_tells_what_it_did() {
    let tree = lenient(&json!({ "children": [{ "type": "column", "id": "c", "children": [
        { "type": "row", "id": "r", "children": [
            { "type": "window", "id": "a", "appName": "a" },
            { "type": "window", "id": "b", "appName": "b" },
        ] },
        { "type": "window", "id": "d", "appName": "d" },
    ] }] }))
    .tree;
    let edit = Edit::Move {
        item: "b".into(),
        place: Place::Beside { target: "d".into(), side: Side::Right },
    };
    let applied = tree.apply(&edit, &mut Counter::new("n")).unwrap();
    assert_eq!(applied.added, ["n1".into()]);
    assert_eq!(applied.removed, ["r".into()]);
    assert_eq!(applied.assigned, ["n1".into()]);
    // An undo is the tree that was there.
    assert!(tree.item(&"r".into()).is_some());
}

#[test]
fn edits_with_unknown_words_are_refused() {
    for edit in [
        json!({ "op": "explode", "item": "a" }),
        json!({ "op": "remove" }),
        json!({ "op": "remove", "item": "a", "force": true }),
        json!({ "op": "move", "item": "a", "place": { "at": "edge", "side": "middle" } }),
        json!({ "op": "move", "item": "a", "place": { "at": "edge", "side": "left", "index": 1 } }),
        json!({ "op": "reorder", "item": "a", "index": -1 }),
    ] {
        assert!(serde_json::from_value::<Edit>(edit.clone()).is_err(), "{edit}");
    }
}
