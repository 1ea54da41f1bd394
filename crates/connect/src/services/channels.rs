//! Channels: contexts that applications join to look at the same thing.

use serde_json::{Map, Value};

use super::lenient::{fields, text};
use crate::{Client, ContextChange, ContextError, ContextSubscription};
use deskwire_wire::{Document, Payload};

/// What the names of the contexts of channels begin with.
const PREFIX: &str = "___channel___";

/// The channels of the desktop. See [`Client::channels`].
#[derive(Debug, Clone, Copy)]
pub struct Channels<'a> {
    client: &'a Client,
}

/// A channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How it looks: `color`, as CSS writes it, and anything more.
    pub meta: Map<String, Value>,
    /// What those on it look at.
    pub data: Map<String, Value>,
}

/// Follows a channel. Dropping it stops following.
#[derive(Debug)]
pub struct ChannelSubscription {
    name: String,
    changes: ContextSubscription,
}

impl Client {
    /// The channels of the desktop.
    #[must_use]
    pub fn channels(&self) -> Channels<'_> {
        Channels { client: self }
    }
}

impl Channels<'_> {
    /// The names of the channels, sorted.
    #[must_use]
    pub fn list(self) -> Vec<String> {
        let all = self.client.contexts().all();
        all.iter().filter_map(|name| name.strip_prefix(PREFIX)).map(str::to_owned).collect()
    }

    /// A channel; `None` if there is none of this name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn get(self, name: &str) -> Result<Option<Channel>, ContextError> {
        let document = self.client.contexts().get(&context(name)).await?;
        Ok(document.map(|document| read(name, &document)))
    }

    /// Sets keys of what those on the channel look at; `null` removes one.
    /// Those on it need not do anything to be told, and the publisher need not
    /// be on it.
    ///
    /// # Errors
    /// When there is no such channel, or it cannot be written.
    pub async fn publish(
        self,
        name: &str,
        data: impl IntoIterator<Item = (String, Value)>,
    ) -> Result<(), ContextError> {
        let context = self.existing(name)?;
        let paths = data.into_iter().map(|(key, value)| (format!("data.{key}"), value.into()));
        self.client.contexts().set_paths(&context, paths.collect::<Vec<(_, Payload)>>()).await
    }

    /// Follows a channel. Returns when its data is there.
    ///
    /// # Errors
    /// When there is no such channel, or it cannot be followed.
    pub async fn subscribe(self, name: &str) -> Result<ChannelSubscription, ContextError> {
        let context = self.existing(name)?;
        let changes = self.client.contexts().subscribe(&context).await?;
        Ok(ChannelSubscription { name: name.to_owned(), changes })
    }

    /// The context of a channel. Contexts come into being when they are
    /// written; channels do not.
    fn existing(self, name: &str) -> Result<String, ContextError> {
        let context = context(name);
        if self.client.contexts().all().contains(&context) {
            Ok(context)
        } else {
            Err(ContextError::NoSuchContext { name: context })
        }
    }
}

impl ChannelSubscription {
    /// The channel at first, and after each change; `None` when it is gone.
    pub async fn next(&mut self) -> Option<Channel> {
        let ContextChange { data, .. } = self.changes.next().await?;
        Some(read(&self.name, &data))
    }
}

fn context(name: &str) -> String {
    format!("{PREFIX}{name}")
}

fn read(name: &str, document: &Document) -> Channel {
    let whole = document.to_payload().decoded();
    Channel {
        name: text(&whole, &["name"]).unwrap_or_else(|| name.to_owned()),
        meta: fields(whole.get("meta")),
        data: fields(whole.get("data")),
    }
}
