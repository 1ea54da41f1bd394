//! Saved layouts, on top of those of files.
//!
//! A layout of a file is read-only. Saving one of its kind and name keeps a copy
//! in the store, which wins until it is removed; then the file's shows again. One
//! task, the keeper, makes every change: it is committed, then in force, then told,
//! in that order, one after the other.

mod document;
mod keeper;
mod of_workspaces;
mod plan;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use deskwire_catalog::{Layout, LayoutKind};
pub use deskwire_store::Import;
use deskwire_store::{Marker, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::apps::{Apps, LayoutName};
use crate::limits::Limits;
use keeper::Ask;
pub(crate) use keeper::{Keeper, Token};
pub(crate) use plan::Change;

/// Why nothing was done about a layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// There is none of this name.
    #[error("there is no layout `{name}` of the type {kind}")]
    NotFound {
        /// Its type.
        kind: String,
        /// Its name.
        name: String,
    },
    /// It comes from a file.
    #[error("the layout `{name}` of the type {kind} comes from {origin}; change it there")]
    ReadOnly {
        /// Its type.
        kind: String,
        /// Its name.
        name: String,
        /// The place in the file.
        origin: String,
    },
    /// The new name is taken.
    #[error("there is a layout `{name}` of the type {kind} already; choose another name")]
    Taken {
        /// Its type.
        kind: String,
        /// Its name.
        name: String,
    },
    /// It is no layout.
    #[error("{name} cannot be saved: {reason}")]
    Unusable {
        /// What it calls itself.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// It is too large.
    #[error("the layout `{name}` has {bytes} bytes; at most {most} are saved")]
    TooLarge {
        /// Its name.
        name: String,
        /// Its size.
        bytes: usize,
        /// The bound.
        most: usize,
    },
    /// There is no room for another one.
    #[error("there are {most} saved layouts, which is the most; remove some first")]
    TooMany {
        /// The bound.
        most: usize,
    },
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The platform is stopping.
    #[error("the platform is stopping")]
    Stopping,
}

/// The layouts. Clones are handles of the same.
#[derive(Debug, Clone)]
pub struct Layouts {
    apps: Apps,
    store: deskwire_store::Layouts,
    asks: mpsc::Sender<Ask>,
    limits: Limits,
}

impl Layouts {
    /// All of a kind, or of every kind.
    #[must_use]
    pub fn all(&self, kind: Option<&LayoutKind>) -> Vec<Arc<Layout>> {
        let catalog = self.apps.catalog();
        let fits = |layout: &&Arc<Layout>| kind.is_none_or(|kind| layout.kind == *kind);
        catalog.layouts().iter().filter(fits).cloned().collect()
    }

    /// The layout of a kind and a name.
    #[must_use]
    pub fn get(&self, kind: &LayoutKind, name: &str) -> Option<Arc<Layout>> {
        self.apps.catalog().layout(kind, name).cloned()
    }

    /// Saves a layout, in the place of one of its type and name. Returns when it
    /// is committed and in force.
    ///
    /// # Errors
    /// When it is no layout, too large or one too many, or cannot be committed.
    pub async fn save(&self, document: Value) -> Result<Arc<Layout>, LayoutError> {
        let layout = self.read(document)?;
        self.change(Change::Save(Arc::clone(&layout)), Token::none()).await?;
        Ok(layout)
    }

    /// Saves several, and removes what `import` says: all or nothing.
    ///
    /// # Errors
    /// As [`Layouts::save`], for the first that is refused.
    pub async fn import(&self, documents: Vec<Value>, import: Import) -> Result<(), LayoutError> {
        let layouts = documents.into_iter().map(|one| self.read(one)).collect::<Result<_, _>>()?;
        self.change(Change::Import { layouts, import }, Token::none()).await
    }

    /// Removes a saved layout. One of a file in whose place it stood shows again.
    ///
    /// # Errors
    /// When there is none, it comes from a file, or the removal cannot be committed.
    pub async fn remove(&self, kind: &LayoutKind, name: &str) -> Result<(), LayoutError> {
        self.change(Change::Remove((kind.clone(), name.to_owned())), Token::none()).await
    }

    /// Gives a saved layout another name.
    ///
    /// # Errors
    /// When there is none, it comes from a file, the name is taken, or it cannot be committed.
    pub async fn rename(&self, kind: &LayoutKind, old: &str, new: &str) -> Result<(), LayoutError> {
        let layout = (kind.clone(), old.to_owned());
        self.change(Change::Rename { layout, name: new.to_owned() }, Token::none()).await
    }

    /// Which layout is restored at the start, if one is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn default_layout(&self) -> Result<Option<Arc<Layout>>, LayoutError> {
        self.marked(Marker::Default).await
    }

    /// Which layout was saved or restored last, if one was.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn current_layout(&self) -> Result<Option<Arc<Layout>>, LayoutError> {
        self.marked(Marker::Current).await
    }

    pub(crate) async fn mark(
        &self,
        marker: Marker,
        layout: Option<LayoutName>,
    ) -> Result<(), LayoutError> {
        self.ask(|reply| Ask::Mark { marker, layout, reply }).await
    }

    pub(crate) async fn change(&self, change: Change, token: Token) -> Result<(), LayoutError> {
        self.ask(|reply| Ask::Change { change, token, reply }).await
    }

    /// Tells that a layout was restored.
    pub(crate) async fn restored(&self, layout: LayoutName, token: Token) {
        let _stopping = self.asks.send(Ask::Restored { layout, token }).await;
    }

    pub(crate) fn read(&self, document: Value) -> Result<Arc<Layout>, LayoutError> {
        document::read_layout(document, &self.limits)
    }

    async fn marked(&self, marker: Marker) -> Result<Option<Arc<Layout>>, LayoutError> {
        let key = self.store.marker(marker).await?;
        Ok(key.and_then(|key| self.get(&LayoutKind::parse(&key.kind), &key.name)))
    }

    async fn ask(
        &self,
        ask: impl FnOnce(oneshot::Sender<Result<(), LayoutError>>) -> Ask,
    ) -> Result<(), LayoutError> {
        let (reply, done) = oneshot::channel();
        self.asks.send(ask(reply)).await.map_err(|_| LayoutError::Stopping)?;
        done.await.unwrap_or(Err(LayoutError::Stopping))
    }
}
