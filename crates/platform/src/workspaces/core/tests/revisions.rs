//! Edits, and what makes them stale.

use deskwire_layout::{Edit, ItemId};
use serde_json::json;

use super::world::{World, outline, peer, window};
use crate::workspaces::core::{Edited, Op};
use crate::workspaces::{FrameId, Refused, WorkspaceId};

fn desk() -> (World, FrameId, WorkspaceId) {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world
        .workspace(&frame, json!([{ "type": "row", "children": [window("one"), window("two")] }]));
    (world, frame, id)
}

fn items(world: &World, id: &WorkspaceId) -> Vec<ItemId> {
    world.get(id).tree.windows().map(|item| item.id.clone()).collect()
}

fn remove(item: &ItemId) -> Op {
    Op::Tree(Edit::Remove { item: item.clone() })
}

#[test]
fn an_edit_of_the_present_tree_makes_the_next_revision() {
    let (mut world, _, id) = desk();
    let rev = world.get(&id).rev;
    let item = items(&world, &id)[0].clone();
    let edited = world.run(|turn| turn.edit(&peer("a"), &id, rev, &remove(&item)));
    assert_eq!(edited, Ok(Edited::Applied(rev + 1)));
    assert_eq!(world.get(&id).rev, rev + 1);
    assert_eq!(outline(world.get(&id)), "group(two*)");
}

#[test]
fn of_two_edits_of_one_revision_the_second_is_stale_and_hears_the_truth() {
    let (mut world, _, id) = desk();
    let rev = world.get(&id).rev;
    let items = items(&world, &id);
    world.run(|turn| turn.edit(&peer("a"), &id, rev, &remove(&items[0]))).unwrap();
    let stale = world.run(|turn| turn.edit(&peer("a"), &id, rev, &remove(&items[1]))).unwrap();
    let truth = std::sync::Arc::clone(&world.desk.workspaces[&id]);
    assert_eq!(stale, Edited::Stale(truth));
    assert_eq!(outline(world.get(&id)), "group(two*)", "and nothing was done");
}

#[test]
fn what_windows_report_makes_no_edit_stale() {
    let (mut world, _, id) = desk();
    let rev = world.get(&id).rev;
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.instance_ready(&instance)).unwrap();
    world.run(|turn| turn.instance_titled(&instance, "First")).unwrap();
    assert_eq!(world.get(&id).rev, rev + 2);
    let item = items(&world, &id)[0].clone();
    let edited = world.run(|turn| turn.edit(&peer("a"), &id, rev, &remove(&item)));
    assert_eq!(edited, Ok(Edited::Applied(rev + 3)));
}

#[test]
fn a_revision_to_come_is_stale() {
    let (mut world, _, id) = desk();
    let rev = world.get(&id).rev + 1;
    let stale = world.run(|turn| turn.edit(&peer("a"), &id, rev, &Op::Restore)).unwrap();
    assert!(matches!(stale, Edited::Stale(_)));
}

#[test]
fn an_edit_that_changes_nothing_makes_no_revision() {
    let (mut world, _, id) = desk();
    let rev = world.get(&id).rev;
    world.log();
    let edited = world.run(|turn| turn.edit(&peer("a"), &id, rev, &Op::Restore));
    assert_eq!(edited, Ok(Edited::Applied(rev)));
    assert_eq!((world.get(&id).rev, world.log()), (rev, String::new()));
}

#[test]
fn only_the_frame_that_has_a_workspace_edits_it() {
    let (mut world, _, id) = desk();
    world.page("b");
    let rev = world.get(&id).rev;
    let what = format!("workspace {id}");
    for stranger in ["b", "nobody"] {
        let refused = world.run(|turn| turn.edit(&peer(stranger), &id, rev, &Op::Restore));
        assert_eq!(refused, Err(Refused::NotYours { what: what.clone() }));
    }
    world.run(|turn| turn.claim(&peer("b"), &id)).unwrap();
    let lost = world.run(|turn| turn.edit(&peer("a"), &id, rev, &Op::Restore));
    assert_eq!(lost, Err(Refused::NotYours { what }));
}

#[test]
fn a_page_takes_no_window_out_of_another_ones_frame() {
    let (mut world, _, id) = desk();
    let other = world.page("b");
    let own = world.workspace(&other, json!([]));
    let window = world.get(&id).windows[0].id.clone();
    let item = json!({ "type": "window", "windowId": window });
    let insert = Op::read(&json!({ "op": "insert", "item": item, "place": { "at": "into" } }));
    let insert = insert.unwrap();
    let rev = world.get(&own).rev;
    let refused = world.run(|turn| turn.edit(&peer("b"), &own, rev, &insert)).unwrap_err();
    assert_eq!(refused, Refused::NotYours { what: format!("window {window}") });
    world.run(|turn| turn.claim(&peer("b"), &id)).unwrap();
    world.run(|turn| turn.edit(&peer("b"), &own, rev + 1, &insert)).unwrap();
    assert_eq!(outline(world.get(&own)), "group(one*)");
}

#[test]
fn an_edit_that_cannot_be_done_leaves_no_trace() {
    let (mut world, _, id) = desk();
    let before = world.desk.clone();
    world.log();
    let rev = world.get(&id).rev;
    for (op, code) in [
        (remove(&"no such".into()), "bad-edit"),
        (Op::Focus { item: "no such".into() }, "unknown-item"),
        (Op::Maximize { item: "no such".into() }, "unknown-item"),
        (Op::Reload { item: "no such".into() }, "unknown-item"),
    ] {
        let refused = world.run(|turn| turn.edit(&peer("a"), &id, rev, &op)).unwrap_err();
        assert_eq!(refused.code(), code, "{op:?}");
    }
    assert_eq!(world.desk, before);
    assert_eq!(world.log(), "");
}

#[test]
fn operations_are_read_from_json() {
    let edit = Edit::Remove { item: "x".into() };
    for (json, op) in [
        (json!({"op": "select-workspace"}), Some(Op::SelectWorkspace)),
        (json!({"op": "reorder-workspace", "index": 2}), Some(Op::ReorderWorkspace { index: 2 })),
        (json!({"op": "focus", "item": "x"}), Some(Op::Focus { item: "x".into() })),
        (json!({"op": "maximize", "item": "x"}), Some(Op::Maximize { item: "x".into() })),
        (json!({"op": "restore"}), Some(Op::Restore)),
        (json!({"op": "reload", "item": "x"}), Some(Op::Reload { item: "x".into() })),
        (json!({"op": "remove", "item": "x"}), Some(Op::Tree(edit))),
        (json!({"op": "explode"}), None),
        (json!({"op": "focus"}), None),
        (json!({"op": "focus", "item": "x", "and": 1}), None),
        (json!({}), None),
        (json!("remove"), None),
    ] {
        assert_eq!(Op::read(&json).ok(), op, "{json}");
    }
}
