//! What of a definition is searched, by field.

use deskwire_catalog::{Application, Layout};
use serde_json::Value;

use super::index::{Document, Field};

/// How deep schemas are looked into, and how many of their properties count.
const MAX_DEPTH: usize = 8;
const MAX_PROPERTIES: usize = 200;

/// The words of an application.
pub(crate) fn of_application(application: &Application) -> Document {
    let mut document = Document::default();
    document.add(Field::Name, &application.name);
    document.add(Field::Name, &application.title);
    document.add_any(Field::Caption, application.caption.as_deref());
    document.add_any(Field::Description, application.description.as_deref());
    for keyword in &application.keywords {
        document.add(Field::Caption, keyword);
    }
    for intent in &application.intents {
        document.add(Field::Intent, &intent.name);
        document.add_any(Field::Intent, intent.display_name.as_deref());
        add_all(&mut document, Field::ContextType, &intent.contexts);
    }
    let Some(interop) = &application.interop else { return document };
    for intent in &interop.intents {
        if !application.handles(&intent.name) {
            document.add(Field::Intent, &intent.name);
        }
        document.add_any(Field::Intent, intent.display_name.as_deref());
        document.add_any(Field::Intent, intent.description.as_deref());
        add_all(&mut document, Field::ContextType, &intent.context_types);
        add_schema(&mut document, intent.input_schema.as_ref());
        add_schema(&mut document, intent.output_schema.as_ref());
    }
    for method in &interop.methods {
        document.add(Field::Method, &method.name);
        document.add_any(Field::Method, method.description.as_deref());
        add_schema(&mut document, method.input_schema.as_ref());
        add_schema(&mut document, method.output_schema.as_ref());
    }
    if let Some(context) = &interop.context {
        document.add_any(Field::Schema, context.description.as_deref());
        add_schema(&mut document, context.schema.as_ref());
    }
    document
}

/// The words of a workspace.
pub(crate) fn of_workspace(workspace: &Layout) -> Document {
    let mut document = Document::default();
    document.add(Field::Name, &workspace.name);
    let tree = workspace.workspace_tree();
    let title = tree.and_then(|tree| tree.pointer("/config/title")).and_then(Value::as_str);
    document.add_any(Field::Name, title.filter(|title| *title != workspace.name));
    document.add_any(Field::Caption, workspace.description.as_deref());
    add_schema(&mut document, workspace.context_schema.as_ref());
    document
}

fn add_all(document: &mut Document, field: Field, texts: &[String]) {
    texts.iter().for_each(|text| document.add(field, text));
}

/// Names and descriptions of what a schema describes.
fn add_schema(document: &mut Document, schema: Option<&Value>) {
    let mut left = MAX_PROPERTIES;
    if let Some(schema) = schema {
        add_node(document, schema, MAX_DEPTH, &mut left);
    }
}

fn add_node(document: &mut Document, node: &Value, depth: usize, left: &mut usize) {
    if depth == 0 || *left == 0 {
        return;
    }
    for key in ["title", "description"] {
        document.add_any(Field::Schema, node.get(key).and_then(Value::as_str));
    }
    for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        *left = left.saturating_sub(1);
        document.add(Field::Schema, name);
        add_node(document, property, depth - 1, left);
    }
    if let Some(items) = node.get("items") {
        add_node(document, items, depth - 1, left);
    }
}
