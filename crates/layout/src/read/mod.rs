//! Reading: any of the forms in, a tree and diagnostics out.

mod item;

use std::sync::Arc;

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Fault, ReadError, what};
use crate::id::{IdSource, Ids};
use crate::limits::MAX_TEXT;
use crate::path::Path;
use crate::tree::{Item, Kind, Object, Root, Tree};
use item::Reader;

/// What to do about faults that lose something ([`Fault::loses`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Refuse the whole: for tools, whose caller can do better.
    Strict,
    /// Leave out what cannot be read, and say so: for files.
    Lenient,
}

/// The form in which a tree was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `{children, config, context, frame}`, a list of items, or one item.
    Definition,
    /// `{name, type: "Workspace", components: [{type: "Workspace", state}]}`, or one component.
    SavedLayout,
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The tree, as it was given: nothing is normalised.
    pub tree: Tree,
    /// The form it was given in.
    pub dialect: Dialect,
    /// The name of a saved layout.
    pub name: Option<String>,
    /// What could not be read as it stood; at most [`crate::limits::MAX_DIAGNOSTICS`].
    pub diagnostics: Vec<Diagnostic>,
    /// How many further diagnostics were only counted.
    pub more_diagnostics: usize,
}

/// Reads a tree in any form: definition, saved layout, list of items, one item, or JSON text of
/// one of these.
///
/// Ids that are given stay; items without one, or with one that an earlier item has, get one from
/// `ids`. Null is as good as absent everywhere but in settings that layout does not know.
///
/// # Errors
/// When there is no tree at all, when it is out of bounds, and with [`Policy::Strict`] when
/// something would be lost.
pub fn read(value: &Value, policy: Policy, ids: &mut dyn IdSource) -> Result<Read, ReadError> {
    match value {
        Value::String(text) => read_text(text, policy, ids),
        value => read_value(value, policy, ids),
    }
}

/// Reads a tree from JSON text. As [`read`], which also takes text one level deep.
///
/// # Errors
/// As [`read`]; and when the text is no JSON or too long.
pub fn read_text(text: &str, policy: Policy, ids: &mut dyn IdSource) -> Result<Read, ReadError> {
    if text.len() > MAX_TEXT {
        return Err(ReadError::TextTooLong { bytes: text.len() });
    }
    let value = serde_json::from_str(text)
        .map_err(|error| ReadError::NotJson { reason: error.to_string() })?;
    read_value(&value, policy, ids)
}

fn read_value(value: &Value, policy: Policy, ids: &mut dyn IdSource) -> Result<Read, ReadError> {
    let mut ids = Ids::new(ids);
    let mut reader = Reader::new(&mut ids);
    let (mut tree, dialect, name) = match value {
        Value::Array(list) if list.iter().any(is_saved) => read_saved(&mut reader, list)?,
        Value::Array(list) => {
            (tree(reader.list(list, 1, None)?, Root::default()), Dialect::Definition, None)
        }
        Value::Object(object) if is_item(object) => {
            let item = reader.item(value, 1, None)?.map(|item| (0, Arc::new(item)));
            (tree(item, Root::default()), Dialect::Definition, None)
        }
        Value::Object(object) => read_object(&mut reader, object)?,
        other => return Err(not_a_tree(Path::default(), what(other))),
    };
    reader.name_all(&mut tree.children);
    let (diagnostics, more_diagnostics) = reader.finish(policy)?;
    Ok(Read { tree, dialect, name, diagnostics, more_diagnostics })
}

/// Reads one item for an edit, strictly; `ids` knows the tree that it will join.
pub(crate) fn read_item(
    value: &Value,
    ids: &mut Ids<'_>,
) -> Result<(Arc<Item>, Vec<Diagnostic>), ReadError> {
    let mut reader = Reader::new(ids);
    let mut item = reader.item(value, 1, None)?.map(Arc::new);
    reader.name_all(item.as_mut_slice());
    let (diagnostics, _) = reader.finish(Policy::Strict)?;
    let item = item.ok_or_else(|| ReadError::NotATree {
        path: Path::default(),
        found: what(value).to_owned(),
    })?;
    Ok((item, diagnostics))
}

type Found = (Tree, Dialect, Option<String>);

/// Whether something is a saved layout, so that a list of such is an export.
fn is_saved(value: &Value) -> bool {
    value.get("components").is_some_and(Value::is_array) && value.get("children").is_none()
}

/// Reads the one saved layout of an export.
fn read_saved(reader: &mut Reader<'_, '_>, list: &[Value]) -> Result<Found, ReadError> {
    if let [Value::Object(object)] = list {
        reader.path.push(0);
        return read_object(reader, object);
    }
    let found = format!("a list of {} saved layouts, of which one must be chosen", list.len());
    Err(not_a_tree(Path::default(), &found))
}

fn read_object(reader: &mut Reader<'_, '_>, object: &Object) -> Result<Found, ReadError> {
    let children = object.contains_key("children");
    if let Some(components) = object.get("components").filter(|_| !children) {
        let name = object.get("name").and_then(Value::as_str).map(str::to_owned);
        let tree = read_components(reader, components)?;
        return Ok((tree, Dialect::SavedLayout, name));
    }
    if let Some(state @ Value::Object(_)) = object.get("state").filter(|_| !children) {
        reader.path.push("state");
        return Ok((read_state(reader, state)?, Dialect::SavedLayout, None));
    }
    let keys = ["children", "config", "context", "frame"];
    if !keys.iter().any(|key| object.contains_key(*key)) {
        return Err(not_a_tree(Path::default(), "an object without `children`"));
    }
    Ok((read_root(reader, object)?, Dialect::Definition, None))
}

/// Reads the one component of a workspace layout. A layout without any is an empty workspace.
fn read_components(reader: &mut Reader<'_, '_>, components: &Value) -> Result<Tree, ReadError> {
    reader.path.push("components");
    let components = match components {
        Value::Null => return Ok(Tree::default()),
        Value::Array(components) => components,
        other => return Err(not_a_tree(reader.path.clone(), what(other))),
    };
    if components.is_empty() {
        return Ok(Tree::default());
    }
    let is_workspace = |component: &Value| {
        component
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| kind.eq_ignore_ascii_case("Workspace"))
    };
    let Some(place) = components.iter().position(is_workspace) else {
        return Err(not_a_tree(reader.path.clone(), "no component of type `Workspace`"));
    };
    if components.len() > 1 {
        reader.fault(Fault::MoreComponents { others: components.len() - 1 });
    }
    reader.path.push(place);
    reader.path.push("state");
    match components.get(place).and_then(|component| component.get("state")) {
        Some(state) => read_state(reader, state),
        None => Ok(Tree::default()),
    }
}

fn read_state(reader: &mut Reader<'_, '_>, state: &Value) -> Result<Tree, ReadError> {
    match state {
        Value::Null => Ok(Tree::default()),
        Value::Object(state) => read_root(reader, state),
        other => Err(not_a_tree(reader.path.clone(), what(other))),
    }
}

fn read_root(reader: &mut Reader<'_, '_>, object: &Object) -> Result<Tree, ReadError> {
    let root = reader.root(object);
    Ok(tree(reader.children(object.get("children"), 1, None)?, root))
}

fn tree(placed: impl IntoIterator<Item = (usize, Arc<Item>)>, root: Root) -> Tree {
    let children = placed.into_iter().map(|(_, item)| item).collect();
    Tree { children, root: Arc::new(root) }
}

/// Whether an object is an item rather than a workspace.
fn is_item(object: &Object) -> bool {
    object.get("type").and_then(Value::as_str).and_then(Kind::parse).is_some()
}

fn not_a_tree(path: Path, found: &str) -> ReadError {
    ReadError::NotATree { path, found: found.to_owned() }
}
