//! What stands in workspaces, and what is done to it.

use deskwire_layout::{Kind, Place};
use serde_json::{Value, json};

use super::world::{World, definition, outline, peer, window};
use crate::workspaces::core::{Placement, Target};
use crate::workspaces::{Bounds, FrameId, WorkspaceId};

fn desk(children: Value) -> (World, FrameId, WorkspaceId) {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, children);
    (world, frame, id)
}

fn insert(world: &mut World, id: &WorkspaceId, item: &Value) -> Result<String, String> {
    let place = Place::Into { parent: None, index: None };
    let item = world.run(|turn| turn.insert(id, item, place));
    item.map(|item| item.to_string()).map_err(|refused| refused.to_string())
}

#[test]
fn every_window_stands_in_a_box() {
    let (mut world, _, id) =
        desk(json!([window("one"), { "type": "row", "children": [window("two")] }]));
    assert_eq!(outline(world.get(&id)), "group(one*) row(two)");
    insert(&mut world, &id, &window("three")).unwrap();
    assert_eq!(outline(world.get(&id)), "group(one*) row(two) group(three*)");
}

#[test]
fn an_empty_container_stays_for_what_is_to_come() {
    let (mut world, _, id) = desk(json!([{ "type": "column", "children": [] }]));
    let column = world.get(&id).tree.children[0].id.clone();
    let place = Place::Into { parent: Some(column), index: None };
    world.run(|turn| turn.insert(&id, &window("one"), place)).unwrap();
    assert_eq!(outline(world.get(&id)), "column(one)");
}

#[test]
fn ids_are_given_anew_so_that_one_definition_opens_twice() {
    let (mut world, frame, first) =
        desk(json!([{ "type": "group", "id": "mine", "children": [window("one")] }]));
    let second = world
        .workspace(&frame, json!([{ "type": "group", "id": "mine", "children": [window("one")] }]));
    let id = |id: &WorkspaceId| world.get(id).tree.children[0].id.clone();
    assert_ne!(id(&first), id(&second));
}

#[test]
fn a_definition_with_faults_is_refused_by_their_place() {
    let (mut world, _, id) = desk(json!([]));
    for (item, place) in [
        (
            json!({ "type": "row", "children": [window("one"), { "type": "tab" }] }),
            "children[1].type",
        ),
        (json!({ "type": "row", "children": [{ "type": "window" }] }), "children[0]"),
        (json!({ "type": "window", "windowId": "nobody" }), "there is no window \"nobody\""),
        (json!([window("one"), window("two")]), "one item is wanted"),
    ] {
        let error = insert(&mut world, &id, &item).unwrap_err();
        assert!(error.contains(place), "{item}: {error}");
    }
    assert_eq!(outline(world.get(&id)), "");
}

#[test]
fn a_definition_may_take_a_window_that_exists() {
    let (mut world, frame, from) = desk(json!([window("one"), window("two")]));
    let (taken, instance) = (world.get(&from).windows[0].id.clone(), world.instance(&from, 0));
    let children = json!([{ "type": "window", "windowId": taken }]);
    let id = world.workspace(&frame, children);
    assert_eq!(outline(world.get(&from)), "group(two*)");
    assert_eq!((outline(world.get(&id)), world.instance(&id, 0)), ("group(one*)".into(), instance));
}

#[test]
fn bundles() {
    for (before, kind, after) in [
        (json!([window("a"), window("b")]), Kind::Row, "row(group(a*) group(b*))"),
        (json!([{ "type": "row", "children": [window("a")] }]), Kind::Row, "row(a)"),
        (json!([{ "type": "row", "children": [window("a")] }]), Kind::Column, "column(row(a))"),
    ] {
        let (mut world, _, id) = desk(before);
        world.run(|turn| turn.bundle_target(&Target::Workspace(id.clone()), kind)).unwrap();
        assert_eq!(outline(world.get(&id)), after);
    }
    let (mut world, _, id) =
        desk(json!([{ "type": "row", "children": [window("a"), window("b")] }]));
    let item = world.get(&id).tree.windows().next().unwrap().id.clone();
    world.run(|turn| turn.bundle_target(&Target::Item(id.clone(), item), Kind::Column)).unwrap();
    assert_eq!(outline(world.get(&id)), "row(column(a) b)");
}

#[test]
fn sizes_in_pixels_move_the_boundary_that_lies_across() {
    let (mut world, _, id) = desk(json!([{ "type": "row", "children": [
        window("a"),
        { "type": "column", "children": [window("b"), window("c")] },
    ]}]));
    let target = |at: usize| {
        let item = world.get(&id).tree.windows().nth(at).unwrap();
        Target::Item(id.clone(), item.id.clone())
    };
    let (a, b) = (target(0), target(1));
    let refused = world.run(|turn| turn.resize(&a, Some(300.0), None, false)).unwrap_err();
    assert_eq!(refused.code(), "no-bounds");
    let bounds = Bounds { left: 0.0, top: 0.0, width: 1000.0, height: 500.0 };
    world.run(|turn| turn.set_bounds(&peer("a"), bounds)).unwrap();
    world.run(|turn| turn.resize(&a, Some(300.0), None, false)).unwrap();
    world.run(|turn| turn.resize(&b, Some(100.0), Some(-50.0), true)).unwrap();
    let shares: Vec<_> =
        world.get(&id).tree.items().map(|item| (item.size.width, item.size.height)).collect();
    // The column of `b` grew by 100 pixels: from 70 to 80 percent of the row.
    assert_eq!(
        shares,
        [
            (None, None),
            (Some(20.0), None),
            (Some(80.0), None),
            (None, Some(40.0)),
            (None, Some(60.0)),
        ]
    );
    let refused = world.run(|turn| turn.resize(&a, None, Some(100.0), false)).unwrap_err();
    assert_eq!(refused.code(), "bad-edit", "above and below it is nothing");
}

#[test]
fn a_workspace_may_take_the_place_of_another_ones_contents() {
    let (mut world, _, id) = desk(json!([window("one")]));
    let new = definition(json!([window("two")]), Placement::Instead(id.clone()));
    let same = world.run(|turn| turn.create(new)).unwrap();
    assert_eq!(same, id);
    assert_eq!(outline(world.get(&id)), "group(two*)");
    assert_eq!(world.running.len(), 1);
}

#[test]
fn workspaces_have_an_order() {
    let (mut world, frame, a) = desk(json!([]));
    let (b, c) = (world.workspace(&frame, json!([])), world.workspace(&frame, json!([])));
    let order = |world: &World| {
        let own = world.desk.workspaces_of(&frame);
        own.iter().map(|workspace| workspace.id.clone()).collect::<Vec<_>>()
    };
    for (moved, place, expected) in
        [(&c, 0, [&c, &a, &b]), (&c, 1, [&a, &c, &b]), (&a, 9, [&c, &b, &a])]
    {
        world.run(|turn| turn.reposition(moved, place)).unwrap();
        assert_eq!(order(&world).iter().collect::<Vec<_>>(), expected);
    }
    world.run(|turn| turn.close_workspace(&b)).unwrap();
    assert_eq!(world.desk.position(world.get(&a)), 1);
}

#[test]
fn untitled_workspaces_are_told_apart() {
    let (mut world, frame, first) = desk(json!([]));
    let second = world.workspace(&frame, json!([]));
    assert_eq!(world.get(&first).title(), "Untitled 1");
    assert_eq!(world.get(&second).title(), "Untitled 2");
    world.run(|turn| turn.close_workspace(&first)).unwrap();
    let third = world.workspace(&frame, json!([]));
    assert_eq!(world.get(&third).title(), "Untitled 1");
}

#[test]
fn an_application_goes_where_one_looks() {
    let (mut world, _, id) = desk(json!([]));
    for (app, expected) in [
        ("a", "group(a*)"),
        ("b", "group(a*) group(b*)"),
        ("c", "group(a*) group(b*) group(c*)"),
        ("d", "group(a*) group(b*) group(c d*)"),
    ] {
        world.run(|turn| turn.show(&window(app))).unwrap();
        assert_eq!(outline(world.get(&id)), expected);
    }
    let first = world.get(&id).tree.windows().next().unwrap().id.clone();
    world.run(|turn| turn.focus(&Target::Item(id.clone(), first))).unwrap();
    world.run(|turn| turn.show(&window("e"))).unwrap();
    assert_eq!(outline(world.get(&id)), "group(a e*) group(b*) group(c d*)");
}
