//! Layouts as documents, in and out of the store.

use std::sync::Arc;

use deskwire_catalog::{Layout, Severity, SourceLabel, read_value};
use serde_json::{Value, json};

use super::LayoutError;
use crate::limits::Limits;

/// Reads a layout that somebody wants to be saved.
pub(super) fn read_layout(document: Value, limits: &Limits) -> Result<Arc<Layout>, LayoutError> {
    let called = document.get("name").and_then(Value::as_str).map_or_else(
        || "a layout without a name".to_owned(),
        |name| format!("the layout `{}`", name.chars().take(256).collect::<String>()),
    );
    let read = read_value(&SourceLabel::new("saved"), json!({ "layouts": [document] }));
    let fault = read.diagnostics.iter().find(|one| one.severity == Severity::Error);
    let unusable = |reason: String| LayoutError::Unusable { name: called.clone(), reason };
    let layout = match (read.layouts.first(), fault) {
        (Some(layout), None) => layout.clone(),
        (_, Some(fault)) => return Err(unusable(fault.message.clone())),
        (None, None) => return Err(unusable("it is no layout".into())),
    };
    let bytes = text_of(&layout).len();
    if bytes > limits.layout_bytes {
        let name = layout.name.clone();
        return Err(LayoutError::TooLarge { name, bytes, most: limits.layout_bytes });
    }
    Ok(layout)
}

/// Reads a layout from the store, which holds its name.
pub(super) fn from_store(row: &deskwire_store::Layout) -> Result<Arc<Layout>, String> {
    let mut document: Value =
        serde_json::from_str(&row.document).map_err(|error| error.to_string())?;
    if let Some(fields) = document.as_object_mut() {
        fields.insert("name".into(), json!(row.name));
        fields.insert("type".into(), json!(row.kind));
    }
    let read = read_value(&SourceLabel::new("saved"), json!({ "layouts": [document] }));
    match read.layouts.into_iter().next() {
        Some(layout) => Ok(layout),
        None => Err(read.diagnostics.first().map(|one| one.message.clone()).unwrap_or_default()),
    }
}

/// The layout under another name.
pub(super) fn renamed(layout: &Layout, name: &str) -> Arc<Layout> {
    let mut raw = Value::clone(&layout.raw);
    if let Some(fields) = raw.as_object_mut() {
        fields.insert("name".into(), json!(name));
    }
    Arc::new(Layout { name: name.to_owned(), raw: Arc::new(raw), ..layout.clone() })
}

/// The layout as JSON text.
pub(super) fn text_of(layout: &Layout) -> String {
    layout.raw.to_string()
}
