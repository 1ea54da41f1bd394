//! Whatever two pages, clients and applications do in whatever order: what must hold, holds.

use std::collections::HashSet;

use deskwire_layout::{Edit, ItemId, Kind, Place, Side};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::world::{World, definition, peer, window};
use crate::workspaces::core::{Op, Placement, Report, Target};
use crate::workspaces::limits::LEASE_MS;
use crate::workspaces::{Desk, FrameId, InstanceRef, WindowState, WorkspaceId};

/// A step. Numbers pick one of what there is.
#[derive(Debug, Clone)]
enum Step {
    Attach(u8, bool),
    Leave(u8),
    Wait(u64),
    Create(usize, bool),
    Close(usize),
    CloseFrame(usize),
    Claim(u8, usize),
    Edit { page: u8, workspace: usize, back: u64, edit: EditStep },
    Select(usize),
    Hibernate(usize),
    Resume(usize),
    Move(usize, usize),
    Eject(usize),
    Adopt(usize),
    Bundle(usize, bool),
    Reposition(usize, usize),
    Show(bool),
    Ready(usize),
    Stopped(usize),
    Failed(usize),
    Reported(u8, usize, u8),
    Context(usize, u8),
    Instead(usize),
}

#[derive(Debug, Clone)]
enum EditStep {
    Insert(usize, u8),
    Remove(usize),
    Move(usize, usize, u8),
    Select(usize),
    Focus(usize),
    Maximize(usize),
    Restore,
    Reload(usize),
}

fn edits() -> impl Strategy<Value = EditStep> {
    let at = 0..20_usize;
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, place)| EditStep::Insert(at, place)),
        at.clone().prop_map(EditStep::Remove),
        (at.clone(), at.clone(), any::<u8>()).prop_map(|(a, b, place)| EditStep::Move(a, b, place)),
        at.clone().prop_map(EditStep::Select),
        at.clone().prop_map(EditStep::Focus),
        at.clone().prop_map(EditStep::Maximize),
        Just(EditStep::Restore),
        at.prop_map(EditStep::Reload),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    let (page, at) = (0..2_u8, 0..20_usize);
    prop_oneof![
        2 => (page.clone(), any::<bool>()).prop_map(|(page, named)| Step::Attach(page, named)),
        1 => page.clone().prop_map(Step::Leave),
        1 => (0..2 * LEASE_MS).prop_map(Step::Wait),
        3 => (0..5_usize, any::<bool>()).prop_map(|(kind, select)| Step::Create(kind, select)),
        1 => at.clone().prop_map(Step::Close),
        1 => at.clone().prop_map(Step::CloseFrame),
        2 => (page.clone(), at.clone()).prop_map(|(page, at)| Step::Claim(page, at)),
        8 => (page.clone(), at.clone(), 0..3_u64, edits())
            .prop_map(|(page, workspace, back, edit)| Step::Edit { page, workspace, back, edit }),
        1 => at.clone().prop_map(Step::Select),
        1 => at.clone().prop_map(Step::Hibernate),
        1 => at.clone().prop_map(Step::Resume),
        2 => (at.clone(), at.clone()).prop_map(|(from, to)| Step::Move(from, to)),
        1 => at.clone().prop_map(Step::Eject),
        1 => at.clone().prop_map(Step::Adopt),
        1 => (at.clone(), any::<bool>()).prop_map(|(at, row)| Step::Bundle(at, row)),
        1 => (at.clone(), 0..4_usize).prop_map(|(at, place)| Step::Reposition(at, place)),
        1 => any::<bool>().prop_map(Step::Show),
        1 => at.clone().prop_map(Step::Ready),
        1 => at.clone().prop_map(Step::Stopped),
        1 => at.clone().prop_map(Step::Failed),
        1 => (page, at.clone(), 0..4_u8).prop_map(|(page, at, what)| Step::Reported(page, at, what)),
        1 => (at.clone(), any::<u8>()).prop_map(|(at, value)| Step::Context(at, value)),
        1 => at.prop_map(Step::Instead),
    ]
}

fn pick<T: Clone>(all: &[T], at: usize) -> Option<T> {
    all.get(at % all.len().max(1)).cloned()
}

fn children(kind: usize) -> Value {
    match kind {
        0 => json!([]),
        1 => json!([window("one")]),
        2 => json!([{ "type": "row", "children": [window("one"), window("nope")] }]),
        3 => {
            json!([{ "type": "group", "children": [window("one"), window("two")] }, window("three")])
        }
        _ => json!([{ "type": "column", "children": [
            { "type": "row", "children": [] },
            { "type": "row", "children": [{ "type": "group", "children": [window("one")] }, window("two")] },
        ]}]),
    }
}

fn place(target: Option<ItemId>, how: u8) -> Place {
    let Some(target) = target else { return Place::Into { parent: None, index: None } };
    match how % 5 {
        0 => Place::Beside { target, side: Side::Left },
        1 => Place::Beside { target, side: Side::Bottom },
        2 => Place::Stack { target, index: None },
        3 => Place::Edge { side: Side::Top },
        _ => Place::Into { parent: Some(target), index: None },
    }
}

struct Names {
    frames: Vec<FrameId>,
    workspaces: Vec<WorkspaceId>,
    windows: Vec<Target>,
    items: Vec<Target>,
    instances: Vec<InstanceRef>,
}

fn names(desk: &Desk) -> Names {
    let mut names = Names {
        frames: desk.frames.keys().cloned().collect(),
        workspaces: desk.workspaces.keys().cloned().collect(),
        windows: Vec::new(),
        items: Vec::new(),
        instances: Vec::new(),
    };
    for workspace in desk.workspaces.values() {
        for item in workspace.tree.items() {
            let target = Target::Item(workspace.id.clone(), item.id.clone());
            if item.kind() == Kind::Window {
                names.windows.push(target.clone());
            }
            names.items.push(target);
        }
        let instances = workspace.windows.values().filter_map(|window| window.instance.clone());
        names.instances.extend(instances);
    }
    names
}

/// Takes a step. What is refused is fine, as long as everything still holds.
fn take(world: &mut World, step: &Step) {
    let names = names(&world.desk);
    let page = |at: u8| peer(&format!("page-{at}"));
    let workspace = |at: usize| pick(&names.workspaces, at);
    let window = |at: usize| pick(&names.windows, at);
    let instance = |at: usize| pick(&names.instances, at);
    let done = match step.clone() {
        Step::Attach(at, named) => {
            let frame = named.then(|| FrameId::from(format!("frame-of-{at}")));
            world.run(|turn| turn.attach(&page(at), frame.as_ref(), None, &[])).is_ok()
        }
        Step::Leave(at) => world.run(|turn| turn.left(&page(at))).is_ok(),
        Step::Wait(time) => {
            world.now += time;
            world.run(|turn| turn.expire()).is_ok()
        }
        Step::Create(kind, select) => {
            let mut new = definition(children(kind), Placement::Usual);
            new.select = select;
            world.run(|turn| turn.create(new)).is_ok()
        }
        Step::Instead(at) => workspace(at).is_some_and(|id| {
            world.run(|turn| turn.create(definition(children(3), Placement::Instead(id)))).is_ok()
        }),
        Step::Close(at) => {
            workspace(at).is_some_and(|id| world.run(|turn| turn.close_workspace(&id)).is_ok())
        }
        Step::CloseFrame(at) => pick(&names.frames, at)
            .is_some_and(|id| at < 3 && world.run(|turn| turn.close_frame(&id)).is_ok()),
        Step::Claim(at, which) => {
            workspace(which).is_some_and(|id| world.run(|turn| turn.claim(&page(at), &id)).is_ok())
        }
        Step::Edit { page: at, workspace: which, back, edit } => {
            workspace(which).is_some_and(|id| edit_step(world, &page(at), &id, back, &edit))
        }
        Step::Select(at) => {
            workspace(at).is_some_and(|id| world.run(|turn| turn.select_workspace(&id)).is_ok())
        }
        Step::Hibernate(at) => {
            workspace(at).is_some_and(|id| world.run(|turn| turn.hibernate(&id)).is_ok())
        }
        Step::Resume(at) => {
            workspace(at).is_some_and(|id| world.run(|turn| turn.resume(&id)).is_ok())
        }
        Step::Move(from, to) => window(from)
            .zip(pick(&names.items, to))
            .is_some_and(|(one, to)| world.run(|turn| turn.move_window(&one, &to)).is_ok()),
        Step::Eject(at) => {
            window(at).is_some_and(|target| world.run(|turn| turn.eject(&target)).is_ok())
        }
        Step::Adopt(at) => window(at).is_some_and(|target| {
            let Target::Item(workspace, item) = target else { return false };
            let id = &world.get(&workspace).windows[&item].id;
            let children = json!([{ "type": "window", "windowId": id }]);
            let new = definition(children, Placement::Usual);
            world.run(|turn| turn.create(new)).is_ok()
        }),
        Step::Bundle(at, row) => pick(&names.items, at).is_some_and(|target| {
            let kind = if row { Kind::Row } else { Kind::Column };
            world.run(|turn| turn.bundle_target(&target, kind)).is_ok()
        }),
        Step::Reposition(at, place) => {
            workspace(at).is_some_and(|id| world.run(|turn| turn.reposition(&id, place)).is_ok())
        }
        Step::Show(known) => {
            let app = if known { "one" } else { "nope" };
            world.run(|turn| turn.show(&super::world::window(app))).is_ok()
        }
        Step::Ready(at) => {
            instance(at).is_some_and(|id| world.run(|turn| turn.instance_ready(&id)).is_ok())
        }
        Step::Stopped(at) => {
            instance(at).is_some_and(|id| world.run(|turn| turn.instance_stopped(&id)).is_ok())
        }
        Step::Failed(at) => instance(at)
            .is_some_and(|id| world.run(|turn| turn.instance_failed(&id, "why")).is_ok()),
        Step::Reported(at, which, what) => window(which).is_some_and(|target| {
            let Target::Item(workspace, item) = target else { return false };
            let id = world.get(&workspace).windows[&item].id.clone();
            let report = match what {
                0 => Report::Loaded,
                1 => Report::Failed("why".into()),
                2 => Report::Closed,
                _ => Report::Title("another".into()),
            };
            world.run(|turn| turn.report(&page(at), &id, report)).is_ok()
        }),
        Step::Context(at, value) => workspace(at).is_some_and(|id| {
            let data = json!({ "value": value }).as_object().unwrap().clone();
            world.run(|turn| turn.context_changed(&id, data)).is_ok()
        }),
    };
    let _refused_or_nothing_to_pick = !done;
}

fn edit_step(
    world: &mut World,
    page: &deskwire_connect::wire::PeerId,
    id: &WorkspaceId,
    back: u64,
    edit: &EditStep,
) -> bool {
    let items: Vec<ItemId> = world.get(id).tree.items().map(|item| item.id.clone()).collect();
    let item = |at: usize| pick(&items, at).unwrap_or_else(|| "none".into());
    let op = match *edit {
        EditStep::Insert(at, how) => {
            Op::Tree(Edit::Insert { item: window("one"), place: place(pick(&items, at), how) })
        }
        EditStep::Remove(at) => Op::Tree(Edit::Remove { item: item(at) }),
        EditStep::Move(one, other, how) => {
            Op::Tree(Edit::Move { item: item(one), place: place(pick(&items, other), how) })
        }
        EditStep::Select(at) => Op::Tree(Edit::Select { item: item(at) }),
        EditStep::Focus(at) => Op::Focus { item: item(at) },
        EditStep::Maximize(at) => Op::Maximize { item: item(at) },
        EditStep::Restore => Op::Restore,
        EditStep::Reload(at) => Op::Reload { item: item(at) },
    };
    let base = world.get(id).rev.saturating_sub(back);
    world.run(|turn| turn.edit(page, id, base, &op)).is_ok()
}

/// What must hold at any time.
fn check(world: &World) {
    let desk = &world.desk;
    let (mut items, mut windows, mut running) = (HashSet::new(), HashSet::new(), HashSet::new());
    for workspace in desk.workspaces.values() {
        let frame = desk.frames.get(&workspace.frame).expect("a workspace is in a frame");
        assert!(workspace.tree_rev <= workspace.rev && workspace.rev > 0);
        for item in workspace.tree.items() {
            assert!(items.insert(item.id.clone()), "{} stands in one place", item.id);
            let tabs = item.kind() == Kind::Group;
            assert!(!tabs || item.children().iter().all(|tab| tab.kind() == Kind::Window));
        }
        assert!(workspace.tree.children.iter().all(|item| item.kind() != Kind::Window));
        let in_tree: Vec<_> = workspace.tree.windows().map(|item| &item.id).collect();
        assert_eq!(workspace.windows.keys().collect::<Vec<_>>(), in_tree);
        for window in workspace.windows.values() {
            assert!(windows.insert(window.id.clone()), "{} is in one place", window.id);
            let runs = matches!(window.state, WindowState::Loading | WindowState::Ready);
            assert_eq!(window.instance.is_some(), runs, "{:?}", window.state);
            if let Some(instance) = &window.instance {
                assert!(running.insert(instance.clone()), "{instance} is in one window");
            }
            if workspace.hibernated {
                assert_eq!(window.state, WindowState::Waiting);
            } else {
                assert_ne!(window.state, WindowState::Waiting);
            }
        }
        assert!(workspace.hibernated || frame.is_live(), "what runs has a page");
        for item in [&workspace.maximized, &workspace.focused].into_iter().flatten() {
            assert!(workspace.tree.item(item).is_some());
        }
    }
    assert_eq!(running, world.running.iter().cloned().collect(), "nothing runs without a window");
    for frame in desk.frames.values() {
        let own = desk.workspaces_of(&frame.id);
        let positions: HashSet<_> = own.iter().map(|workspace| workspace.position).collect();
        assert_eq!(positions.len(), own.len(), "places are told apart");
        let selected: Vec<_> = own.iter().filter(|workspace| workspace.selected).collect();
        assert!(selected.len() <= 1);
        if frame.is_attached() {
            assert!(
                selected.iter().all(|workspace| !workspace.hibernated),
                "what is shown is awake"
            );
        }
    }
    let holders: Vec<_> = desk.frames.values().filter_map(|frame| frame.holder()).collect();
    assert_eq!(holders.iter().collect::<HashSet<_>>().len(), holders.len(), "a page has one frame");
    assert!(desk.focused.as_ref().is_none_or(|focused| desk.frames.contains_key(focused)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold(steps in proptest::collection::vec(steps(), 1..60)) {
        let mut world = World::default();
        for step in &steps {
            take(&mut world, step);
            check(&world);
        }
    }
}
