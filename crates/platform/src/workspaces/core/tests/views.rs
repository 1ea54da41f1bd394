//! Workspaces as JSON.

use insta::assert_json_snapshot;
use serde_json::json;

use super::world::{World, peer, window};
use crate::workspaces::view::{page, record, saved, snapshot};
use crate::workspaces::{Bounds, WorkspaceId};

fn desk() -> (World, WorkspaceId) {
    let mut world = World::default();
    let frame = world.page("a");
    let bounds = Bounds { left: 0.0, top: 30.0, width: 1000.0, height: 600.0 };
    world.run(|turn| turn.set_bounds(&peer("a"), bounds)).unwrap();
    let id = world.workspace(
        &frame,
        json!([{ "type": "row", "children": [
            { "type": "group", "children": [window("one"), window("nope")],
              "config": { "width": 60, "allowDrop": false, "activeTabIndex": 1 } },
            { "type": "window", "appName": "three", "context": { "clientId": 7 },
              "config": { "title": "Third", "minWidth": "wide", "allowExtract": false } },
        ]}]),
    );
    let settings = json!({ "title": "Clients", "allowDrop": false, "icon": "i", "minWidth": null });
    world.run(|turn| turn.configure(&id, settings.as_object().unwrap().clone())).unwrap();
    let shared = json!({ "selectedClient": "CL-1" });
    world.run(|turn| turn.context_changed(&id, shared.as_object().unwrap().clone())).unwrap();
    (world, id)
}

#[test]
fn what_clients_are_told() {
    let (world, id) = desk();
    assert_json_snapshot!(snapshot::workspace_snapshot(&world.desk, world.get(&id)));
}

#[test]
fn what_pages_are_told() {
    let (world, id) = desk();
    let frames: Vec<_> =
        world.desk.frames.values().map(|frame| page::frame(&world.desk, frame)).collect();
    assert_json_snapshot!(json!([frames, page::workspace(&world.desk, world.get(&id))]));
}

fn options(context: bool, window_contexts: bool) -> saved::SaveOptions {
    saved::SaveOptions {
        context,
        window_contexts,
        allow_multiple: None,
        metadata: json!({ "description": "d" }).as_object().unwrap().clone(),
    }
}

#[test]
fn what_a_layout_says() {
    let (world, id) = desk();
    assert_json_snapshot!(saved::layout(world.get(&id), "clients", options(true, true)));
}

#[test]
fn a_layout_opens_as_what_it_was_saved_from() {
    let (world, id) = desk();
    let mut ids = || String::from("x");
    let document = saved::layout(world.get(&id), "clients", options(true, true));
    let opened = saved::open(&document, &mut ids).ok().unwrap();
    assert_eq!(json!(opened.context), json!({ "selectedClient": "CL-1" }));
    assert_eq!(opened.tree.title(), Some("Clients"));
    let contexts: Vec<_> =
        opened.tree.windows().map(|item| item.as_window().unwrap().context.clone()).collect();
    assert_eq!(json!(contexts), json!([null, null, { "clientId": 7 }]));

    let document = saved::layout(world.get(&id), "clients", options(false, false));
    let opened = saved::open(&document, &mut ids).ok().unwrap();
    assert!(opened.context.is_empty());
    assert!(opened.tree.windows().all(|item| item.as_window().unwrap().context.is_none()));
}

#[test]
fn an_export_has_what_readers_check_for() {
    let document = json!({
        "name": "given", "type": "Workspace", "version": 2, "metadata": null,
        "components": [{ "type": "Workspace", "application": "shell", "state": { "children": [
            { "type": "group", "children": [
                { "type": "window", "config": { "windowId": "gone" } },
                { "type": "window", "config": { "appName": "one" } },
            ]},
            { "type": "tabs" },
        ]}}],
    });
    assert_json_snapshot!(saved::exportable("given", &document).unwrap());
    assert_eq!(
        saved::exportable("x", &json!({ "name": "x", "type": "Workspace", "components": 7 })),
        None
    );
}

#[test]
fn what_is_stored_is_opened_again_asleep() {
    let (world, id) = desk();
    let before = world.get(&id).clone();
    let document = record::write(&before).unwrap().document;
    let records = [
        ("broken".to_owned(), "{}".to_owned()),
        (id.as_str().to_owned(), document.clone()),
        ("ws-copy".to_owned(), document),
    ];
    let mut ids = || String::from("x");
    let (desk, errors) = record::restore(records, &mut ids);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("broken"), "{}", errors[0]);

    let after = &desk.workspaces[&id];
    assert!(after.hibernated && after.selected);
    assert_eq!((&after.tree, &after.context), (&before.tree, &before.context));
    assert_eq!((after.rev, after.title()), (before.rev, "Clients"));
    let windows = |workspace: &crate::workspaces::Workspace| {
        workspace
            .windows
            .iter()
            .map(|(item, window)| (item.clone(), window.id.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(windows(after), windows(&before));
    assert!(desk.frames.values().all(|frame| !frame.is_live()));
    assert!(!desk.workspaces[&WorkspaceId::from("ws-copy")].selected, "a frame shows one");
}

#[test]
fn a_context_that_is_too_large_is_not_stored() {
    let (mut world, id) = desk();
    let large = json!({ "text": "x".repeat(2 << 20) }).as_object().unwrap().clone();
    world.run(|turn| turn.context_changed(&id, large)).unwrap();
    let written = record::write(world.get(&id)).unwrap();
    assert!(written.without_context);
    assert!(written.document.len() < 10_000);
}
