//! What clients and pages are told of a change: found by comparing before and after.

use std::collections::HashMap;
use std::sync::Arc;

use deskwire_layout::{Item, ItemId, Kind, Object};
use serde_json::{Value, json};

use super::ids::{FrameId, WorkspaceId};
use super::model::{Desk, Frame, WindowState, Workspace};
use super::view::snapshot::{
    View, WINDOW_SWITCHES, WORKSPACE_SWITCHES, frame_summary, frame_summary_of, workspace_summary,
};

/// Something that clients are told, on one of the four streams.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The stream, and what the first id of `of` names.
    pub level: Level,
    /// What happened, in the words of the client library.
    pub action: &'static str,
    /// What it happened to, and what that is in, from the inside out.
    pub of: Vec<(Level, String)>,
    /// What the client library expects with it.
    pub payload: Value,
    /// Whether it went with its whole workspace. Those who follow the workspace, or something in it, hear
    /// only of the workspace then: the client library would ask for it again at each of the others.
    pub with_workspace: bool,
}

/// What an event is about, or happened in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A frame.
    Frame,
    /// A workspace.
    Workspace,
    /// A row, column or group.
    Container,
    /// A window.
    Window,
}

/// Something that pages are told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Notice {
    /// A frame is new or has changed.
    Frame(FrameId),
    /// A workspace is new or has a new revision.
    Workspace(WorkspaceId),
    /// A workspace is gone.
    WorkspaceClosed(WorkspaceId),
    /// A frame is gone.
    FrameClosed(FrameId),
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Frame, Self::Workspace, Self::Container, Self::Window];

    /// The name in branches and arguments.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Workspace => "workspace",
            Self::Container => "container",
            Self::Window => "window",
        }
    }
}

impl Event {
    /// The branches on which it is published.
    pub fn branches(&self) -> impl Iterator<Item = String> {
        let heard = |level: Level| !self.with_workspace || level == Level::Frame;
        let heard = self.of.iter().filter(move |(level, _)| heard(*level));
        let own = heard.map(|(level, id)| format!("{}_{id}", level.as_str()));
        std::iter::once("global".to_owned()).chain(own)
    }
}

/// What pages are told.
pub(super) fn notices(before: &Desk, after: &Desk) -> Vec<Notice> {
    let mut notices = Vec::new();
    let facts = |desk: &Desk, frame: &Frame| {
        let selected = desk.selected(&frame.id).map(|workspace| workspace.id.clone());
        let focused = desk.focused.as_ref() == Some(&frame.id);
        (frame.is_attached(), selected, focused, frame.bounds)
    };
    for (id, frame) in &after.frames {
        let former = before.frames.get(id).map(|former| facts(before, former));
        if former != Some(facts(after, frame)) {
            notices.push(Notice::Frame(id.clone()));
        }
    }
    for (id, workspace) in &after.workspaces {
        if before.workspaces.get(id).is_none_or(|former| former.rev != workspace.rev) {
            notices.push(Notice::Workspace(id.clone()));
        }
    }
    let gone = before.workspaces.keys().filter(|id| !after.workspaces.contains_key(*id));
    notices.extend(gone.cloned().map(Notice::WorkspaceClosed));
    let gone = before.frames.keys().filter(|id| !after.frames.contains_key(*id));
    notices.extend(gone.cloned().map(Notice::FrameClosed));
    notices
}

/// What clients are told.
pub(super) fn events(before: &Desk, after: &Desk) -> Vec<Event> {
    let mut events = Vec::new();
    for (id, frame) in after.frames.iter().filter(|(id, _)| !before.frames.contains_key(*id)) {
        events.push(frame_event(after, id, frame, "opened"));
    }
    for (id, workspace) in &after.workspaces {
        match before.workspaces.get(id) {
            Some(former) if former.rev == workspace.rev => {}
            former => {
                Comparison::new((before, former.map(AsRef::as_ref)), (after, Some(workspace)))
                    .tell(&mut events);
            }
        }
    }
    for (id, workspace) in &before.workspaces {
        if !after.workspaces.contains_key(id) {
            Comparison::new((before, Some(workspace)), (after, None)).tell(&mut events);
        }
    }
    if after.focused != before.focused {
        for id in [&before.focused, &after.focused].into_iter().flatten() {
            if let Some(frame) = after.frames.get(id) {
                events.push(frame_event(after, id, frame, "focus"));
            }
        }
    }
    for (id, frame) in before.frames.iter().filter(|(id, _)| !after.frames.contains_key(*id)) {
        events.push(frame_event(before, id, frame, "closed"));
    }
    events
}

fn frame_event(desk: &Desk, id: &FrameId, frame: &Frame, action: &'static str) -> Event {
    let mut payload = json!({ "frameSummary": frame_summary(desk, frame) });
    if let Some(bounds) = frame.bounds {
        payload["frameBounds"] = json!(bounds);
    }
    let of = vec![(Level::Frame, id.as_str().to_owned())];
    Event { level: Level::Frame, action, of, payload, with_workspace: false }
}

/// One state of a workspace, with what is looked up in it.
struct Side<'a> {
    desk: &'a Desk,
    workspace: &'a Workspace,
    view: View<'a>,
    items: HashMap<&'a ItemId, Standing<'a>>,
    /// Ids in the order of the tree, each before what is in it.
    order: Vec<&'a ItemId>,
}

/// Where an item stands.
#[derive(Clone, Copy)]
struct Standing<'a> {
    item: &'a Item,
    parent: Option<&'a Item>,
    place: usize,
}

struct Comparison<'a> {
    before: Option<Side<'a>>,
    after: Option<Side<'a>>,
}

impl<'a> Side<'a> {
    fn new(desk: &'a Desk, workspace: &'a Workspace) -> Self {
        let (mut items, mut order) = (HashMap::new(), Vec::new());
        let mut open: Vec<Standing<'a>> = Vec::new();
        let standing = |parent: Option<&'a Item>, children: &'a [Arc<Item>]| {
            let standing = move |(place, item): (usize, &'a Arc<Item>)| Standing {
                item: item.as_ref(),
                parent,
                place,
            };
            children.iter().enumerate().rev().map(standing)
        };
        open.extend(standing(None, &workspace.tree.children));
        while let Some(next) = open.pop() {
            order.push(&next.item.id);
            items.insert(&next.item.id, next);
            open.extend(standing(Some(next.item), next.item.children()));
        }
        Self { desk, workspace, view: View::new(desk, workspace), items, order }
    }

    fn standing(&self, id: &ItemId) -> Option<Standing<'a>> {
        self.items.get(id).copied()
    }

    fn in_order(&self) -> impl Iterator<Item = Standing<'a>> {
        self.order.iter().filter_map(|id| self.standing(id))
    }

    fn workspace_event(&self, action: &'static str) -> Event {
        let Self { desk, workspace, .. } = self;
        let mut payload = json!({
            "workspaceSummary": workspace_summary(desk, workspace),
            "frameSummary": frame_summary_of(desk, workspace),
        });
        if let Some(bounds) = desk.frames.get(&workspace.frame).and_then(|frame| frame.bounds) {
            payload["frameBounds"] = json!(bounds);
        }
        Event {
            level: Level::Workspace,
            action,
            of: self.around(None),
            payload,
            with_workspace: false,
        }
    }

    fn item_event(&self, standing: Standing<'_>, action: &'static str) -> Event {
        let Standing { item, parent, place } = standing;
        let (level, payload) = if item.kind() == Kind::Window {
            let parent_id = parent.map_or(self.workspace.id.as_str(), |parent| parent.id.as_str());
            let config = self.view.window_config(item, place, parent);
            let summary =
                json!({ "itemId": item.id.as_str(), "parentId": parent_id, "config": config });
            (Level::Window, json!({ "windowSummary": summary }))
        } else {
            let config = self.view.container_config(item, place);
            let summary = json!({ "itemId": item.id.as_str(), "config": config });
            (Level::Container, json!({ "containerSummary": summary }))
        };
        let of = self.around(Some((item, parent)));
        Event { level, action, of, payload, with_workspace: false }
    }

    /// What something happened to, and what that is in.
    fn around(&self, item: Option<(&Item, Option<&Item>)>) -> Vec<(Level, String)> {
        let mut of = Vec::with_capacity(4);
        if let Some((item, parent)) = item {
            let level = if item.kind() == Kind::Window { Level::Window } else { Level::Container };
            of.push((level, item.id.as_str().to_owned()));
            of.extend(parent.map(|parent| (Level::Container, parent.id.as_str().to_owned())));
        }
        of.push((Level::Workspace, self.workspace.id.as_str().to_owned()));
        of.push((Level::Frame, self.workspace.frame.as_str().to_owned()));
        of
    }
}

impl<'a> Comparison<'a> {
    fn new(
        before: (&'a Desk, Option<&'a Workspace>),
        after: (&'a Desk, Option<&'a Workspace>),
    ) -> Self {
        let side = |(desk, workspace): (&'a Desk, Option<&'a Workspace>)| {
            workspace.map(|workspace| Side::new(desk, workspace))
        };
        Self { before: side(before), after: side(after) }
    }

    fn tell(&self, events: &mut Vec<Event>) {
        if let (None, Some(after)) = (&self.before, &self.after) {
            events.push(after.workspace_event("opened"));
        }
        self.tell_removed(events);
        self.tell_added(events);
        if let (Some(before), Some(after)) = (&self.before, &self.after) {
            for standing in after.in_order() {
                if let Some(former) = before.standing(&standing.item.id) {
                    compare_items((before, former), (after, standing), events);
                }
            }
            compare_whole(before, after, events);
        }
        match (&self.before, &self.after) {
            (None, Some(after)) if after.workspace.selected => {
                events.push(after.workspace_event("selected"));
            }
            (Some(before), None) => events.push(before.workspace_event("closed")),
            _ => {}
        }
    }

    fn tell_removed(&self, events: &mut Vec<Event>) {
        let Some(before) = &self.before else { return };
        let is_there =
            |id: &ItemId| self.after.as_ref().is_some_and(|after| after.items.contains_key(id));
        let gone = before.in_order().filter(|standing| !is_there(&standing.item.id));
        events.extend(gone.map(|standing| Event {
            with_workspace: self.after.is_none(),
            ..before.item_event(standing, "removed")
        }));
    }

    fn tell_added(&self, events: &mut Vec<Event>) {
        let Some(after) = &self.after else { return };
        let was_there =
            |id: &ItemId| self.before.as_ref().is_some_and(|before| before.items.contains_key(id));
        let new = after.in_order().filter(|standing| !was_there(&standing.item.id));
        events.extend(new.map(|standing| after.item_event(standing, "added")));
    }
}

/// What has changed about an item that is there before and after.
fn compare_items(
    (before, former): (&Side<'_>, Standing<'_>),
    (after, now): (&Side<'_>, Standing<'_>),
    events: &mut Vec<Event>,
) {
    let mut tell = |action| events.push(after.item_event(now, action));
    let id = &now.item.id;
    let parent = |standing: Standing<'_>| standing.parent.map(|parent| parent.id.clone());
    let is_window = now.item.kind() == Kind::Window;
    if !is_window && !same_children(former.item, now.item) {
        tell("childrenUpdate");
    }
    if is_window {
        if parent(former) != parent(now) {
            tell("containerChange");
        } else if now.parent.is_some_and(|parent| parent.kind() == Kind::Group)
            && former.place != now.place
            && former.parent.zip(now.parent).is_some_and(|(one, other)| same_tabs(one, other))
        {
            tell("tab-reordered");
        }
        let was_in_front = former.parent.and_then(Item::active_tab).map(|tab| &tab.id);
        let is_in_front = now.parent.and_then(Item::active_tab).map(|tab| &tab.id);
        if is_in_front == Some(id) && was_in_front != Some(id) {
            tell("selected");
        }
        let ready = |side: &Side<'_>| {
            let window = side.workspace.windows.get(id);
            window.is_some_and(|window| window.state == WindowState::Ready)
        };
        if ready(after) && !ready(before) {
            tell("loaded");
        }
    }
    let maximized = |side: &Side<'_>| side.workspace.maximized.as_ref() == Some(id);
    match (maximized(before), maximized(after)) {
        (false, true) => tell("maximized"),
        (true, false) => tell("restored"),
        _ => {}
    }
    if is_window
        && after.workspace.focused.as_ref() == Some(id)
        && before.workspace.focused.as_ref() != Some(id)
    {
        tell("focus");
    }
    let is_lock = |key: &str| WINDOW_SWITCHES.contains(&key) || is_container_switch(key);
    if switches(&former.item.config, is_lock) != switches(&now.item.config, is_lock) {
        tell("lock-configuration-changed");
    }
}

/// What has changed about the workspace as a whole.
fn compare_whole(before: &Side<'_>, after: &Side<'_>, events: &mut Vec<Event>) {
    let (former, now) = (before.workspace, after.workspace);
    let mut tell = |action| events.push(after.workspace_event(action));
    if former.hibernated != now.hibernated {
        tell(if now.hibernated { "hibernated" } else { "resumed" });
    }
    if now.selected && (!former.selected || former.frame != now.frame) {
        tell("selected");
    }
    if former.position != now.position && former.frame == now.frame {
        tell("tab-reordered");
    }
    if settings(former) != settings(now) {
        tell("lock-configuration-changed");
    }
}

fn settings(workspace: &Workspace) -> Vec<(&String, &Value)> {
    let config = workspace.tree.root.config.as_ref();
    config.map_or_else(Vec::new, |config| switches(config, |key| WORKSPACE_SWITCHES.contains(&key)))
}

fn is_container_switch(key: &str) -> bool {
    key.starts_with("allow") || (key.starts_with("show") && key.ends_with("Button"))
}

fn switches(config: &Object, is_switch: impl Fn(&str) -> bool) -> Vec<(&String, &Value)> {
    let mut found: Vec<_> = config.iter().filter(|(key, _)| is_switch(key)).collect();
    found.sort_by_key(|(key, _)| *key);
    found
}

fn same_children(one: &Item, other: &Item) -> bool {
    let ids =
        |item: &Item| item.children().iter().map(|child| child.id.clone()).collect::<Vec<_>>();
    ids(one) == ids(other)
}

fn same_tabs(one: &Item, other: &Item) -> bool {
    let ids = |item: &Item| {
        let mut ids: Vec<_> = item.children().iter().map(|child| child.id.clone()).collect();
        ids.sort();
        ids
    };
    ids(one) == ids(other)
}
