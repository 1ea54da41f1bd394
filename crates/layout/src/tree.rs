//! The workspace tree. A tree is a value: edits make new ones that share what did not change.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::id::ItemId;

/// A JSON object.
pub type Object = Map<String, Value>;

/// A workspace: what is in it, and what belongs to it as a whole.
///
/// Cloning is cheap: items are shared. So the undo stack of an editor is a list of trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    /// The items at the top level. Usually one; several stand side by side, as in a row.
    pub children: Vec<Arc<Item>>,
    /// What belongs to the workspace as a whole.
    pub root: Arc<Root>,
}

/// What belongs to a workspace as a whole. Absent and null are the same; an empty object is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Root {
    /// Settings of the workspace, its `title` among them.
    pub config: Option<Object>,
    /// The data that the workspace's applications share.
    pub context: Option<Object>,
    /// Settings of the frame that shows the workspace.
    pub frame: Option<Object>,
    /// Keys that layout does not know, verbatim.
    pub other: Object,
}

/// A row, a column, a group or a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The item's name, unique in its tree.
    pub id: ItemId,
    /// Its share of its container, as given. Only the one along the container's axis counts.
    pub size: Size,
    /// The title, where it is not the application's.
    pub title: Option<String>,
    /// Settings that layout does not know, verbatim.
    pub config: Object,
    /// Keys beside `config` that layout does not know, verbatim.
    pub other: Object,
    /// What the item is, with what only that has.
    pub content: Content,
}

/// Width and height in percent of the container, above 0 and up to 100.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Size {
    /// Counts in a row.
    pub width: Option<f64>,
    /// Counts in a column.
    pub height: Option<f64>,
}

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Children side by side.
    Row(Vec<Arc<Item>>),
    /// Children one below the other.
    Column(Vec<Arc<Item>>),
    /// Windows as tabs.
    Group {
        /// The windows; nothing else stands in a group.
        windows: Vec<Arc<Item>>,
        /// The tab in front. Absent means the first.
        active: Option<usize>,
    },
    /// The place of one application.
    Window(Window),
}

/// What only a window has. It names an application, or a window that exists, or both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Window {
    /// The application to show.
    pub app_name: Option<String>,
    /// A window that exists.
    pub window_id: Option<String>,
    /// What the application is started with.
    pub context: Option<Object>,
}

/// The type of an item, as it is called in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `row`
    Row,
    /// `column`
    Column,
    /// `group`
    Group,
    /// `window`
    Window,
}

/// The direction in which a container lays out its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Side by side; `width` counts.
    Horizontal,
    /// One below the other; `height` counts.
    Vertical,
}

impl Kind {
    /// Reads the `type` of an item.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "row" => Self::Row,
            "column" => Self::Column,
            "group" => Self::Group,
            "window" => Self::Window,
            _ => return None,
        })
    }

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Group => "group",
            Self::Window => "window",
        }
    }

    /// The axis of a row or column. Tabs and windows have none.
    #[must_use]
    pub const fn axis(self) -> Option<Axis> {
        match self {
            Self::Row => Some(Axis::Horizontal),
            Self::Column => Some(Axis::Vertical),
            Self::Group | Self::Window => None,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Size {
    /// The share along an axis.
    #[must_use]
    pub const fn along(&self, axis: Axis) -> Option<f64> {
        match axis {
            Axis::Horizontal => self.width,
            Axis::Vertical => self.height,
        }
    }

    pub(crate) const fn set(&mut self, axis: Axis, share: Option<f64>) {
        match axis {
            Axis::Horizontal => self.width = share,
            Axis::Vertical => self.height = share,
        }
    }
}

impl Item {
    /// A window of an application, with nothing else said about it.
    pub fn window(id: impl Into<ItemId>, app_name: impl Into<String>) -> Self {
        let window = Window { app_name: Some(app_name.into()), ..Window::default() };
        Self::new(id.into(), Content::Window(window))
    }

    pub(crate) fn new(id: ItemId, content: Content) -> Self {
        Self {
            id,
            size: Size::default(),
            title: None,
            config: Object::new(),
            other: Object::new(),
            content,
        }
    }

    /// A row, column or group without settings. `None` for a window.
    pub(crate) fn container(id: ItemId, kind: Kind, children: Vec<Arc<Self>>) -> Option<Self> {
        let content = match kind {
            Kind::Row => Content::Row(children),
            Kind::Column => Content::Column(children),
            Kind::Group => Content::Group { windows: children, active: None },
            Kind::Window => return None,
        };
        Some(Self::new(id, content))
    }

    /// The item's type.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self.content {
            Content::Row(_) => Kind::Row,
            Content::Column(_) => Kind::Column,
            Content::Group { .. } => Kind::Group,
            Content::Window(_) => Kind::Window,
        }
    }

    /// What is in a container; nothing in a window.
    #[must_use]
    pub fn children(&self) -> &[Arc<Self>] {
        match &self.content {
            Content::Row(children)
            | Content::Column(children)
            | Content::Group { windows: children, .. } => children,
            Content::Window(_) => &[],
        }
    }

    pub(crate) const fn children_mut(&mut self) -> Option<&mut Vec<Arc<Self>>> {
        match &mut self.content {
            Content::Row(children)
            | Content::Column(children)
            | Content::Group { windows: children, .. } => Some(children),
            Content::Window(_) => None,
        }
    }

    /// The window's own data, if the item is a window.
    #[must_use]
    pub const fn as_window(&self) -> Option<&Window> {
        match &self.content {
            Content::Window(window) => Some(window),
            _ => None,
        }
    }

    /// The tab in front of a group that is not empty.
    #[must_use]
    pub fn active_tab(&self) -> Option<&Arc<Self>> {
        match &self.content {
            Content::Group { windows, active } => windows.get(active.unwrap_or(0)),
            _ => None,
        }
    }

    /// This item and all below it, each before what is in it.
    pub fn walk(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let item = open.pop()?;
            open.extend(item.children().iter().rev().map(AsRef::as_ref));
            Some(item)
        })
    }
}

impl Tree {
    /// All items, each before what is in it.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.children.iter().flat_map(|child| child.walk())
    }

    /// All windows, from left to right and top to bottom.
    pub fn windows(&self) -> impl Iterator<Item = &Item> {
        self.items().filter(|item| item.kind() == Kind::Window)
    }

    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: &ItemId) -> Option<&Item> {
        self.items().find(|item| item.id == *id)
    }

    /// The title of the workspace.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.root.config.as_ref()?.get("title")?.as_str()
    }
}
