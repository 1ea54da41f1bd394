//! What runs in windows.

use serde_json::json;

use super::world::{World, outline, peer, window};
use crate::workspaces::core::Report;
use crate::workspaces::{FrameId, Op, WindowState, WorkspaceId};

fn desk(children: serde_json::Value) -> (World, FrameId, WorkspaceId) {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, children);
    (world, frame, id)
}

#[test]
fn a_window_is_ready_when_its_page_or_its_peer_says_so() {
    let (mut world, _, id) = desk(json!([window("one"), window("two")]));
    let window = world.get(&id).windows[0].id.clone();
    let instance = world.instance(&id, 1).unwrap();
    world.run(|turn| turn.report(&peer("a"), &window, Report::Loaded)).unwrap();
    world.run(|turn| turn.instance_ready(&instance)).unwrap();
    assert_eq!(world.states(&id), "one ready, two ready");
}

#[test]
fn an_unknown_application_is_shown_as_missing_and_the_rest_runs() {
    let (world, _, id) = desk(json!([window("nope"), window("two")]));
    assert_eq!(world.states(&id), "nope missing, two loading");
    assert_eq!(world.state(&id, 0).reason(), Some("there is no application `nope`"));
    assert_eq!(world.running.len(), 1);
}

#[test]
fn a_failure_stays_visible_until_it_is_tried_again() {
    let (mut world, _, id) = desk(json!([window("one")]));
    let (item, window) = world.get(&id).windows.first().unwrap();
    let (item, window) = (item.clone(), window.id.clone());
    world.log();
    let failed = Report::Failed("refused to connect".into());
    world.run(|turn| turn.report(&peer("a"), &window, failed)).unwrap();
    assert_eq!(*world.state(&id, 0), WindowState::Failed("refused to connect".into()));
    assert!(world.log().contains("end: run-1 failed"));
    let rev = world.get(&id).rev;
    world.run(|turn| turn.edit(&peer("a"), &id, rev, &Op::Reload { item })).unwrap();
    assert_eq!(world.states(&id), "one loading");
    assert_eq!(world.get(&id).windows[0].id, window);
}

#[test]
fn the_last_window_leaves_an_empty_workspace() {
    let (mut world, _, id) = desk(json!([window("one")]));
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.instance_stopped(&instance)).unwrap();
    assert_eq!(outline(world.get(&id)), "");
    assert!(world.get(&id).windows.is_empty());
    assert_eq!(world.running, []);
}

#[test]
fn what_is_said_of_an_instance_that_is_gone_is_too_late() {
    let (mut world, _, id) = desk(json!([window("one")]));
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.hibernate(&id)).unwrap();
    let before = world.desk.clone();
    world.run(|turn| turn.instance_ready(&instance)).unwrap();
    world.run(|turn| turn.instance_stopped(&instance)).unwrap();
    world.run(|turn| turn.instance_failed(&instance, "late")).unwrap();
    assert_eq!(world.desk, before);
}

#[test]
fn where_nothing_runs_nothing_fails() {
    let (mut world, _, id) = desk(json!([window("one")]));
    let window = world.get(&id).windows[0].id.clone();
    world.run(|turn| turn.hibernate(&id)).unwrap();
    let late = Report::Failed("refused to connect".into());
    world.run(|turn| turn.report(&peer("a"), &window, late)).unwrap();
    assert_eq!(world.states(&id), "one waiting");
    world.run(|turn| turn.select_workspace(&id)).unwrap();
    assert_eq!(world.states(&id), "one loading");
}

#[test]
fn a_ticket_is_for_the_page_that_has_the_window() {
    let (mut world, _, id) = desk(json!([window("one"), window("nope")]));
    world.page("b");
    let windows: Vec<_> = world.get(&id).windows.values().map(|window| window.id.clone()).collect();
    let ask = |world: &World, name: &str, at: usize| {
        let window = windows.get(at).cloned().unwrap_or_else(|| "none".into());
        world
            .desk
            .instance_for(&peer(name), &window)
            .map(|(_, instance)| instance)
            .map_err(|refused| refused.code())
    };
    assert_eq!(ask(&world, "a", 0), Ok(world.instance(&id, 0).unwrap()));
    assert_eq!(ask(&world, "b", 0), Err("not-yours"));
    assert_eq!(ask(&world, "a", 1), Err("not-running"));
    assert_eq!(ask(&world, "a", 2), Err("unknown-window"));
}

#[test]
fn a_window_moves_with_its_instance_where_the_page_stays_the_same() {
    let (mut world, frame, from) = desk(json!([window("one"), window("two")]));
    let into = world.workspace(&frame, json!([window("three")]));
    let (instance, window) = (world.instance(&from, 0), world.get(&from).windows[0].id.clone());
    world
        .run(|turn| {
            let (one, all) = (turn.desk().find(window.as_str())?, turn.desk().find(into.as_str())?);
            turn.move_window(&one, &all)
        })
        .unwrap();
    assert_eq!(outline(world.get(&from)), "group(two*)");
    assert_eq!(outline(world.get(&into)), "group(three*) group(one*)");
    let (_, _, moved) = world.desk.window(&window).unwrap();
    assert_eq!(moved.instance, instance);
    assert_eq!(world.running.len(), 3);
}

#[test]
fn a_window_that_moves_to_another_page_starts_anew() {
    let (mut world, _, from) = desk(json!([window("one")]));
    let other = world.page("b");
    let into = world.workspace(&other, json!([window("two")]));
    let (instance, window) = (world.instance(&from, 0), world.get(&from).windows[0].id.clone());
    let group = world.get(&into).tree.children[0].id.clone();
    world
        .run(|turn| {
            let (one, group) =
                (turn.desk().find(window.as_str())?, turn.desk().find(group.as_str())?);
            turn.move_window(&one, &group)
        })
        .unwrap();
    assert_eq!(outline(world.get(&into)), "group(two one*)");
    let (_, _, moved) = world.desk.window(&window).unwrap();
    assert!(moved.instance.is_some() && moved.instance != instance);
    assert_eq!(world.running.len(), 2);
}

#[test]
fn an_ejected_window_has_a_workspace_of_its_own() {
    let (mut world, frame, from) = desk(json!([window("one"), window("two")]));
    let (instance, window) = (world.instance(&from, 0), world.get(&from).windows[0].id.clone());
    let id = world.run(|turn| turn.eject(&turn.desk().find(window.as_str())?)).unwrap();
    let ejected = world.get(&id);
    assert_eq!((&ejected.frame, ejected.title(), ejected.selected), (&frame, "one", true));
    assert_eq!(outline(ejected), "group(one*)");
    assert_eq!(world.instance(&id, 0), instance);
    assert_eq!(outline(world.get(&from)), "group(two*)");
}

#[test]
fn contexts_stay_with_their_windows() {
    let mut with = window("one");
    with["context"] = json!({"clientId": 1});
    let (mut world, _, id) = desk(json!([with]));
    let instance = world.instance(&id, 0).unwrap();
    let changed = json!({"clientId": 2}).as_object().unwrap().clone();
    world.run(|turn| turn.instance_context(&instance, changed.clone())).unwrap();
    world.run(|turn| turn.hibernate(&id)).unwrap();
    world.run(|turn| turn.select_workspace(&id)).unwrap();
    let item = world.get(&id).tree.windows().next().unwrap();
    assert_eq!(item.as_window().unwrap().context, Some(changed));
    assert_eq!(world.states(&id), "one loading");
}
