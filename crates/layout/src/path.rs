//! Where something stands in the JSON that was read: `children[0].config.width`.

use std::borrow::Cow;
use std::fmt;

/// One step into JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

impl From<&'static str> for Step {
    fn from(key: &'static str) -> Self {
        Self::Key(key.into())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Self {
        Self::Key(key.into())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A place in JSON. Displays as `children[0].config.width`; the whole document as `the tree`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl Path {
    pub(crate) fn push(&mut self, step: impl Into<Step>) {
        self.0.push(step.into());
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the tree");
        }
        for (place, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if place == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}
