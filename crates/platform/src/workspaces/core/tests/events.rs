//! What clients and pages are told, in which order.

use deskwire_layout::{Edit, Kind, Object};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::world::{World, peer, window};
use crate::workspaces::core::Target;
use crate::workspaces::{Event, FrameId, Level, WorkspaceId};

fn desk(children: Value) -> (World, FrameId, WorkspaceId) {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, children);
    world.log();
    (world, frame, id)
}

fn two() -> Value {
    json!([{ "type": "row", "children": [
        { "type": "group", "children": [window("one"), window("two")] },
        window("three"),
    ]}])
}

fn item(world: &World, id: &WorkspaceId, at: usize) -> Target {
    let item = world.get(id).tree.items().nth(at).unwrap();
    Target::Item(id.clone(), item.id.clone())
}

#[test]
fn a_workspace_opens_and_closes() {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, two());
    let opened = world.log();
    world.run(|turn| turn.close_workspace(&id)).unwrap();
    assert_snapshot!(format!("{opened}--- closed\n{}", world.log()));
}

#[test]
fn windows_come_and_go() {
    let (mut world, _, id) = desk(two());
    let mut log = String::new();
    let mut step = |world: &mut World, what: &str| {
        log.push_str(&format!("--- {what}\n{}", world.log()));
    };
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.instance_ready(&instance)).unwrap();
    step(&mut world, "ready");
    let tab = item(&world, &id, 3);
    world.run(|turn| turn.focus(&tab)).unwrap();
    step(&mut world, "focused");
    world.run(|turn| turn.focus(&tab)).unwrap();
    step(&mut world, "focused again");
    world.run(|turn| turn.maximize(&id, Some(&"no such".into()))).unwrap_err();
    step(&mut world, "refused");
    let Target::Item(_, two) = &tab else { panic!() };
    world.run(|turn| turn.maximize(&id, Some(two))).unwrap();
    world.run(|turn| turn.maximize(&id, None)).unwrap();
    step(&mut world, "maximized, restored");
    world.run(|turn| turn.edit_tree(&id, &Edit::Reorder { item: two.clone(), index: 0 })).unwrap();
    step(&mut world, "reordered");
    let row = item(&world, &id, 0);
    world.run(|turn| turn.move_window(&tab, &row)).unwrap();
    step(&mut world, "moved");
    world.run(|turn| turn.close(&tab)).unwrap();
    step(&mut world, "closed");
    world.run(|turn| turn.bundle_target(&Target::Workspace(id.clone()), Kind::Column)).unwrap();
    step(&mut world, "bundled");
    assert_snapshot!(log);
}

#[test]
fn settings_change() {
    let (mut world, _, id) = desk(two());
    let settings = |json: Value| -> Object { json.as_object().unwrap().clone() };
    world.run(|turn| turn.configure(&id, settings(json!({"allowDrop": false})))).unwrap();
    let locked = world.log();
    world.run(|turn| turn.configure(&id, settings(json!({"allowDrop": false})))).unwrap();
    assert_eq!(world.log(), "", "what is so already is no change");
    let Target::Item(_, group) = item(&world, &id, 1) else { panic!() };
    world
        .run(|turn| turn.configure_item(&group, settings(json!({"allowExtract": false}))))
        .unwrap();
    world.run(|turn| turn.set_title(&id, "Another")).unwrap();
    assert_snapshot!(format!("{locked}--- group, then title\n{}", world.log()));
}

#[test]
fn a_page_goes_and_another_one_takes_over() {
    let (mut world, frame, id) = desk(json!([window("one")]));
    let mut log = String::new();
    let mut step = |world: &mut World, what: &str| {
        log.push_str(&format!("--- {what}\n{}", world.log()));
    };
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    step(&mut world, "left");
    world.now = 10_000;
    world.run(|turn| turn.expire()).unwrap();
    step(&mut world, "nobody came");
    world.run(|turn| turn.attach(&peer("b"), Some(&frame), None, &[])).unwrap();
    step(&mut world, "another page");
    world.page("c");
    step(&mut world, "and one more");
    world.run(|turn| turn.claim(&peer("c"), &id)).unwrap();
    step(&mut world, "claims it");
    world.run(|turn| turn.close_frame(&"f-c".into())).unwrap();
    step(&mut world, "and is closed");
    assert_snapshot!(log);
}

#[test]
fn branches_lead_from_the_inside_out() {
    let mut world = World::default();
    world.page("a");
    let branches = |events: &[Event], action: &str| -> Vec<String> {
        let of_window = |event: &&Event| event.level == Level::Window && event.action == action;
        events.iter().find(of_window).unwrap().branches().collect()
    };
    let events = world.events(|turn| turn.show(&window("one")));
    let inside_out = ["global", "window_item-3", "container_item-4", "workspace_ws-1", "frame_f-a"];
    assert_eq!(branches(&events, "added"), inside_out);
    let events = world.events(|turn| turn.close_workspace(&"ws-1".into()));
    assert_eq!(
        branches(&events, "removed"),
        ["global", "frame_f-a"],
        "who follows the workspace hears that it is closed"
    );
}
