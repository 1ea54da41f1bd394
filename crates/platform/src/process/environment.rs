//! The variables that a process is started with.

use std::ffi::{OsStr, OsString};

use deskwire_connect::StartingContext;

/// What Deskwire itself is told by variables; some of it is secret.
const OWN: &str = "DESKWIRE_";

/// The variables of this process that others may have.
///
/// Not among them: what Deskwire is told (`DESKWIRE_…`), and the starting context of
/// this process.
#[derive(Clone)]
pub(crate) struct Surroundings(Vec<(OsString, OsString)>);

impl Surroundings {
    pub(crate) fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let may_have = |name: &OsStr| {
            let text = name.to_string_lossy();
            !text.to_uppercase().starts_with(OWN) && text != StartingContext::VARIABLE
        };
        Self(variables.into_iter().filter(|(name, _)| may_have(name)).collect())
    }

    /// All of them.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// The value of one. On Windows, case does not matter.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let is_it = |own: &OsStr| {
            if cfg!(windows) { own.eq_ignore_ascii_case(name) } else { own == name }
        };
        self.0.iter().find(|(own, _)| is_it(own)).map(|(_, value)| value.as_os_str())
    }
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_not_handed_on() {
        let all = ["PATH", "DESKWIRE_TOKEN", "deskwire_key", "_GD_STARTING_CONTEXT_", "LANG"];
        let all = all.map(|name| (name.into(), "value".into()));
        let own = Surroundings::new(all);
        let names: Vec<_> = own.variables().map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(names, ["PATH", "LANG"]);
        assert_eq!(own.get("PATH"), Some(OsStr::new("value")));
        assert!(!format!("{own:?}").contains("value"));
    }
}
