//! The core by tables: every order in which things can happen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::{Application, SourceLabel, read};
use deskwire_wire::{Identity, Payload, PeerId};
use serde_json::json;

use super::error::{StartError, StopError};
use super::model::{InstanceEvent, InstanceId, InstanceState, StartedBy};
use super::table::{Effect, Event, New, Readiness, Table};
use crate::process::Exit;

fn application(definition: serde_json::Value) -> Arc<Application> {
    let read = read(&SourceLabel::new("apps.json"), &json!([definition]).to_string());
    Arc::clone(read.applications.first().expect("a definition that can be read"))
}

fn program() -> Arc<Application> {
    application(json!({ "name": "job", "type": "exe", "details": { "command": "job" } }))
}

fn only_once() -> Arc<Application> {
    application(json!({
        "name": "job", "type": "exe", "details": { "command": "job" }, "allowMultiple": false,
    }))
}

fn new(id: &str, application: Arc<Application>, readiness: Readiness) -> New {
    New {
        id: id.into(),
        application,
        context: Payload::empty_object(),
        title: None,
        started_ms: 1,
        started_by: StartedBy::default(),
        readiness,
    }
}

/// One step of a story, by its name.
fn step(table: &mut Table, step: &str) -> Vec<Effect> {
    let id = InstanceId::from("1");
    let peer = |name: &str| PeerId::from(name);
    let joined = |name: &str| Event::PeerJoined {
        peer: peer(name),
        instance: "1".into(),
        identity: Identity::new(
            [("instance".to_owned(), json!("1")), ("peer".to_owned(), json!(name))]
                .into_iter()
                .collect(),
        ),
    };
    let exited = |exit| Event::Exited { id: "1".into(), exit, last: Some("oh".into()) };
    let event = match step {
        "begin" => {
            table.begin(new("1", program(), Readiness::OnBus)).unwrap();
            return Vec::new();
        }
        "begin a program" => {
            table.begin(new("1", program(), Readiness::Alive)).unwrap();
            return Vec::new();
        }
        "open" => {
            let opened = table.open(new("1", program(), Readiness::OnBus), "w".into());
            return opened.unwrap().1;
        }
        "register" => {
            return table
                .register(new("1", program(), Readiness::OnBus), Some(7))
                .unwrap_or_default();
        }
        "stop" => {
            return table.stop(&id).unwrap_or_else(|error| {
                panic!("{error}");
            });
        }
        "stop nothing" => {
            let nothing = StopError::NoInstance { instance: id.clone() };
            assert_eq!(table.stop(&id), Err(nothing));
            return Vec::new();
        }
        "stop what is not ours" => {
            assert!(matches!(table.stop(&id), Err(StopError::NotOurs { .. })));
            return Vec::new();
        }
        "launched" => Event::Launched { id, pid: 42 },
        "no token" => Event::NotLaunched {
            id,
            error: StartError::NoToken { application: "job".into(), reason: "no key".into() },
        },
        "alive" => Event::Alive { id },
        "late" => Event::Late { id, after: Duration::from_secs(15), last: Some("waiting".into()) },
        "exit 0" => exited(Exit::Code(0)),
        "exit 1" => exited(Exit::Code(1)),
        "killed" => exited(Exit::Signal(9)),
        "a joins" => joined("a"),
        "b joins" => joined("b"),
        "a leaves" => Event::PeerLeft { peer: peer("a") },
        "b leaves" => Event::PeerLeft { peer: peer("b") },
        "page fails" => Event::PageFailed { id, reason: "404".into() },
        "window closes" => Event::WindowClosed { id },
        "title" => Event::Titled { id, title: "T".into() },
        "context" => Event::ContextChanged { id, context: Payload::from(json!({ "a": 1 })) },
        other => panic!("no step {other}"),
    };
    table.apply(event)
}

fn state(state: &InstanceState) -> String {
    match state {
        InstanceState::Starting => "starting".into(),
        InstanceState::Ready => "ready".into(),
        InstanceState::Stopping => "stopping".into(),
        InstanceState::Stopped { reason } => format!("stopped: {reason}"),
        InstanceState::Failed { reason } => format!("failed: {reason}"),
    }
}

fn told(effect: &Effect) -> String {
    let about = |what: &str, event: &InstanceEvent| {
        let one = event.instance();
        format!("{what} ({}, {} peers)", state(&one.state), one.peers.len())
    };
    match effect {
        Effect::End(_) => "end its process".into(),
        Effect::Revoke(_) => "revoke its token".into(),
        Effect::Tell(event) => match event {
            InstanceEvent::Started(_) => about("Started", event),
            InstanceEvent::Ready(_) => about("Ready", event),
            InstanceEvent::Updated(_) => about("Updated", event),
            InstanceEvent::Titled(_) => about("Titled", event),
            InstanceEvent::ContextChanged(_) => about("ContextChanged", event),
            InstanceEvent::Stopped(_) => about("Stopped", event),
            InstanceEvent::Failed(_) => about("Failed", event),
        },
    }
}

/// Plays a story and writes down what follows from each step.
fn play(steps: &[&str]) -> String {
    let mut table = Table::new(10);
    let mut out = String::new();
    for name in steps {
        out.push_str(name);
        let effects = step(&mut table, name);
        if effects.is_empty() {
            out.push_str(" -> nothing");
        }
        for effect in effects {
            out.push_str("\n  -> ");
            out.push_str(&told(&effect));
        }
        out.push('\n');
    }
    out
}

#[test]
fn an_id_is_had_by_one_at_a_time() {
    let mut table = Table::new(10);
    let open = |table: &mut Table| {
        table.open(new("1", program(), Readiness::OnBus), "w".into()).map(|(_, effects)| effects)
    };
    let in_use =
        || Err(StartError::IdInUse { application: "job".into(), instance: InstanceId::from("1") });
    step(&mut table, "begin");
    assert_eq!(open(&mut table), in_use(), "its process is being started");
    step(&mut table, "launched");
    assert_eq!(open(&mut table), in_use(), "it runs");
    step(&mut table, "exit 0");
    open(&mut table).unwrap();
    assert_eq!(open(&mut table), in_use(), "its window is open");
    step(&mut table, "a joins");
    step(&mut table, "window closes");
    let opened = open(&mut table).unwrap();
    let told: Vec<_> = opened.iter().map(told).collect();
    assert_eq!(told[0], "Started (starting, 0 peers)", "a page that lives on is told as started");
}

#[test]
fn a_process_from_start_to_end() {
    insta::assert_snapshot!(play(&[
        "begin",
        "launched",
        "a joins",
        "b joins",
        "a leaves",
        "b leaves",
        "a joins",
        "title",
        "title",
        "context",
        "stop",
        "stop",
        "exit 0",
        "stop nothing",
        "a leaves",
    ]));
}

#[test]
fn every_order_of_a_start_that_does_not_go_well() {
    let stories: [&[&str]; 10] = [
        // Its peer is there before the news that its process is.
        &["begin", "a joins", "launched", "exit 0"],
        &["begin", "a joins", "a leaves", "launched", "late", "exit 0"],
        // Exit before ready.
        &["begin", "launched", "exit 1", "a joins"],
        &["begin a program", "launched", "exit 0"],
        // Not on the bus in time; and news that come too late for that.
        &["begin", "launched", "late", "a joins", "killed"],
        &["begin", "launched", "a joins", "late", "killed"],
        // A program that knows nothing of the bus.
        &["begin a program", "launched", "late", "alive", "alive", "a joins", "exit 0"],
        &["begin", "launched", "alive", "exit 0"],
        // Stopped while starting.
        &["begin", "stop", "stop", "launched", "a joins", "exit 1"],
        // No token, and all that might be said of it after that.
        &["begin", "stop", "no token", "launched", "exit 1", "late", "alive", "stop nothing"],
    ];
    let played: Vec<_> = stories.iter().map(|story| play(story)).collect();
    insta::assert_snapshot!(played.join("\n"));
}

#[test]
fn windows_and_those_that_register() {
    let stories: [&[&str]; 6] = [
        &["open", "a joins", "a leaves", "b joins", "stop", "stop nothing", "b leaves"],
        &["open", "page fails", "window closes", "page fails"],
        &["open", "window closes", "a joins"],
        // Nothing of this is for processes.
        &["begin", "launched", "page fails", "window closes"],
        &[
            "a joins",
            "register",
            "register",
            "b joins",
            "a leaves",
            "stop what is not ours",
            "b leaves",
        ],
        &["a joins", "a leaves", "register"],
    ];
    let played: Vec<_> = stories.iter().map(|story| play(story)).collect();
    insta::assert_snapshot!(played.join("\n"));
}

#[test]
fn what_may_run_once_runs_once() {
    let mut table = Table::new(10);
    table.begin(new("1", only_once(), Readiness::OnBus)).unwrap();
    let again = |table: &mut Table| table.begin(new("2", only_once(), Readiness::OnBus));
    let refused = StartError::AlreadyRunning { application: "job".into(), instance: "1".into() };
    assert_eq!(again(&mut table), Err(refused.clone()), "while it is launched");
    step(&mut table, "launched");
    assert_eq!(again(&mut table), Err(refused.clone()), "while it runs");
    step(&mut table, "stop");
    assert_eq!(again(&mut table), Err(refused), "while it is ending");
    step(&mut table, "exit 0");
    assert_eq!(again(&mut table), Ok(()), "once it has ended");
}

#[test]
fn there_are_no_more_instances_than_may_be() {
    let mut table = Table::new(2);
    for id in ["1", "2"] {
        table.begin(new(id, program(), Readiness::OnBus)).unwrap();
    }
    let refused = table.begin(new("3", program(), Readiness::OnBus));
    assert_eq!(refused, Err(StartError::TooMany { application: "job".into(), most: 2 }));
}

#[test]
fn the_snapshot_is_what_the_news_have_told() {
    // Any story: what was started and has not ended is what is seen.
    let steps = [
        "begin", "launched", "alive", "late", "exit 0", "exit 1", "a joins", "a leaves",
        "no token", "title", "context",
    ];
    let mut random = 7_u64;
    for _ in 0..2_000 {
        let mut table = Table::new(10);
        let mut seen: Vec<InstanceId> = Vec::new();
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let name = steps[usize::try_from(random >> 33).unwrap() % steps.len()];
            let is_there = table.get("1").is_some() || table.is_launching("1");
            if name == "begin" && is_there {
                continue;
            }
            for effect in step(&mut table, name) {
                match effect {
                    Effect::Tell(InstanceEvent::Started(one)) => seen.push(one.id.clone()),
                    Effect::Tell(InstanceEvent::Stopped(one) | InstanceEvent::Failed(one)) => {
                        seen.retain(|id| *id != one.id);
                    }
                    Effect::Tell(event) => assert!(seen.contains(&event.instance().id), "{name}"),
                    Effect::End(_) | Effect::Revoke(_) => {}
                }
            }
            let living: Vec<_> = table.living().map(|one| one.id.clone()).collect();
            assert_eq!(living, seen, "after {name}");
        }
    }
}
