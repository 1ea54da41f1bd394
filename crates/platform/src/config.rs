//! What a platform is to serve.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use deskwire_catalog::AllowedNames;
use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::ports::Browser;

/// What a platform is to serve.
#[derive(Debug, Clone)]
pub struct Config {
    /// The one user of the desktop.
    pub user: String,
    /// Where launched applications find the gateway.
    pub gateway_url: String,
    /// The environment that launched applications are told.
    pub environment: String,
    /// The region that applications are told.
    pub region: String,
    /// The folder that relative paths start from; what is in it may be read.
    pub base: PathBuf,
    /// Further folders that definitions may be read and programs be run from.
    pub allow_paths: Vec<PathBuf>,
    /// Where definitions come from. Of two with one name the first counts.
    pub sources: Vec<Source>,
    /// Names that may be registered at run time, one list for each in-memory
    /// store that is configured. Without a store, none may.
    pub app_stores: Vec<AllowedNames>,
    /// The channels. Without any, here and in the sources, there are six in colours.
    pub channels: Vec<ChannelDef>,
    /// Where the pages of window applications open while no desk is open; without it, they
    /// do not.
    pub system_browser: Option<Arc<dyn Browser>>,
    /// How long a raised intent waits for its handler.
    pub intent_timeout: Duration,
    /// How long a started application may take to be on the bus.
    pub ready_timeout: Duration,
    /// How long a process may take to end once it is asked to.
    pub stop_timeout: Duration,
    /// The bounds.
    pub limits: Limits,
}

impl Config {
    /// A platform without applications, for this user, with paths relative to `base`.
    #[must_use]
    pub fn new(user: impl Into<String>, base: impl Into<PathBuf>) -> Self {
        Self {
            user: user.into(),
            gateway_url: String::new(),
            environment: String::new(),
            region: String::new(),
            base: base.into(),
            allow_paths: Vec::new(),
            sources: Vec::new(),
            app_stores: Vec::new(),
            channels: Vec::new(),
            system_browser: None,
            intent_timeout: Duration::from_secs(15),
            ready_timeout: Duration::from_secs(15),
            stop_timeout: Duration::from_secs(5),
            limits: Limits::default(),
        }
    }
}

/// Where definitions come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a folder: its `.json`, `.jsonc` and `.json5` files and those of the
    /// folders in it, by name. Read again when it changes.
    Path(PathBuf),
    /// An application directory, asked again and again.
    Rest(RestSource),
    /// Definitions that the program brings along.
    Text {
        /// What they are called where something is said of them.
        label: String,
        /// The text, as of a file.
        text: String,
    },
}

/// An application directory behind HTTP.
#[derive(Clone, PartialEq, Eq)]
pub struct RestSource {
    /// What to get: an http or https address.
    pub url: String,
    /// The wait between two questions.
    pub poll: Duration,
    /// Headers of the request. They may hold credentials: they are not logged,
    /// and not sent to another host.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for RestSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestSource")
            .field("url", &self.url)
            .field("poll", &self.poll)
            .finish_non_exhaustive()
    }
}

/// A channel that applications join to share a context.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelDef {
    /// Its name.
    pub name: String,
    /// How it looks: `color`, as CSS writes it, and anything more.
    pub meta: Map<String, Value>,
    /// Its data at the start.
    pub data: Map<String, Value>,
}
