//! Trees of workspaces: what may stand in them, and how they are changed.

use std::sync::Arc;

use deskwire_layout::{
    Content, Edit, Item, ItemId, Kind, Object, Place, Policy, Size, Tree, Window as Leaf, WriteIds,
    item_definition, normalise, read,
};
use serde::Deserialize;
use serde_json::Value;

use super::Turn;
use super::turn::merge;
use crate::workspaces::ids::{WindowId, WorkspaceId};
use crate::workspaces::model::{Window, WindowState};
use crate::workspaces::refused::Refused;

/// What a page does to a workspace, beyond the edits of its tree.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Op {
    /// Selects the workspace in its frame, and the frame among the frames.
    SelectWorkspace,
    /// Puts the workspace to another place among those of its frame.
    ReorderWorkspace {
        /// Its new place, counted from 0.
        index: usize,
    },
    /// Focuses a window and brings its tab to the front.
    Focus {
        /// The window.
        item: ItemId,
    },
    /// Has an item fill the workspace.
    Maximize {
        /// The item.
        item: ItemId,
    },
    /// No item fills the workspace any more.
    Restore,
    /// Tries a window again.
    Reload {
        /// The window.
        item: ItemId,
    },
    /// An edit of the tree.
    #[serde(skip)]
    Tree(Edit),
}

impl Op {
    /// Names of those that are no edits of the tree.
    const NAMES: [&str; 6] =
        ["select-workspace", "reorder-workspace", "focus", "maximize", "restore", "reload"];

    /// Reads an operation.
    ///
    /// # Errors
    /// When it is none, with what would be one.
    pub fn read(value: &Value) -> Result<Self, Refused> {
        let name = value.get("op").and_then(Value::as_str).unwrap_or_default();
        let read = if Self::NAMES.contains(&name) {
            Self::deserialize(value)
        } else {
            Edit::deserialize(value).map(Self::Tree)
        };
        read.map_err(|error| Refused::BadEdit {
            reason: format!("`op`: {error}; also {}", Self::NAMES.join(", ")),
        })
    }
}

/// Settings that say how something stood on somebody's screen. They mean nothing for another one.
const PASSING: [&str; 13] = [
    "frameId",
    "workspaceId",
    "positionIndex",
    "isFocused",
    "isMaximized",
    "isSelected",
    "isHibernated",
    "isLoaded",
    "instanceId",
    "windowId",
    "widthInPx",
    "heightInPx",
    "lastActive",
];

impl Turn<'_> {
    /// Edits the tree of a workspace.
    ///
    /// # Errors
    /// When there is no such workspace, or the edit cannot be done.
    pub fn edit_tree(&mut self, id: &WorkspaceId, edit: &Edit) -> Result<(), Refused> {
        if let Edit::Insert { item, place } = edit {
            return self.insert(id, item, place.clone()).map(drop);
        }
        self.apply_edit(id, edit)
    }

    /// Puts an item, read strictly, into a workspace. Gives its id.
    ///
    /// # Errors
    /// When there is no such workspace or place, or the item cannot be read.
    pub fn insert(
        &mut self,
        id: &WorkspaceId,
        definition: &Value,
        place: Place,
    ) -> Result<ItemId, Refused> {
        let ids = &mut *self.ids;
        let tree = read(definition, Policy::Strict, &mut || ids.item())?.tree;
        let [item] = tree.children.as_slice() else {
            let reason = "one item is wanted: a row, a column, a group or a window".to_owned();
            return Err(Refused::BadArguments { reason });
        };
        let (mut item, mut adopted) = (Arc::clone(item), Vec::new());
        self.own_item(Arc::make_mut(&mut item), true, &mut adopted)?;
        let name = item.id.clone();
        let at_top = matches!(place, Place::Into { parent: None, .. });
        if at_top {
            let ids = &mut *self.ids;
            item = boxed(item, || ids.item());
        }
        for (item, window) in adopted {
            self.adopt(id, item, &window)?;
        }
        let item = item_definition(&item, WriteIds::Yes);
        self.apply_edit(id, &Edit::Insert { item, place })?;
        Ok(name)
    }

    /// Changes settings of an item; `null` takes one away.
    ///
    /// # Errors
    /// When there is no such item.
    pub fn configure_item(&mut self, item: &ItemId, settings: Object) -> Result<(), Refused> {
        self.change_item(item, |item| merge(&mut item.config, settings))
    }

    /// Changes an item in place.
    pub(super) fn change_item(
        &mut self,
        id: &ItemId,
        change: impl FnOnce(&mut Item),
    ) -> Result<(), Refused> {
        let home = self.home(id)?;
        let tree = &mut self.workspace_mut(&home)?.tree;
        let found = find_mut(&mut tree.children, id);
        change(found.ok_or_else(|| Refused::UnknownItem { item: id.clone() })?);
        Ok(())
    }

    /// Puts a new row or column where something stands: around an item, or around all there is.
    ///
    /// # Errors
    /// When there is no such workspace or item, or it cannot have one around it.
    pub fn bundle(
        &mut self,
        id: &WorkspaceId,
        around: Option<&ItemId>,
        kind: Kind,
    ) -> Result<(), Refused> {
        let mut tree = self.workspace(id)?.tree.clone();
        let name = self.ids.item();
        match around {
            Some(item) => {
                let item = box_of(&tree, item).unwrap_or(item).clone();
                let found = find_slot(&mut tree.children, &item);
                let slot = found.ok_or(Refused::UnknownItem { item })?;
                let mut inner = Arc::clone(slot);
                let size = std::mem::take(&mut Arc::make_mut(&mut inner).size);
                *slot = Arc::new(container(name, kind, vec![inner], size));
            }
            None => match tree.children.as_slice() {
                [only] if only.kind() == kind => return Ok(()),
                _ => {
                    let children = std::mem::take(&mut tree.children);
                    let all = container(name, kind, children, Size::default());
                    tree.children.push(Arc::new(all));
                }
            },
        }
        self.reshape(id, settled(tree))
    }

    fn apply_edit(&mut self, id: &WorkspaceId, edit: &Edit) -> Result<(), Refused> {
        let tree = self.workspace(id)?.tree.clone();
        let ids = &mut *self.ids;
        let applied = tree.apply(edit, &mut || ids.item());
        let applied = applied
            .map_err(|error| Refused::BadEdit { reason: format!("{}: {error}", error.code()) })?;
        let mut tree = applied.tree;
        for child in &mut tree.children {
            *child = boxed(Arc::clone(child), || ids.item());
        }
        self.reshape(id, tree)
    }

    /// Makes an item ours: ids of its own, no traces of another screen, an application in each window.
    /// Notes the windows that exist and are to come along.
    pub(super) fn own_item(
        &mut self,
        item: &mut Item,
        adopt: bool,
        adopted: &mut Vec<(ItemId, String)>,
    ) -> Result<(), Refused> {
        item.id = self.ids.item();
        item.config.retain(|key, _| !PASSING.contains(&key.as_str()));
        match &mut item.content {
            Content::Row(children)
            | Content::Column(children)
            | Content::Group { windows: children, .. } => {
                for child in children {
                    self.own_item(Arc::make_mut(child), adopt, adopted)?;
                }
            }
            Content::Window(leaf) => {
                let window = leaf.window_id.take().filter(|_| adopt);
                let source = window.as_ref().and_then(|window| {
                    let (workspace, item, _) =
                        self.desk.window(&WindowId::from(window.as_str()))?;
                    workspace.tree.item(item)
                });
                if let Some((source, window)) = source.zip(window.clone()) {
                    let own: Option<&Leaf> = source.as_window();
                    leaf.app_name = own.and_then(|own| own.app_name.clone());
                    leaf.context = own.and_then(|own| own.context.clone());
                    item.title = item.title.take().or_else(|| source.title.clone());
                    adopted.push((item.id.clone(), window));
                } else if leaf.app_name.is_none() {
                    let window = window.unwrap_or_default();
                    let reason = format!(
                        "there is no window {window:?} in any workspace; name an application (`appName`)"
                    );
                    return Err(Refused::BadArguments { reason });
                }
            }
        }
        Ok(())
    }

    /// Takes a window out of its workspace and puts it into the place of an item to come. It keeps its
    /// instance if the page that shows it stays the same.
    pub(super) fn adopt(
        &mut self,
        into: &WorkspaceId,
        item: ItemId,
        window: &str,
    ) -> Result<(), Refused> {
        let window = WindowId::from(window);
        let Some((source, place, found)) = self.desk.window(&window) else {
            return Err(Refused::UnknownWindow { window });
        };
        if self.reach.as_ref().is_some_and(|reach| *reach != source.frame) {
            return Err(Refused::NotYours { what: format!("window {window}") });
        }
        let (source, place, mut found): (_, _, Window) =
            (Arc::clone(source), place.clone(), found.clone());
        let target = self.workspace(into)?;
        if source.frame != target.frame || target.hibernated {
            found.instance = None;
            found.state = WindowState::Waiting;
        }
        self.workspace_mut(&source.id)?.windows.shift_remove(&place);
        self.apply_edit(&source.id, &Edit::Remove { item: place })?;
        self.workspace_mut(into)?.windows.insert(item, found);
        Ok(())
    }
}

/// A window in a group of its own; anything else as it is.
pub(super) fn boxed(item: Arc<Item>, id: impl FnOnce() -> ItemId) -> Arc<Item> {
    if item.kind() != Kind::Window {
        return item;
    }
    let mut inner = item;
    let size = std::mem::take(&mut Arc::make_mut(&mut inner).size);
    Arc::new(container(id(), Kind::Group, vec![inner], size))
}

/// A tree whose sizes are settled, with its empty containers.
pub(super) fn settled(tree: Tree) -> Tree {
    let is_empty = |item: &Item| !item.walk().any(|below| below.kind() == Kind::Window);
    if tree.items().any(is_empty) { tree } else { normalise(&tree) }
}

/// The group that a window is in.
pub(super) fn box_of<'a>(tree: &'a Tree, item: &ItemId) -> Option<&'a ItemId> {
    let holds = |group: &&Item| {
        group.kind() == Kind::Group && group.children().iter().any(|tab| tab.id == *item)
    };
    tree.items().find(holds).map(|group| &group.id)
}

/// What an item stands in; `None` at the top level.
pub(crate) fn parent_of<'a>(tree: &'a Tree, item: &ItemId) -> Option<&'a Item> {
    tree.items().find(|parent| parent.children().iter().any(|child| child.id == *item))
}

fn container(id: ItemId, kind: Kind, children: Vec<Arc<Item>>, size: Size) -> Item {
    let content = match kind {
        Kind::Column => Content::Column(children),
        Kind::Group => Content::Group { windows: children, active: None },
        Kind::Row | Kind::Window => Content::Row(children),
    };
    Item { id, size, title: None, config: Object::new(), other: Object::new(), content }
}

fn children_mut(item: &mut Item) -> Option<&mut Vec<Arc<Item>>> {
    match &mut item.content {
        Content::Row(children)
        | Content::Column(children)
        | Content::Group { windows: children, .. } => Some(children),
        Content::Window(_) => None,
    }
}

/// Where an item stands, for it to be replaced. Only what is above it is copied.
fn find_slot<'a>(items: &'a mut [Arc<Item>], id: &ItemId) -> Option<&'a mut Arc<Item>> {
    let at = items.iter().position(|item| item.walk().any(|below| below.id == *id))?;
    let slot = items.get_mut(at)?;
    if slot.id == *id {
        return Some(slot);
    }
    find_slot(children_mut(Arc::make_mut(slot))?, id)
}

fn find_mut<'a>(items: &'a mut [Arc<Item>], id: &ItemId) -> Option<&'a mut Item> {
    find_slot(items, id).map(Arc::make_mut)
}
