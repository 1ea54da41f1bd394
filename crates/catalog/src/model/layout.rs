//! A layout: a saved arrangement.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::same_value;
use crate::source::Origin;

/// The definition of a layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Its name; unique among the layouts of its kind in a [`crate::Catalog`].
    pub name: String,
    /// What it arranges.
    pub kind: LayoutKind,
    /// `metadata.description`, for search; blank is absent.
    pub description: Option<String>,
    /// `metadata.contextSchema`: JSON Schema of its context, an object, unchecked.
    pub context_schema: Option<Value>,
    /// What the author added; empty where there is none.
    pub metadata: Map<String, Value>,
    /// Its own context; that of a workspace stands in its component and is found here too.
    pub context: Option<Value>,
    /// The layout in the saved form, as it is served on the bus. Its `components` are
    /// as they came: reading the tree is the work of others.
    pub raw: Arc<Value>,
    /// Where it stands.
    pub origin: Origin,
}

impl Layout {
    /// The components as they came.
    #[must_use]
    pub fn components(&self) -> &[Value] {
        self.raw.get("components").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The root of a workspace's tree (`children`, `config`, `context`, `frame`): the
    /// state of its first component. `None` for other layouts, and for empty ones.
    #[must_use]
    pub fn workspace_tree(&self) -> Option<&Value> {
        match self.kind {
            LayoutKind::Workspace => self.components().first()?.get("state"),
            _ => None,
        }
    }

    /// Whether both say the same; where they stand does not matter.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        // The other fields are computed from this one.
        same_value(&self.raw, &other.raw)
    }
}

/// What a layout arranges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LayoutKind {
    /// One workspace.
    Workspace,
    /// The whole desktop.
    Global,
    /// Windows that work together.
    Activity,
    /// Where an application's window stood last.
    ApplicationDefault,
    /// A swimlane.
    Swimlane,
    /// A type that is not known, as it is written.
    Other(String),
}

impl LayoutKind {
    /// The types that are known, as definitions write them.
    pub const NAMES: [&str; 5] =
        ["Workspace", "Global", "Activity", "ApplicationDefault", "Swimlane"];

    /// Reads a type, in any case of letters; what is not known is [`Self::Other`].
    #[must_use]
    pub fn parse(name: &str) -> Self {
        let known = Self::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
        match known {
            Some(0) => Self::Workspace,
            Some(1) => Self::Global,
            Some(2) => Self::Activity,
            Some(3) => Self::ApplicationDefault,
            Some(4) => Self::Swimlane,
            _ => Self::Other(name.to_owned()),
        }
    }

    /// The type as definitions write it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Workspace => "Workspace",
            Self::Global => "Global",
            Self::Activity => "Activity",
            Self::ApplicationDefault => "ApplicationDefault",
            Self::Swimlane => "Swimlane",
            Self::Other(name) => name,
        }
    }
}
