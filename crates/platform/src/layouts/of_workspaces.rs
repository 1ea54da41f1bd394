//! Layouts as workspaces need them: those of the type Workspace.

use deskwire_catalog::{Layout, LayoutKind};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::{Import, LayoutError, Layouts};
use crate::workspaces::{LayoutFailure, SavedLayout, WorkspaceLayouts};

impl WorkspaceLayouts for Layouts {
    fn all(&self) -> Vec<SavedLayout> {
        Self::all(self, Some(&LayoutKind::Workspace)).iter().map(|layout| saved(layout)).collect()
    }

    fn get(&self, name: &str) -> Option<SavedLayout> {
        Self::get(self, &LayoutKind::Workspace, name).map(|layout| saved(&layout))
    }

    fn save(&self, layout: SavedLayout) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        Box::pin(
            async move { Self::save(self, document(&layout)).await.map(drop).map_err(failure) },
        )
    }

    fn import(
        &self,
        layouts: Vec<SavedLayout>,
        replace: bool,
    ) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        Box::pin(async move {
            let import = if replace {
                Import::ReplaceKind(LayoutKind::Workspace.as_str().to_owned())
            } else {
                Import::Merge
            };
            Self::import(self, layouts.iter().map(document).collect(), import)
                .await
                .map_err(failure)
        })
    }

    fn remove(&self, name: &str) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        let name = name.to_owned();
        Box::pin(
            async move { Self::remove(self, &LayoutKind::Workspace, &name).await.map_err(failure) },
        )
    }
}

fn saved(layout: &Layout) -> SavedLayout {
    SavedLayout { name: layout.name.clone(), document: layout.raw.clone() }
}

/// The document of a workspace's layout, whatever type it calls itself.
fn document(layout: &SavedLayout) -> Value {
    let mut document = Value::clone(&layout.document);
    if let Some(fields) = document.as_object_mut() {
        fields.insert("name".into(), json!(layout.name));
        fields.insert("type".into(), json!(LayoutKind::Workspace.as_str()));
    }
    document
}

fn failure(error: LayoutError) -> LayoutFailure {
    LayoutFailure { reason: error.to_string() }
}
