//! Where tools come from.

use std::fmt;
use std::sync::Arc;

use deskwire_connect::Directory;
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, pending};

use super::diagnostics::Withheld;
use super::tool::Tool;

/// The kinds of sources, in the order in which their tools are listed. The
/// name of a tool belongs to the first that offers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Tools of this server itself.
    System,
    /// Tools from the configuration.
    Static,
    /// Tools that applications register.
    Dynamic,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "system",
            Self::Static => "static",
            Self::Dynamic => "dynamic",
        })
    }
}

/// Something that offers tools, depending on who is on the bus.
pub trait Source: Send + 'static {
    /// The kind of source.
    fn origin(&self) -> Origin;

    /// What it offers while the bus is as `directory` says. Asked after each
    /// change of the bus, so what belongs to one registration is worth keeping.
    fn offer(&mut self, directory: &Directory) -> Offer;

    /// When to ask it though the bus has not changed; never, where there is
    /// nothing else it depends on. Asked for once.
    fn nudges(&self) -> BoxStream<'static, ()> {
        pending().boxed()
    }
}

/// What a source offers, and what it withholds.
#[derive(Clone, Default)]
pub struct Offer {
    /// The tools. Where two have one name, the first keeps it.
    pub tools: Vec<Arc<dyn Tool>>,
    /// What is not offered, and why.
    pub withheld: Vec<Arc<Withheld>>,
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<_> = self.tools.iter().map(|tool| tool.definition().name()).collect();
        f.debug_struct("Offer").field("tools", &tools).field("withheld", &self.withheld).finish()
    }
}
