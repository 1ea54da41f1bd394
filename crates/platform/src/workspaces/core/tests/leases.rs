//! Who holds a frame, and what becomes of its workspaces when nobody does.

use serde_json::json;

use super::world::{World, peer, window};
use crate::workspaces::limits::{LEASE_MS, MAX_RUNNING_WINDOWS};
use crate::workspaces::{Bounds, FrameId, Refused, Resume, RunningWindow};

#[test]
fn a_reload_within_the_lease_keeps_everything_running() {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, json!([window("one")]));
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.instance_ready(&instance)).unwrap();
    world.now = 5_000;
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    assert_eq!(world.desk.alarm(), Some(5_000 + LEASE_MS));
    assert_eq!(world.states(&id), "one ready");

    world.now += LEASE_MS - 1;
    world.run(|turn| turn.expire()).unwrap();
    let again = world.run(|turn| turn.attach(&peer("b"), Some(&frame), None, &[])).unwrap();
    assert_eq!(again, frame);
    assert_eq!(world.desk.alarm(), None);
    assert_eq!(world.states(&id), "one loading", "its page is to be loaded again");
    assert_eq!(world.instance(&id, 0), Some(instance), "by the same instance");
}

#[test]
fn after_the_lease_workspaces_sleep_until_a_page_comes() {
    let mut world = World::default();
    let frame = world.page("a");
    let back = world.workspace(&frame, json!([window("one"), window("two")]));
    let front = world.workspace(&frame, json!([window("three")]));
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    world.now = LEASE_MS;
    world.run(|turn| turn.expire()).unwrap();
    assert_eq!(world.running, []);
    assert_eq!(world.states(&back), "one waiting, two waiting");
    assert!(world.get(&front).hibernated && world.get(&front).selected);
    assert_eq!(world.desk.alarm(), None);

    world.run(|turn| turn.attach(&peer("b"), None, None, &[])).unwrap();
    assert_eq!(world.desk.frame_of(&peer("b")).unwrap().id, frame);
    assert_eq!(world.states(&front), "three loading", "what is selected comes to life");
    assert!(world.get(&back).hibernated, "the others when they are selected");
    world.run(|turn| turn.select_workspace(&back)).unwrap();
    assert_eq!(world.states(&back), "one loading, two loading");
}

#[test]
fn pages_that_outlive_the_lease_stay_what_they_were() {
    let mut world = World::default();
    let frame = world.page("a");
    let back = world.workspace(&frame, json!([window("one"), window("two")]));
    let asleep = world.workspace(&frame, json!([window("three")]));
    world.run(|turn| turn.hibernate(&asleep)).unwrap();
    let front = world.workspace(&frame, json!([window("four"), window("five")]));
    let of = |world: &World, id, at| world.instance(id, at).unwrap();
    let (one, two) = (of(&world, &back, 0), of(&world, &back, 1));
    let (four, five) = (of(&world, &front, 0), of(&world, &front, 1));
    // The pages of `two` and `five` are not there any more.
    let running = [world.page_of(&front, 0), world.page_of(&back, 0)];
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    world.now = LEASE_MS;
    world.run(|turn| turn.expire()).unwrap();
    assert_eq!(world.running, []);

    world.run(|turn| turn.attach(&peer("b"), Some(&frame), None, &running)).unwrap();
    assert_eq!((of(&world, &front, 0), of(&world, &back, 0)), (four, one));
    assert!(of(&world, &front, 1) != five && of(&world, &back, 1) != two, "these are new");
    assert_eq!(world.states(&back), "one loading, two loading", "though it is not selected");
    assert!(world.get(&asleep).hibernated, "nothing lives on in it");
    assert!(world.get(&front).selected && !world.get(&back).selected);
}

#[test]
fn what_is_said_of_pages_is_believed_as_far_as_it_is_proven() {
    let mut world = World::default();
    let (frame, other) = (world.page("a"), world.page("b"));
    let id = world.workspace(&frame, json!([window("one"), window("two"), window("three")]));
    let elsewhere = world.workspace(&other, json!([window("four")]));
    let (one, two) = (world.page_of(&id, 0), world.page_of(&id, 1));
    let forged = RunningWindow {
        resume: Resume::new(world.instance(&id, 2).unwrap(), "forged".into()),
        ..world.page_of(&id, 2)
    };
    // The page of `two` claims to be that of `one`, which comes first.
    let twice = RunningWindow { resume: one.resume.clone(), ..two };
    let not_here = world.page_of(&elsewhere, 0);
    let unknown = RunningWindow { window: "win-0".into(), ..one.clone() };
    for name in ["a", "b"] {
        world.run(|turn| turn.left(&peer(name))).unwrap();
    }
    world.now = LEASE_MS;
    world.run(|turn| turn.expire()).unwrap();
    let running = [unknown, not_here, one.clone(), twice, forged.clone()];
    world.run(|turn| turn.attach(&peer("c"), Some(&frame), None, &running)).unwrap();
    assert_eq!(world.instance(&id, 0), Some(one.resume.instance.clone()));
    assert_ne!(world.instance(&id, 1), Some(one.resume.instance));
    assert_ne!(world.instance(&id, 2), Some(forged.resume.instance.clone()));
    assert!(world.get(&elsewhere).hibernated, "it is in another frame");

    let many = vec![forged; MAX_RUNNING_WINDOWS + 1];
    let refused = world.run(|turn| turn.attach(&peer("d"), None, None, &many)).unwrap_err();
    assert_eq!(refused.code(), "too-many");
}

#[test]
fn within_the_lease_what_sleeps_goes_on_sleeping() {
    let mut world = World::default();
    let frame = world.page("a");
    let id = world.workspace(&frame, json!([window("one")]));
    world.workspace(&frame, json!([window("two")]));
    let running = [world.page_of(&id, 0)];
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    world.run(|turn| turn.hibernate(&id)).unwrap();
    world.run(|turn| turn.attach(&peer("b"), Some(&frame), None, &running)).unwrap();
    assert!(world.get(&id).hibernated, "somebody has put it to sleep meanwhile");
}

#[test]
fn a_frame_without_workspaces_goes_with_its_page() {
    let mut world = World::default();
    let frame = world.page("a");
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    world.now = LEASE_MS;
    world.run(|turn| turn.expire()).unwrap();
    assert!(!world.desk.frames.contains_key(&frame));
    assert_eq!(world.desk.focused, None);
}

#[test]
fn two_pages_do_not_share_a_frame() {
    let mut world = World::default();
    let frame = world.page("a");
    let taken = world.run(|turn| turn.attach(&peer("b"), Some(&frame), None, &[]));
    assert_eq!(taken, Err(Refused::FrameTaken { frame: frame.clone() }));
    let same = world.run(|turn| turn.attach(&peer("a"), Some(&frame), None, &[]));
    assert_eq!(same, Ok(frame), "to attach again is no fault");
}

#[test]
fn which_frame_a_page_gets_that_names_none() {
    let mut world = World::default();
    let (first, second) = (world.page("a"), world.page("b"));
    world.workspace(&first, json!([window("one")]));
    world.workspace(&second, json!([window("two")]));
    world.now = 1;
    world.run(|turn| turn.left(&peer("b"))).unwrap();
    world.now = 2;
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    let attach = |world: &mut World, name: &str| {
        world.run(|turn| turn.attach(&peer(name), None, None, &[])).unwrap()
    };
    assert_eq!(attach(&mut world, "c"), second, "the one that waits longest");
    assert_eq!(attach(&mut world, "c"), second, "or that it has");
    assert_eq!(attach(&mut world, "d"), first);
    let new = attach(&mut world, "e");
    assert!(new != first && new != second);
}

#[test]
fn a_page_that_moves_lets_go_of_what_it_had() {
    let mut world = World::default();
    let first = world.page("a");
    world.workspace(&first, json!([window("one")]));
    let second = FrameId::from("another");
    world.run(|turn| turn.attach(&peer("a"), Some(&second), None, &[])).unwrap();
    assert_eq!(world.desk.frame_of(&peer("a")).unwrap().id, second);
    assert_eq!(world.desk.alarm(), Some(LEASE_MS), "the first one waits");
}

#[test]
fn names_that_are_none_are_refused() {
    let mut world = World::default();
    for name in ["", "a b", "ä", &"x".repeat(129)] {
        let name = FrameId::from(name);
        let refused =
            world.run(|turn| turn.attach(&peer("a"), Some(&name), None, &[])).unwrap_err();
        assert_eq!(refused.code(), "bad-arguments", "{name:?}");
    }
    assert!(world.desk.frames.is_empty());
}

#[test]
fn there_is_a_most_of_frames() {
    let mut world = World::default();
    for _ in 0..crate::workspaces::limits::MAX_FRAMES {
        world.run(|turn| turn.create_frame(None, None)).unwrap();
    }
    let refused = world.run(|turn| turn.create_frame(None, None)).unwrap_err();
    assert_eq!(refused.code(), "too-many");
    world.run(|turn| turn.attach(&peer("a"), None, None, &[])).unwrap();
}

#[test]
fn a_claim_moves_a_workspace_and_starts_it_there() {
    let mut world = World::default();
    let (first, second) = (world.page("a"), world.page("b"));
    let stays = world.workspace(&first, json!([window("stays")]));
    let id = world.workspace(&first, json!([window("one")]));
    let before = world.get(&id).clone();
    let instance = world.instance(&id, 0).unwrap();
    world.run(|turn| turn.claim(&peer("b"), &id)).unwrap();

    let after = world.get(&id);
    assert_eq!((&after.frame, after.selected, after.hibernated), (&second, true, false));
    assert_eq!(after.windows[0].id, before.windows[0].id, "the window is the same one");
    assert_ne!(world.instance(&id, 0), Some(instance), "in another page is another instance");
    assert!(world.get(&stays).selected, "its old frame shows what is left");
    assert_eq!(world.desk.focused, Some(second));
    let refused = world.run(|turn| turn.claim(&peer("nobody"), &id));
    assert_eq!(refused, Err(Refused::NotAttached));
}

#[test]
fn without_a_page_a_workspace_is_kept_for_the_first_one() {
    let mut world = World::default();
    let frame = world.run(|turn| turn.create_frame(None, None)).unwrap();
    let id = world.workspace(&frame, json!([window("one")]));
    assert!(world.get(&id).hibernated);
    assert_eq!(world.states(&id), "one waiting");
    world.run(|turn| turn.attach(&peer("a"), None, None, &[])).unwrap();
    assert_eq!(world.desk.frame_of(&peer("a")).unwrap().id, frame);
    assert_eq!(world.states(&id), "one loading");
}

#[test]
fn hibernation_on_request_hands_the_selection_on() {
    let mut world = World::default();
    let frame = world.page("a");
    let ids: Vec<_> =
        ["one", "two", "three"].map(|app| world.workspace(&frame, json!([window(app)]))).into();
    world.run(|turn| turn.select_workspace(&ids[1])).unwrap();
    let selected = |world: &World| world.desk.selected(&frame).map(|found| found.id.clone());
    for (asleep, shown) in [(1, Some(&ids[2])), (2, Some(&ids[0])), (0, None)] {
        world.run(|turn| turn.hibernate(&ids[asleep])).unwrap();
        assert_eq!(selected(&world).as_ref(), shown);
    }
    assert_eq!(world.running, []);
    world.run(|turn| turn.resume(&ids[0])).unwrap();
    assert_eq!(selected(&world).as_ref(), Some(&ids[0]));
    world.run(|turn| turn.left(&peer("a"))).unwrap();
    let refused = world.run(|turn| turn.resume(&ids[1]));
    assert_eq!(refused, Err(Refused::NoPage { frame }));
}

#[test]
fn bounds_are_those_of_something() {
    let mut world = World::default();
    let frame = world.page("a");
    let bounds = |width| Bounds { left: 0.0, top: 0.0, width, height: 10.0 };
    for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = world.run(|turn| turn.set_bounds(&peer("a"), bounds(width))).unwrap_err();
        assert_eq!(refused.code(), "bad-arguments");
    }
    world.run(|turn| turn.set_bounds(&peer("a"), bounds(10.0))).unwrap();
    assert_eq!(world.desk.frames[&frame].bounds, Some(bounds(10.0)));
}
