//! Which names may be registered at run time.

/// A list of application names; a name that ends with `*` allows all that begin like it.
///
/// An empty list allows nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedNames {
    exact: Vec<String>,
    prefixes: Vec<String>,
}

/// An entry that allows nothing anybody could have meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAllowedName {
    /// It is blank.
    #[error("an allowed name is blank; write a name such as `my-app`, or `my-*`")]
    Blank,
    /// It has a `*` within.
    #[error("`{0}`: a `*` may only stand at the end, as in `my-*`")]
    StarWithin(String),
}

impl AllowedNames {
    /// Reads the entries.
    ///
    /// # Errors
    ///
    /// When an entry is blank or has a `*` anywhere but at its end.
    pub fn new<T: AsRef<str>>(
        entries: impl IntoIterator<Item = T>,
    ) -> Result<Self, InvalidAllowedName> {
        let mut names = Self::default();
        for entry in entries {
            let entry = entry.as_ref().trim();
            let (stem, open) = entry.strip_suffix('*').map_or((entry, false), |stem| (stem, true));
            if entry.is_empty() {
                return Err(InvalidAllowedName::Blank);
            }
            if stem.contains('*') {
                return Err(InvalidAllowedName::StarWithin(entry.to_owned()));
            }
            if open { &mut names.prefixes } else { &mut names.exact }.push(stem.to_owned());
        }
        Ok(names)
    }

    /// Whether an application of this name may register.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.exact.iter().any(|own| own == name)
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    }

    /// Whether nothing is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.prefixes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_beginnings() {
        let names = AllowedNames::new(["chart", " mcp-app.* "]).unwrap();
        for (name, allowed) in [
            ("chart", true),
            ("chart2", false),
            ("Chart", false),
            ("mcp-app.", true),
            ("mcp-app.server.tool", true),
            ("mcp-app", false),
            ("", false),
        ] {
            assert_eq!(names.allows(name), allowed, "{name}");
        }
        assert!(AllowedNames::new(["*"]).unwrap().allows("anything"));
        assert!(AllowedNames::new::<&str>([]).unwrap().is_empty());
    }

    #[test]
    fn entries_that_mean_nothing_are_refused() {
        assert_eq!(AllowedNames::new(["  "]), Err(InvalidAllowedName::Blank));
        assert_eq!(
            AllowedNames::new(["a*b"]).unwrap_err().to_string(),
            "`a*b`: a `*` may only stand at the end, as in `my-*`"
        );
        assert!(AllowedNames::new(["a**"]).is_err());
    }
}
