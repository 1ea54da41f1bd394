//! Writing: a tree as JSON, in either dialect. Keys come in a fixed order; numbers that are whole
//! are written so.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::tree::{Content, Item, Object, Tree};

/// Whether ids of items are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteIds {
    /// For whoever will name items: desk pages, stored workspaces.
    Yes,
    /// For definitions: whoever reads them gives ids of their own.
    No,
}

/// How names, contexts and titles of items are laid down.
#[derive(Clone, Copy)]
struct Style {
    ids: WriteIds,
    /// `appName`, `windowId` and `context` of a window stand in its `config`.
    saved: bool,
}

/// The definition form: `{children, config, context, frame}` and what else the root holds.
#[must_use]
pub fn definition(tree: &Tree, ids: WriteIds) -> Value {
    Value::Object(root(tree, Style { ids, saved: false }))
}

/// The saved-layout form, under a name. What else a layout holds (metadata, the application of
/// the frame) is the caller's to add.
#[must_use]
pub fn saved_layout(tree: &Tree, name: &str, ids: WriteIds) -> Value {
    let state = root(tree, Style { ids, saved: true });
    json!({
        "name": name,
        "type": "Workspace",
        "components": [{ "type": "Workspace", "state": state }],
    })
}

/// One item in definition form.
#[must_use]
pub fn item(item: &Item, ids: WriteIds) -> Value {
    write_item(item, Style { ids, saved: false })
}

fn root(tree: &Tree, style: Style) -> Object {
    let mut object = Object::new();
    object.insert("children".to_owned(), list(&tree.children, style));
    let parts = [
        ("config", &tree.root.config),
        ("context", &tree.root.context),
        ("frame", &tree.root.frame),
    ];
    for (key, part) in parts {
        put(&mut object, key, part.clone());
    }
    object.extend(tree.root.other.clone());
    object
}

fn list(items: &[Arc<Item>], style: Style) -> Value {
    items.iter().map(|item| write_item(item, style)).collect()
}

fn write_item(item: &Item, style: Style) -> Value {
    let mut object = Object::new();
    let mut config = Object::new();
    if style.ids == WriteIds::Yes {
        object.insert("id".to_owned(), item.id.as_str().into());
    }
    object.insert("type".to_owned(), item.kind().as_str().into());
    match &item.content {
        Content::Row(children) | Content::Column(children) => {
            object.insert("children".to_owned(), list(children, style));
        }
        Content::Group { windows, active } => {
            object.insert("children".to_owned(), list(windows, style));
            put(&mut config, "activeTabIndex", *active);
        }
        Content::Window(window) => {
            let place = if style.saved { &mut config } else { &mut object };
            put(place, "appName", window.app_name.clone());
            put(place, "windowId", window.window_id.clone());
            put(place, "context", window.context.clone());
        }
    }
    put(&mut config, "title", item.title.clone());
    put(&mut config, "width", item.size.width.map(number));
    put(&mut config, "height", item.size.height.map(number));
    config.extend(item.config.clone());
    if !config.is_empty() {
        object.insert("config".to_owned(), config.into());
    }
    object.extend(item.other.clone());
    object.into()
}

fn put(object: &mut Object, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), value.into());
    }
}

/// A number of percent; `50`, not `50.0`.
fn number(share: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "shares are 0 to 100"
    )]
    if share.fract() == 0.0 { Value::from(share as u64) } else { Value::from(share) }
}
