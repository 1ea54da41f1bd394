//! A desk whose ids count, whose clock is set by hand, and where every application but `nope` starts.

use std::fmt::Write;
use std::sync::Arc;

use deskwire_connect::wire::PeerId;
use deskwire_layout::{Counter, Item, Policy, read};
use serde_json::{Value, json};

use crate::workspaces::core::{
    Changes, Ending, Moment, NewWorkspace, Opened, Placement, Start, Turn,
};
use crate::workspaces::{
    Desk, Event, FrameId, InstanceRef, Notice, Refused, Resume, RunningWindow, WindowState,
    Workspace, WorkspaceId,
};

#[derive(Default)]
pub(super) struct World {
    pub(super) desk: Desk,
    pub(super) now: u64,
    ids: u64,
    instances: u64,
    /// Instances that run.
    pub(super) running: Vec<InstanceRef>,
    /// What happened since it was last read.
    log: String,
}

pub(super) fn peer(name: &str) -> PeerId {
    PeerId::from(name)
}

impl World {
    /// Makes a change, and starts the windows that need it.
    pub(super) fn run<T>(
        &mut self,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let (result, changes) = self.turn(change);
        let starts = changes.start.clone();
        self.note(changes);
        if !starts.is_empty() {
            let opened: Vec<(Start, Opened)> =
                starts.into_iter().map(|start| self.open(start)).collect();
            let (opened, changes) = self.turn(|turn| {
                opened.into_iter().try_for_each(|(start, opened)| turn.opened(&start, opened))
            });
            opened.unwrap();
            assert_eq!(changes.start, [], "everything that can be started has been");
            self.note(changes);
        }
        result
    }

    /// What clients are told of a change.
    pub(super) fn events<T>(
        &mut self,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused>,
    ) -> Vec<Event> {
        self.turn(change).1.events
    }

    fn turn<T>(
        &mut self,
        change: impl FnOnce(&mut Turn<'_>) -> Result<T, Refused>,
    ) -> (Result<T, Refused>, Changes) {
        let Self { desk, now, ids, .. } = self;
        let mut fresh = || {
            *ids += 1;
            ids.to_string()
        };
        desk.turn(Moment { now: *now, ids: &mut fresh }, change)
    }

    fn open(&mut self, start: Start) -> (Start, Opened) {
        if start.application == "nope" {
            return (start, Opened::Missing("there is no application `nope`".into()));
        }
        // The token of an instance is its name.
        let former = start.resume.as_ref().filter(|former| {
            former.token() == former.instance.as_str() && !self.running.contains(&former.instance)
        });
        let instance = former.map(|former| former.instance.clone()).unwrap_or_else(|| {
            self.instances += 1;
            InstanceRef::from(format!("run-{}", self.instances))
        });
        self.running.push(instance.clone());
        (start, Opened::Instance(instance))
    }

    fn note(&mut self, changes: Changes) {
        for event in &changes.events {
            writeln!(self.log, "{}", line(event)).unwrap();
        }
        for notice in changes.notices {
            let line = match notice {
                Notice::Workspace(id) => {
                    let workspace = &self.desk.workspaces[&id];
                    format!("page: {id} rev {}", workspace.rev)
                }
                Notice::Frame(id) => format!("page: {id}"),
                Notice::WorkspaceClosed(id) => format!("page: {id} closed"),
                Notice::FrameClosed(id) => format!("page: {id} closed"),
            };
            writeln!(self.log, "{line}").unwrap();
        }
        for (instance, ending) in changes.end {
            let at = self.running.iter().position(|running| *running == instance);
            self.running.remove(at.expect("what ends was running"));
            let why = match ending {
                Ending::Closed => "closed",
                Ending::Failed(_) => "failed",
                Ending::Replaced => "replaced",
            };
            writeln!(self.log, "end: {instance} {why}").unwrap();
        }
        for start in changes.start {
            writeln!(self.log, "start: {} in {}", start.application, start.window).unwrap();
        }
    }

    /// What has happened since it was last asked.
    pub(super) fn log(&mut self) -> String {
        std::mem::take(&mut self.log)
    }

    /// A page with a frame of its own.
    pub(super) fn page(&mut self, name: &str) -> FrameId {
        let frame = FrameId::from(format!("f-{name}"));
        self.run(|turn| turn.attach(&peer(name), Some(&frame), None, &[])).unwrap()
    }

    /// A workspace of these children, in a frame.
    pub(super) fn workspace(&mut self, frame: &FrameId, children: Value) -> WorkspaceId {
        let new = definition(children, Placement::Frame(frame.clone()));
        self.run(|turn| turn.create(new)).unwrap()
    }

    pub(super) fn get(&self, id: &WorkspaceId) -> &Workspace {
        &self.desk.workspaces[id]
    }

    /// Windows of a workspace: application and state of each.
    pub(super) fn states(&self, id: &WorkspaceId) -> String {
        let workspace = self.get(id);
        let state = |item: &Item| {
            let app = item.as_window().unwrap().app_name.as_deref().unwrap();
            format!("{app} {}", workspace.windows[&item.id].state.as_str())
        };
        workspace.tree.windows().map(state).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn instance(&self, id: &WorkspaceId, at: usize) -> Option<InstanceRef> {
        self.get(id).windows[at].instance.clone()
    }

    /// A window whose page lives on, as the page that shows it says after this moment.
    pub(super) fn page_of(&self, id: &WorkspaceId, at: usize) -> RunningWindow {
        let window = &self.get(id).windows[at];
        let instance = window.instance.clone().unwrap();
        let token = instance.as_str().to_owned();
        RunningWindow { window: window.id.clone(), resume: Resume::new(instance, token) }
    }

    pub(super) fn state(&self, id: &WorkspaceId, at: usize) -> &WindowState {
        &self.get(id).windows[at].state
    }
}

pub(super) fn definition(children: Value, placement: Placement) -> NewWorkspace {
    let tree = json!({ "children": children });
    let tree = read(&tree, Policy::Strict, &mut Counter::default()).unwrap().tree;
    NewWorkspace { tree, adopt_windows: true, ..NewWorkspace::empty(placement) }
}

pub(super) fn window(app: &str) -> Value {
    json!({ "type": "window", "appName": app })
}

/// An outline of a tree: `row(group(a* b) c)`; the tab in front has a star.
pub(super) fn outline(workspace: &Workspace) -> String {
    workspace.tree.children.iter().map(|item| of_item(item)).collect::<Vec<_>>().join(" ")
}

fn of_item(item: &Item) -> String {
    if let Some(window) = item.as_window() {
        return window.app_name.clone().unwrap();
    }
    let front = item.active_tab().map(|tab| &tab.id);
    let child = |child: &Arc<Item>| {
        let star = if front == Some(&child.id) { "*" } else { "" };
        format!("{}{star}", of_item(child))
    };
    let children: Vec<_> = item.children().iter().map(child).collect();
    format!("{}({})", item.kind(), children.join(" "))
}

fn line(event: &Event) -> String {
    let (_, id) = &event.of[0];
    format!("{}.{} {id}", event.level.as_str(), event.action)
}
