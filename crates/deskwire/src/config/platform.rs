//! The `platform` block: applications and layouts, and what runs them.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Applications and layouts, and what runs them.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Platform {
    /// Where application definitions come from. Of two with one name the first counts.
    pub(crate) applications: Vec<DefinitionSource>,
    /// Where layouts come from.
    pub(crate) layouts: Vec<DefinitionSource>,
    /// The channels of the desktop; six in colours without it.
    pub(crate) channels: Option<Vec<Channel>>,
    /// Folders outside this file's own from which programs may be run and
    /// definitions be read.
    pub(crate) allow_paths: Vec<PathBuf>,
    /// Whether only what the desktop starts may use the name of a defined application:
    /// other local processes need a token that fixes it.
    pub(crate) strict_identity: bool,
    /// Whether window applications open in the system's browser while no desk is open.
    /// There they get neither a token nor their starting context.
    pub(crate) system_browser: bool,
    /// How long a raised intent waits for its handler, in milliseconds.
    pub(crate) intent_timeout_ms: NonZeroU64,
    /// Stores into which applications may be put at run time. Without one, none may.
    pub(crate) app_stores: Vec<AppStore>,
}

impl Default for Platform {
    fn default() -> Self {
        Self {
            applications: Vec::new(),
            layouts: Vec::new(),
            channels: None,
            allow_paths: Vec::new(),
            strict_identity: false,
            system_browser: false,
            intent_timeout_ms: NonZeroU64::MIN.saturating_add(14_999),
            app_stores: Vec::new(),
        }
    }
}

/// A file, a folder or an app directory.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[serde(untagged)]
pub(crate) enum DefinitionSource {
    /// A file, or a folder of files; relative to this file. Read again when it changes.
    Path(PathBuf),
    /// An app directory over REST.
    Rest(RestSource),
}

/// An app directory over REST, asked again and again.
#[derive(Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RestSource {
    /// What to get, such as `https://directory.example.com/v2/apps`.
    pub(crate) url: String,
    /// Seconds between two questions.
    #[serde(default = "a_minute")]
    pub(crate) poll_seconds: NonZeroU32,
    /// Headers of the request, such as a token.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
}

/// A channel that applications join to share a context.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Channel {
    /// Its name.
    pub(crate) name: String,
    /// How it looks, as its members see it.
    pub(crate) meta: ChannelMeta,
    /// Its context at the start.
    #[serde(default)]
    pub(crate) data: serde_json::Map<String, serde_json::Value>,
}

/// How a channel looks.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChannelMeta {
    /// A colour as CSS writes it.
    pub(crate) color: String,
    /// Anything more.
    #[serde(flatten)]
    pub(crate) more: serde_json::Map<String, serde_json::Value>,
}

/// A store into which applications may be put at run time.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "details", deny_unknown_fields)]
pub(crate) enum AppStore {
    /// Kept until the process ends.
    #[serde(rename = "in-memory", rename_all = "camelCase")]
    InMemory {
        /// Names that may be put in; `*` at the end stands for any rest.
        allowed_apps: Vec<String>,
    },
}

fn a_minute() -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(59)
}

impl fmt::Debug for RestSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers hold credentials.
        f.debug_struct("RestSource").field("url", &self.url).finish_non_exhaustive()
    }
}

impl<'de> Deserialize<'de> for DefinitionSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = DefinitionSource;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a file or folder, or an object with `url`")
            }

            fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
                Ok(DefinitionSource::Path(path.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                RestSource::deserialize(MapAccessDeserializer::new(map)).map(DefinitionSource::Rest)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
