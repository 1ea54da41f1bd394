//! Names of tools.

use std::borrow::Cow;

use deskwire_wire::excerpt;

/// Longest name. Clients refuse longer ones, some of them with all tools.
const MAX_NAME: usize = 64;
/// What the names of system tools begin with.
const RESERVED: &str = "io_connect_";
/// The system tool with the longest name.
const LONGEST: &str = "io_connect_get_workspace_widget";
/// What many clients put before a name, around the server's name.
const CLIENT_PREFIX: usize = "mcp__".len() + "__".len();

/// Why a name cannot be a tool's. Clients refuse such names, some of them with
/// all tools of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    /// There is no name.
    #[error("the name is empty")]
    Empty,
    /// A character that clients refuse.
    #[error("the name `{name}` has {} in it, which clients refuse", shown(*.character))]
    Character {
        /// The name, shortened.
        name: String,
        /// The first such character.
        character: char,
        /// A name that would do.
        proposal: String,
    },
    /// Too long.
    #[error("the name `{name}` has {length} characters; clients refuse more than {MAX_NAME}")]
    TooLong {
        /// The name, shortened.
        name: String,
        /// Its length in characters.
        length: usize,
    },
    /// The name begins like those of system tools.
    #[error("names that begin with `{RESERVED}` are reserved to system tools")]
    Reserved,
}

impl NameError {
    /// What would be right.
    pub(crate) fn fix(&self) -> Cow<'static, str> {
        match self {
            Self::Empty | Self::TooLong { .. } => {
                "use 1 to 64 of the characters A-Z a-z 0-9 _ -".into()
            }
            Self::Character { proposal, .. } => {
                format!("use 1 to 64 of the characters A-Z a-z 0-9 _ -, such as `{proposal}`")
                    .into()
            }
            Self::Reserved => {
                format!("begin the name with something other than `{RESERVED}`").into()
            }
        }
    }
}

/// Checks the name of a tool that is no system tool.
pub(crate) fn check(name: &str) -> Result<(), NameError> {
    check_system(name)?;
    if name.starts_with(RESERVED) { Err(NameError::Reserved) } else { Ok(()) }
}

/// Checks the name of a system tool.
pub(crate) fn check_system(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if let Some(character) = name.chars().find(|character| !is_usual(*character)) {
        return Err(NameError::Character {
            name: excerpt(name, 80),
            character,
            proposal: proposal(name),
        });
    }
    if name.len() > MAX_NAME {
        return Err(NameError::TooLong { name: excerpt(name, 80), length: name.len() });
    }
    Ok(())
}

/// By how much a name is too long once a client has put the server's before it.
pub(crate) fn excess(server: &str, name: &str) -> usize {
    (CLIENT_PREFIX + server.chars().count() + name.len()).saturating_sub(MAX_NAME)
}

/// By how much the name of a server is too long for a system tool, be that there by
/// now or not.
pub(crate) fn excess_of_server(server: &str) -> usize {
    excess(server, LONGEST)
}

/// Whether clients take a character in a name.
pub(crate) fn is_usual(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// The name with `_` for each run of what clients refuse.
fn proposal(name: &str) -> String {
    let words = name.split(|character| !is_usual(character)).filter(|word| !word.is_empty());
    let mut proposal: String = words.collect::<Vec<_>>().join("_").chars().take(MAX_NAME).collect();
    if proposal.is_empty() {
        proposal.push_str("my_tool");
    }
    proposal
}

/// A character, for people.
fn shown(character: char) -> String {
    match character {
        ' ' => "a space".into(),
        character if character.is_control() => {
            format!("a control character (U+{:04X})", u32::from(character))
        }
        character => format!("`{character}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_every_client_takes() {
        for name in ["io_greeting_tool", "a", "A-1", &"x".repeat(64)] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, reason, fix) in [
            ("", "the name is empty", "use 1 to 64"),
            ("Create CIFS Share", "has a space in it", "such as `Create_CIFS_Share`"),
            ("größe", "has `ö` in it", "such as `gr_e`"),
            ("a.b", "has `.` in it", "such as `a_b`"),
            ("x\n", "has a control character (U+000A) in it", "such as `x`"),
            ("🙂", "has `🙂` in it", "such as `my_tool`"),
            (&"x".repeat(65), "has 65 characters; clients refuse more than 64", "use 1 to 64"),
            ("io_connect_mine", "reserved to system tools", "other than `io_connect_`"),
        ] {
            let error = check(name).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}");
            assert!(error.fix().contains(fix), "{}", error.fix());
        }
    }

    #[test]
    fn room_is_left_for_the_name_of_the_server() {
        let longest = "io_connect_get_workspace_widget";
        assert_eq!(excess(&"s".repeat(26), longest), 0);
        assert_eq!(excess(&"s".repeat(27), longest), 1);
        assert_eq!(excess(&"ü".repeat(26), longest), 0, "characters count, not bytes");
        assert_eq!(excess_of_server(&"s".repeat(27)), 1);
    }
}
